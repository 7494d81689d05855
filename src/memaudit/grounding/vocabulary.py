"""The names of one revision, for completing what somebody types: paths, tasks, programs, symbols …"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator
from functools import cached_property
from itertools import islice

from memaudit.grounding.cli import read_program
from memaudit.grounding.ground import Side, is_test, is_vendored
from memaudit.repo.symbols import language
from memaudit.repo.tokens import definitions_of

MOST = 8
"""At most this many names are offered."""

_SHORTEST = 2
_MOST_PROGRAMS = 8
"""Programs whose sub-commands are read."""

_LARGEST_FILE = 512 * 1024
_CLOSE = 70.0
"""Likeness, of 100, from which a name may have been meant by a misspelt one."""


class Vocabulary:
    """The names at one side of a range.

    Symbols are read file by file as time allows: :attr:`complete` tells whether all were. Files in
    ``first`` are read before the others.
    """

    def __init__(self, side: Side, first: Collection[str] = ()) -> None:
        self._side = side
        self._first = first
        self._symbols: dict[str, None] = {}
        self._left = self._sources()
        self.complete = False

    def offer(self, word: str, seconds: float) -> list[str]:
        """Names that begin with ``word``, then those that hold it, then those that are nearly it.

        Reads on in the code for at most ``seconds``. A word that is a name already gets only longer ones.
        """
        if word.startswith("./"):
            # Such a word is a path, as a shell takes it, and stays one.
            return [f"./{name}" for name in self._offer(word[2:], self._paths)]
        if len(word) < _SHORTEST:
            return []
        self._read_on(seconds)
        return self._offer(
            word,
            self._paths if "/" in word else [*self._symbols, *self._tasks, *self._programs, *self._paths],
        )

    def _offer(self, word: str, names: Collection[str]) -> list[str]:
        if len(word) < _SHORTEST:
            return []
        ranked = sorted(
            (
                (rank, name.count("/"), len(name), name)
                for name in names
                if (rank := _rank(word, name)) is not None
            ),
        )
        found = list(dict.fromkeys(name for *_, name in ranked[: 4 * MOST]))
        if len(found) < MOST and word not in self._fixed and word not in self._symbols:
            found += [name for name in self._alike(word, names) if name not in found]
        return found[:MOST]

    @cached_property
    def _paths(self) -> list[str]:
        snapshot = self._side.snapshot
        folders = (f"{folder}/" for folder in snapshot.folders() if not is_vendored(f"{folder}/"))
        return [*(path for path in snapshot.files() if not is_vendored(path)), *folders]

    @cached_property
    def _tasks(self) -> list[str]:
        names: dict[str, None] = {}
        for manifest in self._side.manifests:
            names |= dict.fromkeys([*manifest.tasks, *manifest.dependencies])
        return list(names)

    @cached_property
    def _programs(self) -> list[str]:
        """The repository's own programs and their sub-commands."""
        names: dict[str, None] = {}
        for program in islice(self._side.programs, _MOST_PROGRAMS):
            read = read_program(program, self._side)
            names |= dict.fromkeys(
                [program, *read.top, *(part for name in read.names for part in name.split())]
            )
        return list(names)

    @cached_property
    def _fixed(self) -> frozenset[str]:
        return frozenset([*self._tasks, *self._programs, *self._paths])

    def _sources(self) -> Iterator[str]:
        """The files that define something, those asked for first, tests last."""
        files = [path for path in self._side.snapshot.files() if language(path) and not is_vendored(path)]
        yield from sorted(
            files, key=lambda path: (path not in self._first, is_test(path), path.count("/"), path)
        )

    def _read_on(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while not self.complete and time.monotonic() < end:
            path = next(self._left, None)
            if path is None:
                self.complete = True
                return
            data = self._side.snapshot.read_once(path, _LARGEST_FILE)
            if data is None or b"\0" in data[:4096]:
                continue
            for name in definitions_of(data, path):
                if len(name) > _SHORTEST:
                    self._symbols[name.decode("utf-8", "replace")] = None

    def _alike(self, word: str, names: Collection[str]) -> list[str]:
        from rapidfuzz import fuzz, process

        last = word.rstrip("/").rpartition("/")[2].lower()
        shown = {name: name.rstrip("/").rpartition("/")[2].lower() for name in names}
        found = process.extract(last, shown, scorer=fuzz.ratio, score_cutoff=_CLOSE, limit=4 * MOST)
        whole = ((fuzz.ratio(word.lower(), name.lower()), score, name) for _, score, name in found)
        return [name for *_, name in sorted(whole, key=lambda one: (-one[1], -one[0], one[2]))]


def _rank(word: str, name: str) -> int | None:
    """How well a longer name goes on from a word: 0 is best, None is not at all."""
    if len(name) <= len(word):
        return None
    low, other = word.lower(), name.lower()
    if name.startswith(word):
        return 0
    if other.startswith(low):
        return 1
    base = other.rstrip("/").rpartition("/")[2]
    if base.startswith(low):
        return 2
    return 3 if low in other and len(low) > _SHORTEST else None
