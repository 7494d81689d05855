"""The gate: no rewrite may say less than it seems to, and after a save what held before must still hold.

What somebody decided to take out or to reword is not asked for after a save; its new words must be there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memaudit.domain import Claim, Decision, DecisionKind, Judgement, Verdict
from memaudit.stores.drafts import claim_text

Judged = tuple[Claim, Judgement]


@dataclass(frozen=True, slots=True)
class Lost:
    """A claim that is worse off: ``now`` is its verdict in the written files, None if it is not in them."""

    claim: Claim
    now: Judgement | None

    @property
    def why(self) -> str:
        """What is wrong with it, in words."""
        if self.now is None:
            return "its words are not in the file that was written"
        return f"it would be {self.now.verdict.value}: {self.now.why}"


@dataclass(frozen=True, slots=True)
class Gate:
    """How the files came through: of ``total`` claims that held, ``held`` still do."""

    total: int
    held: int
    lost: tuple[Lost, ...]

    @property
    def words(self) -> str:
        """The count over the total, as a sentence."""
        noun = "claim that held still holds" if self.total == 1 else "claims that held still hold"
        return f"{self.held:,} of {self.total:,} {noun}."


def compare(before: Iterable[Judged], written: Mapping[str, Decision], after: Sequence[Judged]) -> Gate:
    """Compare the state before a review with that after a save.

    ``before`` are the claims that were judged, as the review shows them, ``written`` the decisions on them
    that the files now hold, by claim id, and ``after`` the claims of the files, judged again.
    """
    judged = list(before)
    kinds = {claim_id: decision.kind for claim_id, decision in written.items()}
    retired = [claim for claim, _ in judged if kinds.get(claim.id) is DecisionKind.RETIRE]
    left = [
        (claim, judgement)
        for claim, judgement in judged
        if kinds.get(claim.id, DecisionKind.ACCEPT) is DecisionKind.ACCEPT
        and not any(_goes_with(claim, one) for one in retired)
    ]
    reworded = [
        (claim, written[claim.id].text or "")
        for claim, _ in judged
        if kinds.get(claim.id) is DecisionKind.REWRITE
    ]
    found = same_claims([claim for claim, _ in left], [claim for claim, _ in after])
    verdicts = {id(claim): judgement for claim, judgement in after}
    total = 0
    lost = []
    for claim, judgement in left:
        total += judgement.verdict is Verdict.HELD
        one = found.get(claim.id)
        now = verdicts[id(one)] if one is not None else None
        if now is None or (judgement.verdict is Verdict.HELD and now.verdict is not Verdict.HELD):
            lost.append((claim, judgement, now))
    said = _said(claim for claim, _ in after)
    gone = [claim for claim, text in reworded if not _is_said(text, said.get(claim.document, ""))]
    worse = sum(judgement.verdict is Verdict.HELD for _, judgement, _ in lost)
    missing = [Lost(claim, None) for claim in gone]
    return Gate(total, total - worse, (*(Lost(claim, now) for claim, _, now in lost), *missing))


def dropped(old: Judgement | None, new: Judgement) -> tuple[str, ...]:
    """What the old words named, if the new ones name nothing of it any more and nothing of its kind.

    A name that stands in the place of another is no loss. Words that name nothing can never be found
    false, and so would pass for better than any that are stale.
    """
    if old is None or not old.references:
        return ()
    if not new.references and new.verdict is not Verdict.UNKNOWN:
        return ()
    kinds = {one.kind for one in new.references}
    texts = [one.text for one in new.references]
    for one in old.references:
        if one.kind in kinds or any(one.text in text or text in one.text for text in texts):
            return ()
    return tuple(dict.fromkeys(one.text for one in old.references))


def same_claims(before: Iterable[Claim], after: Iterable[Claim]) -> dict[str, Claim]:
    """The claims of ``after`` that say the same at the same place, by the id of the one before.

    The place is document and headings, the words are the same to the letter. Of several alike, the first
    is the first.
    """
    places: dict[tuple[object, ...], list[Claim]] = {}
    for claim in after:
        places.setdefault(_place(claim), []).append(claim)
    found = {}
    for claim in before:
        alike = places.get(_place(claim))
        if alike:
            found[claim.id] = alike.pop(0)
    return found


def _goes_with(claim: Claim, retired: Claim) -> bool:
    """Whether a claim stands inside one that was taken out: the why of a rule goes with the rule."""
    inside, outer = claim.span, retired.item_span
    return claim.document == retired.document and outer.start <= inside.start and inside.end <= outer.end


def _place(claim: Claim) -> tuple[object, ...]:
    return claim.document, claim.heading, claim.block, claim.text


def _said(claims: Iterable[Claim]) -> dict[str, str]:
    """The letters of each document's claims, one after the other."""
    texts: dict[str, list[str]] = {}
    for claim in claims:
        texts.setdefault(claim.document, []).append(_letters(claim.text))
    return {document: "".join(parts) for document, parts in texts.items()}


def _is_said(text: str, said: str) -> bool:
    return _letters(text) in said or _letters(claim_text(text)) in said


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
