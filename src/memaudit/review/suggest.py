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
from memaudit.grounding.words import Form

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
    in_code = [outcome.mention.form is Form.CODE for outcome in against if outcome.replacements]
    text = rewritten(claim.text, list(zip(chosen, in_code, strict=True)))
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
    told = {"path", "glob", "command", "subcommand", "symbol", "module", "program"}
    if any(outcome.status is Status.SUPPORTED and outcome.mention.kind in told for outcome in outcomes):
        return "part of it still holds: reword it"
    return "nothing stands in its place: retire or reword it"


def rewritten(text: str, replacements: Sequence[tuple[Replacement, bool]]) -> str | None:
    """The text with each old name replaced wherever it stands whole, for names in code only inside code.

    None when there is nothing to replace, or a name does not stand in the text.
    """
    if not replacements:
        return None
    for item, in_code in replacements:
        pattern = re.compile(rf"(?<![\w/-]){re.escape(item.old)}(?![\w-])")
        whole = (
            re.compile(r"`[^`]*`") if in_code and _in_code(item.old, text) else re.compile(r".+", re.DOTALL)
        )
        done = whole.sub(lambda match, new=item.new, old=pattern: old.sub(lambda _: new, match[0]), text)  # type: ignore[misc]
        if done == text and item.old != item.new:
            return None
        text = done
    return text


def _in_code(name: str, text: str) -> bool:
    return any(name in span for span in re.findall(r"`[^`]*`", text))
