"""One document written to disk with its decisions: announced, written whole or not at all, noted."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from memaudit.domain import Decision, Document
from memaudit.errors import WriteError
from memaudit.review.journal import Journal, fingerprint
from memaudit.review.journal_file import busy
from memaudit.review.ledger import keep_decisions
from memaudit.review.sheet import Before, Sheet
from memaudit.stores.writer import Written, verify, write_file

try:
    import fcntl
except ImportError:  # Windows: two saves at the same moment are told apart by the bytes they expect
    fcntl = None  # type: ignore[assignment]

_WAIT_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where the files of a review lie and what its rows in the journal are called.

    ``root`` is the folder that document paths are relative to, ``review`` and ``copy`` are the
    journal's keys (see :class:`~memaudit.review.journal.Journal`), ``state`` the folder on this
    machine for backups and the ledger.
    """

    root: Path
    review: str
    copy: str
    state: Path


@dataclass(frozen=True, slots=True)
class Saving:
    """Writes the documents of one review."""

    journal: Journal
    at: Whereabouts
    author: str
    range: str
    head_commit: str

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Let nobody else save in this review meanwhile; JournalBusyError if somebody does for too long.

        The lock goes with the process, however that ends.
        """
        path = self.journal.path.with_name("saving.lock")
        self.journal.require_in_place()
        try:
            mode = self.journal.path.stat().st_mode & 0o666
            descriptor = os.open(path, os.O_CREAT | os.O_RDWR, mode)
        except OSError as error:
            what = error.strerror or str(error)
            raise WriteError(what, str(path), "check the folder's permissions") from error
        try:
            if hasattr(os, "fchmod"):
                # Whoever shares the folder has to be able to open it too, whatever the umask.
                with suppress(PermissionError):
                    os.fchmod(descriptor, mode)
            if fcntl is not None:
                _lock(descriptor, path)
            yield
        finally:
            os.close(descriptor)

    def write(
        self,
        sheet: Sheet,
        held: Mapping[str, Decision],
        after: bytes,
        *,
        kept: str,
        event: int,
        closed: Sequence[int],
    ) -> Written | None:
        """Save one document as it is with the decisions ``held``; None where only the journal had to be told.

        ``kept`` names the document in the journal, ``event`` and ``closed`` are the last line of the
        log that was read and the steps known by then.
        """
        target = self.target(sheet.document)
        verify(sheet.document, held, after)
        save = self.journal.begin_save(
            self.at.review,
            self.range,
            sheet.document.path,
            copy=self.at.copy,
            author=self.author,
            sitting=sheet.sitting,
            kept=kept,
            after=fingerprint(after),
            event=event,
            base=sheet.base,
            closed=closed,
            saved=held.values(),
        )
        result = None
        if after != sheet.disk:
            result = write_file(target, sheet.disk, after, self.at.state / "backups")
        self.journal.finish_save(save)
        keep_decisions(self.at.state, sheet.document, sheet.saved, held, self.head_commit)
        if result is not None:
            sheet.before = Before(sheet.disk, sheet.saved, sheet.save, sheet.as_saved, result)
        sheet.disk = after
        sheet.saved = dict(held)
        sheet.save, sheet.as_saved = save, True
        return result

    def take_back(self, sheet: Sheet) -> None:
        """Give the file of a sheet what its backup holds, and let its decisions be unsaved again.

        Raises WriteError, and leaves the file and its save as they are, when somebody else has changed it
        since, when the backup is not what the file held, or when it cannot be written.
        """
        before = sheet.before
        if before is None:
            return
        backup = before.written.backup
        try:
            old = backup.read_bytes()
        except OSError as error:
            raise WriteError(error.strerror or str(error), str(backup), "it cannot be put back") from error
        if old != before.disk:
            raise WriteError("it is not what the file held", str(backup), "it was not put back")
        # In this order: whoever is killed in between finds a file that is as the journal says it was saved.
        self.journal.withdraw_save(sheet.save)
        try:
            write_file(self.target(sheet.document), sheet.disk, old, self.at.state / "backups")
        except WriteError:
            self.journal.finish_save(sheet.save)
            raise
        keep_decisions(self.at.state, sheet.document, sheet.saved, before.saved, self.head_commit)
        sheet.disk, sheet.saved = before.disk, before.saved
        sheet.save, sheet.as_saved, sheet.before = before.save, before.as_saved, None

    def target(self, document: Document) -> Path:
        """The file to write; a path that a link turns out of the root is refused."""
        target = self.at.root / document.path
        inside = Path(os.path.realpath(target)).is_relative_to(os.path.realpath(self.at.root))
        if not (inside or Path(document.path).is_absolute()):
            raise WriteError(
                "it leads outside the repository", str(target), "save the file it links to there"
            )
        real = os.path.realpath(target)
        if any(part.lower() == ".git" for part in (*target.parts, *Path(real).parts)):
            raise WriteError("it lies inside a git directory", str(target), "git's own files are no memory")
        return target


def _lock(descriptor: int, path: Path) -> None:
    until = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise busy(path) from None
            time.sleep(0.02)
        except OSError:
            return  # a file system without such locks
        else:
            return
