"""Which commit wrote each line of a file.

libgit2's own blame takes ten times as long on long histories and cannot start from a file on disk.
"""

from __future__ import annotations

import heapq
import posixpath
from collections.abc import Iterator
from typing import NamedTuple

import pygit2
from pygit2.enums import ObjectType

from memaudit.repo.changes import similarity
from memaudit.repo.objects import MODE_LINK, MODE_SUBMODULE, MODE_TREE
from memaudit.repo.repository import Repository, reading

_MOST_COMMITS = 50_000
_LEAST_SIMILARITY = 0.5


class _Version(NamedTuple):
    """The file at one commit, under the name it had then."""

    commit: str
    path: str
    blob: str


def blame(repository: Repository, path: str, commit: str) -> list[str]:
    """The id of the commit that wrote each line of a file as it stands at ``commit``.

    Lines end at ``\\n``. A renamed file is followed to its earlier name. Empty where there is no such
    file; where the history is cut off or very long, the oldest commit in reach stands for the rest.
    """
    return _Blame(repository).lines(path, commit)


class _Blame:
    def __init__(self, repository: Repository) -> None:
        self._git = repository.git
        self._objects = repository.objects
        self._listings = repository.listings
        self._where = repository.name

    def lines(self, path: str, commit: str) -> list[str]:
        start = self._version(commit, path)
        data = self._objects.blob(start.blob) if start else None
        if start is None or data is None:
            return []
        count = len(split_lines(data))
        authors = [start.commit] * count
        # Lines still without an author, by the version they were traced back to: line there -> line here.
        open_lines: dict[_Version, dict[int, int]] = {start: {line: line for line in range(count)}}
        queue = [(-self._time(commit), start)]
        for _ in range(_MOST_COMMITS):
            if not queue:
                return authors
            _, version = heapq.heappop(queue)
            lines = open_lines.pop(version)
            for parent in self._parents(version):
                inherited = self._inherited(parent, version, lines)
                if not inherited:
                    continue
                passed_on = set(inherited.values())
                lines = {line: target for line, target in lines.items() if target not in passed_on}
                if parent not in open_lines:
                    open_lines[parent] = {}
                    heapq.heappush(queue, (-self._time(parent.commit), parent))
                open_lines[parent].update(inherited)
                if not lines:
                    break
            for target in lines.values():
                authors[target] = version.commit
        for version, lines in open_lines.items():
            for target in lines.values():
                authors[target] = version.commit
        return authors

    def _inherited(self, parent: _Version, version: _Version, lines: dict[int, int]) -> dict[int, int]:
        """Which of the lines stood in the parent already, by their number there."""
        if parent.blob == version.blob:
            return lines
        old, new = self._objects.blob(parent.blob), self._objects.blob(version.blob)
        if old is None or new is None:
            return {}
        return {before: lines[after] for before, after in unchanged_lines(old, new) if after in lines}

    def _parents(self, version: _Version) -> list[_Version]:
        """The file in the parents; only in one that has it unchanged, where there is one."""
        found: list[_Version] = []
        for parent in self._git[version.commit].peel(ObjectType.COMMIT).parent_ids:
            before = self._version(str(parent), version.path) or self._before_rename(str(parent), version)
            if before is None:
                continue
            if before.blob == version.blob:
                return [before]
            found.append(before)
        return found

    def _version(self, commit: str, path: str) -> _Version | None:
        try:
            tree = str(self._git[commit].peel(ObjectType.COMMIT).tree_id)
        except (KeyError, ValueError, pygit2.GitError):
            return None
        entry = self._objects.entry(tree, path)
        if entry is None or entry.mode in (MODE_TREE, MODE_LINK, MODE_SUBMODULE):
            return None
        return _Version(commit, path, entry.id)

    def _before_rename(self, parent: str, version: _Version) -> _Version | None:
        """The file under the name it had in the parent, if the commit renamed it."""
        try:
            before = self._listings.list(str(self._git[parent].peel(ObjectType.COMMIT).tree_id))
        except (KeyError, ValueError, pygit2.GitError):
            return None
        after = self._listings.list(str(self._git[version.commit].peel(ObjectType.COMMIT).tree_id))
        gone = {path: entry for path, entry in before.items() if path not in after}
        for path, entry in gone.items():
            if entry.id == version.blob:
                return _Version(parent, path, entry.id)
        extension = posixpath.splitext(version.path)[1]
        text = self._text(version.blob)
        best, best_similarity = None, _LEAST_SIMILARITY
        for path, entry in gone.items():
            if posixpath.splitext(path)[1] != extension:
                continue
            found = similarity(self._text(entry.id), text, best_similarity)
            if found >= best_similarity:
                best, best_similarity = _Version(parent, path, entry.id), found
        return best

    def _text(self, blob: str) -> str:
        return (self._objects.blob(blob) or b"").decode("utf-8", "replace")

    def _time(self, commit: str) -> int:
        with reading(self._where):
            return int(self._git[commit].peel(ObjectType.COMMIT).commit_time)


def split_lines(data: bytes) -> list[bytes]:
    """The lines of a file, each ended by ``\\n`` or the end of the file."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return lines


def unchanged_lines(old: bytes, new: bytes) -> Iterator[tuple[int, int]]:
    """Pairs of line numbers (from 0) of the lines that a change left as they were."""
    patch = pygit2.Patch.create_from(old, new, context_lines=0)
    before = after = 0
    for hunk in patch.hunks if patch is not None else ():
        # A hunk without old (new) lines names the line it follows.
        start = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
        yield from zip(range(before, start), range(after, after + start - before), strict=True)
        after += start - before + hunk.new_lines
        before = start + hunk.old_lines
    rest = min(len(split_lines(old)) - before, len(split_lines(new)) - after)
    yield from zip(range(before, before + rest), range(after, after + rest), strict=True)
