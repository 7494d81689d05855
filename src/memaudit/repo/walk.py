"""Walks over commits that only look at a few paths of each tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import pygit2
from pygit2.enums import ObjectType, SortMode

from memaudit.repo.faults import GIT_FAULTS, reading
from memaudit.repo.objects import MODE_TREE, Objects, TreeEntry, find_entry

if TYPE_CHECKING:
    from memaudit.repo.repository import Repository

_MOST_COMMITS = 50_000

_KEPT_TREES = 1000
"""Trees of one folder whose entries a walk keeps."""


class Commit(NamedTuple):
    """The part of a commit that a walk needs; ``time`` is in seconds since the epoch."""

    id: str
    tree: str
    parents: tuple[str, ...]
    time: int


def read_commit(repository: Repository, commit: str) -> Commit | None:
    """A commit by its id, or None when it is not in this clone."""
    try:
        return _of(repository.git[commit].peel(ObjectType.COMMIT))
    except GIT_FAULTS:
        repository.objects.missing.add(commit)
        return None


def _of(commit: pygit2.Commit) -> Commit:
    parents = tuple(map(str, commit.parent_ids))
    return Commit(str(commit.id), str(commit.tree_id), parents, commit.commit_time)


class Touch(NamedTuple):
    """A commit that left a path otherwise than every one of its parents had it.

    ``before`` holds the object ids at the path in the parents, ``after`` the one in the commit; None
    where the path is absent.
    """

    commit: str
    before: tuple[str | None, ...]
    after: str | None


class Commits:
    """The commits of ``base..tip``, newest first, read as needed; at most 50,000 of them."""

    def __init__(self, repository: Repository, base: str, tip: str) -> None:
        self._repository = repository
        self._where = repository.name
        self.cut_off = repository.cut_off
        """The commits of a shallow clone whose parents were left out."""
        self._seen: list[Commit] = []
        self._trees: dict[str, str | None] = {}
        with reading(self._where):
            self._walker = repository.git.walk(tip, SortMode.TOPOLOGICAL | SortMode.TIME)
            self._walker.hide(base)

    def __iter__(self) -> Iterator[Commit]:
        at = 0
        while at < len(self._seen) or self._read_on():
            yield self._seen[at]
            at += 1

    def _read_on(self) -> bool:
        if len(self._seen) >= _MOST_COMMITS:
            return False
        with reading(self._where):
            commit = next(self._walker, None)
            if commit is None:
                return False
            entry = _of(commit)
        self._seen.append(entry)
        self._trees[entry.id] = entry.tree
        return True

    def tree_of(self, commit: str) -> str | None:
        """The tree of a commit, or None when the commit is not in this clone."""
        if commit not in self._trees:
            found = read_commit(self._repository, commit)
            self._trees[commit] = found.tree if found else None
        return self._trees[commit]


class MainLine:
    """A commit and its first parents, newest first, read as needed; at most 50,000 of them.

    Where history was cut off the line ends, as it does at a commit that is not in this clone.
    """

    def __init__(self, objects: Objects, tip: str) -> None:
        self._objects = objects
        self._next: str | None = tip
        self._commits: list[str] = []
        self._trees: list[str] = []
        self._places: dict[str, int] = {}

    def at(self, place: int) -> int:
        """``place``, or the last place where the line ends before it."""
        trees = self._trees
        while place >= len(trees) and self._read_on():
            pass
        return min(place, len(trees) - 1)

    def tree(self, place: int) -> str:
        """The tree of the commit at a place."""
        return self._trees[self.at(place)]

    def commit(self, place: int) -> str:
        """The id of the commit at a place."""
        return self._commits[self.at(place)]

    def place(self, commit: str) -> int | None:
        """Where a commit stands on the line, None when it does not."""
        while commit not in self._places:
            if not self._read_on():
                return None
        return self._places[commit]

    def _read_on(self) -> bool:
        commit = self._next
        if commit is None or len(self._trees) >= _MOST_COMMITS:
            return False
        data = self._objects.commit(commit)
        if data is None:
            self._next = None
            return False
        self._places[commit] = len(self._commits)
        self._commits.append(commit)
        # "tree <id>\n", then "parent <id>\n" for each parent: no more of a commit is read than that.
        self._trees.append(data[5:45].decode("ascii", "replace"))
        self._next = data[53:93].decode("ascii", "replace") if data[46:53] == b"parent " else None
        return True


_Entries = tuple[TreeEntry | None, ...]


class _Wanted:
    """The paths that are looked for, as a tree of their parts."""

    __slots__ = ("_known", "below", "path")

    def __init__(self) -> None:
        self.path: str | None = None
        self.below: dict[bytes, _Wanted] = {}
        self._known: dict[str | None, _Entries] = {}

    def add(self, path: str) -> None:
        node = self
        for part in path.encode().split(b"/"):
            node = node.below.setdefault(part, _Wanted())
        node.path = path

    def entries(self, tree: str | None, objects: Objects) -> _Entries:
        """What a tree (None: absent) has at each name of ``below``.

        A tree is asked about twice: beside that of the parent, and of the child.
        """
        known = self._known.get(tree)
        if known is None:
            raw = objects.tree(tree) if tree else b""
            if len(self._known) >= _KEPT_TREES:
                self._known.clear()
            known = self._known[tree] = tuple([find_entry(raw, name) for name in self.below])
        return known


class PathWalk:
    """Finds the commits that touched any of ``paths`` in one pass that goes on only as far as asked."""

    def __init__(self, commits: Commits, objects: Objects, paths: Iterable[str]) -> None:
        self.paths = frozenset(paths)
        self._commits = commits
        self._objects = objects
        self._wanted = _Wanted()
        for path in self.paths:
            self._wanted.add(path)
        self._touches: dict[str, list[Touch]] = {path: [] for path in self.paths}
        self._ahead = iter(commits)

    def touches(self, path: str) -> Iterator[Touch]:
        """The commits that touched one of the paths, newest first."""
        found = self._touches[path]
        at = 0
        while True:
            while at < len(found):
                yield found[at]
                at += 1
            commit = next(self._ahead, None)
            if commit is None:
                if at < len(found):
                    continue
                return
            self._visit(commit)

    def _visit(self, commit: Commit) -> None:
        if commit.id in self._commits.cut_off:
            return  # It looks like the first commit of all, which brought every file.
        parents = [self._commits.tree_of(parent) for parent in commit.parents] or [None]
        differences = [self._differences(tree, commit.tree) for tree in parents]
        changed = set(differences[0]).intersection(*differences[1:])
        for path in changed:
            before = tuple(difference[path][0] for difference in differences)
            self._touches[path].append(Touch(commit.id, before, differences[0][path][1]))

    def _differences(self, old: str | None, new: str) -> dict[str, tuple[str | None, str | None]]:
        found: dict[str, tuple[str | None, str | None]] = {}
        if old != new:
            self._compare(self._wanted, old, new, found)
        return found

    def _compare(
        self,
        wanted: _Wanted,
        old: str | None,
        new: str | None,
        found: dict[str, tuple[str | None, str | None]],
    ) -> None:
        """Compare two trees (None: absent) at the wanted names only."""
        before_all, after_all = wanted.entries(old, self._objects), wanted.entries(new, self._objects)
        if before_all == after_all:
            return
        for below, before, after in zip(wanted.below.values(), before_all, after_all, strict=True):
            before_id, after_id = before and before.id, after and after.id
            if before_id == after_id:
                continue
            if below.path is not None:
                found[below.path] = (before_id, after_id)
            if below.below:
                self._compare(
                    below,
                    before.id if before and before.mode == MODE_TREE else None,
                    after.id if after and after.mode == MODE_TREE else None,
                    found,
                )
