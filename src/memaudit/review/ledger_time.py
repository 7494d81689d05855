"""From sightings to validity intervals: what held from which commit to which.

Sightings of one fact, put in the order of git's history, fall into runs of the same object. A run is a
row, valid from its first sighting until the sighting that found something else. Where the line of
history forked, a row may end on one side and go on on the other. At a revision that was never looked
at, the nearest sightings before it tell; where a merge joined two that differ, nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from memaudit.repo.lineage import Lineage
from memaudit.review.ledger_entries import Key, Sighting, State


@dataclass(frozen=True, slots=True)
class Point:
    """One end of an interval; without ``exact`` it came to be so at that commit or before it."""

    commit: str
    exact: bool


@dataclass(frozen=True, slots=True)
class Row:
    """One object of a fact and its interval ``[since, until)``; ``until`` None: nothing ended it so far.

    ``ends`` are the commits that ended it on one line of history or another, ``state`` is how it was
    seen last, at the commit ``seen``.
    """

    key: Key
    kind: str
    state: State
    since: Point
    until: Point | None
    ends: tuple[Point, ...]
    seen: str


class Timeline:
    """All sightings of one fact, in the order of a lineage that holds their commits."""

    def __init__(self, sightings: Iterable[Sighting], order: Lineage) -> None:
        placed = {one.commit: one for one in sightings if order.place(one.commit) is not None}
        self._order = order
        self._sightings = {commit: placed[commit] for commit in order.commits if commit in placed}
        self._all = order.mask(self._sightings)
        self._before = {commit: order.latest(self._all, commit) for commit in self._sightings}
        self._runs = self._joined()

    def _joined(self) -> dict[str, str]:
        """For each commit at which something was found, the first commit of its run."""
        runs: dict[str, str] = {}

        def first_of(commit: str) -> str:
            while runs[commit] != commit:
                commit = runs[commit]
            return commit

        for commit, sighting in self._sightings.items():
            if sighting.state.object is None:
                continue
            runs[commit] = commit
            for earlier in self._before[commit]:
                if self._sightings[earlier].state.object == sighting.state.object:
                    one, other = sorted((first_of(commit), first_of(earlier)), key=self._place)
                    runs[other] = one
        return {commit: first_of(commit) for commit in runs}

    def _place(self, commit: str) -> int:
        place = self._order.place(commit)
        assert place is not None
        return place

    def rows(self) -> list[Row]:
        """Every interval, in the order in which they began."""
        members: dict[str, list[str]] = {}
        for commit, run in self._runs.items():
            members.setdefault(run, []).append(commit)
        return [self._row(commits) for commits in members.values()]

    def _row(self, commits: Sequence[str]) -> Row:
        inside = set(commits)
        ends = [
            commit
            for commit, before in self._before.items()
            if commit not in inside and not inside.isdisjoint(before)
        ]
        followed = {earlier for commit in self._sightings for earlier in self._before[commit]}
        is_open = any(commit not in followed for commit in commits)
        points = tuple(Point(commit, self._sightings[commit].turned) for commit in ends)
        first, last = self._sightings[commits[0]], self._sightings[commits[-1]]
        return Row(
            key=first.key,
            kind=first.kind,
            state=last.state,
            since=Point(first.commit, first.turned),
            until=None if is_open or not points else points[-1],
            ends=points,
            seen=last.commit,
        )

    def changes(self) -> list[tuple[Sighting, Sighting]]:
        """Each time another object, or none, was found than just before, oldest first."""
        found: list[tuple[Sighting, Sighting]] = []
        for commit, now in self._sightings.items():
            for earlier in self._before[commit]:
                was = self._sightings[earlier]
                told = was.state.object is None and was.state.instead == now.state.object
                if was.state.object != now.state.object and not told:
                    found.append((was, self._what_came(now)))
                    break
        return found

    def _what_came(self, ended: Sighting) -> Sighting:
        """The end of an object with the next one, where that was seen only later."""
        following = self._sightings.values() if ended.state.object is None else ()
        came = next((one.state for one in following if one.state.object == ended.state.instead), None)
        return replace(ended, state=came) if came else ended

    def at_tip(self) -> Sighting | None:
        """What is known at the end of the lineage, absence included; None where its lines disagree."""
        latest = [self._sightings[commit] for commit in self._order.latest(self._all)]
        if not latest or len({sighting.state.object for sighting in latest}) > 1:
            return None
        return latest[0]

    def before_tip(self) -> Sighting | None:
        """What was seen before what is there at the end of the lineage: another object, else absence."""
        tip = self.at_tip()
        if tip is None:
            return None
        others = [one for one in self._sightings.values() if one.state.object != tip.state.object]
        there = [one for one in others if one.state.object is not None]
        return next(reversed(there or others), None)

    def row_at_tip(self) -> Row | None:
        """The one row that is valid at the end of the lineage."""
        latest = self.at_tip()
        if latest is None or latest.state.object is None:
            return None
        run = self._runs[latest.commit]
        return self._row([commit for commit, first in self._runs.items() if first == run])
