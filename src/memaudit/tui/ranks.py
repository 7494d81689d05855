"""How urgent a claim is: the rank that its judgement gives it, and the verdict as the filter offers it."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from memaudit.domain import CommitInfo, Judgement, Origin, Verdict
from memaudit.judges.model import NAME as MODEL

NORM_REASONS = frozenset({"no-reference", "outside"})
"""Reasons of claims that nothing in this repository can decide: rules, preferences, other places."""


class Rank(enum.IntEnum):
    """Where a claim stands in the list, most urgent first."""

    BROKEN = 0
    """Stale, and it went wrong inside the range."""
    WRONG = 1
    """Stale since before the range."""
    OPEN = 2
    """Unknown, and worth a look."""
    PENDING = 3
    """Not judged yet."""
    HELD = 4
    NORM = 5
    """Unknown, and nothing in the repository could ever decide it."""


NEEDS_A_PERSON = (Rank.BROKEN, Rank.WRONG, Rank.OPEN)


class Group(enum.StrEnum):
    """A verdict as the filter offers it."""

    STALE = "stale"
    UNKNOWN = "unknown"
    PENDING = "pending"
    HELD = "held"
    NORM = "rule or outside"


GROUPS: Mapping[Rank, Group] = {
    Rank.BROKEN: Group.STALE,
    Rank.WRONG: Group.STALE,
    Rank.OPEN: Group.UNKNOWN,
    Rank.PENDING: Group.PENDING,
    Rank.HELD: Group.HELD,
    Rank.NORM: Group.NORM,
}


def rank_of(judgement: Judgement | None) -> Rank:
    """The rank that a judgement gives its claim."""
    if judgement is None:
        return Rank.PENDING
    if judgement.verdict is Verdict.STALE:
        return Rank.WRONG if judgement.origin is Origin.EARLIER else Rank.BROKEN
    if judgement.verdict is Verdict.HELD:
        return Rank.HELD
    return Rank.NORM if judgement.reason in NORM_REASONS else Rank.OPEN


def origin_of(rank: Rank | None) -> Origin | None:
    """Since when a claim of this rank is stale, None for one that is not."""
    return {Rank.BROKEN: Origin.RANGE, Rank.WRONG: Origin.EARLIER}.get(rank) if rank is not None else None


def is_by_model(judgement: Judgement | None) -> bool:
    """Whether a verdict is a model's word, and not proved."""
    return judgement is not None and judgement.judge == MODEL


def breaking_commits(judgement: Judgement | None) -> tuple[CommitInfo, ...]:
    """The commits that made a stale claim false, as its evidence names them; none for any other."""
    if judgement is None or judgement.verdict is not Verdict.STALE:
        return ()
    return tuple(one.commit for one in judgement.evidence if one.commit is not None)
