"""Which commit wrote each line of a file.

libgit2's own blame takes ten times as long on long histories and cannot start from a file on disk.
"""

from __future__ import annotations

import heapq
import posixpath
from collections.abc import Iterator
from typing import NamedTuple
from weakref import WeakKeyDictionary

import pygit2

from memaudit.repo.changes import similarity
from memaudit.repo.objects import MODE_LINK, MODE_SUBMODULE, MODE_TREE
from memaudit.repo.repository import Repository
from memaudit.repo.snapshot import LONGEST_TEXT
from memaudit.repo.walk import Commit, read_commit

_MOST_STEPS = 100_000
_LEAST_SIMILARITY = 0.5
_MOST_CANDIDATES = 100
_CLOSING = b" \t\r.,;:!"


class _Version(NamedTuple):
    """The file at one commit, under the name it had then."""

    commit: Commit
    path: str
    blob: str


_known: WeakKeyDictionary[Repository, dict[tuple[str, str], list[str]]] = WeakKeyDictionary()


def blame(repository: Repository, path: str, commit: str) -> list[str]:
    """The id of the commit that wrote each line of a file as it stands at ``commit``.

    Lines end at ``\\n``. A line that another commit only gave other closing marks is that of its words
    (:func:`words_of`). A renamed file is followed to its earlier name. Empty where there is no such
    file or it is too large to have text. Where the history is cut off or very long, the oldest commit
    in reach stands for the rest.
    """
    known = _known.setdefault(repository, {})
    if (path, commit) not in known:
        known[path, commit] = _Blame(repository).lines(path, commit)
    return list(known[path, commit])


class _Blame:
    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._objects = repository.objects
        self._listings = repository.listings
        # The lines that were traced back to a version: number there -> number at the start, both from 0.
        self._open: dict[_Version, dict[int, int]] = {}
        self._newest: list[tuple[int, _Version]] = []

    def lines(self, path: str, commit: str) -> list[str]:
        tip = read_commit(self._repository, commit)
        start = self._version(tip, path) if tip else None
        data = self._objects.blob(start.blob, LONGEST_TEXT) if start else None
        if start is None or data is None:
            return []
        authors = [commit] * count_lines(data)
        self._trace(start, {line: line for line in range(len(authors))})
        for _ in range(_MOST_STEPS):
            if not self._newest:
                break
            version = heapq.heappop(self._newest)[1]
            for line in self._pass_on(version, self._open.pop(version)):
                authors[line] = version.commit.id
        for version, lines in self._open.items():
            for line in lines.values():
                authors[line] = version.commit.id
        return authors

    def _trace(self, version: _Version, lines: dict[int, int]) -> None:
        if version not in self._open:
            self._open[version] = {}
            heapq.heappush(self._newest, (-version.commit.time, version))
        self._open[version].update(lines)

    def _pass_on(self, version: _Version, lines: dict[int, int]) -> Iterator[int]:
        """Trace lines on to the parents that have them, and give back those that none has."""
        for parent in self._parents(version):
            if parent.blob == version.blob:
                self._trace(parent, lines)
                return
            old, new = (self._objects.blob(found.blob, LONGEST_TEXT) for found in (parent, version))
            if old is None or new is None:
                continue
            inherited = _inherited(unchanged_runs(words_of(old), words_of(new)), lines)
            if inherited:
                self._trace(parent, inherited)
                passed_on = set(inherited.values())
                lines = {number: line for number, line in lines.items() if line not in passed_on}
        yield from lines.values()

    def _parents(self, version: _Version) -> list[_Version]:
        """The file in the parents: in the one that has it unchanged, else in all that have it.

        Only where none has it under this name is it looked for under another one.
        """
        parents = [
            found for parent in version.commit.parents if (found := read_commit(self._repository, parent))
        ]
        earlier = [before for parent in parents if (before := self._version(parent, version.path))]
        for before in earlier:
            if before.blob == version.blob:
                return [before]
        if earlier:
            return earlier
        return [before for parent in parents if (before := self._before_rename(parent, version))]

    def _version(self, commit: Commit, path: str) -> _Version | None:
        entry = self._objects.entry(commit.tree, path)
        if entry is None or entry.mode in (MODE_TREE, MODE_LINK, MODE_SUBMODULE):
            return None
        return _Version(commit, path, entry.id)

    def _before_rename(self, parent: Commit, version: _Version) -> _Version | None:
        """The file under the name it had in the parent, if the commit renamed it."""
        after = self._listings.list(version.commit.tree)
        before = self._listings.list(parent.tree)
        gone = [_Version(parent, path, entry.id) for path, entry in before.items() if path not in after]
        for candidate in gone:
            if candidate.blob == version.blob:
                return candidate
        extension = posixpath.splitext(version.path)[1]
        alike = [candidate for candidate in gone if posixpath.splitext(candidate.path)[1] == extension]
        text = self._text(version.blob)
        best, best_similarity = None, _LEAST_SIMILARITY
        for candidate in alike[:_MOST_CANDIDATES]:
            found = similarity(self._text(candidate.blob), text, best_similarity)
            if found >= best_similarity:
                best, best_similarity = candidate, found
        return best

    def _text(self, blob: str) -> str:
        return (self._objects.blob(blob, LONGEST_TEXT) or b"").decode("utf-8", "replace")


def words_of(data: bytes) -> bytes:
    """A text with as many lines, without the marks and spaces that end them.

    A line that only got its full stop says what it said, so it was written when its words were.
    """
    return b"\n".join(line.rstrip(_CLOSING) for line in data.split(b"\n"))


def count_lines(data: bytes) -> int:
    """How many lines a file has, each ended by ``\\n`` or the end of the file."""
    return data.count(b"\n") + (0 if data.endswith(b"\n") or not data else 1)


class Run(NamedTuple):
    """Lines that a change left as they were: ``length`` from ``before`` on now stand from ``after`` on."""

    before: int
    after: int
    length: int


def unchanged_runs(old: bytes, new: bytes) -> Iterator[Run]:
    """The runs of lines (counted from 0) that two versions of a file have in common, in order."""
    patch = pygit2.Patch.create_from(old, new, context_lines=0)
    before = after = 0
    for hunk in patch.hunks if patch is not None else ():
        # A hunk without old (new) lines names the line it follows.
        start = hunk.old_start - 1 if hunk.old_lines else hunk.old_start
        yield Run(before, after, start - before)
        after += start - before + hunk.new_lines
        before = start + hunk.old_lines
    yield Run(before, after, min(count_lines(old) - before, count_lines(new) - after))


def _inherited(runs: Iterator[Run], lines: dict[int, int]) -> dict[int, int]:
    """The lines that stand in one of the runs, by their numbers before the change."""
    found: dict[int, int] = {}
    ahead = iter(sorted(lines))
    number = next(ahead, None)
    for run in runs:
        while number is not None and number < run.after + run.length:
            if number >= run.after:
                found[run.before + number - run.after] = lines[number]
            number = next(ahead, None)
    return found
