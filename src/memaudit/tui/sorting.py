"""In which order claims are listed: every order as one number per claim, the smallest first."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import NamedTuple

from memaudit.domain import Claim, Judgement
from memaudit.tui.ranks import Rank, breaking_commits

_RANKS = len(Rank)
_PARTS = 1_000
_LATEST = 1 << 36
"""Seconds since 1970 that no commit's date is taken beyond, and by which the fewest have one."""


class Sort(enum.StrEnum):
    """An order that can be chosen; ties stand as in the files."""

    VERDICT = "verdict"
    PLACE = "file order"
    FILE = "file name"
    NEWEST = "newest commit"
    OLDEST = "oldest commit"
    SUREST = "surest first"
    UNSUREST = "least sure first"


EXPLAINED = {
    Sort.VERDICT: "stale first, then unknown, then held",
    Sort.PLACE: "as the claims stand in the files",
    Sort.FILE: "files by name, stale first in each",
    Sort.NEWEST: "by the commit that made the claim stale",
    Sort.OLDEST: "the longest stale first",
    Sort.SUREST: "by verdict, the most confident ones first",
    Sort.UNSUREST: "by verdict, the least confident ones first",
}
"""What each order does."""


class Order(NamedTuple):
    """An order of claims: ``key`` gives every index another number from 0 to below ``bound``."""

    key: Callable[[int], int]
    bound: int


def order(
    sort: Sort, claims: Sequence[Claim], ranks: Sequence[Rank], judgements: Sequence[Judgement | None]
) -> Order:
    """The order that ``sort`` stands for.

    Its key reads ``ranks`` and ``judgements`` when it is asked, so that it stays right as they change.
    The numbers are as small as they can be: comparing those that fit one machine word is what makes
    sorting a hundred thousand claims quick.
    """
    total = max(len(claims), 1)

    def by_verdict(index: int) -> int:
        return ranks[index] * total + index

    def by_place(index: int) -> int:
        return index

    if sort is Sort.FILE:
        names = sorted({claim.document for claim in claims})
        places = {name: number for number, name in enumerate(names)}

        def by_file(index: int) -> int:
            return (places[claims[index].document] * _RANKS + ranks[index]) * total + index

        return Order(by_file, len(places) * _RANKS * total)

    def by_commit(index: int) -> int:
        times = [_seconds(commit.date) for commit in breaking_commits(judgements[index])]
        if not times:
            return (2 * _LATEST + ranks[index]) * total + index
        time = max(times)
        return (_LATEST - time if sort is Sort.NEWEST else time) * total + index

    def by_confidence(index: int) -> int:
        judgement = judgements[index]
        part = round(min(max(judgement.confidence, 0.0), 1.0) * _PARTS) if judgement else 0
        if sort is Sort.SUREST:
            part = _PARTS - part
        return (ranks[index] * (_PARTS + 1) + part) * total + index

    return {
        Sort.VERDICT: Order(by_verdict, _RANKS * total),
        Sort.PLACE: Order(by_place, total),
        Sort.NEWEST: Order(by_commit, (2 * _LATEST + _RANKS) * total),
        Sort.OLDEST: Order(by_commit, (2 * _LATEST + _RANKS) * total),
        Sort.SUREST: Order(by_confidence, _RANKS * (_PARTS + 1) * total),
        Sort.UNSUREST: Order(by_confidence, _RANKS * (_PARTS + 1) * total),
    }[sort]


def _seconds(date: str) -> int:
    """A commit's date in seconds since 1970, 0 for one that cannot be read."""
    try:
        seconds = int(datetime.fromisoformat(date).timestamp())
    except (ValueError, OverflowError, OSError):
        return 0
    return min(max(seconds, 0), _LATEST)
