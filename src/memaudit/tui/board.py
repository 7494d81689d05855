"""What the list of claims shows, as plain data: order, filter, fold and counts. No terminal needed.

Claims are known by their index in reading order of the stores. The rows are kept sorted as verdicts
come: a batch of them moves some indices instead of sorting everything anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from operator import attrgetter

from memaudit.domain import Claim, Decision, Judgement, Tier
from memaudit.tui import finding
from memaudit.tui.filters import Filter, Traits
from memaudit.tui.finding import Found, Haystacks, Terms
from memaudit.tui.ranks import GROUPS, NEEDS_A_PERSON, NORM_REASONS, Group, Rank, rank_of
from memaudit.tui.rows import Rows
from memaudit.tui.sorting import Sort, order

__all__ = [
    "FOLD",
    "GROUPS",
    "NEEDS_A_PERSON",
    "NORM_REASONS",
    "Board",
    "Filter",
    "Group",
    "Rank",
    "Sort",
    "rank_of",
]

FOLD = -1
"""Stands in the rows for all claims of :attr:`Rank.NORM` while they are folded."""

_CHUNK = 5_000
"""Claims that are put in order at a time."""


class Board:
    """Claims, their judgements and decisions, and which of them are listed in which order."""

    def __init__(self, claims: Sequence[Claim] = ()) -> None:
        self.claims: list[Claim] = list(claims)
        total = len(self.claims)
        self.judgements: list[Judgement | None] = [None] * total
        self.decisions: dict[str, Decision] = {}
        self.contested: dict[str, tuple[Decision, ...]] = {}
        """Claims on which several decisions stand beside each other, with these."""
        self.written: dict[str, Rank | None] = {}
        """Claims that the files no longer hold as they are listed, since a save took them out or reworded
        them; with the rank of the words in the file, if there are any and it is known."""
        self.filter = Filter()
        self.sort = Sort.VERDICT
        self.folded = True
        self._indices: dict[str, int] | None = None
        self._ranks: list[Rank] = [Rank.PENDING] * total
        self._counts = [0] * len(Rank)
        self._counts[Rank.PENDING] = total
        self._done = [0] * len(Rank)
        self._revisions = [0] * total
        self._haystacks = Haystacks(self.claims, self.judgements)
        self._found = Found({})
        self._turn = 0
        self._late: set[int] = set()
        self._proved: set[int] = set()
        self._dirty: set[int] = set()
        self._moved = True
        self._begin()

    # What is known of a claim

    def index(self, claim_id: str | None) -> int | None:
        """The index of a claim, or None for an id that is not on the board."""
        if self._indices is None and self.claims and self.claims[0].id == claim_id:
            # All that the first paint asks for: the table of all ids can wait until after it.
            return 0
        return None if claim_id is None else self._by_id.get(claim_id)

    @property
    def _by_id(self) -> dict[str, int]:
        if self._indices is None:
            ids = map(attrgetter("id"), self.claims)
            self._indices = dict(zip(ids, range(len(self.claims)), strict=True))
        return self._indices

    def rank(self, index: int) -> Rank:
        """Where the claim stands."""
        return self._ranks[index]

    def revision(self, index: int) -> int:
        """A number that changes whenever the claim's row would look different."""
        return self._revisions[index]

    def decision(self, index: int) -> Decision | None:
        """The decision in effect on the claim."""
        return self.decisions.get(self.claims[index].id)

    def _waits(self, index: int, ranks: Collection[Rank]) -> bool:
        """Whether a claim of these ranks is undecided; a contested one waits for a person whatever it is."""
        claim_id = self.claims[index].id
        if claim_id in self.contested:
            return ranks is NEEDS_A_PERSON
        return self._ranks[index] in ranks and claim_id not in self.decisions

    # Changes

    def judge(self, judgements: Iterable[Judgement]) -> None:
        """Take in verdicts; ids that are not on the board are passed over."""
        before: dict[int, Rank] = {}
        by_id = self._by_id
        for judgement in judgements:
            index = by_id.get(judgement.claim_id)
            if index is None:
                continue
            before.setdefault(index, self._ranks[index])
            self.judgements[index] = judgement
            self._ranks[index] = rank_of(judgement)
            suggestion = judgement.suggestion
            if suggestion and suggestion.tier is Tier.APPLY and suggestion.text is not None:
                self._proved.add(index)
            else:
                self._proved.discard(index)
            self._haystacks.forget(index)
            self._touch(index)
        self._count(before)
        self._move(before)

    def decide(
        self,
        decisions: Mapping[str, Decision],
        contested: Mapping[str, tuple[Decision, ...]] | None = None,
        written: Mapping[str, Rank | None] | None = None,
    ) -> None:
        """Take over the decisions in effect, and which of them files hold (:attr:`written`).

        The order stays as it is until the filter changes, but for what files hold otherwise by now.
        """
        old, self.decisions = self.decisions, dict(decisions)
        disputed, self.contested = self.contested, dict(contested or {})
        gone, self.written = self.written, dict(written or {})
        changed: dict[int, Rank] = {}
        for claim_id, _ in gone.items() ^ self.written.items():
            index = self._by_id.get(claim_id)
            if index is not None:
                changed[index] = self._ranks[index]
                self._touch(index)
        for claim_id in old.keys() | self.decisions.keys() | disputed.keys() | self.contested.keys():
            now = self.decisions.get(claim_id)
            if old.get(claim_id) == now and (claim_id in disputed) == (claim_id in self.contested):
                continue
            index = self._by_id.get(claim_id)
            if index is None:
                continue
            self._touch(index)
            self._haystacks.reword(index, now.text if now else None)
            step = (now is not None) - (claim_id in old)
            self._done[self._ranks[index]] += step
            if self._lists(index):
                self._open[self._ranks[index]] -= step
        if changed and self.filter.by_parts:
            self._move(changed)

    def select(self, filter_: Filter) -> None:
        """List only what passes the filter."""
        for _ in self.arranging(filter_):
            pass

    def sort_by(self, sort: Sort) -> None:
        """List in another order."""
        for _ in self.arranging(self.filter, sort):
            pass

    def fold(self, folded: bool) -> None:
        """Fold the claims that nothing can decide into one row, or list them."""
        self.folded = folded
        for _ in self.arranging(self.filter):
            pass

    def arranging(self, filter_: Filter, sort: Sort | None = None) -> Iterator[None]:
        """List by another filter or in another order, in steps of some milliseconds.

        Nothing changes before the last step. A later call makes an earlier one that is still under
        way come to nothing.
        """
        self._turn += 1
        turn = self._turn
        self._late.clear()
        sort = sort or self.sort
        order_ = order(sort, self.claims, self._ranks, self.judgements)
        found = Found({})
        if filter_.words:
            found = yield from finding.search(filter_.query, self.passing(filter_), self._haystacks)
        folding = self.folded and not filter_.words and Group.NORM not in filter_.groups
        total, ranks, tiers = len(self.claims), self._ranks, found.tiers
        rows, row_keys = [], [-1] * total
        hidden, hidden_keys = [], [-1] * total
        listed = [0] * len(Rank)
        wanted = list(tiers if filter_.words else self.passing(filter_))
        for chunk in finding.chunks(wanted, _CHUNK):
            for index in chunk:
                # How well a claim matches a search goes before its place in the order.
                key = tiers.get(index, 0) * order_.bound + order_.key(index)
                listed[ranks[index]] += 1
                if folding and ranks[index] is Rank.NORM:
                    hidden.append(index)
                    hidden_keys[index] = key
                else:
                    rows.append(index)
                    row_keys[index] = key
            yield
        rows.sort(key=row_keys.__getitem__)
        hidden.sort(key=hidden_keys.__getitem__)
        yield
        if turn == self._turn:
            self.filter, self.sort, self._order, self._found = filter_, sort, order_, found
            self._folding = folding
            self._rows, self._hidden = Rows(rows, row_keys), Rows(hidden, hidden_keys)
            if self._late:
                self._place(self._late)
                counts = Counter(map(ranks.__getitem__, chain(self._rows, self._hidden)))
                listed = [counts[rank] for rank in Rank]
            self._take_counts(listed)
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
        return bool(self._hidden)

    @property
    def folded_count(self) -> int:
        """The number of listed claims that nothing can decide, folded or not."""
        return self._listed[Rank.NORM]

    @property
    def terms(self) -> Terms:
        """What to highlight in the rows."""
        return Terms(self.filter.words, self._found.near)

    @property
    def near(self) -> bool:
        """Whether what is listed only resembles what was searched for."""
        return self._found.near

    @property
    def matched(self) -> int:
        """The number of claims that pass the filter, folded or not."""
        return sum(self._listed)

    def __len__(self) -> int:
        """The number of rows."""
        return len(self._rows) + bool(self._hidden)

    def __getitem__(self, row: int) -> int:
        """The index of the claim in a row, or :data:`FOLD`."""
        if row == len(self._rows) and self._hidden:
            return FOLD
        return self._rows[row]

    def row(self, index: int) -> int | None:
        """The row that shows a claim (or the fold), or None where it is not listed."""
        if index == FOLD:
            return len(self._rows) if self._hidden else None
        return self._rows.find(index)

    def listed(self, ranks: Iterable[Rank] = tuple(Rank)) -> list[int]:
        """Claims that pass the filter, in order, of the ranks asked for; folded ones in the end."""
        wanted = frozenset(ranks)
        rows: Iterable[int] = chain(self._rows, self._hidden)
        return [index for index in rows if self._ranks[index] in wanted]

    def undecided(self, ranks: Iterable[Rank]) -> list[int]:
        """Listed claims of these ranks without a decision, in order."""
        ranks = tuple(ranks)
        if not self.undecided_count(ranks):
            return []
        return [index for index in self.listed(ranks) if self.decision(index) is None]

    def undecided_count(self, ranks: Iterable[Rank]) -> int:
        """The number of listed claims of these ranks without a decision."""
        return sum(self._open[rank] for rank in ranks)

    def takeable(self) -> list[int]:
        """Listed claims without a decision whose suggestion is proved and can be written, in order."""
        found = [
            index
            for index in self._proved
            if self._lists(index) and self.decision(index) is None and not self.claims[index].locked
        ]
        return sorted(found, key=self._order.key)

    def next_undecided(self, after: int | None) -> int | None:
        """The claim to decide next: below ``after``, else from the top; those that need a person first.

        That includes claims that people decided differently.
        """
        for ranks in (NEEDS_A_PERSON, (Rank.PENDING, Rank.HELD)):
            if not self.undecided_count(ranks) and not self.contested:
                continue
            for index in self._round(after):
                if index != after and self._waits(index, ranks):
                    return index
        return None

    def _round(self, after: int | None) -> Iterator[int]:
        """All rows but the fold, from below ``after`` down, then from the top."""
        row = None if after is None or after == FOLD else self._rows.find(after)
        start = 0 if row is None else row + 1
        for place in chain(range(start, len(self._rows)), range(start)):
            yield self._rows[place]

    # Counts

    def counts(self) -> dict[Group, int]:
        """The number of claims per group, over the whole board, as the files hold them by now."""
        counts = dict.fromkeys(Group, 0)
        for rank, group in GROUPS.items():
            counts[group] += self._counts[rank]
        for index, now in self._rewritten():
            counts[GROUPS[self._ranks[index]]] -= 1
            if now is not None:
                counts[GROUPS[now]] += 1
        return counts

    def decided(self, ranks: Iterable[Rank]) -> tuple[int, int]:
        """How many claims of these ranks have a decision, and how many there are, over the whole board.

        What people decided differently is not decided yet; what files hold otherwise by now is over.
        """
        wanted = frozenset(ranks)
        over = sum(self._ranks[index] in wanted for index, _ in self._rewritten())
        indices = map(self._by_id.get, self.contested.keys() - self.written.keys())
        open_ = sum(index is not None and self._ranks[index] in wanted for index in indices)
        done, total = sum(self._done[rank] for rank in wanted), sum(self._counts[rank] for rank in wanted)
        return done - over - open_, total - over

    def _rewritten(self) -> Iterator[tuple[int, Rank | None]]:
        """The indices of :attr:`written`, each with what stands in its place."""
        for claim_id, now in self.written.items():
            index = self._by_id.get(claim_id)
            if index is not None:
                yield index, now

    def _touch(self, index: int) -> None:
        self._revisions[index] += 1
        self._dirty.add(index)

    def _lists(self, index: int) -> bool:
        return index in self._rows or index in self._hidden

    def _count(self, before: Mapping[int, Rank]) -> None:
        """Follow claims that had other ranks before, in all counts over the board."""
        for index, old in before.items():
            new = self._ranks[index]
            self._counts[old] -= 1
            self._counts[new] += 1
            if self.decision(index) is not None:
                self._done[old] -= 1
                self._done[new] += 1

    # Order

    def _begin(self) -> None:
        """The rows before any verdict: nothing to sort, and no list as long as the board to make.

        The first paint waits for this.
        """
        total = len(self.claims)
        first = Rank.PENDING * total
        self._order = order(self.sort, self.claims, self._ranks, self.judgements)
        self._folding = True
        self._rows, self._hidden = Rows(range(total), range(first, first + total)), Rows((), [-1] * total)
        self._listed, self._open = list(self._counts), list(self._counts)

    def _take_counts(self, listed: list[int]) -> None:
        """Take over how much is listed, by rank, and count what of it is undecided."""
        self._listed, self._open = listed, list(listed)
        for claim_id in self.decisions:
            index = self._by_id.get(claim_id)
            if index is not None and self._lists(index):
                self._open[self._ranks[index]] -= 1

    def _move(self, before: Mapping[int, Rank]) -> None:
        """Put claims with a new verdict in their places; given are their ranks before."""
        self._late.update(before)
        self._tell(before, before, -1)
        self._moved |= self._place(before)
        self._tell(before, self._ranks, 1)

    def _tell(self, indices: Iterable[int], ranks: Mapping[int, Rank] | Sequence[Rank], step: int) -> None:
        """Count claims that are listed in, or out."""
        for index in indices:
            if self._lists(index):
                self._listed[ranks[index]] += step
                self._open[ranks[index]] += step * (self.decision(index) is None)

    def _place(self, indices: Collection[int]) -> bool:
        """Give claims the rows that they should have now; whether that changed any row."""
        wanted = set(self.passing(self.filter, indices))
        tiers = self._found.tiers
        if self.filter.words:
            if not self._found.near:
                for index in indices:
                    tiers.pop(index, None)
                tiers.update(self._as_written(wanted))
            wanted &= tiers.keys()
        shown: dict[int, int | None] = {}
        hidden: dict[int, int | None] = {}
        for index in indices:
            key = None
            if index in wanted:
                key = tiers.get(index, 0) * self._order.bound + self._order.key(index)
            hides = self._folding and self._ranks[index] is Rank.NORM
            shown[index], hidden[index] = (None, key) if hides else (key, None)
        moved = self._rows.move(shown)
        return self._hidden.move(hidden) or moved

    @property
    def traits(self) -> Traits:
        """What the claims are at this moment, for the parts of the filter."""
        return Traits(self.claims, self._ranks, self.judgements, self.decisions, self.written)

    def passing(self, filter_: Filter, indices: Iterable[int] | None = None) -> Iterable[int]:
        """The indices of the claims that pass a filter but for its query, of all or of those given."""
        return filter_.narrow(range(len(self.claims)) if indices is None else indices, self.traits)

    def _as_written(self, indices: Iterable[int]) -> dict[int, int]:
        words = self.filter.words
        return finding.plain(words, " ".join(words), indices, self._haystacks)
