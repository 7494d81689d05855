"""What a judge gives back, and the same as JSON from which it can be had again exactly."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memaudit.domain import (
    CommitInfo,
    Evidence,
    Judgement,
    Location,
    Origin,
    Reference,
    Suggestion,
    Tier,
    Verdict,
)
from memaudit.grounding.language import Polarity
from memaudit.grounding.reference import Mention, Outcome, Replacement, Status
from memaudit.grounding.words import Form

Kept = Any
"""A value that JSON can hold."""


@dataclass(frozen=True, slots=True)
class Grounded:
    """A judgement with the outcomes it rests on, contradictions first.

    ``unexplained`` tells that it is undecided and names something in code that neither end knows.
    """

    judgement: Judgement
    outcomes: tuple[Outcome, ...]
    unexplained: bool = False


def grounded_to_json(result: Grounded) -> Kept:
    """The whole result. What is no text, number or the like in it is lost: compare what comes back."""
    judgement = result.judgement
    return [
        judgement.claim_id,
        judgement.verdict.value,
        judgement.reason,
        judgement.why,
        judgement.judge,
        judgement.confidence,
        judgement.origin and judgement.origin.value,
        [[item.kind, item.text, item.base, item.head] for item in judgement.references],
        [
            [item.reference, _location(item.base), _location(item.head), _commit(item.commit), item.note]
            for item in judgement.evidence
        ],
        suggestion_to_json(judgement.suggestion),
        [_outcome(item) for item in result.outcomes],
        result.unexplained,
    ]


def grounded_from_json(value: Kept) -> Grounded:
    """The result that :func:`grounded_to_json` wrote.

    Raises KeyError, IndexError, TypeError or ValueError when the value is of another shape.
    """
    claim_id, verdict, reason, why, judge, confidence, origin, references, evidence, suggestion, *rest = value
    outcomes, unexplained = rest
    return Grounded(
        Judgement(
            claim_id,
            Verdict(verdict),
            reason,
            why,
            judge,
            confidence,
            Origin(origin) if origin is not None else None,
            tuple([Reference(*item) for item in references]),
            tuple([_evidence_from(*item) for item in evidence]),
            suggestion_from_json(suggestion),
        ),
        tuple([_outcome_from(*item) for item in outcomes]),
        unexplained,
    )


def suggestion_to_json(suggestion: Suggestion | None) -> Kept:
    """A suggestion, or that there is none."""
    return suggestion and [suggestion.tier.value, suggestion.text, suggestion.note]


def suggestion_from_json(value: Kept) -> Suggestion | None:
    """The suggestion that :func:`suggestion_to_json` wrote."""
    if value is None:
        return None
    tier, text, note = value
    return Suggestion(Tier(tier), text, note)


def _location(at: Location | None) -> Kept:
    return at and [at.path, at.line, at.text]


def _commit(commit: CommitInfo | None) -> Kept:
    return commit and [commit.sha, commit.summary, commit.author, commit.date]


def _outcome(item: Outcome) -> Kept:
    mention = item.mention
    return [
        [
            mention.kind,
            mention.text,
            mention.target,
            mention.start,
            mention.end,
            mention.form.value,
            mention.polarity.value,
            list(mention.extra),
        ],
        item.status.value,
        item.reason,
        item.why,
        item.origin and item.origin.value,
        item.base,
        item.head,
        _location(item.base_at),
        _location(item.head_at),
        _commit(item.commit),
        item.confidence,
        [[change.old, change.new, change.proved, change.note] for change in item.replacements],
    ]


def _outcome_from(
    mention: Kept,
    status: str,
    reason: str,
    why: str,
    origin: str | None,
    base: str | None,
    head: str | None,
    base_at: Kept,
    head_at: Kept,
    commit: Kept,
    confidence: float,
    replacements: Kept,
) -> Outcome:
    kind, text, target, start, end, form, polarity, extra = mention
    return Outcome(
        Mention(kind, text, target, start, end, Form(form), Polarity(polarity), tuple(extra)),
        Status(status),
        reason,
        why,
        Origin(origin) if origin is not None else None,
        base,
        head,
        Location(*base_at) if base_at is not None else None,
        Location(*head_at) if head_at is not None else None,
        CommitInfo(*commit) if commit is not None else None,
        confidence,
        tuple([Replacement(*change) for change in replacements]),
    )


def _evidence_from(reference: str, base: Kept, head: Kept, commit: Kept, note: str) -> Evidence:
    return Evidence(
        reference,
        Location(*base) if base is not None else None,
        Location(*head) if head is not None else None,
        CommitInfo(*commit) if commit is not None else None,
        note,
    )
