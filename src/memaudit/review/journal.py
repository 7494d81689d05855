"""The journal: every decision written down the moment it is made, in one SQLite file per repository.

It is a log that only grows. A review at the next start reads it, and finds the decisions that never
reached a file, even when the process was killed; a review that is open beside it reads what was added.
What a claim said when it was decided is kept with the whole document it stood in, so that it can be
found again in a file edited meanwhile.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from memaudit.domain import Decision, DecisionKind, Document, Store
from memaudit.errors import JournalError
from memaudit.paths import private_folder
from memaudit.review.database import inserted, is_busy, transaction
from memaudit.review.journal_file import AT_ONCE, STEPS, Patience, busy, open_file, patiently
from memaudit.wire import store_from_wire, store_to_wire

SCHEMA = len(STEPS)
"""The version of the tables; a journal of a newer one is refused, never guessed at."""

Got = TypeVar("Got")


class Action(StrEnum):
    """What happened to a step."""

    DECIDE = "decide"
    UNDO = "undo"
    REDO = "redo"


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision of a step, with the kept document in which its claim id is valid."""

    path: str
    kept: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log, in the order it happened.

    ``seen`` is the last line that whoever did it had read by then, None where that was not noted:
    then it counts as done in view of all that came before.
    """

    seq: int
    action: Action
    step: int
    seen: int | None = None


@dataclass(frozen=True, slots=True)
class Save:
    """One write of one document: ``saved`` are the decisions that file then held.

    ``kept`` is the document whose claims the decisions name, ``after`` the fingerprint of the bytes
    written, ``closed`` the steps that the review knew of, ``event`` the last line of the log that it
    had read, ``copy`` the working copy whose file it was, ``base`` the newest write whose outcome was in
    the document already when its sitting began.
    """

    id: int
    copy: str
    author: str
    range: str
    sitting: str
    kept: str
    after: str
    event: int
    base: int
    closed: frozenset[int]
    saved: tuple[Decision, ...]


@dataclass(frozen=True, slots=True)
class Log:
    """What happened in one review: entries and author by step, and events in order."""

    entries: dict[int, tuple[Entry, ...]] = field(default_factory=dict)
    authors: dict[int, str] = field(default_factory=dict)
    events: tuple[Event, ...] = ()

    def joined(self, later: Log) -> Log:
        """This log with what was read of it later."""
        return Log(self.entries | later.entries, self.authors | later.authors, (*self.events, *later.events))


def fingerprint(raw: bytes) -> str:
    """The SHA-256 of a file's bytes, in hex."""
    return hashlib.sha256(raw).hexdigest()


class Journal:
    """The log of decisions at ``path``, made on first use.

    ``review`` in its methods keeps apart what is decided about different working trees, ``copy`` the
    working copies whose files are written. Every method that writes is one transaction on disk when it
    returns. Raises JournalBusyError when another program keeps the file locked for longer than
    ``patience``, JournalError when it cannot be used or is not on disk any more. ``together`` says that
    the folder is shared with other people or machines.
    """

    def __init__(self, path: Path, *, patience: Patience | None = None, together: bool = False) -> None:
        self.path = path
        self._patience = patience or Patience()
        with self._usable():
            if not together:
                private_folder(path.parent)
            self._database = open_file(path, self._patience, together=together)
        self._opened = _file_at(path)
        self._version = -1

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def keep(self, document: Document) -> str:
        """Remember a whole document with its claims; the returned name finds it again."""
        wire = store_to_wire(Store(document.path, document.format, "", (document,)))
        body = json.dumps(wire, sort_keys=True).encode()
        kept = fingerprint(body)
        with self._transaction() as database:
            database.execute("INSERT OR IGNORE INTO documents VALUES (?, ?)", (kept, zlib.compress(body)))
        return kept

    def kept(self, name: str) -> Document:
        """The document that :meth:`keep` remembered under this name."""
        rows = self._read("SELECT body FROM documents WHERE name = ?", (name,))
        if not rows:
            raise JournalError("a remembered document is missing", str(self.path), _AWAY)
        with self._usable():
            return store_from_wire(json.loads(zlib.decompress(rows[0][0]))).documents[0]

    def record(
        self, review: str, range_: str, entries: Iterable[Entry], *, author: str, seen: int | None
    ) -> int:
        """Write one step of decisions down and return its number; ``seen`` as in :class:`Event`."""
        with self._transaction() as database:
            step = inserted(
                database.execute(
                    "INSERT INTO steps (place, range, author) VALUES (?, ?, ?)", (review, range_, author)
                )
            )
            database.executemany(
                "INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [(step, entry.path, entry.kept, *_columns(entry.decision)) for entry in entries],
            )
            self._event(review, Action.DECIDE, step, seen)
        return step

    def mark(self, review: str, action: Action, step: int, *, seen: int | None) -> None:
        """Write down that a step was undone or done again."""
        with self._transaction():
            self._event(review, action, step, seen)

    def require_in_place(self) -> None:
        """Raise JournalError unless the file on disk is the one that was opened: SQLite goes on writing into
        a file that was removed, and nothing of that would be found again.
        """
        if self._opened is None or _file_at(self.path) != self._opened:
            raise JournalError("it was removed or replaced while in use", str(self.path), _GONE)

    def changed(self) -> bool:
        """Whether another connection may have written since this was asked last; costs microseconds."""
        self.require_in_place()
        with self._usable():
            (version,) = self._database.execute("PRAGMA data_version").fetchone()
        before, self._version = self._version, version
        return bool(version != before)

    def is_free(self) -> bool:
        """Whether something could be written at this moment; never waits."""
        with self._usable():
            self._database.execute("PRAGMA busy_timeout = 0")
            try:
                self._database.execute("BEGIN IMMEDIATE")
                self._database.execute("ROLLBACK")
            except sqlite3.OperationalError as error:
                if not is_busy(error):
                    raise
                return False
            finally:
                self._database.execute(f"PRAGMA busy_timeout = {AT_ONCE * 1000:.0f}")
        return True

    def log(self, review: str, after: int = 0) -> Log:
        """Everything decided, undone and redone in this review after one line of the log."""

        def read() -> Log:
            entries: dict[int, list[Entry]] = {}
            authors: dict[int, str] = {}
            for step, path, kept, *columns in self._database.execute(
                "SELECT d.* FROM decisions d JOIN events e ON e.step = d.step AND e.action = 'decide'"
                " WHERE e.place = ? AND e.seq > ? ORDER BY d.rowid",
                (review, after),
            ):
                entries.setdefault(step, []).append(Entry(path, kept, _decision(columns)))
            events = []
            for seq, action, step, seen, author in self._database.execute(
                "SELECT e.seq, e.action, e.step, e.seen, s.author FROM events e JOIN steps s ON s.id = e.step"
                " WHERE e.place = ? AND e.seq > ? ORDER BY e.seq",
                (review, after),
            ):
                events.append(Event(seq, Action(action), step, seen))
                authors[step] = author
            return Log({step: tuple(rows) for step, rows in entries.items()}, authors, tuple(events))

        return self._at_once(read)

    def begin_save(
        self,
        review: str,
        range_: str,
        path: str,
        *,
        copy: str,
        author: str,
        sitting: str,
        kept: str,
        after: str,
        event: int,
        base: int,
        closed: Sequence[int],
        saved: Iterable[Decision],
    ) -> int:
        """Write down what is about to be written to a file; the returned number finishes it."""
        with self._transaction() as database:
            save = inserted(
                database.execute(
                    "INSERT INTO saves (place, review, author, range, path, sitting, kept, after, event,"
                    " base, closed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        copy,
                        review,
                        author,
                        range_,
                        path,
                        sitting,
                        kept,
                        after,
                        event,
                        base,
                        json.dumps(sorted(closed)),
                    ),
                )
            )
            database.executemany(
                "INSERT INTO saved VALUES (?, ?, ?, ?, ?, ?)",
                [(save, *_columns(decision)) for decision in saved],
            )
        return save

    def finish_save(self, save: int) -> None:
        """Write down that the file now holds what :meth:`begin_save` announced."""
        with self._transaction() as database:
            database.execute("UPDATE saves SET done = 1 WHERE id = ?", (save,))

    def withdraw_save(self, save: int) -> None:
        """Write down that a finished save is no more: it counts again only if its result is on disk."""
        with self._transaction() as database:
            database.execute("UPDATE saves SET done = 0 WHERE id = ?", (save,))

    def saves(self, copy: str, path: str, on_disk: str) -> list[Save]:
        """The writes of one document in a working copy, oldest first; ``on_disk`` is what it holds now.

        A write that was announced and not finished counts if its result is what is on disk: the
        process ended between the two.
        """
        rows = self._read(f"{_SAVES} WHERE place = ? AND path = ? ORDER BY id", (copy, path))
        finished = [row for row in rows if row[-1]]
        newest = finished[-1][0] if finished else 0
        landed = [row for row in rows if row[0] > newest and row[6] == on_disk]
        if landed:
            self.finish_save(landed[-1][0])
        return [self._save(row) for row in finished + landed[-1:]]

    def saves_elsewhere(self, review: str, path: str, copy: str) -> list[Save]:
        """The finished writes of one document in the other working copies of a review, oldest first."""
        rows = self._read(
            f"{_SAVES} WHERE review = ? AND path = ? AND place <> ? AND done ORDER BY id",
            (review, path, copy),
        )
        return [self._save(row) for row in rows]

    def newest_saves(self, copy: str) -> Mapping[str, int]:
        """The newest finished write of each document in a working copy, by path."""
        return dict(
            self._read("SELECT path, max(id) FROM saves WHERE place = ? AND done GROUP BY path", (copy,))
        )

    def _save(self, row: Sequence[Any]) -> Save:
        with self._usable():
            id_, copy, author, range_, sitting, kept, after, event, base, closed, _ = row
            steps = frozenset(json.loads(closed))
        saved = self._read(
            "SELECT claim, kind, text, author, at FROM saved WHERE save = ? ORDER BY rowid", (id_,)
        )
        decisions = tuple(_decision(columns) for columns in saved)
        return Save(id_, copy, author, range_, sitting, kept, after, event, base, steps, decisions)

    def _event(self, review: str, action: Action, step: int, seen: int | None) -> None:
        self._database.execute(
            "INSERT INTO events (place, action, step, seen) VALUES (?, ?, ?, ?)",
            (review, action.value, step, seen),
        )

    def _read(self, statement: str, values: Sequence[object]) -> list[Any]:
        return self._at_once(lambda: self._database.execute(statement, values).fetchall())

    def _at_once(self, read: Callable[[], Got]) -> Got:
        """What ``read`` gives, all of it as it was at one moment."""
        found: list[Got] = []
        with self._usable():
            self._patiently(lambda: self._database.execute("BEGIN"))
            try:
                self._patiently(lambda: found.append(read()))
            finally:
                if self._database.in_transaction:
                    self._database.execute("ROLLBACK")
        return found[0]

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        self.require_in_place()
        with self._usable(), transaction(self._database, self._patiently) as database:
            yield database

    def _patiently(self, attempt: Callable[[], object]) -> None:
        patiently(attempt, self._patience, self.path)

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            if is_busy(error):
                raise busy(self.path) from error
            raise JournalError(str(error), str(self.path), _AWAY) from error
        except OSError as error:
            raise JournalError(error.strerror or str(error), str(self.path), _AWAY) from error
        except (KeyError, TypeError, ValueError, zlib.error) as error:
            raise JournalError(
                "it holds something that memaudit did not write", str(self.path), _AWAY
            ) from error


_SAVES = "SELECT id, place, author, range, sitting, kept, after, event, base, closed, done FROM saves"

_AWAY = "check the folder's permissions and space, or move the file away to start a new journal"

_GONE = "no decision is kept from here on: export what is decided as a patch, then start memaudit again"


def _file_at(path: Path) -> tuple[int, int] | None:
    """What tells a file from any other that takes its name, None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _columns(decision: Decision) -> tuple[str, str, str | None, str, str]:
    return decision.claim_id, decision.kind.value, decision.text, decision.by, decision.at


def _decision(columns: Sequence[Any]) -> Decision:
    claim, kind, text, author, at = columns
    return Decision(claim_id=claim, kind=DecisionKind(kind), by=author, at=at, text=text)
