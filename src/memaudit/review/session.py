"""One sitting over a set of stores: decisions, undo and redo, preview, save.

A :class:`Review` knows claims and decisions, no verdicts. Every decision is in the journal before
the call that makes it returns, so a review that ended in any way is found again at the next start.
Decisions always refer to the documents as the review shows them (``Review.stores``); a save writes
those documents with all decisions applied, which is why undo reaches back past a save as well.

Several processes may be in one review. :meth:`Review.look_around` takes in what the others did. Where
two people decided differently on a claim without having seen the other's decision, both stand until
somebody chooses, and no save writes that claim before.
"""

from __future__ import annotations

import os
import socket
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from memaudit.domain import Claim, Decision, DecisionKind, Document, Range, Store
from memaudit.errors import ConflictError, StoreError, WriteError
from memaudit.review.found import Found
from memaudit.review.journal import Action, Journal, Log
from memaudit.review.journal_file import Patience
from memaudit.review.news import News
from memaudit.review.place import place_of
from memaudit.review.replay import Effect, Played
from memaudit.review.saving import Saving, Whereabouts
from memaudit.review.sheet import Sheet, Unmatched
from memaudit.review.table import Table
from memaudit.settings import load_settings
from memaudit.stores.writer import Written
from memaudit.text import visible

if TYPE_CHECKING:
    from memaudit.audit import Audit


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a save would do to one file: the bytes on disk now, and those it would hold then."""

    document: Document
    target: Path
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class Conflict:
    """A file that somebody else changed: it was read anew and nothing was written to it.

    ``unmatched`` are decisions whose claim is gone, ``reworded`` claims whose words are others by now
    than those that were decided on.
    """

    path: str
    target: Path
    unmatched: tuple[Unmatched, ...]
    reworded: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class SaveReport:
    """What a save did, file by file; ``overtaken`` if it wrote nothing because others went on meanwhile."""

    written: tuple[Written, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    failed: tuple[WriteError, ...] = ()
    overtaken: bool = False


def open_review(
    stores: Sequence[Store],
    root: Path | None,
    common_dir: str | os.PathLike[str],
    range_: Range,
    *,
    author: str | None = None,
    review_folder: str = "",
    origin: str = "",
    patience: Patience | None = None,
) -> Review:
    """The review of ``stores`` by ``author``, else by the person the settings name.

    ``root`` None makes it read-only. ``review_folder`` and ``origin`` are those of
    :func:`~memaudit.review.place.place_of`. Raises JournalError or SettingsError.
    """
    place = place_of(common_dir, review_folder, origin)
    return Review(
        stores,
        place.journal(patience),
        author=load_settings().decided_by if author is None else author,
        range_=range_,
        root=root,
        shared_as=place.shared_as,
        state=place.state,
    )


def review_of(audit: Audit, author: str, patience: Patience | None = None) -> Review:
    """The review of what an audit has read, by ``author``. Raises JournalError."""
    return open_review(
        audit.stores,
        audit.root,
        audit.repository.common_dir,
        audit.range,
        author=author,
        review_folder=audit.request.review_folder,
        origin=audit.origin,
        patience=patience,
    )


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Review:
    """Decisions on the claims of ``stores``, kept in ``journal``.

    ``root`` is the folder that document paths are relative to. A ``read_only`` review (stores read
    from a revision, or a bare repository) takes decisions for an export and refuses to save.
    ``shared_as`` names a review that other working copies belong to, ``state`` is the folder for what
    stays on this machine (default: the journal's).

    The documents of :attr:`stores` may differ from those given in: a review that ended between an undo
    and the next save goes on with the document that the undo refers to.
    """

    def __init__(
        self,
        stores: Sequence[Store],
        journal: Journal,
        *,
        author: str,
        range_: Range,
        root: Path | None,
        read_only: bool = False,
        shared_as: str = "",
        state: Path | None = None,
        now: Callable[[], str] = _utc_now,
    ) -> None:
        self.read_only = read_only or root is None
        self._given = tuple(stores)
        self._journal = journal
        self._range = f"{range_.base}..{range_.head}"
        # A folder's name need not be UTF-8, what the journal holds has to be.
        real = os.path.realpath(root) if root is not None else "bare"
        place = real.encode("utf-8", "backslashreplace").decode()
        at = f"@{range_.head}" if self.read_only else ""
        self._at = Whereabouts(
            root=Path() if root is None else root,
            review=f"{shared_as or place}{at}",
            copy=f"{socket.gethostname()}:{place}{at}" if shared_as else f"{place}{at}",
            state=journal.path.parent if state is None else state,
        )
        self._saving = Saving(journal, self._at, author, self._range, range_.head_commit)
        self._now = now
        self._found = Found(journal, self._at.review, self._at.copy, self._range, shared=bool(shared_as))
        self._table = Table(stores, self._found, journal, self._saving, read_only=self.read_only)

    @property
    def author(self) -> str:
        """The name that decisions carry from now on; undo takes back the steps of this name."""
        return self._saving.author

    @author.setter
    def author(self, name: str) -> None:
        self._saving = replace(self._saving, author=name)
        self._table.sign_as(self._saving)

    @property
    def shown(self) -> int:
        """A number that grows whenever a document is shown as another text."""
        return self._table.shown

    @property
    def unmatched(self) -> tuple[Unmatched, ...]:
        """Found decisions whose claims are gone from the files."""
        return self._table.unmatched

    @property
    def reworded(self) -> tuple[Claim, ...]:
        """Claims whose words somebody changed since they were decided; decisions stand on the new ones."""
        return self._found.reworded(self._table.sheets, self._table.decisions)

    def close(self) -> None:
        """Let go of the journal."""
        self._journal.close()

    # Looking

    @property
    def key(self) -> str:
        """What the review is called in its journal."""
        return self._at.review

    @property
    def stores(self) -> tuple[Store, ...]:
        """The stores as the review shows them; decisions name their claims."""
        return tuple(
            replace(store, documents=tuple(self._table.sheets[one.path].document for one in store.documents))
            for store in self._given
        )

    @property
    def past(self) -> tuple[Log, Played]:
        """All that was ever decided here, as it is known now: values that never change."""
        return self._found.log, self._found.played

    @property
    def files(self) -> list[Path]:
        """The files under review, by all the names they are known by."""
        documents = [sheet.document for sheet in self._table.sheets.values()]
        return [self._at.root / name for one in documents for name in (one.path, *one.aliases)]

    @property
    def decisions(self) -> Mapping[str, Decision]:
        """The decision in effect for each decided claim, by claim id; of a contested one the newest."""
        return self._table.decisions

    @property
    def contested(self) -> Mapping[str, tuple[Decision, ...]]:
        """Claims decided differently by people who had not seen each other's decision, oldest first."""
        return self._table.contested

    @property
    def unsaved(self) -> int:
        """The number of claims whose decision is not the one that the file on disk holds."""
        return len(self.unsaved_decisions)

    @property
    def unsaved_decisions(self) -> list[Decision | None]:
        """What stands on those claims, in no order; None where a saved decision was taken back."""
        return [one for sheet in self._table.sheets.values() for one in self._table.unsaved_in(sheet)]

    def is_saved(self, claim_id: str) -> bool:
        """Whether the claim's decision, or that it has none, is what the file on disk holds."""
        return self._table.decisions.get(claim_id) == self._table.owner(claim_id).saved.get(claim_id)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step of this author to undo."""
        return self._table.undo_next is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone step of this author to do again."""
        return self._table.redo_next is not None

    @property
    def read_to(self) -> int:
        """The last line of the journal that was taken in, to be given to :meth:`decide`."""
        return self._found.read_to

    # Deciding

    def decision(self, claim_id: str, kind: DecisionKind, text: str | None = None) -> Decision:
        """A decision by this review's author at this moment, to be given to :meth:`decide`."""
        return Decision(claim_id=claim_id, kind=kind, by=self.author, at=self._now(), text=text)

    def decide(self, decisions: Sequence[Decision], *, seen: int | None = None) -> None:
        """Take all of ``decisions`` as one step that can be undone.

        ``seen`` is the last line of the journal that the person deciding had before them, by default
        all that was taken in: what others decided later stands beside these decisions. Raises
        StoreError, and takes none, if they cannot be applied to the document: an unknown or locked
        claim, a parent retired without its children, a rewrite without words, with control characters
        or one that would not read back as one claim.
        """
        if not decisions:
            return
        for decision in decisions:
            if decision.kind is DecisionKind.REWRITE and not (decision.text or "").strip():
                raise StoreError("a rewrite needs words", fix="retire the claim instead")
            if decision.kind is DecisionKind.REWRITE and (acting := _acting(decision.text or "")):
                # Only here: what an earlier version let into the journal has to stay readable.
                raise StoreError(
                    f"a rewrite has no control characters ({acting})", fix="type it without them"
                )
        wanted = self._table.decisions | {decision.claim_id: decision for decision in decisions}
        owners = {decision.claim_id: self._table.owner(decision.claim_id) for decision in decisions}
        for path in {owners[item.claim_id].document.path for item in decisions if self._edits(item)}:
            self._table.apply(self._table.sheets[path], wanted)
        entries = [self._table.entry(decision) for decision in decisions]
        read = self.read_to if seen is None else min(seen, self.read_to)
        step = self._journal.record(self._at.review, self._range, entries, author=self.author, seen=read)
        self._table.take_in(self._found.read_on(), (Action.DECIDE, step))

    def _edits(self, decision: Decision) -> bool:
        """Whether a decision changes what the document will read: an accept only if it takes an edit back."""
        known = self._table.decisions.get(decision.claim_id)
        return decision.kind is not DecisionKind.ACCEPT or (
            known is not None and known.kind is not DecisionKind.ACCEPT
        )

    def undo(self) -> tuple[str, ...]:
        """Take this author's last step back, also one that is in the files already.

        Returns the ids of its claims, none where nothing is left. Raises StoreError for a step of an
        earlier sitting whose file has changed since.
        """
        seen = self.read_to
        self._table.catch_up()
        return self._shift(self._table.undo_next, Action.UNDO, seen)

    def redo(self, *, seen: int | None = None) -> tuple[str, ...]:
        """Do this author's last undone step again; returns the ids of its claims, none where none is left.

        ``seen`` as for :meth:`decide`.
        """
        read = self.read_to if seen is None else min(seen, self.read_to)
        self._table.catch_up()
        return self._shift(self._table.redo_next, Action.REDO, read)

    def _shift(self, effect: Effect | None, action: Action, seen: int) -> tuple[str, ...]:
        if effect is None:
            return ()
        for sheet in self._table.closed_in(effect.step):
            self._found.demand_back(effect.step, sheet, self._saving.target(sheet.document))
        self._journal.mark(self._at.review, action, effect.step, seen=seen)
        self._table.take_in(self._found.read_on(), (action, effect.step))
        return tuple(one.claim_id for one in self._found.here(effect.step, self._table.sheets))

    # What others do

    def look_around(self) -> News:
        """Take in what other processes did in this review; what is new since this was asked last."""
        if self._journal.changed():
            self._table.catch_up()
        return self._table.take_news()

    # Saving

    def preview(self) -> list[FileChange]:
        """What a save would change, file by file; files that would stay as they are are left out.

        Contested claims stay as their files have them. Raises WriteError where others cannot be written
        without them.
        """
        outcomes = [(sheet, self._table.outcome(sheet)[1]) for sheet in self._table.sheets.values()]
        return [
            FileChange(sheet.document, self._at.root / sheet.document.path, sheet.disk, after)
            for sheet, after in outcomes
            if after != sheet.disk
        ]

    def save(self, previewed: Sequence[FileChange] | None = None) -> SaveReport:
        """Write every file that the decisions change, each whole or not at all.

        With ``previewed``, nothing is written unless that is still what would be. A file that was
        changed on disk meanwhile is never written: it is read anew, the decisions look for their claims
        in it, and the report names those that found none. A file that cannot be written is in the
        report too and keeps its decisions unsaved. Raises WriteError for a read-only review.
        """
        if self.read_only:
            raise WriteError(
                "these stores were read from a revision, not from the working tree",
                fix="export them, or run memaudit on a work tree without --store-at",
            )
        with self._saving.alone():
            self._table.catch_up()
            if previewed is not None and _bytes_of(previewed) != _bytes_of(self.preview()):
                return SaveReport(overtaken=True)
            return self._save()

    @property
    def written(self) -> Mapping[str, Decision]:
        """The decisions that the files on disk hold, by claim id."""
        return {claim: one for sheet in self._table.sheets.values() for claim, one in sheet.saved.items()}

    def changed_documents(self) -> dict[str, bytes]:
        """What the documents hold by now that are not as they were given in, by path; read from disk.

        Raises WriteError for one that cannot be read.
        """
        given = {one.path: one.raw for store in self._given for one in store.documents}
        changed = {}
        for path, sheet in self._table.sheets.items():
            if sheet.disk == given[path]:
                continue
            target = self._saving.target(sheet.document)
            try:
                changed[path] = target.read_bytes()
            except OSError as error:
                raise WriteError(error.strerror or str(error), str(target)) from error
        return changed

    def take_back(self) -> tuple[WriteError, ...]:
        """Undo the last save: its files get back what they held, byte for byte, from their backups.

        The decisions it wrote are unsaved again. A file that cannot be put back, or that somebody else
        changed since, stays as it is, and its error is returned.
        """
        failed = []
        with self._saving.alone():
            for sheet in self._table.sheets.values():
                try:
                    self._saving.take_back(sheet)
                except WriteError as error:
                    failed.append(error)
        self._table.settle()
        return tuple(failed)

    def _save(self) -> SaveReport:
        for sheet in self._table.sheets.values():
            sheet.before = None
        written: list[Written] = []
        conflicts: list[Conflict] = []
        failed: list[WriteError] = []
        for sheet in [sheet for sheet in self._table.sheets.values() if self._table.unsaved_in(sheet)]:
            try:
                held, after = self._table.outcome(sheet)
                if held == sheet.saved and after == sheet.disk:
                    continue
                try:
                    result = self._saving.write(
                        sheet,
                        held,
                        after,
                        kept=self._table.kept(sheet),
                        event=self.read_to,
                        closed=self._table.closed_by(sheet),
                    )
                except ConflictError:
                    conflicts.append(self._conflict(sheet))
                else:
                    written.extend([result] if result else [])
            except WriteError as error:
                failed.append(error)
        self._table.settle()
        return SaveReport(tuple(written), tuple(conflicts), tuple(failed))

    def _conflict(self, sheet: Sheet) -> Conflict:
        target = self._saving.target(sheet.document)
        path = sheet.document.path
        self._table.reload([path])
        self._table.settle()
        unmatched = tuple(one for one in self.unmatched if one.claim.document == path)
        return Conflict(path, target, unmatched, tuple(one for one in self.reworded if one.document == path))


def _bytes_of(changes: Sequence[FileChange]) -> list[tuple[str, bytes, bytes]]:
    return [(change.document.path, change.before, change.after) for change in changes]


def _acting(text: str) -> str:
    """The first character of a text that acts on a terminal instead of being shown, written out."""
    found = next((char for char in text if unicodedata.category(char) == "Cc" and char not in "\t\n\r"), "")
    return visible(found)
