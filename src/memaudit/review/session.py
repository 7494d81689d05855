"""One sitting over a set of stores: decisions, undo and redo, preview, save.

A :class:`Review` knows claims and decisions, no verdicts. Every decision is in the journal before
the call that makes it returns, so a review that ended in any way is found again at the next start.
Decisions always refer to the documents as the review shows them (``Review.stores``); a save writes
those documents with all decisions applied, which is why undo reaches back past a save as well.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from memaudit.domain import Decision, DecisionKind, Document, Range, Store
from memaudit.errors import ConflictError, StoreError, WriteError
from memaudit.paths import repository_state
from memaudit.review.journal import Action, Entry, Journal, fingerprint
from memaudit.review.ledger import keep_decisions
from memaudit.review.sheet import Found, Sheet, Step, Unmatched, parsed_like
from memaudit.settings import load_settings
from memaudit.stores.writer import Written, edit, verify, write_file


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a save would do to one file: the bytes on disk now, and those it would hold then."""

    document: Document
    target: Path
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class Conflict:
    """A file that somebody else changed: it was read anew and nothing was written to it."""

    path: str
    target: Path
    unmatched: tuple[Unmatched, ...]


@dataclass(frozen=True, slots=True)
class SaveReport:
    """What a save did, file by file."""

    written: tuple[Written, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    failed: tuple[WriteError, ...] = ()


def open_review(
    stores: Sequence[Store], root: Path | None, common_dir: str | os.PathLike[str], range_: Range
) -> Review:
    """The review of ``stores`` by the person the settings name, with the repository's own journal.

    ``root`` None makes it read-only. Raises JournalError or SettingsError.
    """
    journal = Journal(repository_state(common_dir) / "journal.sqlite")
    return Review(stores, journal, author=load_settings().decided_by, range_=range_, root=root)


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Review:
    """Decisions on the claims of ``stores``, kept in ``journal``.

    ``root`` is the folder that document paths are relative to. A ``read_only`` review (stores read
    from a revision, or a bare repository) takes decisions for an export and refuses to save.
    ``unmatched`` holds found decisions whose claims are gone from the files. The documents of
    :attr:`stores` may differ from those given in: a review that ended between an undo and the next
    save goes on with the document that the undo refers to.
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
        now: Callable[[], str] = _utc_now,
    ) -> None:
        self.author = author
        self.read_only = read_only or root is None
        self.unmatched: tuple[Unmatched, ...] = ()
        self._given = tuple(stores)
        self._journal = journal
        self._range = f"{range_.base}..{range_.head}"
        self._head_commit = range_.head_commit
        self._root = Path() if root is None else root
        self._place = os.path.realpath(self._root) if root is not None else "bare"
        if self.read_only:
            self._place = f"{self._place}@{range_.head}"
        self._now = now
        self._sheets: dict[str, Sheet] = {}
        self._owners: dict[str, Sheet] = {}
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._decisions: dict[str, Decision] = {}
        self._load()

    def close(self) -> None:
        """Let go of the journal."""
        self._journal.close()

    @property
    def stores(self) -> tuple[Store, ...]:
        """The stores as the review shows them; decisions name their claims."""
        return tuple(
            replace(store, documents=tuple(self._sheets[one.path].document for one in store.documents))
            for store in self._given
        )

    @property
    def decisions(self) -> Mapping[str, Decision]:
        """The decision in effect for each decided claim, by claim id."""
        return self._decisions

    @property
    def unsaved(self) -> int:
        """The number of claims whose decision is not the one that the file on disk holds."""
        return sum(self._unsaved(sheet) for sheet in self._sheets.values())

    def is_saved(self, claim_id: str) -> bool:
        """Whether the claim's decision, or that it has none, is what the file on disk holds."""
        return self._decisions.get(claim_id) == self._owner(claim_id).saved.get(claim_id)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return bool(self._done)

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone step to do again."""
        return bool(self._undone)

    def decision(self, claim_id: str, kind: DecisionKind, text: str | None = None) -> Decision:
        """A decision by this review's author at this moment, to be given to :meth:`decide`."""
        return Decision(claim_id=claim_id, kind=kind, by=self.author, at=self._now(), text=text)

    def decide(self, decisions: Sequence[Decision]) -> None:
        """Take all of ``decisions`` as one step that can be undone.

        Raises StoreError, and takes none, if they cannot be applied to the document:
        an unknown or locked claim, a parent retired without its children, a rewrite without words
        or one that would not read back as one claim.
        """
        if not decisions:
            return
        for decision in decisions:
            if decision.kind is DecisionKind.REWRITE and not (decision.text or "").strip():
                raise StoreError("a rewrite needs words", fix="retire the claim instead")
        wanted = self._decisions | {decision.claim_id: decision for decision in decisions}
        owners = {decision.claim_id: self._owner(decision.claim_id) for decision in decisions}
        for path in {owners[item.claim_id].document.path for item in decisions if self._edits(item)}:
            self._apply(self._sheets[path], wanted)
        entries = [self._entry(decision) for decision in decisions]
        step = self._journal.record(self._place, self._range, entries)
        self._done.append(Step(step, tuple(decisions)))
        self._undone.clear()
        self._settle()

    def _edits(self, decision: Decision) -> bool:
        """Whether a decision changes what the document will read: an accept only if it takes an edit back."""
        known = self._decisions.get(decision.claim_id)
        return decision.kind is not DecisionKind.ACCEPT or (
            known is not None and known.kind is not DecisionKind.ACCEPT
        )

    def undo(self) -> tuple[str, ...]:
        """Take the last step back; returns the ids of its claims, none where nothing is left."""
        return self._shift(self._done, self._undone, Action.UNDO)

    def redo(self) -> tuple[str, ...]:
        """Do the step last undone again; returns the ids of its claims, none where nothing is left."""
        return self._shift(self._undone, self._done, Action.REDO)

    def preview(self) -> list[FileChange]:
        """What a save would change, file by file; files that would stay as they are are left out."""
        outcomes = [(sheet, self._apply(sheet, self._decisions)) for sheet in self._sheets.values()]
        return [
            FileChange(sheet.document, self._root / sheet.document.path, sheet.disk, after)
            for sheet, after in outcomes
            if after != sheet.disk
        ]

    def save(self) -> SaveReport:
        """Write every file that the decisions change, each whole or not at all.

        A file that was changed on disk meanwhile is never written: it is read anew, the decisions
        look for their claims in it, and the report names those that found none. A file that cannot
        be written is in the report too and keeps its decisions unsaved. Raises WriteError for a
        read-only review.
        """
        if self.read_only:
            raise WriteError(
                "these stores were read from a revision, not from the working tree",
                fix="export them, or run memaudit on a work tree without --store-at",
            )
        pending = [
            (sheet, self._apply(sheet, self._decisions))
            for sheet in self._sheets.values()
            if self._unsaved(sheet)
        ]
        written: list[Written] = []
        conflicts: list[Conflict] = []
        failed: list[WriteError] = []
        for sheet, after in pending:
            try:
                try:
                    result = self._write(sheet, after)
                except ConflictError:
                    conflicts.append(self._reload(sheet))
                else:
                    written.extend([result] if result else [])
            except WriteError as error:
                failed.append(error)
        return SaveReport(tuple(written), tuple(conflicts), tuple(failed))

    def _write(self, sheet: Sheet, after: bytes) -> Written | None:
        """Save one document; None where only the journal had to be told."""
        target = self._target(sheet.document)
        held = sheet.own(self._decisions)
        verify(sheet.document, held, after)
        save = self._journal.begin_save(
            self._place,
            self._range,
            sheet.document.path,
            sitting=sheet.sitting,
            kept=self._kept(sheet),
            after=fingerprint(after),
            closed=[step.id for step in self._done + self._undone],
            saved=held.values(),
        )
        result = None
        if after != sheet.disk:
            result = write_file(target, sheet.disk, after, self._journal.path.parent / "backups")
        self._journal.finish_save(save)
        keep_decisions(self._journal.path.parent, sheet.document, sheet.saved, held, self._head_commit)
        sheet.disk = after
        sheet.saved = held
        return result

    def _reload(self, sheet: Sheet) -> Conflict:
        target = self._target(sheet.document)
        path = sheet.document.path
        try:
            document = parsed_like(sheet.document, target.read_bytes())
        except OSError as error:
            raise WriteError(error.strerror or str(error), str(target)) from error
        except StoreError as error:
            raise WriteError(error.what, error.where, error.fix) from error
        found = Found(self._journal, self._place, self._range)
        self._sheets[path] = found.open(document)
        self._take_up(found)
        return Conflict(path, target, tuple(one for one in self.unmatched if one.claim.document == path))

    def _load(self) -> None:
        found = Found(self._journal, self._place, self._range)
        for store in self._given:
            for document in store.documents:
                self._sheets[document.path] = found.open(document)
        self._take_up(found)

    def _take_up(self, found: Found) -> None:
        self._done, self._undone, self.unmatched = found.steps(self._sheets)
        self._owners = {claim: sheet for sheet in self._sheets.values() for claim in sheet.claims}
        self._settle()

    def _settle(self) -> None:
        """Work the decisions in effect out anew from the steps."""
        decisions: dict[str, Decision] = {}
        for sheet in self._sheets.values():
            decisions.update(sheet.carried)
        for step in self._done:
            decisions.update({decision.claim_id: decision for decision in step.decisions})
        self._decisions = decisions

    def _shift(self, source: list[Step], destination: list[Step], action: Action) -> tuple[str, ...]:
        if not source:
            return ()
        step = source[-1]
        self._journal.mark(self._place, action, step.id)
        destination.append(source.pop())
        self._settle()
        return step.claim_ids

    def _apply(self, sheet: Sheet, decisions: Mapping[str, Decision]) -> bytes:
        """The bytes of the document with its decisions applied."""
        own = sheet.own(decisions)
        if sheet.applied is None or sheet.applied[0] != own:
            sheet.applied = (own, edit(sheet.document, own))
        return sheet.applied[1]

    def _unsaved(self, sheet: Sheet) -> int:
        own = sheet.own(self._decisions)
        return sum(own.get(claim) != sheet.saved.get(claim) for claim in own.keys() | sheet.saved.keys())

    def _owner(self, claim_id: str) -> Sheet:
        sheet = self._owners.get(claim_id)
        if sheet is None:
            raise StoreError("there is no such claim in this review", claim_id)
        return sheet

    def _entry(self, decision: Decision) -> Entry:
        sheet = self._owner(decision.claim_id)
        return Entry(sheet.document.path, self._kept(sheet), decision)

    def _kept(self, sheet: Sheet) -> str:
        if sheet.kept is None:
            sheet.kept = self._journal.keep(sheet.document)
        return sheet.kept

    def _target(self, document: Document) -> Path:
        """The file to write; a path that a link turns out of the root is refused."""
        target = self._root / document.path
        inside = Path(os.path.realpath(target)).is_relative_to(os.path.realpath(self._root))
        if not (inside or Path(document.path).is_absolute()):
            raise WriteError(
                "it leads outside the repository", str(target), "save the file it links to there"
            )
        real = os.path.realpath(target)
        if any(part.lower() == ".git" for part in (*target.parts, *Path(real).parts)):
            raise WriteError("it lies inside a git directory", str(target), "git's own files are no memory")
        return target
