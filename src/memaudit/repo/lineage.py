"""How a few commits of interest lie to each other: which of them is an ancestor of which."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from pygit2.enums import SortMode

from memaudit.repo.faults import GIT_FAULTS

if TYPE_CHECKING:
    from memaudit.repo.repository import Repository

_MOST_COMMITS = 50_000


class Lineage:
    """Some commits in an order in which ancestors come first, and the ancestors of each among them.

    ``parents`` gives each commit's parents, ancestors first; ``wanted`` are the commits of interest,
    those that ``parents`` does not have are left out.
    """

    def __init__(self, parents: Mapping[str, Iterable[str]], wanted: Iterable[str]) -> None:
        interesting = frozenset(wanted)
        self.commits: list[str] = [commit for commit in parents if commit in interesting]
        """The commits of interest that are there, ancestors first."""
        self._places = {commit: place for place, commit in enumerate(self.commits)}
        self._above: list[int] = []
        reach: dict[str, int] = {}
        for commit, above in parents.items():
            bits = 0
            for parent in above:
                bits |= reach.get(parent, 0)
            place = self._places.get(commit)
            if place is not None:
                self._above.append(bits)
                bits |= 1 << place
            reach[commit] = bits

    def place(self, commit: str) -> int | None:
        """Where a commit stands in :attr:`commits`; None when it is not among them."""
        return self._places.get(commit)

    def is_ancestor(self, ancestor: str, commit: str) -> bool:
        """Whether ``commit`` descends from ``ancestor`` and is another one; both must be of interest."""
        return bool(self._above[self._places[commit]] >> self._places[ancestor] & 1)

    def mask(self, commits: Iterable[str]) -> int:
        """A set of commits of interest, to be asked about many times."""
        found = 0
        for commit in commits:
            found |= 1 << self._places[commit]
        return found

    def latest(self, mask: int, before: str | None = None) -> list[str]:
        """Those of a :meth:`mask` that no other of it descends from; with ``before`` only its ancestors."""
        left = mask if before is None else mask & self._above[self._places[before]]
        found: list[str] = []
        while left:
            place = left.bit_length() - 1
            found.append(self.commits[place])
            left &= ~(self._above[place] | 1 << place)
        return found


def lineage(repository: Repository, tips: Iterable[str], wanted: Iterable[str]) -> Lineage:
    """The lineage of those ``wanted`` commits that are tips or ancestors of one; the rest is left out.

    At most 50,000 commits are walked; commits further back, or no longer in the repository, are left
    out too.
    """
    missing = set(wanted)
    interesting = frozenset(missing)
    parents: dict[str, tuple[str, ...]] = {}
    for commit, above in _walk(repository, tips):
        parents[commit] = above
        missing.discard(commit)
        if not missing or len(parents) >= _MOST_COMMITS:
            break
    return Lineage(dict(reversed(parents.items())), interesting)


def _walk(repository: Repository, tips: Iterable[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Commits with their parents, children first; ends where the history cannot be read on."""
    git = repository.git
    try:
        walker = git.walk(None, SortMode.TOPOLOGICAL)
        for tip in tips:
            if repository.find(tip) is not None:
                walker.push(tip)
        for commit in walker:
            yield str(commit.id), tuple(map(str, commit.parent_ids))
    except GIT_FAULTS:
        return
