"""What the review screen works on: the audit's claims and verdicts, and the decisions on them.

No terminal needed. The screen asks and draws, this decides.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from memaudit.domain import Claim, Cost, Decision, DecisionKind, Document, Judgement
from memaudit.errors import StoreError
from memaudit.tui.board import Board
from memaudit.tui.engine import Opened

if TYPE_CHECKING:
    from memaudit.review.journal import Journal
    from memaudit.review.session import FileChange, Review, SaveReport


def preload() -> None:
    """Import what is needed as soon as claims are there: a parser, a database. Costs a quarter second."""
    import rapidfuzz.distance
    import rapidfuzz.fuzz
    import rapidfuzz.process  # noqa: F401

    import memaudit.review.session  # noqa: F401


class Sitting:
    """One review as the screen sees it; empty until :meth:`open`."""

    def __init__(self, author: str) -> None:
        self.author = author
        self.opened: Opened | None = None
        self.board = Board()
        self.cost = Cost()
        self._review: Review | None = None
        self._journal: Journal | None = None
        self._documents: dict[str, Document] = {}

    def open(self, opened: Opened) -> None:
        """Take up stores and the decisions made on them before. Raises JournalError."""
        from memaudit.paths import repository_state
        from memaudit.review.journal import Journal
        from memaudit.review.session import Review

        self.close()
        self.opened = opened
        self._journal = Journal(repository_state(opened.common_dir) / "journal.sqlite")
        self._review = Review(
            opened.stores,
            self._journal,
            author=self.author,
            range_=opened.range,
            root=Path(opened.root) if opened.root is not None else None,
            read_only=bool(opened.read_only),
        )
        self._take_stores()

    def sign_as(self, author: str) -> None:
        """Put another name on the decisions from now on."""
        self.author = author
        if self._review is not None:
            self._review.author = author

    def close(self) -> None:
        """Let go of the journal."""
        if self._journal is not None:
            self._journal.close()
        self._journal = self._review = None

    def _take_stores(self) -> None:
        review = self._require()
        self._documents = {document.path: document for store in review.stores for document in store.documents}
        old = self.board
        self.board = Board([claim for store in review.stores for claim in store.claims])
        self.board.decide(review.decisions)
        self.board.folded = old.folded
        for _ in self.board.arranging(old.filter, old.sort):
            pass

    # Looking

    @property
    def unsaved(self) -> int:
        """The number of claims whose decision is not in the file yet."""
        return self._review.unsaved if self._review else 0

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

    # Changing

    def judge(self, judgements: Sequence[Judgement]) -> None:
        """Take in verdicts."""
        self.board.judge(judgements)

    def decide(self, claim_ids: Iterable[str], kind: DecisionKind, text: str | None = None) -> None:
        """Decide the same on some claims, as one step. Raises MemauditError and then changes nothing."""
        self.decide_each((claim_id, kind, text) for claim_id in claim_ids)

    def decide_each(self, decisions: Iterable[tuple[str, DecisionKind, str | None]]) -> None:
        """Decide each claim in its own way, as one step: triples of claim, kind and new text.

        Raises MemauditError and then changes nothing.
        """
        review = self._require()
        review.decide([review.decision(claim_id, kind, text) for claim_id, kind, text in decisions])
        self._decided()

    def undo(self) -> tuple[str, ...]:
        """Take the last step back; returns its claims."""
        touched = self._require().undo()
        self._decided()
        return touched

    def redo(self) -> tuple[str, ...]:
        """Do the undone step again; returns its claims."""
        touched = self._require().redo()
        self._decided()
        return touched

    def preview(self) -> list[FileChange]:
        """What a save would change."""
        return self._require().preview()

    def save(self) -> SaveReport:
        """Write the files."""
        report = self._require().save()
        self._decided()
        return report

    def export(self, format_: str) -> bytes:
        """The stores with the decisions applied, in another format."""
        from memaudit.stores.export import export

        review = self._require()
        return export(review.stores, review.decisions, format_)

    def _decided(self) -> None:
        self.board.decide(self._require().decisions)

    def _require(self) -> Review:
        if self._review is None:
            raise StoreError("no memory is open", fix="wait until the claims are listed")
        return self._review
