"""What the list of claims shows, as plain data: order, filter, fold and counts. No terminal needed.

Claims are known by their index in reading order of the stores. They are kept in one sorted bucket per
rank, so that a verdict moves one index between two buckets instead of sorting everything anew.
"""

from __future__ import annotations

import enum
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from memaudit.domain import Claim, ClaimKind, Decision, Judgement, Origin, Verdict

NORM_REASONS = frozenset({"no-reference", "outside"})
"""Reasons of claims that nothing in this repository can decide: rules, preferences, other places."""

FOLD = -1
"""Stands in the rows for all claims of :attr:`Rank.NORM` while they are folded."""


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


@dataclass(frozen=True)
class Filter:
    """Which claims are listed; an empty part lets everything through.

    Every word of ``query`` must occur in the claim's text, file or reason, in any case.
    ``decided`` asks for claims with (True) or without (False) a decision.
    """

    query: str = ""
    groups: frozenset[Group] = frozenset()
    kinds: frozenset[ClaimKind] = frozenset()
    files: frozenset[str] = frozenset()
    decided: bool | None = None

    @property
    def active(self) -> bool:
        """Whether it can leave anything out."""
        return self != Filter()

    def describe(self) -> str:
        """The filter in words, empty for none."""
        parts = [" or ".join(sorted(group.value for group in self.groups))]
        parts.append(" or ".join(sorted(kind.value for kind in self.kinds)))
        parts.append(" or ".join(sorted(self.files)))
        if self.decided is not None:
            parts.append("decided" if self.decided else "undecided")
        if self.query.strip():
            parts.append(f"“{self.query.strip()}”")
        return " · ".join(part for part in parts if part)


def rank_of(judgement: Judgement | None) -> Rank:
    """The rank that a judgement gives its claim."""
    if judgement is None:
        return Rank.PENDING
    if judgement.verdict is Verdict.STALE:
        return Rank.WRONG if judgement.origin is Origin.EARLIER else Rank.BROKEN
    if judgement.verdict is Verdict.HELD:
        return Rank.HELD
    return Rank.NORM if judgement.reason in NORM_REASONS else Rank.OPEN


class Board:
    """Claims, their judgements and decisions, and which of them are listed in which order."""

    def __init__(self, claims: Sequence[Claim] = ()) -> None:
        self.claims: list[Claim] = list(claims)
        self.judgements: list[Judgement | None] = [None] * len(self.claims)
        self.decisions: dict[str, Decision] = {}
        self.contested: dict[str, tuple[Decision, ...]] = {}
        """Claims on which several decisions stand beside each other, with these."""
        self.filter = Filter()
        self.folded = True
        self._index = dict(zip(map(attrgetter("id"), self.claims), range(len(self.claims)), strict=True))
        self._ranks: list[Rank] = [Rank.PENDING] * len(self.claims)
        self._counts = [0] * len(Rank)
        self._counts[Rank.PENDING] = len(self.claims)
        self._revisions = [0] * len(self.claims)
        self._haystacks: list[str | None] = [None] * len(self.claims)
        self._dirty: set[int] = set()
        self._moved = True
        self._buckets: list[list[int]] = [[] for _ in Rank]
        self._rebuild()

    # What is known of a claim

    def index(self, claim_id: str | None) -> int | None:
        """The index of a claim, or None for an id that is not on the board."""
        return None if claim_id is None else self._index.get(claim_id)

    def rank(self, index: int) -> Rank:
        """Where the claim stands."""
        return self._ranks[index]

    def revision(self, index: int) -> int:
        """A number that changes whenever the claim's row would look different."""
        return self._revisions[index]

    def decision(self, index: int) -> Decision | None:
        """The decision in effect on the claim."""
        return self.decisions.get(self.claims[index].id)

    # Changes

    def judge(self, judgements: Iterable[Judgement]) -> None:
        """Take in verdicts; ids that are not on the board are passed over."""
        before: dict[int, Rank] = {}
        for judgement in judgements:
            index = self._index.get(judgement.claim_id)
            if index is None:
                continue
            before.setdefault(index, self._ranks[index])
            self.judgements[index] = judgement
            self._ranks[index] = rank_of(judgement)
            self._touch(index)
        leaving: dict[Rank, set[int]] = {}
        coming: dict[Rank, list[int]] = {}
        for index, old in before.items():
            new = self._ranks[index]
            if old is not new:
                self._counts[old] -= 1
                self._counts[new] += 1
                leaving.setdefault(old, set()).add(index)
                coming.setdefault(new, []).append(index)
        for rank, gone in leaving.items():
            self._buckets[rank] = [index for index in self._buckets[rank] if index not in gone]
        for rank, arrived in coming.items():
            self._buckets[rank] += [index for index in arrived if self._listed(index)]
            self._buckets[rank].sort()
        self._moved |= bool(leaving)

    def decide(
        self, decisions: Mapping[str, Decision], contested: Mapping[str, tuple[Decision, ...]] | None = None
    ) -> None:
        """Take over the decisions in effect; the order stays as it is until the filter changes."""
        changed = {
            claim_id
            for claim_id in self.decisions.keys() | decisions.keys()
            if self.decisions.get(claim_id) != decisions.get(claim_id)
        }
        contested = dict(contested or {})
        changed |= contested.keys() ^ self.contested.keys()
        self.decisions, self.contested = dict(decisions), contested
        for claim_id in changed:
            index = self._index.get(claim_id)
            if index is not None:
                self._touch(index)

    def select(self, filter_: Filter) -> None:
        """List only what passes the filter."""
        self.filter = filter_
        self._rebuild()

    def fold(self, folded: bool) -> None:
        """Fold the claims that nothing can decide into one row, or list them."""
        self.folded = folded
        self._moved = True

    def take_changes(self) -> tuple[bool, set[int]]:
        """Whether the order changed, and which claims look different, since the last call."""
        changes = self._moved, self._dirty
        self._moved, self._dirty = False, set()
        return changes

    # Rows

    @property
    def folds(self) -> bool:
        """Whether a fold stands in for claims at this moment."""
        searched = bool(self.filter.query.strip()) or Group.NORM in self.filter.groups
        return self.folded and not searched and bool(self._buckets[Rank.NORM])

    @property
    def folded_count(self) -> int:
        """The number of listed claims that nothing can decide, folded or not."""
        return len(self._buckets[Rank.NORM])

    def __len__(self) -> int:
        """The number of rows."""
        total = sum(len(bucket) for bucket in self._buckets)
        return total - len(self._buckets[Rank.NORM]) + 1 if self.folds else total

    def __getitem__(self, row: int) -> int:
        """The index of the claim in a row, or :data:`FOLD`."""
        folds = self.folds
        for rank, bucket in enumerate(self._buckets):
            if folds and rank == Rank.NORM:
                if row == 0:
                    return FOLD
                break
            if row < len(bucket):
                return bucket[row]
            row -= len(bucket)
        raise IndexError(row)

    def row(self, index: int) -> int | None:
        """The row that shows a claim (or the fold), or None where it is not listed."""
        if index == FOLD:
            return len(self) - 1 if self.folds else None
        rank = self._ranks[index]
        if rank is Rank.NORM and self.folds:
            return None
        bucket = self._buckets[rank]
        place = bisect_left(bucket, index)
        if place == len(bucket) or bucket[place] != index:
            return None
        return place + sum(len(self._buckets[before]) for before in range(rank))

    def listed(self, ranks: Iterable[Rank] = tuple(Rank)) -> list[int]:
        """Claims that pass the filter, in order, of the ranks asked for."""
        return [index for rank in ranks for index in self._buckets[rank]]

    def next_undecided(self, after: int | None) -> int | None:
        """The claim to decide next: below ``after``, else from the top; those that need a person first."""
        for ranks in (NEEDS_A_PERSON, (Rank.PENDING, Rank.HELD)):
            for index in self._round(after, ranks):
                if index != after and self.decision(index) is None:
                    return index
        return None

    def _round(self, after: int | None, ranks: Sequence[Rank]) -> Iterator[int]:
        """Listed claims of some ranks, from below ``after`` down, then from the top."""
        start = Rank.BROKEN if after is None or after == FOLD else self._ranks[after]
        place = 0 if after is None or after == FOLD else bisect_left(self._buckets[start], after)
        if start in ranks:
            yield from self._buckets[start][place:]
        for rank in ranks:
            if rank > start:
                yield from self._buckets[rank]
        for rank in ranks:
            if rank < start:
                yield from self._buckets[rank]
        if start in ranks:
            yield from self._buckets[start][:place]

    # Counts

    def counts(self) -> dict[Group, int]:
        """The number of claims per group, over the whole board."""
        counts = dict.fromkeys(Group, 0)
        for rank, group in GROUPS.items():
            counts[group] += self._counts[rank]
        return counts

    def decided(self, ranks: Iterable[Rank]) -> tuple[int, int]:
        """How many claims of these ranks have a decision, and how many there are, over the whole board."""
        wanted = frozenset(ranks)
        done = 0
        for claim_id in self.decisions:
            index = self._index.get(claim_id)
            done += index is not None and self._ranks[index] in wanted
        return done, sum(self._counts[rank] for rank in wanted)

    def tally(self, key: Callable[[int], str]) -> dict[str, int]:
        """The number of claims per value of ``key``, over the whole board, in order of first sight."""
        counts: dict[str, int] = {}
        for index in range(len(self.claims)):
            value = key(index)
            counts[value] = counts.get(value, 0) + 1
        return counts

    def _touch(self, index: int) -> None:
        self._revisions[index] += 1
        self._haystacks[index] = None
        self._dirty.add(index)

    def _rebuild(self) -> None:
        buckets: list[list[int]] = [[] for _ in Rank]
        if self._counts[Rank.PENDING] == len(self.claims) and not self.filter.active:
            buckets[Rank.PENDING] = list(range(len(self.claims)))
        else:
            ranks = self._ranks
            for index in self._passing(range(len(self.claims))):
                buckets[ranks[index]].append(index)
        self._buckets = buckets
        self._moved = True

    def _listed(self, index: int) -> bool:
        return not self.filter.active or bool(list(self._passing((index,))))

    def _passing(self, indices: Iterable[int]) -> Iterable[int]:
        """Those that pass the filter, narrowed part by part: this runs over all claims at every key."""
        wanted, claims, ranks = self.filter, self.claims, self._ranks
        if wanted.groups:
            indices = [index for index in indices if GROUPS[ranks[index]] in wanted.groups]
        if wanted.kinds:
            indices = [index for index in indices if claims[index].kind in wanted.kinds]
        if wanted.files:
            indices = [index for index in indices if claims[index].document in wanted.files]
        if wanted.decided is not None:
            decided = self.decisions
            indices = [index for index in indices if (claims[index].id in decided) == wanted.decided]
        for word in wanted.query.casefold().split():
            haystacks = self._haystacks
            indices = [index for index in indices if word in (haystacks[index] or self._haystack(index))]
        return indices

    def _haystack(self, index: int) -> str:
        claim, judgement = self.claims[index], self.judgements[index]
        reason = judgement.reason if judgement else ""
        haystack = f"{claim.text}\n{claim.document}:{claim.line_start}\n{reason}".casefold()
        self._haystacks[index] = haystack
        return haystack
