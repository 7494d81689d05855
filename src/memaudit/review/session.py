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
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from memaudit.domain import Decision, DecisionKind, Document, Range, Store
from memaudit.errors import ConflictError, StoreError, WriteError
from memaudit.review.found import Found, edited_to, last_decisions
from memaudit.review.journal import Action, Entry, Event, Journal, fingerprint
from memaudit.review.journal_file import Patience
from memaudit.review.news import News, happenings
from memaudit.review.news import Written as WrittenElsewhere
from memaudit.review.place import place_of
from memaudit.review.replay import Effect, Standing, Step, contested, standing
from memaudit.review.saving import Saving, Whereabouts
from memaudit.review.sheet import Sheet, Unmatched, parsed_like
from memaudit.settings import load_settings
from memaudit.stores.writer import Written, edit


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


def _utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class Review:
    """Decisions on the claims of ``stores``, kept in ``journal``.

    ``root`` is the folder that document paths are relative to. A ``read_only`` review (stores read
    from a revision, or a bare repository) takes decisions for an export and refuses to save.
    ``shared_as`` names a review that other working copies belong to, ``state`` is the folder for what
    stays on this machine (default: the journal's).

    ``unmatched`` holds found decisions whose claims are gone from the files. The documents of
    :attr:`stores` may differ from those given in: a review that ended between an undo and the next
    save goes on with the document that the undo refers to. ``shown`` grows whenever they change.
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
        self.author = author
        self.read_only = read_only or root is None
        self.unmatched: tuple[Unmatched, ...] = ()
        self.shown = 0
        self._given = tuple(stores)
        self._journal = journal
        self._range = f"{range_.base}..{range_.head}"
        place = os.path.realpath(root) if root is not None else "bare"
        at = f"@{range_.head}" if self.read_only else ""
        self._at = Whereabouts(
            root=Path() if root is None else root,
            review=f"{shared_as or place}{at}",
            copy=f"{socket.gethostname()}:{place}{at}" if shared_as else f"{place}{at}",
            state=journal.path.parent if state is None else state,
        )
        self._saving = Saving(journal, self._at, author, self._range, range_.head_commit)
        self._now = now
        self._sheets: dict[str, Sheet] = {}
        self._owners: dict[str, Sheet] = {}
        self._done: list[Step] = []
        self._undone: list[Step] = []
        self._stands: dict[str, tuple[Standing, ...]] = {}
        self._decisions: dict[str, Decision] = {}
        self._undo_next: Effect | None = None
        self._redo_next: Effect | None = None
        self._news = News()
        self._found = Found(journal, self._at.review, self._at.copy, self._range, shared=bool(shared_as))
        self._load()

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
            replace(store, documents=tuple(self._sheets[one.path].document for one in store.documents))
            for store in self._given
        )

    @property
    def files(self) -> list[Path]:
        """The files under review, by all the names they are known by."""
        documents = [sheet.document for sheet in self._sheets.values()]
        return [self._at.root / name for one in documents for name in (one.path, *one.aliases)]

    @property
    def decisions(self) -> Mapping[str, Decision]:
        """The decision in effect for each decided claim, by claim id; of a contested one the newest."""
        return self._decisions

    @property
    def contested(self) -> Mapping[str, tuple[Decision, ...]]:
        """Claims decided differently by people who had not seen each other's decision, oldest first."""
        return {
            claim: tuple(one.decision for one in stands)
            for claim, stands in self._stands.items()
            if contested(stands)
        }

    @property
    def unsaved(self) -> int:
        """The number of claims whose decision is not the one that the file on disk holds."""
        return sum(self._unsaved(sheet) for sheet in self._sheets.values())

    def is_saved(self, claim_id: str) -> bool:
        """Whether the claim's decision, or that it has none, is what the file on disk holds."""
        return self._decisions.get(claim_id) == self._owner(claim_id).saved.get(claim_id)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step of this author to undo."""
        return self._undo_next is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone step of this author to do again."""
        return self._redo_next is not None

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
        claim, a parent retired without its children, a rewrite without words or one that would not
        read back as one claim.
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
        read = self.read_to if seen is None else min(seen, self.read_to)
        self._journal.record(self._at.review, self._range, entries, author=self.author, seen=read)
        self._take_in(self._found.read_on())

    def _edits(self, decision: Decision) -> bool:
        """Whether a decision changes what the document will read: an accept only if it takes an edit back."""
        known = self._decisions.get(decision.claim_id)
        return decision.kind is not DecisionKind.ACCEPT or (
            known is not None and known.kind is not DecisionKind.ACCEPT
        )

    def undo(self) -> tuple[str, ...]:
        """Take this author's last step back, also one that is in the files already.

        Returns the ids of its claims, none where nothing is left. Raises StoreError for a step of an
        earlier sitting whose file has changed since.
        """
        seen = self.read_to
        self._catch_up()
        return self._shift(self._undo_next, Action.UNDO, seen)

    def redo(self, *, seen: int | None = None) -> tuple[str, ...]:
        """Do this author's last undone step again; returns the ids of its claims, none where none is left.

        ``seen`` as for :meth:`decide`.
        """
        read = self.read_to if seen is None else min(seen, self.read_to)
        self._catch_up()
        return self._shift(self._redo_next, Action.REDO, read)

    def _shift(self, effect: Effect | None, action: Action, seen: int) -> tuple[str, ...]:
        if effect is None:
            return ()
        for sheet in self._closed_in(effect.step):
            self._found.demand_back(effect.step, sheet, self._saving.target(sheet.document))
        self._journal.mark(self._at.review, action, effect.step, seen=seen)
        self._take_in(self._found.read_on())
        return tuple(one.claim_id for one in self._found.here(effect.step, self._sheets))

    def _closed_in(self, step: int) -> list[Sheet]:
        """The sheets that are done with a step: it is in their text, as the last save left it."""
        return [sheet for sheet in self._decided_in(step) if sheet.as_saved and step in sheet.closed]

    def _homeless_in(self, step: int) -> list[Sheet]:
        """The sheets without a claim that a step decides on: an earlier save took it out of their text."""
        found = {one.claim_id for one in self._found.here(step, self._sheets)}
        entries = self._found.log.entries.get(step, ())
        sheets = self._decided_in(step) if len(found) < len(entries) else []
        return [
            sheet
            for sheet in sheets
            if sheet.as_saved
            and len(found & sheet.claims.keys()) < sum(entry.path == sheet.document.path for entry in entries)
        ]

    def _decided_in(self, step: int) -> list[Sheet]:
        paths = {entry.path for entry in self._found.log.entries.get(step, ())}
        return [self._sheets[path] for path in sorted(paths) if path in self._sheets]

    # What others do

    def look_around(self) -> News:
        """Take in what other processes did in this review; what is new since this was asked last."""
        if self._journal.changed():
            self._catch_up()
        news, self._news = self._news, News()
        return news

    def _catch_up(self) -> None:
        self._take_in(self._found.read_on())
        self._notice_saves()

    def _notice_saves(self) -> None:
        newest = self._journal.newest_saves(self._at.copy)
        for path, sheet in self._sheets.items():
            if newest.get(path, 0) <= sheet.save or self.read_only:
                continue
            try:
                raw = self._saving.target(sheet.document).read_bytes()
            except (OSError, WriteError):
                continue  # the next save will say so
            saves = self._journal.saves(self._at.copy, path, fingerprint(raw))
            sheet.save = saves[-1].id
            if saves[-1].after != fingerprint(raw):
                continue
            held = self._held_after(sheet, saves[-1].saved, saves[-1].kept)
            anew = edited_to(sheet.document, held) != raw
            if not anew:
                sheet.disk, sheet.saved, sheet.as_saved = raw, held, True
            else:
                with suppress(WriteError):  # the next save will say so
                    self._reload([path])
                    self._settle()
            told = WrittenElsewhere(saves[-1].author, path, anew)
            self._news = self._news.joined(News(written=(told,)))

    def _held_after(self, sheet: Sheet, saved: Sequence[Decision], kept: str) -> dict[str, Decision]:
        """Decisions that another process saved, as far as they are open here: the others are in the text."""
        known = set(sheet.carried.values())
        known |= {one for step in self._done + self._undone for one in step.decisions}
        moved = self._found.moved(saved, kept, sheet.document)
        return {claim: one for claim, one in moved.items() if one in known}

    def _take_in(self, events: Sequence[Event]) -> None:
        """Work out anew what stands after some events, and keep what others did of them for the news."""
        if not events:
            return
        before = dict(self._decisions)
        reopened: dict[str, int] = {}
        for event in events:
            deciding = event.action is Action.DECIDE
            for sheet in self._homeless_in(event.step) if deciding else self._closed_in(event.step):
                reopened[sheet.document.path] = sheet.save
        with suppress(WriteError):  # the next save will say so
            self._reload(sorted(reopened))
        for path, save in reopened.items():
            self._sheets[path].save = save  # so that a newer one is told of as well
        self._settle()
        told = happenings(events, self._found, self._sheets, self.author, before, self._decisions)
        self._news = self._news.joined(News(happenings=told))

    # Saving

    def preview(self) -> list[FileChange]:
        """What a save would change, file by file; files that would stay as they are are left out.

        Contested claims stay as their files have them. Raises WriteError where others cannot be written
        without them.
        """
        outcomes = [(sheet, self._outcome(sheet)[1]) for sheet in self._sheets.values()]
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
            self._catch_up()
            if previewed is not None and _bytes_of(previewed) != _bytes_of(self.preview()):
                return SaveReport(overtaken=True)
            return self._save()

    def _save(self) -> SaveReport:
        written: list[Written] = []
        conflicts: list[Conflict] = []
        failed: list[WriteError] = []
        for sheet in [sheet for sheet in self._sheets.values() if self._unsaved(sheet)]:
            try:
                held, after = self._outcome(sheet)
                if held == sheet.saved and after == sheet.disk:
                    continue
                try:
                    result = self._saving.write(
                        sheet,
                        held,
                        after,
                        kept=self._kept(sheet),
                        event=self.read_to,
                        closed=self._closed_by(sheet),
                    )
                except ConflictError:
                    conflicts.append(self._conflict(sheet))
                else:
                    written.extend([result] if result else [])
            except WriteError as error:
                failed.append(error)
        self._settle()
        return SaveReport(tuple(written), tuple(conflicts), tuple(failed))

    def _closed_by(self, sheet: Sheet) -> list[int]:
        """The steps that a save of one document is done with: all but those of its contested claims."""
        waiting = set(self.contested) & sheet.claims.keys()
        done = [step.id for step in self._done if waiting.isdisjoint(step.claim_ids)]
        return done + [step.id for step in self._undone]

    def _outcome(self, sheet: Sheet) -> tuple[dict[str, Decision], bytes]:
        """The decisions to be written and the bytes they make; contested claims stay as the file has them."""
        held = sheet.own(self._decisions)
        waiting = [claim for claim in held if contested(self._stands.get(claim, ()))]
        for claim in waiting:
            saved = sheet.saved.get(claim)
            if saved is None:
                del held[claim]
            else:
                held[claim] = saved
        try:
            return held, self._apply(sheet, held)
        except StoreError as error:
            if not waiting:
                raise
            raise WriteError(
                "a claim that two people decided differently holds others up",
                sheet.document.path,
                "choose which decision stands, then save",
            ) from error

    def _conflict(self, sheet: Sheet) -> Conflict:
        target = self._saving.target(sheet.document)
        path = sheet.document.path
        self._reload([path])
        self._settle()
        return Conflict(path, target, tuple(one for one in self.unmatched if one.claim.document == path))

    # Working it out

    def _load(self) -> None:
        for store in self._given:
            for document in store.documents:
                self._sheets[document.path] = self._found.open(document)
        self._settle()

    def _reload(self, paths: Sequence[str]) -> None:
        """Take some documents up again as they are on disk. Raises WriteError."""
        for path in paths:
            sheet = self._sheets[path]
            target = self._saving.target(sheet.document)
            try:
                document = parsed_like(sheet.document, target.read_bytes())
            except OSError as error:
                raise WriteError(error.strerror or str(error), str(target)) from error
            except StoreError as error:
                raise WriteError(error.what, error.where, error.fix) from error
            self._sheets[path] = self._found.open(document)
        self.shown += bool(paths)

    def _settle(self) -> None:
        """Work out anew from the log which decisions stand, and what can be undone."""
        self._done, self._undone, self.unmatched = self._found.steps(self._sheets)
        self._owners = {claim: sheet for sheet in self._sheets.values() for claim in sheet.claims}
        self._stands = standing(self._done)
        decisions: dict[str, Decision] = {}
        for sheet in self._sheets.values():
            decisions.update(sheet.carried)
        self._decisions = decisions | last_decisions(self._stands)
        played = self._found.played
        self._undo_next = self._own_last(played.done, self._done)
        self._redo_next = self._own_last(played.undone, self._undone)

    def _own_last(self, effects: Sequence[Effect], open_: Sequence[Step]) -> Effect | None:
        """This author's last step that is open here, or that is in the files as the last save left them."""
        ids = {step.id for step in open_}
        for effect in reversed(effects):
            if effect.author != self.author:
                continue
            if effect.step in ids:
                return effect
            entries = self._found.log.entries.get(effect.step, ())
            sheets = [self._sheets[entry.path] for entry in entries if entry.path in self._sheets]
            if sheets and all(sheet.as_saved and effect.step in sheet.closed for sheet in sheets):
                return effect
        return None

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


def _bytes_of(changes: Sequence[FileChange]) -> list[tuple[str, bytes, bytes]]:
    return [(change.document.path, change.before, change.after) for change in changes]
