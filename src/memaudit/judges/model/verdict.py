"""The answer of a model as a judgement, with all that a person needs to check it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memaudit.domain import Evidence, Judgement, Location, Origin, Verdict
from memaudit.judges.model import NAME
from memaudit.judges.model.costs import shown
from memaudit.judges.model.prompt import Question
from memaudit.judges.model.reply import UNREADABLE

CONFIDENCE = 0.75
"""A model gives a word and no number. About so many of such answers were right where that was measured."""

_MOST_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Answered:
    """What came of one claim: the judgement as it is now, and what the call cost in dollars.

    ``answer`` is the model's word, None where there is none; ``fault`` then says why. ``kept`` tells that the
    answer is from an earlier run.
    """

    judgement: Judgement
    answer: str | None
    fault: str
    usd: float
    kept: bool


def answered(
    asked: Question, before: Judgement, model: str, answer: str | None, fault: str, usd: float, *, kept: bool
) -> Answered:
    """The judgement that an answer makes of the one ``before``, which stays where there is no answer."""
    paid = "answered in an earlier run" if kept else shown(usd)
    count = len(asked.evidence.hunks)
    saw = f"{model} was shown {count} {'piece' if count == 1 else 'pieces'} of the change"
    if answer in ("held", "flipped"):
        stale = answer == "flipped"
        judgement = Judgement(
            claim_id=before.claim_id,
            verdict=Verdict.STALE if stale else Verdict.HELD,
            reason=f"model-{answer}",
            why=f"{saw} and says that the claim {'is no longer true' if stale else 'still holds'} ({paid})",
            judge=NAME,
            confidence=CONFIDENCE,
            origin=Origin.RANGE if stale else None,
            references=before.references,
            evidence=_evidence(asked),
        )
    elif answer == "unknown":
        judgement = replace(before, why=f"{before.why}; {saw} and cannot tell ({paid})")
    else:
        reason = "unreadable-reply" if fault == UNREADABLE else before.reason
        judgement = replace(before, reason=reason, why=f"{before.why}; {model} gave no verdict: {fault}")
    return Answered(judgement, answer, fault, usd, kept)


def _evidence(asked: Question) -> tuple[Evidence, ...]:
    found = []
    for hunk in asked.evidence.relevant[:_MOST_SHOWN]:
        base, head = hunk.first("-"), hunk.first("+")
        if base is None and head is None:
            base = Location(hunk.path, hunk.base_line, hunk.state)
        found.append(Evidence(hunk.path, base, head, note=f"shown to the model ({hunk.state})"))
    return tuple(found)
