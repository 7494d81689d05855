"""Proposed rewrites: only what the facts leave one reading of is proposed as sure.

A suggestion is ``apply`` when every contradicted name has one proved replacement and the rewritten
claim, judged again, is held; ``ask`` when there are candidates but no proof; a claim with nothing
to put in place of its only subject is proposed for retiring.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from memaudit.domain import Claim, Judgement, Suggestion, Tier, Verdict
from memaudit.grounding.reference import Outcome, Replacement, Status

Rejudge = Callable[[str], Judgement]


def suggest(claim: Claim, outcomes: Sequence[Outcome], rejudge: Rejudge) -> Suggestion | None:
    """The suggestion for a stale claim, or None when it is not stale."""
    against = [outcome for outcome in outcomes if outcome.status is Status.CONTRADICTED]
    if not against:
        return None
    if claim.locked:
        return Suggestion(Tier.REFUSE, None, f"not editable: {claim.locked}")
    answered = {(item.mention.start, item.mention.end) for item in against if item.replacements}
    against = [
        item
        for item in against
        if item.replacements or (item.mention.start, item.mention.end) not in answered
    ]
    chosen = [outcome.replacements[0] for outcome in against if outcome.replacements]
    text = rewritten(claim.text, chosen)
    if text is None or text == claim.text:
        return Suggestion(Tier.ASK, None, _advice(against, outcomes))
    note = "; ".join(dict.fromkeys(item.note for item in chosen if item.note))
    proved = len(chosen) == len(against) and all(item.proved for item in chosen)
    held = proved and rejudge(text).verdict is Verdict.HELD
    return Suggestion(Tier.APPLY if held else Tier.ASK, text, note)


def _advice(against: Sequence[Outcome], outcomes: Sequence[Outcome]) -> str:
    """What to do where no new wording can be proposed."""
    moved = next((outcome.head for outcome in against if outcome.reason == "path-moved"), None)
    if moved:
        return f"it is {moved} now: reword it, or put it where it belongs"
    if any(outcome.status is Status.SUPPORTED for outcome in outcomes):
        return "part of it still holds: reword it"
    return "nothing stands in its place: retire or reword it"


def rewritten(text: str, replacements: Sequence[Replacement]) -> str | None:
    """The text with each old name replaced wherever it stands whole; None when one does not stand in it."""
    if not replacements:
        return None
    for item in replacements:
        pattern = re.compile(rf"(?<![\w/-]){re.escape(item.old)}(?![\w-])")
        text, count = pattern.subn(lambda _, new=item.new: new, text)  # type: ignore[misc]
        if not count:
            return None
    return text
