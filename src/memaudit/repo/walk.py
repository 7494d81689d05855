"""Walks over commits that only look at a few paths of each tree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import pygit2
from pygit2.enums import ObjectType, SortMode

from memaudit.repo.faults import GIT_FAULTS, reading
from memaudit.repo.objects import MODE_TREE, Objects, find_entry

if TYPE_CHECKING:
    from memaudit.repo.repository import Repository

_MOST_COMMITS = 50_000


class Commit(NamedTuple):
    """The part of a commit that a walk needs; ``time`` is in seconds since the epoch."""

    id: str
    tree: str
    parents: tuple[str, ...]
    time: int


def read_commit(git: pygit2.Repository, commit: str) -> Commit | None:
    """A commit by its id, or None when it is not in this clone."""
    try:
        return _of(git[commit].peel(ObjectType.COMMIT))
    except GIT_FAULTS:
        return None


def _of(commit: pygit2.Commit) -> Commit:
    parents = tuple(map(str, commit.parent_ids))
    return Commit(str(commit.id), str(commit.tree_id), parents, commit.commit_time)


def _unpacked(objects: Objects, commit: str) -> Commit | None:
    """As :func:`read_commit` in a third of the time. Where history was cut off, parents are named still."""
    data = objects.commit(commit)
    if data is None:
        return None
    # "tree <id>\n", then "parent <id>\n" for each parent, then "author", "committer" and others.
    tree, at = data[5:45].decode("ascii", "replace"), 46
    parents: list[str] = []
    while data.startswith(b"parent ", at):
        parents.append(data[at + 7 : at + 47].decode("ascii", "replace"))
        at += 48
    committer = data[data.find(b"\ncommitter ", at) + 1 :].partition(b"\n")[0].split(b" ")
    time = int(committer[-2]) if len(committer) > 1 and committer[-2].isdigit() else 0
    return Commit(commit, tree, tuple(parents), time)


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
        self._git = repository.git
        self._where = repository.name
        self.cut_off = repository.cut_off
        """The commits of a shallow clone whose parents were left out."""
        self._seen: list[Commit] = []
        self._trees: dict[str, str | None] = {}
        with reading(self._where):
            self._walker = self._git.walk(tip, SortMode.TOPOLOGICAL | SortMode.TIME)
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
            found = read_commit(self._git, commit)
            self._trees[commit] = found.tree if found else None
        return self._trees[commit]


class MainLine:
    """A commit and its first parents, newest first, read as needed; at most 50,000 of them."""

    def __init__(self, objects: Objects, tip: str) -> None:
        self._objects = objects
        self._next: str | None = tip
        self._line: list[Commit] = []
        self._places: dict[str, int] = {}

    def at(self, place: int) -> int:
        """``place``, or the last place where the line ends before it."""
        while place >= len(self._line) and self._read_on():
            pass
        return min(place, len(self._line) - 1)

    def __getitem__(self, place: int) -> Commit:
        return self._line[self.at(place)]

    def place(self, commit: str) -> int | None:
        """Where a commit stands on the line, None when it does not."""
        while commit not in self._places:
            if not self._read_on():
                return None
        return self._places[commit]

    def _read_on(self) -> bool:
        if self._next is None or len(self._line) >= _MOST_COMMITS:
            return False
        commit = _unpacked(self._objects, self._next)
        if commit is None:
            # The history was cut off here.
            self._next = None
            return False
        self._places[commit.id] = len(self._line)
        self._line.append(commit)
        self._next = commit.parents[0] if commit.parents else None
        return True


class _Wanted:
    """The paths that are looked for, as a tree of their parts."""

    __slots__ = ("below", "path")

    def __init__(self) -> None:
        self.path: str | None = None
        self.below: dict[bytes, _Wanted] = {}

    def add(self, path: str) -> None:
        node = self
        for part in path.encode().split(b"/"):
            node = node.below.setdefault(part, _Wanted())
        node.path = path


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
        old_raw = self._objects.tree(old) if old else b""
        new_raw = self._objects.tree(new) if new else b""
        for name, below in wanted.below.items():
            before, after = find_entry(old_raw, name), find_entry(new_raw, name)
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
