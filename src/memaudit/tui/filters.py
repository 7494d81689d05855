"""Which claims are listed: the parts of the filter, and the filter in words."""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memaudit.domain import Claim, ClaimKind, CommitInfo, Decision, DecisionKind, Judgement, Origin
from memaudit.tui.ranks import GROUPS, Group, Rank, breaking_commits, origin_of


class Decided(enum.StrEnum):
    """A decision as the filter offers it."""

    NOT = "undecided"
    ACCEPTED = "accepted"
    RETIRED = "retired"
    REWRITTEN = "rewritten"


_DECIDED = {
    DecisionKind.ACCEPT: Decided.ACCEPTED,
    DecisionKind.RETIRE: Decided.RETIRED,
    DecisionKind.REWRITE: Decided.REWRITTEN,
}

ORIGINS = {Origin.RANGE: "broken in this range", Origin.EARLIER: "false before it"}
"""The origins of stale claims in words."""


def decided_as(decision: Decision | None) -> Decided:
    """What the filter calls a decision, or the lack of one."""
    return Decided.NOT if decision is None else _DECIDED[decision.kind]


@dataclass(frozen=True)
class Filter:
    """Which claims are listed; an empty part lets everything through.

    ``query`` is searched for in the claim's words, its file and its reason. ``commits`` are full
    commit ids and ``authors`` names, both of commits that made a claim stale.
    """

    query: str = ""
    groups: frozenset[Group] = frozenset()
    origins: frozenset[Origin] = frozenset()
    decisions: frozenset[Decided] = frozenset()
    kinds: frozenset[ClaimKind] = frozenset()
    files: frozenset[str] = frozenset()
    commits: frozenset[str] = frozenset()
    authors: frozenset[str] = frozenset()

    @property
    def active(self) -> bool:
        """Whether it can leave anything out."""
        return self != Filter()

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the query, in the case in which they are compared."""
        return tuple(self.query.casefold().split())

    @property
    def by_parts(self) -> bool:
        """Whether anything but the query can leave something out."""
        return self != Filter(query=self.query)

    def without(self, part: str) -> Filter:
        """The filter with one of its parts empty, named as its field."""
        empty: dict[str, Any] = {part: getattr(Filter(), part)}
        return replace(self, **empty)

    def narrow(self, indices: Iterable[int], traits: Traits) -> Iterable[int]:
        """Those of ``indices`` that all parts but the query let through, narrowed part by part."""
        for part, of in traits.parts.items():
            wanted: frozenset[str] = getattr(self, part)
            if wanted:
                indices = [index for index in indices if not wanted.isdisjoint(of(index))]
        return indices

    def describe(self) -> str:
        """The filter in words, empty for none. It holds names from the repository as they are."""
        parts = [
            _any_of(self.groups),
            _any_of(ORIGINS[origin] for origin in self.origins),
            _any_of(self.decisions),
            _any_of(self.kinds),
            _any_of(self.files),
            _any_of(f"commit {sha[:8]}" for sha in self.commits),
            _any_of(f"by {name}" for name in self.authors),
        ]
        if self.query.strip():
            parts.append(f"“{self.query.strip()}”")
        return " · ".join(part for part in parts if part)


class Traits:
    """What claims are for each part of the filter but the query, by their index.

    ``written`` are claims that files hold otherwise by now, with the rank of what stands there: they
    go by that, and no commit made them what they are.
    """

    def __init__(
        self,
        claims: Sequence[Claim],
        ranks: Sequence[Rank],
        judgements: Sequence[Judgement | None],
        decisions: Mapping[str, Decision],
        written: Mapping[str, Rank | None],
    ) -> None:
        self._claims, self._ranks, self._judgements = claims, ranks, judgements
        self._decisions, self._written = decisions, written
        self.parts: Mapping[str, Callable[[int], Collection[str]]] = {
            "groups": self._groups,
            "origins": self._origins,
            "decisions": lambda index: (decided_as(decisions.get(claims[index].id)),),
            "kinds": lambda index: (claims[index].kind,),
            "files": lambda index: (claims[index].document,),
            "commits": lambda index: {commit.sha for commit in self._commits(index)},
            "authors": lambda index: {commit.author for commit in self._commits(index)},
        }
        """What gives the values of a claim, for every part in the order in which they are offered."""

    def _groups(self, index: int) -> Collection[Group]:
        rank = self._written.get(self._claims[index].id, self._ranks[index])
        return () if rank is None else (GROUPS[rank],)

    def _origins(self, index: int) -> Collection[Origin]:
        claim_id = self._claims[index].id
        if claim_id in self._written:
            origin = origin_of(self._written[claim_id])
        else:
            judgement = self._judgements[index]
            origin = judgement.origin if judgement else None
        return () if origin is None else (origin,)

    def _commits(self, index: int) -> Collection[CommitInfo]:
        return () if self._claims[index].id in self._written else breaking_commits(self._judgements[index])


def _any_of(values: Iterable[str]) -> str:
    return " or ".join(sorted(str(value) for value in values))
