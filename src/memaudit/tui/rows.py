"""A sorted sequence of small integers that stays sorted while many of their keys change at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

_MAX_RUNS = 64
"""Runs of neighbours that are taken out or put in one by one; beyond that, everything is gone through."""


class Rows:
    """Indices in the order of their keys, which are numbers from 0 on, no two the same.

    ``members`` must be sorted by ``keys``, which holds a key for every member, by index, and -1 for
    others. Both may be ranges: they are copied when something changes.
    """

    def __init__(self, members: Sequence[int] = (), keys: Sequence[int] = ()) -> None:
        self._members = members
        self._keys = keys

    def __len__(self) -> int:
        return len(self._members)

    def __getitem__(self, row: int) -> int:
        return self._members[row]

    def __iter__(self) -> Iterator[int]:
        return iter(self._members)

    def __contains__(self, index: object) -> bool:
        return isinstance(index, int) and index < len(self._keys) and self._keys[index] >= 0

    def find(self, index: int) -> int | None:
        """The row of an index, or None where it is no member."""
        return self._row(index) if index in self else None

    def move(self, keys: Mapping[int, int | None]) -> bool:
        """Give indices other keys, None to leave them out; whether that changed any row."""
        changes = {
            index: -1 if key is None else key
            for index, key in keys.items()
            if (-1 if key is None else key) != self._keys[index]
        }
        if not changes:
            return False
        members, by_index = self._own()
        self._take_out(members, changes)
        for index, key in changes.items():
            by_index[index] = key
        self._put_in(members, sorted((one for one in changes if changes[one] >= 0), key=changes.__getitem__))
        return True

    def _own(self) -> tuple[list[int], list[int]]:
        if not isinstance(self._members, list):
            self._members = list(self._members)
        if not isinstance(self._keys, list):
            self._keys = list(self._keys)
        return self._members, self._keys

    def _row(self, index: int) -> int:
        return bisect_left(self._members, self._keys[index], key=self._keys.__getitem__)

    def _take_out(self, members: list[int], changes: Mapping[int, int]) -> None:
        """Take out those that have a place now, while all keys are still the old ones."""
        places = sorted(self._row(index) for index in changes if self._keys[index] >= 0)
        runs: list[list[int]] = []
        for place in places:
            if runs and runs[-1][1] == place:
                runs[-1][1] += 1
            else:
                runs.append([place, place + 1])
        if len(runs) > _MAX_RUNS:
            members[:] = [index for index in members if index not in changes]
            return
        for start, end in reversed(runs):
            del members[start:end]

    def _put_in(self, members: list[int], coming: list[int]) -> None:
        """Put in those that come, in the order of their keys."""
        runs: list[tuple[int, list[int]]] = []
        keys = self._keys
        end = -1
        for index in coming:
            # One that comes before the same neighbour as the one before it belongs to the same run.
            if runs and (runs[-1][0] == len(members) or keys[index] < end):
                runs[-1][1].append(index)
                continue
            place = self._row(index)
            end = keys[members[place]] if place < len(members) else -1
            runs.append((place, [index]))
        if len(runs) > _MAX_RUNS:
            members += coming
            members.sort(key=keys.__getitem__)
            return
        for place, run in reversed(runs):
            members[place:place] = run
