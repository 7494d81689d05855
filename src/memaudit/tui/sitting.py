"""What the review screen works on: the audit's claims and verdicts, and the decisions on them.

No terminal needed. The screen asks and draws, this decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from memaudit.domain import (
    Claim,
    Cost,
    Decision,
    DecisionKind,
    Document,
    Judgement,
    Store,
    Suggestion,
    Tier,
    Verdict,
)
from memaudit.errors import JournalError, StoreError
from memaudit.tui.board import Board, Rank, rank_of
from memaudit.tui.engine import Opened
from memaudit.tui.together import Together

if TYPE_CHECKING:
    from memaudit.errors import WriteError
    from memaudit.review.gate import Gate
    from memaudit.review.journal import Journal
    from memaudit.review.news import News
    from memaudit.review.recap import Recap
    from memaudit.review.session import FileChange, Review, SaveReport


def preload() -> None:
    """Import what is needed as soon as claims are there: a parser, a database. Costs a quarter second."""
    import rapidfuzz.distance
    import rapidfuzz.fuzz
    import rapidfuzz.process  # noqa: F401

    import memaudit.review.session  # noqa: F401


class Sitting:
    """One review as the screen sees it; empty until :meth:`open`."""

    def __init__(self, author: str, review_folder: str = "") -> None:
        self.author = author
        self.together = Together()
        self.review_folder = review_folder
        self.opened: Opened | None = None
        self.board = Board()
        self.cost = Cost()
        self.asked: dict[str, float] = {}
        """Claims that a model was asked about since the audit, with what that cost in dollars."""
        self._audited: dict[str, Judgement] = {}
        self._review: Review | None = None
        self._journal: Journal | None = None
        self._documents: dict[str, Document] = {}
        self._shown = 0
        self._hidden: frozenset[str] = frozenset()
        self._after: dict[tuple[str, str], Judgement] = {}
        self._state = Path()

    def open(self, opened: Opened) -> None:
        """Take up stores and the decisions made on them before.

        Raises JournalBusyError, and has changed nothing, when the journal is in use by another program;
        JournalError when it cannot be used.
        """
        from memaudit.review.journal_file import Patience
        from memaudit.review.place import place_of
        from memaudit.review.session import Review

        place = place_of(opened.common_dir, self.review_folder, opened.origin)
        journal = place.journal(Patience(0.0))
        try:
            review = Review(
                opened.stores,
                journal,
                author=self.author,
                range_=opened.range,
                root=Path(opened.root) if opened.root is not None else None,
                read_only=bool(opened.read_only),
                shared_as=place.shared_as,
                state=place.state,
            )
        except BaseException:
            journal.close()
            raise
        self.close()
        self.asked, self._audited = {}, {}
        self.opened, self._journal, self._review = opened, journal, review
        self._after.clear()
        self._state = place.state
        self.together.open(review, place)
        self._take_stores()

    def sign_as(self, author: str) -> None:
        """Put another name on the decisions from now on."""
        self.author = author
        if self._review is not None:
            self._review.author = author

    def close(self) -> None:
        """Let go of the journal."""
        self.together.close()
        if self._journal is not None:
            self._journal.close()
        self._journal = self._review = None

    @property
    def journal_is_free(self) -> bool:
        """Whether the journal could be written at this moment."""
        return self._journal is None or self._journal.is_free()

    @property
    def is_kept(self) -> bool:
        """Whether what is decided can be found again at the next start: its journal is still there."""
        try:
            if self._journal is not None:
                self._journal.require_in_place()
        except JournalError:
            return False
        return True

    def _take_stores(self) -> None:
        review = self._require()
        self._shown = review.shown
        self._documents = {document.path: document for store in review.stores for document in store.documents}
        old = self.board
        claims, self._hidden = shown_claims(
            self.opened.stores if self.opened else (), review.stores, self._written()
        )
        self.board = Board(claims)
        self._show_decisions()
        self.board.folded = old.folded
        for _ in self.board.arranging(old.filter, old.sort):
            pass

    # Looking

    @property
    def unsaved(self) -> int:
        """The number of claims whose decision is not in the file yet."""
        return self._review.unsaved if self._review else 0

    def unsaved_kinds(self) -> Counter[DecisionKind | None]:
        """How many of them are decided in which way, None for a saved decision that was taken back."""
        decisions = self._review.unsaved_decisions if self._review else []
        return Counter(one.kind if one else None for one in decisions)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return self._review is not None and self._review.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is an undone step to do again."""
        return self._review is not None and self._review.can_redo

    @property
    def lost(self) -> int:
        """The number of earlier decisions whose claims are gone from the files."""
        return len(self._review.unmatched) if self._review else 0

    @property
    def reworded(self) -> int:
        """The number of claims whose words somebody changed since they were decided."""
        return len(self._review.reworded) if self._review else 0

    def is_saved(self, claim_id: str) -> bool:
        """Whether the file holds what was decided on this claim."""
        return self._review is None or self._review.is_saved(claim_id)

    @property
    def documents(self) -> Iterable[Document]:
        """All documents of the stores."""
        return self._documents.values()

    def document(self, claim: Claim) -> Document | None:
        """The document a claim stands in."""
        return self._documents.get(claim.document)

    def claim(self, claim_id: str | None) -> Claim | None:
        """A claim by id."""
        index = self.board.index(claim_id)
        return None if index is None else self.board.claims[index]

    def judgement(self, claim_id: str | None) -> Judgement | None:
        """The verdict on a claim, as soon as there is one."""
        index = self.board.index(claim_id)
        return None if index is None else self.board.judgements[index]

    def audited(self, claim_id: str | None) -> Judgement | None:
        """The verdict that the audit gave a claim, whatever a model or a check said besides: what other words
        are compared with.
        """
        return self._audited.get(claim_id or "") or self.judgement(claim_id)

    def as_saved(self, claim_id: str | None) -> Judgement | None:
        """The verdict on a claim's new words, once they are in its file and were judged there."""
        decision = self.decision(claim_id) if claim_id in self.board.written else None
        return self._judged_after(claim_id, decision) if decision else None

    def contested(self, claim_id: str | None) -> tuple[Decision, ...]:
        """The decisions that stand beside each other on a claim, oldest first, if there are several."""
        return self.board.contested.get(claim_id, ()) if claim_id is not None else ()

    @property
    def unjudged(self) -> list[Claim]:
        """Claims without a verdict."""
        board = self.board
        return [
            claim
            for claim, judgement in zip(board.claims, board.judgements, strict=True)
            if judgement is None
        ]

    def decision(self, claim_id: str | None) -> Decision | None:
        """The decision in effect on a claim."""
        return self.board.decisions.get(claim_id) if claim_id is not None else None

    def below(self, claim_ids: Iterable[str]) -> list[str]:
        """Claims that hang under these, and are not among them: items of an item."""
        from memaudit.stores.writer import nested_claims

        wanted = tuple(claim_ids)
        found: dict[str, None] = {}
        for claim_id in wanted:
            parent = self.claim(claim_id)
            document = self.document(parent) if parent else None
            if parent is not None and document is not None and parent.children:
                found |= dict.fromkeys(claim.id for claim in nested_claims(document, parent))
        return [claim_id for claim_id in found if claim_id not in wanted]

    def recap(self) -> Callable[[], Recap]:
        """Works out what earlier reviews came to; to be called anywhere, also in a thread."""
        from memaudit.review.recap import recap

        review = self._require()
        log, played = review.past
        edited = {claim for claim, one in review.written.items() if one.kind is not DecisionKind.ACCEPT}
        # What a save took out or reworded is still shown, though no file holds it.
        claims = tuple(claim for claim in self.board.claims if claim.id not in edited)
        settled = review.decisions.keys() - review.contested.keys()
        author, state = self.author, self._state
        return lambda: recap(log, played, author, state, claims, settled)

    # Changing

    def judge(self, judgements: Sequence[Judgement]) -> None:
        """Take in verdicts."""
        self.board.judge(judgements)

    def take_answer(self, judgement: Judgement, usd: float) -> None:
        """Take in what a model made of a claim that audit and check left open; any other verdict stands."""
        before, now = self.audited(judgement.claim_id), self.judgement(judgement.claim_id)
        if before is None or now is None or before.verdict is not Verdict.UNKNOWN:
            return
        if now.judge == "oracle" and now.verdict is not Verdict.UNKNOWN:
            return
        self._audited[judgement.claim_id] = before
        self.asked[judgement.claim_id] = self.asked.get(judgement.claim_id, 0.0) + usd
        self.board.judge([judgement])

    def take_draft(self, claim_id: str, suggestion: Suggestion) -> None:
        """Take in a rewrite that a model drafted of a stale claim, or why it drafted none. A proved one stays
        as it is, and one to be checked where the model had none.
        """
        now = self.judgement(claim_id)
        if now is None or now.verdict is not Verdict.STALE:
            return
        known = now.suggestion
        if known is not None and known.tier is Tier.APPLY:
            return
        if known is not None and known.text is not None and suggestion.text is None:
            suggestion = replace(known, note="; ".join(filter(None, (known.note, suggestion.note))))
        self.board.judge([replace(now, suggestion=suggestion)])

    def take_trial(self, tried: Judgement) -> None:
        """Take in what running the check of a claim has shown, beside what the audit says of it."""
        from memaudit.oracle.joining import joined

        before = self.audited(tried.claim_id)
        if before is not None:
            self._audited[tried.claim_id] = before
        self.board.judge([joined(before, tried)])

    def decide(self, claim_ids: Iterable[str], kind: DecisionKind, text: str | None = None) -> None:
        """Decide the same on some claims, as one step. Raises MemauditError and then changes nothing."""
        self.decide_each((claim_id, kind, text) for claim_id in claim_ids)

    def decide_each(self, decisions: Iterable[tuple[str, DecisionKind, str | None]]) -> None:
        """Decide each claim in its own way, as one step: triples of claim, kind and new text.

        Raises MemauditError and then changes nothing.
        """
        review = self._require()
        made = [review.decision(claim_id, kind, text) for claim_id, kind, text in decisions]
        review.decide(made, seen=self.together.seen)
        self._decided()

    def choose(self, decision: Decision) -> None:
        """Let this one of several decisions on a contested claim stand. Raises MemauditError."""
        self._require().decide([decision])
        self._decided()

    def look_around(self) -> News:
        """Take in what others did in this review since. Raises JournalError."""
        news = self.together.look_around()
        if news:
            self._decided()
        return news

    def undo(self) -> tuple[str, ...]:
        """Take the last step back; returns its claims."""
        touched = self._require().undo()
        self._decided()
        return touched

    def redo(self) -> tuple[str, ...]:
        """Do the undone step again; returns its claims."""
        touched = self._require().redo(seen=self.together.seen)
        self._decided()
        return touched

    def preview(self) -> list[FileChange]:
        """What a save would change."""
        return self._require().preview()

    def save(self, previewed: Sequence[FileChange] | None = None) -> SaveReport:
        """Write the files; with ``previewed`` nothing if that is no longer what would be written."""
        report = self._require().save(previewed)
        self._decided()
        return report

    def changed_documents(self) -> dict[str, bytes]:
        """What the documents hold that are not as the audit read them, by path. Raises WriteError."""
        return self._require().changed_documents()

    def compare(self, after: Sequence[tuple[Claim, Judgement]]) -> Gate:
        """The verdicts there were before anything was saved beside those of the files as they are."""
        from memaudit.review.gate import compare
        from memaudit.stores.identity import normalise

        board = self.board
        self._after = {(claim.document, normalise(claim.text)): judgement for claim, judgement in after}
        self._show_decisions()
        before = [
            (claim, judgement)
            for claim in board.claims
            # The files are judged again by the audit alone: what else was found would be missed in them.
            if (judgement := self.audited(claim.id)) is not None
        ]
        return compare(before, self._require().written, after)

    def take_back(self) -> tuple[WriteError, ...]:
        """Undo the last save; what could not be put back. Raises JournalError."""
        failed = self._require().take_back()
        self._decided()
        return failed

    def export(self, format_: str) -> bytes:
        """The cleaned store in another format, or the patch of what is not saved. Raises MemauditError."""
        from memaudit.review.exporting import exported

        return exported(self._require(), format_)

    @property
    def files(self) -> list[Path]:
        """The files under review, by all their names."""
        return self._review.files if self._review else []

    def wanted_contents(self) -> list[tuple[str, str, str]]:
        """The files that a report shows lines of: claim id, side and path."""
        from memaudit.review.account import wanted_contents

        board = self.board
        return wanted_contents(
            (claim, judgement, self._edits(claim.id))
            for claim, judgement in zip(board.claims, board.judgements, strict=True)
        )

    def _edits(self, claim_id: str) -> bool:
        decisions = self.contested(claim_id) or [one for one in (self.decision(claim_id),) if one]
        return any(one.kind is not DecisionKind.ACCEPT for one in decisions)

    def report(self, format_: str, contents: Mapping[tuple[str, str, str], str | None]) -> bytes:
        """The review with its evidence, to be handed on; ``contents`` are those wanted."""
        from memaudit.review.exporting import reported

        review, opened = self._require(), self.opened
        assert opened is not None
        judgements = {one.claim_id: one for one in self.board.judgements if one}
        return reported(
            review,
            format_,
            opened.repo,
            opened.range,
            judgements,
            lambda *wanted: contents.get(wanted),
        )

    def _decided(self) -> None:
        review = self._require()
        written = self._written()
        if review.shown != self._shown or not self._hidden <= written.keys():
            known = [judgement for judgement in self.board.judgements if judgement]
            self._take_stores()
            self.board.judge(known)
        else:
            self._show_decisions()

    def _show_decisions(self) -> None:
        review = self._require()
        written: dict[str, Rank | None] = {}
        for claim_id, decision in self._written().items():
            if self.claim(claim_id) is not None:
                judgement = self._judged_after(claim_id, decision)
                written[claim_id] = rank_of(judgement) if judgement else None
        self.board.decide(review.decisions, review.contested, written)

    def _judged_after(self, claim_id: str | None, decision: Decision) -> Judgement | None:
        from memaudit.stores.identity import normalise

        claim = self.claim(claim_id)
        if claim is None or decision.text is None:
            return None
        return self._after.get((claim.document, normalise(decision.text)))

    def _written(self) -> dict[str, Decision]:
        """The decisions that changed a claim, are in effect, and are in its file already."""
        review = self._require()
        decisions = review.decisions
        return {
            claim_id: decision
            for claim_id, decision in review.written.items()
            if decision.kind is not DecisionKind.ACCEPT and decisions.get(claim_id) == decision
        }

    def _require(self) -> Review:
        if self._review is None:
            raise StoreError("no memory is open", fix="wait until the claims are listed")
        return self._review


def shown_claims(
    given: Sequence[Store], stores: Sequence[Store], written: Mapping[str, Decision]
) -> tuple[list[Claim], frozenset[str]]:
    """The claims to list of ``stores`` as a review shows them, and those left out.

    A review may go on with the text from before a save, which is not the one ``given``, read from disk.
    Then what the save took out is no claim any more, and the others have the lines they have on disk.
    """
    on_disk = {document.path: document for store in given for document in store.documents}
    claims: list[Claim] = []
    hidden = set()
    for document in (document for store in stores for document in store.documents):
        now = on_disk.get(document.path, document)
        if now.raw == document.raw:
            claims += document.claims
            continue
        lines = {claim.id: claim for claim in now.claims}
        for claim in document.claims:
            decision = written.get(claim.id)
            there = lines.get(claim.id)
            if there is not None:
                claims.append(replace(claim, line_start=there.line_start, line_end=there.line_end))
            elif decision is not None and decision.kind is DecisionKind.RETIRE:
                hidden.add(claim.id)
            else:
                claims.append(claim)
    return claims, frozenset(hidden)
