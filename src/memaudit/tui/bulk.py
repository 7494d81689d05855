"""Decisions for many claims on the review screen: each is looked at together, and is one step to undo."""

from __future__ import annotations

from collections.abc import Iterable

from memaudit.domain import DecisionKind, Judgement, Tier
from memaudit.errors import JournalBusyError, MemauditError
from memaudit.text import visible
from memaudit.tui.board import FOLD, Rank
from memaudit.tui.claim_row import BY_MODEL
from memaudit.tui.deciding import DecidingScreen, counted
from memaudit.tui.dialogs.batch import Batch, Wording
from memaudit.tui.ranks import is_by_model

_HELD = Wording("accept", "held claim", "held claims")
_FOLDED = Wording(
    "accept",
    "claim that no repository state can decide",
    "claims that no repository state can decide",
)
_PROVED = Wording("take", "proved suggestion", "proved suggestions")


class BulkScreen(DecidingScreen):
    """The part of the review screen that decides many claims at once."""

    def do_accept(self) -> None:
        """The claim holds; on the folded line, all that is folded there."""
        if not self.claims.marks and self.claims.index == FOLD:
            self._accept(self.sitting.board.undecided((Rank.NORM,)), _FOLDED)
        else:
            super().do_accept()

    def do_accept_held(self) -> None:
        """Accept every held claim of the filter, after a look at them."""
        self._accept(self.sitting.board.undecided((Rank.HELD,)), _HELD)

    def _accept(self, indices: Iterable[int], wording: Wording) -> None:
        claims = [self.sitting.board.claims[index] for index in indices]
        if not claims:
            self.tell(
                self.say("Every one of them is decided already: {undo} takes decisions back."), "warning"
            )
            return

        def answered(taken: tuple[str, ...] | None) -> None:
            if taken and self._decide(taken, DecisionKind.ACCEPT):
                back = self.say("{undo} takes it back.")
                self.tell(f"{wording.counted(len(taken))} accepted. {back}")

        notes = {
            claim.id: f"{BY_MODEL} " for claim in claims if is_by_model(self.sitting.judgement(claim.id))
        }
        told = "their words stay as they are" + (f"; {BY_MODEL} says a model" if notes else "")
        self.app.push_screen(Batch(wording, self._where(told), claims, key="a", notes=notes), answered)

    def do_take_all(self) -> None:
        """Take every proved suggestion of the filter, after a look at old and new words."""
        board = self.sitting.board
        claims = [board.claims[index] for index in board.takeable()]
        texts = {claim.id: text for claim in claims if (text := self._proved(claim.id)) is not None}
        claims = [claim for claim in claims if claim.id in texts]

        judged = [self.sitting.judgement(claim.id) for claim in claims]
        notes = {one.claim_id: one.why for one in judged if one is not None}

        def answered(taken: tuple[str, ...] | None) -> None:
            if taken and self._take_texts({claim_id: texts[claim_id] for claim_id in taken}):
                back = self.say("{undo} takes it back.")
                self.tell(f"{counted(len(taken), 'suggestion')} taken. {back}")

        self.app.push_screen(
            Batch(_PROVED, self._where(), claims, key="t", texts=texts, notes=notes), answered
        )

    def _where(self, otherwise: str = "") -> str:
        """Which claims are meant, where a filter leaves some out."""
        filter_ = visible(self.sitting.board.filter.describe())
        return f"of those listed: {filter_}" if filter_ else otherwise

    def do_take(self) -> None:
        """Take the suggestion of the claim, or the proved ones of all marked claims."""
        if self.claims.marks:
            self._take_marked()
        else:
            super().do_take()

    def _take_marked(self) -> None:
        """Take the proved suggestions of all marked claims, and say how many there were."""
        targets = self._undecided_targets()
        texts = {claim_id: text for claim_id in targets if (text := self._proved(claim_id)) is not None}
        if not texts:
            if targets:
                self.tell("No marked claim has a proved suggestion.", "warning")
        elif self._take_texts(texts):
            without = len(targets) - len(texts)
            rest = f" {counted(without, 'claim')} without a proved one." if without else ""
            back = self.say("{undo} takes it back.")
            self.tell(f"{counted(len(texts), 'suggestion')} taken.{rest} {back}")

    def _proved(self, claim_id: str) -> str | None:
        """The new words that are proved for a claim, None where there are none or it cannot be edited."""
        claim = self.sitting.claim(claim_id)
        judgement: Judgement | None = self.sitting.judgement(claim_id)
        suggestion = judgement.suggestion if judgement else None
        if claim is None or claim.locked or suggestion is None or suggestion.tier is not Tier.APPLY:
            return None
        return suggestion.text

    def _take_texts(self, texts: dict[str, str]) -> bool:
        """Rewrite claims as one step; says what went wrong if it did."""
        try:
            self.sitting.decide_each(
                (claim_id, DecisionKind.REWRITE, text) for claim_id, text in texts.items()
            )
        except JournalBusyError as error:
            self.wait_for_journal(error, lambda: self._take_texts(texts))
            return False
        except MemauditError as error:
            self.tell(error.line(), "error")
            return False
        self._decided(tuple(texts))
        return True
