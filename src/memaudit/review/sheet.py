"""What a review finds in the journal when it starts: which document to show, which decisions on it.

Three things can have happened to a file since decisions on it were written down. Nothing: they
apply as they are. A save of ours: what it wrote is done with, unless the review ended between an
undo and the next save, then it goes on with the document the undo refers to. An edit by somebody
else: every open decision looks for its claim in the new text.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from memaudit.domain import Claim, Decision, DecisionKind, Document
from memaudit.review.journal import Action, Entry, Journal, Log, Save, fingerprint
from memaudit.stores.document import load_document
from memaudit.stores.identity import rematch


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A decision whose claim is no longer in the file, with the words the claim had.

    ``decision`` is None where a saved decision was undone and the file then changed elsewhere:
    the old text cannot be put back and is in the backup only.
    """

    claim: Claim
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class Step:
    """One undoable step, its decisions named by the claim ids of the documents shown now."""

    id: int
    decisions: tuple[Decision, ...]

    @property
    def claim_ids(self) -> tuple[str, ...]:
        """The claims it decides."""
        return tuple(decision.claim_id for decision in self.decisions)


@dataclass(slots=True)
class Sheet:
    """One document under review.

    ``disk`` is what its file was last seen to hold and ``saved`` the decisions contained in that;
    ``carried`` hold from earlier sittings, whose steps are ``closed``. ``applied`` remembers the
    last outcome of applying decisions, ``kept`` the name of the document in the journal.
    """

    document: Document
    disk: bytes
    sitting: str
    saved: dict[str, Decision]
    carried: dict[str, Decision]
    closed: frozenset[int]
    lost: tuple[Unmatched, ...] = ()
    kept: str | None = None
    applied: tuple[dict[str, Decision], bytes] | None = None
    claims: dict[str, Claim] = field(init=False)

    def __post_init__(self) -> None:
        self.claims = {claim.id: claim for claim in self.document.claims}

    def own(self, decisions: Mapping[str, Decision]) -> dict[str, Decision]:
        """Those of ``decisions`` that are about this document."""
        return {claim: decision for claim, decision in decisions.items() if claim in self.claims}


def parsed_like(document: Document, raw: bytes) -> Document:
    """``raw`` loaded as the same document: same place, format and scope. Raises StoreError."""
    store = document.claims[0].store if document.claims else document.path
    return load_document(
        document.path,
        raw,
        store=store,
        format=document.format,
        scope=document.scope,
        aliases=document.aliases,
        shadows=document.shadows,
        present=document.imports,
    )


class Found:
    """The journal's account of one place, read for the documents of one review."""

    def __init__(self, journal: Journal, place: str, range_: str) -> None:
        self._journal = journal
        self._place = place
        self._range = range_
        self._log: Log = journal.log(place)
        self._moves: dict[tuple[str, int], dict[str, Claim | None]] = {}
        self._documents: dict[str, Document] = {}

    def open(self, document: Document) -> Sheet:
        """Take up one document as it is on disk."""
        disk = document.raw
        saves = self._journal.saves(self._place, document.path, fingerprint(disk))
        last = saves[-1] if saves else None
        sitting = uuid.uuid4().hex
        saved: dict[str, Decision] | None = None
        lost: tuple[Unmatched, ...] = ()
        if last is not None and self._went_on(last, document.path):
            if last.after == fingerprint(disk):
                sitting = last.sitting
                document = parsed_like(document, self._kept(last.kept).raw)
                saved = self._moved(last.saved, last.kept, document)
            else:
                lost = self._lost(last, document.path)
        earlier = [save for save in saves if save.sitting != sitting]
        carried: dict[str, Decision] = {}
        if earlier and earlier[-1].range == self._range:
            accepted = [one for one in earlier[-1].saved if one.kind is DecisionKind.ACCEPT]
            carried = self._moved(accepted, earlier[-1].kept, document)
        return Sheet(
            document=document,
            disk=disk,
            sitting=sitting,
            saved=dict(carried) if saved is None else saved,
            carried=carried,
            closed=frozenset(step for save in earlier for step in save.closed),
            lost=lost,
        )

    def steps(self, sheets: Mapping[str, Sheet]) -> tuple[list[Step], list[Step], tuple[Unmatched, ...]]:
        """The steps in effect, those undone, and what of the former no longer has a claim."""
        done: list[int] = []
        undone: list[int] = []
        for event in self._log.events:
            match event.action:
                case Action.DECIDE:
                    done.append(event.step)
                    undone.clear()
                case Action.UNDO if event.step in done:
                    done.remove(event.step)
                    undone.append(event.step)
                case Action.REDO if event.step in undone:
                    undone.remove(event.step)
                    done.append(event.step)
        unmatched: dict[tuple[str, str], Unmatched] = {}
        found = [self._step(step, sheets, unmatched) for step in done]
        lost = [one for sheet in sheets.values() for one in sheet.lost]
        return (
            [step for step in found if step.decisions],
            [step for step in (self._step(step, sheets, {}) for step in undone) if step.decisions],
            (*lost, *unmatched.values()),
        )

    def _step(
        self, number: int, sheets: Mapping[str, Sheet], unmatched: dict[tuple[str, str], Unmatched]
    ) -> Step:
        decisions = []
        for entry in self._log.entries.get(number, ()):
            sheet = sheets.get(entry.path)
            if sheet is None or number in sheet.closed:
                continue
            claim = self._move(entry.kept, sheet.document).get(entry.decision.claim_id)
            if claim is not None:
                decisions.append(replace(entry.decision, claim_id=claim.id))
            else:
                old = self._claim(entry)
                unmatched[entry.path, old.id] = Unmatched(old, entry.decision)
        return Step(number, tuple(decisions))

    def _went_on(self, save: Save, path: str) -> bool:
        """Whether anything in this document was decided or undone after ``save`` in its own sitting."""
        return any(
            event.seq > save.event
            and any(
                entry.path == path and (event.step in save.closed or entry.kept == save.kept)
                for entry in self._log.entries.get(event.step, ())
            )
            for event in self._log.events
        )

    def _lost(self, save: Save, path: str) -> tuple[Unmatched, ...]:
        """Decisions that ``save`` wrote, undone since, in a file that changed elsewhere afterwards."""
        later = {event.step: event.action for event in self._log.events if event.seq > save.event}
        written = {one.claim_id for one in save.saved if one.kind is not DecisionKind.ACCEPT}
        return tuple(
            Unmatched(self._claim(entry), None)
            for step, action in later.items()
            if action is Action.UNDO and step in save.closed
            for entry in self._log.entries.get(step, ())
            if entry.path == path and entry.kept == save.kept and entry.decision.claim_id in written
        )

    def _moved(self, decisions: Iterable[Decision], kept: str, document: Document) -> dict[str, Decision]:
        """Decisions on the claims of a kept document, as decisions on those of ``document``."""
        claims = self._move(kept, document)
        moved = {}
        for decision in decisions:
            claim = claims.get(decision.claim_id)
            if claim is not None:
                moved[claim.id] = replace(decision, claim_id=claim.id)
        return moved

    def _move(self, kept: str, document: Document) -> dict[str, Claim | None]:
        key = (kept, id(document))
        if key not in self._moves:
            self._moves[key] = rematch(self._kept(kept).claims, document.claims)
        return self._moves[key]

    def _kept(self, name: str) -> Document:
        if name not in self._documents:
            self._documents[name] = self._journal.kept(name)
        return self._documents[name]

    def _claim(self, entry: Entry) -> Claim:
        claims = self._kept(entry.kept).claims
        return next(claim for claim in claims if claim.id == entry.decision.claim_id)
