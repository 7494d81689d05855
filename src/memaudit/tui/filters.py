"""Which claims are listed: the parts of the filter, and the filter in words."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from memaudit.domain import Claim, ClaimKind, Decision, DecisionKind, Judgement, Origin
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

    def narrow(
        self,
        indices: Iterable[int],
        claims: Sequence[Claim],
        ranks: Sequence[Rank],
        judgements: Sequence[Judgement | None],
        decisions: Mapping[str, Decision],
        written: Mapping[str, Rank | None],
    ) -> Iterable[int]:
        """Those of ``indices`` that all parts but the query let through, narrowed part by part.

        ``written`` are claims that files hold otherwise by now, with the rank of what stands there: they
        pass by that, and by no commit.
        """
        if self.groups:
            groups = self.groups
            indices = [i for i in indices if _group(written.get(claims[i].id, ranks[i])) in groups]
        if self.kinds:
            indices = [index for index in indices if claims[index].kind in self.kinds]
        if self.files:
            indices = [index for index in indices if claims[index].document in self.files]
        if self.decisions:
            decided = self.decisions
            indices = [i for i in indices if decided_as(decisions.get(claims[i].id)) in decided]
        if self.origins:
            origins = self.origins
            indices = [
                i
                for i in indices
                if (
                    origin_of(written[claims[i].id])
                    if claims[i].id in written
                    else (one := judgements[i]) and one.origin
                )
                in origins
            ]
        if self.commits or self.authors:
            indices = [i for i in indices if claims[i].id not in written]
        if self.commits:
            shas = self.commits
            indices = [i for i in indices if any(one.sha in shas for one in breaking_commits(judgements[i]))]
        if self.authors:
            names = self.authors
            indices = [
                i for i in indices if any(one.author in names for one in breaking_commits(judgements[i]))
            ]
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


def _group(rank: Rank | None) -> Group | None:
    return None if rank is None else GROUPS[rank]


def _any_of(values: Iterable[str]) -> str:
    return " or ".join(sorted(str(value) for value in values))
