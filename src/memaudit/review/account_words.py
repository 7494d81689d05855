"""The sentences that both forms of a review's report have in common; all of it plain text."""

from __future__ import annotations

from collections.abc import Mapping

from memaudit.domain import WORKTREE, Decision, DecisionKind, Judgement, Origin, Range, Verdict
from memaudit.review.account import Account, Item

SHORT = 10
PAST = {DecisionKind.ACCEPT: "accepted", DecisionKind.RETIRE: "retired", DecisionKind.REWRITE: "rewritten"}
SIGNS = {Verdict.STALE: "✗ stale", Verdict.UNKNOWN: "? unknown", Verdict.HELD: "✓ held"}


def range_words(range_: Range) -> str:
    """Both ends of the range and how it was chosen."""
    base = "each claim's own commit" if range_.per_claim else range_.base[:SHORT]
    head = "the working tree" if range_.head == WORKTREE else range_.head[:SHORT]
    return f"{base} to {head}, chosen by: {range_.chosen_by}"


def verdict_words(judgement: Judgement | None) -> str:
    """The verdict, since when, and its reason."""
    if judgement is None:
        return "not judged"
    since = {Origin.RANGE: ", since base", Origin.EARLIER: ", already before base", None: ""}
    return f"{SIGNS[judgement.verdict]}{since[judgement.origin]} [{judgement.reason}]"


def decision_words(decision: Decision) -> str:
    """What was decided, by whom and when."""
    return f"{PAST[decision.kind]} by {decision.by}, {decision.at.replace('T', ' ')[:16]} UTC"


def state_words(item: Item) -> str:
    """Whether the file holds the decision."""
    if len(item.decisions) > 1:
        return "contested: nobody had seen the other's decision, and none is chosen yet"
    return "in the file" if item.saved else "not in the file yet"


def count_words(account: Account) -> list[str]:
    """The counts of the whole review, a line each."""
    summary = account.summary
    lines = [
        f"{summary.claims:,} claims: {summary.stale:,} stale, {summary.held:,} held,"
        f" {summary.unknown:,} unknown"
    ]
    stale = [item for item in account.items if item.judgement and item.judgement.verdict is Verdict.STALE]
    lines.append(f"{sum(bool(item.decisions) for item in stale):,} of {len(stale):,} stale claims decided")
    return lines


def person_words(counts: Mapping[DecisionKind, int]) -> str:
    """How much somebody decided: ``12 accepted, 3 retired``."""
    return ", ".join(f"{counts[kind]:,} {word}" for kind, word in PAST.items() if counts.get(kind))


def place_words(item: Item) -> str:
    """File and line of a claim."""
    return f"{item.claim.document}:{item.claim.line_start}"
