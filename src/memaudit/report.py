"""The text report of ``check``: stale claims first, each with what decides it, then the counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from memaudit.domain import Claim, Evidence, Judgement, Origin, Range, Summary, Tier, Verdict
from memaudit.text import visible

_SHORT = 10
_CLOSED = ("no-reference", "outside")
"""Reasons of unknown claims that no repository state can decide."""

_NEWS = {Origin.RANGE: "since base", Origin.EARLIER: "already before base", None: ""}


def lines(
    repo: str,
    range_: Range,
    judged: Sequence[tuple[Claim, Judgement]],
    summary: Summary,
    *,
    everything: bool = False,
) -> Iterator[str]:
    """The report line by line, safe to print. Held and unknown claims are listed only with ``everything``."""
    base = range_.base[:_SHORT] + (" (oldest)" if range_.per_claim else "")
    yield visible(f"{repo}  {base}..{range_.head[:_SHORT]}  chosen by: {range_.chosen_by}")
    yield ""
    wanted = [pair for pair in judged if everything or pair[1].verdict is Verdict.STALE]
    order = {Verdict.STALE: 0, Verdict.UNKNOWN: 1, Verdict.HELD: 2}
    for claim, judgement in sorted(wanted, key=lambda pair: order[pair[1].verdict]):
        yield from _claim(claim, judgement)
    if not summary.stale:
        yield "Nothing stale."
    yield from _counts(summary)


def _claim(claim: Claim, judgement: Judgement) -> Iterator[str]:
    mark = {Verdict.STALE: "✗ stale", Verdict.HELD: "✓ held", Verdict.UNKNOWN: "? unknown"}[judgement.verdict]
    news = f", {_NEWS[judgement.origin]}" if judgement.origin else ""
    yield visible(f"{mark}  {claim.document}:{claim.line_start}  [{judgement.reason}{news}]")
    yield visible(f"    {_cut(claim.text)}")
    if judgement.verdict is not Verdict.STALE:
        return
    yield visible(f"    {judgement.why}")
    for evidence in judgement.evidence:
        yield from _evidence(evidence)
    suggestion = judgement.suggestion
    if suggestion and suggestion.text is not None:
        yield visible(f"    suggest ({suggestion.tier.value}): {_cut(suggestion.text)}")
    elif suggestion and suggestion.tier is Tier.APPLY:
        yield visible(f"    suggest ({suggestion.tier.value}): {suggestion.note}")
    elif suggestion:
        yield visible(f"    no suggestion: {suggestion.note}")
    yield ""


def _evidence(evidence: Evidence) -> Iterator[str]:
    for side, place in (("base", evidence.base), ("head", evidence.head)):
        if place:
            yield visible(f"      {side}  {place.place}  {_cut(place.text, 90)}")
    if evidence.commit:
        commit = evidence.commit
        who = f"{commit.sha[:_SHORT]} {commit.date[:10]} {commit.author}"
        yield visible(f"      by    {who}: {_cut(commit.summary, 80)}")


def _counts(summary: Summary) -> Iterable[str]:
    counts = f"{summary.claims} claims: {summary.stale} stale, {summary.held} held, {summary.unknown} unknown"
    closed = sum(summary.by_reason.get(reason, 0) for reason in _CLOSED)
    yield f"{counts} ({closed} of these are rules or about other places)" if closed else counts
    reasons = ", ".join(f"{reason} {count}" for reason, count in summary.by_reason.items())
    if reasons:
        yield visible(f"by reason: {reasons}")


def _cut(text: str, width: int = 160) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"
