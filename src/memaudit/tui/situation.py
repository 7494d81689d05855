"""What the review screen offers to do, and the reasons why an action cannot be done now."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from memaudit.domain import Claim, Judgement, Tier


class Situation(Protocol):
    """What an action may look at to say why it cannot be done now."""

    @property
    def claim(self) -> Claim | None:
        """The selected claim."""
        ...

    @property
    def judgement(self) -> Judgement | None:
        """The verdict on the selected claim, as soon as there is one."""
        ...

    @property
    def marked(self) -> int:
        """The number of marked claims."""
        ...

    @property
    def acceptable(self) -> int:
        """The number of held claims of the current filter without a decision."""
        ...

    @property
    def takeable(self) -> int:
        """The number of undecided claims of the current filter with a proved suggestion."""
        ...

    @property
    def filtered(self) -> bool:
        """Whether a search or a filter may leave something out."""
        ...

    @property
    def on_fold(self) -> bool:
        """Whether the cursor stands on the folded line."""
        ...

    @property
    def folds(self) -> int:
        """The number of claims that are or could be folded."""
        ...

    @property
    def decided(self) -> int:
        """The number of claims with a decision."""
        ...

    @property
    def unsaved(self) -> int:
        """The number of claims whose decision is not in the file yet."""
        ...

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        ...

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to do again."""
        ...

    @property
    def contested(self) -> int:
        """The number of claims that people decided differently."""
        ...

    @property
    def why_no_save(self) -> str:
        """Why these stores can never be saved, or empty."""
        ...

    @property
    def why_no_model(self) -> str:
        """Why a model cannot be asked now, or empty."""
        ...

    @property
    def why_no_rewrites(self) -> str:
        """Why no rewrites can be asked for now, or empty."""
        ...

    @property
    def why_no_check(self) -> str:
        """Why the selected claim has no check that can be run, or empty."""
        ...

    @property
    def why_no_draft(self) -> str:
        """Why no check of the selected claim can be drafted, or empty."""
        ...


WhyNot = Callable[[Situation], str]
"""Says in one clause why an action cannot be done now; empty when it can.

Those below are called after what they ask for.
"""


def always(_: Situation) -> str:
    """Nothing stands in the way."""
    return ""


def needs_claim(now: Situation) -> str:
    """A selected claim, or marked ones."""
    return "" if now.claim or now.marked else "no claim is selected"


def needs_claim_or_fold(now: Situation) -> str:
    """A selected claim, marked ones, or the folded line."""
    return "" if now.on_fold else needs_claim(now)


def needs_editable(now: Situation) -> str:
    """A claim whose words can be changed, or marked ones."""
    if now.marked:
        return ""
    if now.claim is None:
        return "no claim is selected"
    return f"this claim cannot be edited: {now.claim.locked}" if now.claim.locked else ""


def needs_one_editable(now: Situation) -> str:
    """A selected claim whose words can be changed."""
    if now.claim is None:
        return "no claim is selected"
    return f"this claim cannot be edited: {now.claim.locked}" if now.claim.locked else ""


def needs_no_marks(now: Situation) -> str:
    """One claim to give words to, and no others marked."""
    if now.marked:
        return "claims are marked, and words are for one claim: esc takes the marks away"
    return needs_one_line(now)


def needs_one_line(now: Situation) -> str:
    """A selected claim that has room in a field of one line."""
    if reason := needs_one_editable(now):
        return reason
    return lines_of_code(now.claim) if now.claim else ""


def lines_of_code(claim: Claim) -> str:
    """That a claim is code of several lines, which no field of one line has room for, or empty."""
    lines = claim.text.count("\n") + 1
    return f"this claim is {lines:,} lines of code: E opens the file in your editor" if lines > 1 else ""


def needs_suggestion(now: Situation) -> str:
    """A suggestion that has words, or marked claims."""
    if now.marked:
        return ""
    if reason := needs_one_editable(now):
        return reason
    if now.judgement is None:
        return "this claim is not judged yet"
    suggestion = now.judgement.suggestion
    if suggestion is None:
        return "there is no suggestion for this claim"
    if suggestion.tier is Tier.REFUSE or (suggestion.tier is Tier.ASK and suggestion.text is None):
        return suggestion.note or "there is no text to suggest"
    return ""


def needs_single_claim(now: Situation) -> str:
    """A selected claim."""
    return "" if now.claim else "no claim is selected"


def needs_evidence(now: Situation) -> str:
    """A claim with evidence."""
    if reason := needs_single_claim(now):
        return reason
    return "" if now.judgement and now.judgement.evidence else "there is no evidence for this claim"


def needs_commit(now: Situation) -> str:
    """A claim with the commit that decides it."""
    if reason := needs_evidence(now):
        return reason
    known = now.judgement and any(one.commit for one in now.judgement.evidence)
    return "" if known else "no commit is known to decide this claim"


def needs_acceptable(now: Situation) -> str:
    """Held claims that are listed and undecided."""
    return "" if now.acceptable else "no held claim of this filter is undecided"


def needs_takeable(now: Situation) -> str:
    """Proved suggestions that are listed and undecided."""
    return "" if now.takeable else "no undecided claim of this filter has a proved suggestion"


def needs_filter(now: Situation) -> str:
    """A search or a filter."""
    return "" if now.filtered else "nothing is searched for and nothing filtered"


def needs_undo(now: Situation) -> str:
    """A step of one's own to take back."""
    return "" if now.can_undo else "nothing of yours to undo" if now.decided else "nothing to undo"


def needs_redo(now: Situation) -> str:
    """A step that was taken back."""
    return "" if now.can_redo else "nothing to do again"


def needs_unsaved(now: Situation) -> str:
    """Decisions that no file holds yet."""
    if now.why_no_save:
        return now.why_no_save
    if now.unsaved:
        return ""
    return "every decision is already in the files" if now.decided else "nothing is decided yet"


def needs_model(now: Situation) -> str:
    """A model that can be asked, and something to ask."""
    return now.why_no_model


def needs_rewrites(now: Situation) -> str:
    """A model that can be asked, and undecided stale claims."""
    return now.why_no_rewrites


def needs_check(now: Situation) -> str:
    """A judged claim with a check of its own."""
    if reason := now.why_no_check:
        return reason
    return "" if now.judgement is not None else "this claim is not judged yet"


def needs_draft(now: Situation) -> str:
    """A judged claim that a check can be drafted of."""
    if reason := now.why_no_draft:
        return reason
    return "" if now.judgement is not None else "this claim is not judged yet"


def needs_contested(now: Situation) -> str:
    """A claim that people decided differently."""
    return "" if now.contested else "no claim is decided differently by two people"


def needs_folds(now: Situation) -> str:
    """Claims that can be folded."""
    return "" if now.folds else "every listed claim can be decided from the repository"
