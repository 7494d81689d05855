"""Whole-token search over all files of a snapshot, for many tokens in one pass."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from typing import ClassVar
from weakref import WeakKeyDictionary

from memaudit.repo.scan import Scanner
from memaudit.repo.searchcache import Lines, SearchCache
from memaudit.repo.snapshot import Snapshot
from memaudit.repo.tokens import defined_of, definitions_of, is_token, lines_with

MOST_HITS = 50
"""At most this many hits are returned for one token."""

_LARGEST_FILE = 1024 * 1024
_LINES_PER_FILE = 5
_LONGEST_LINE = 400
_MINIFIED_LINE = 5000
_PROBED_FOR_NUL = 8000

_LOCK_FILES = frozenset(
    {"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "deno.lock"}
    | {"uv.lock", "poetry.lock", "Pipfile.lock", "pdm.lock", "pixi.lock", "Cargo.lock", "go.sum"}
    | {"composer.lock", "Gemfile.lock", "mix.lock", "flake.lock", "Package.resolved", "gradle.lockfile"}
)
_SOURCE = frozenset(
    {".py", ".pyi", ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".go", ".rs", ".rb"}
    | {".java", ".kt", ".kts", ".scala", ".cs", ".php", ".swift", ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp"}
    | {".m", ".mm", ".sh", ".bash", ".zsh", ".lua", ".ex", ".exs", ".erl", ".hs", ".ml", ".zig", ".nim"}
    | {".dart", ".vue", ".svelte", ".sql", ".proto", ".graphql", ".pl", ".r", ".jl"}
)
_PROSE = frozenset({".md", ".mdx", ".mdc", ".rst", ".txt", ".adoc", ".html"})
_DATA = frozenset({".snap", ".csv", ".tsv", ".svg", ".po", ".jsonl", ".log", ".out", ".map", ".ipynb"})
_PROSE_RANK = 3
_RANKS = 5
_TEST = re.compile(
    r"(?:^|/)(?:tests?|__tests__|spec|fixtures?|testdata|snapshots?|__snapshots__)/|[._]test\.|_spec\."
)


@dataclass(frozen=True, slots=True)
class Hit:
    """A line (numbered from 1) of a file that holds a token; ``text`` is cut after 400 characters."""

    path: str
    line: int
    text: str


def search(
    snapshot: Snapshot,
    tokens: Collection[str],
    *,
    cache: SearchCache | None = None,
    skip: Collection[str] = (),
) -> dict[str, list[Hit]]:
    """Find each token as a whole word in the files of a snapshot.

    A token is an identifier, with hyphens inside or not; it is also found as a part between the
    hyphens of a longer one, and without ``$`` signs around it. Anything else finds nothing. For each
    token at most :data:`MOST_HITS` hits come back, at most five from one file: files that seem to
    define it first, then source, settings, tests, prose and data. Lock files, minified and binary
    files, those over 1 MiB and the paths in ``skip`` are not searched.
    """
    return _Search(snapshot, cache or SearchCache(), frozenset(skip)).run(tokens)


class _Files:
    """The files of a snapshot that are searched, best first, equal ones together; kept as long as it."""

    _known: ClassVar[WeakKeyDictionary[Snapshot, _Files]] = WeakKeyDictionary()

    def __init__(self, snapshot: Snapshot, skip: frozenset[str]) -> None:
        ranked: list[list[str]] = [[] for _ in range(_RANKS)]
        for path in snapshot.files():
            if path not in skip and is_searched(path):
                ranked[_rank(path)].append(path)
        self.skip = skip
        self.paths: dict[str, list[str]] = {}
        for path in chain.from_iterable(ranked):
            if blob_id := snapshot.blob_id(path, limit=_LARGEST_FILE):
                self.paths.setdefault(blob_id, []).append(path)

    @classmethod
    def of(cls, snapshot: Snapshot, skip: frozenset[str]) -> _Files:
        found = cls._known.get(snapshot)
        if found is None or found.skip != skip:
            found = cls._known[snapshot] = cls(snapshot, skip)
        return found


class _Search:
    def __init__(self, snapshot: Snapshot, cache: SearchCache, skip: frozenset[str]) -> None:
        self._snapshot = snapshot
        self._cache = cache
        self._files = _Files.of(snapshot, skip)
        self._ids = list(self._files.paths)
        numbers = cache.numbers(self._ids)
        self._places = {number: place for place, number in enumerate(numbers)}
        self._all = _set_of(numbers)

    def run(self, tokens: Collection[str]) -> dict[str, list[Hit]]:
        wanted = [token for token in tokens if is_token(token)]
        hits: dict[str, list[Hit]] = {token: [] for token in tokens}
        self._seek(wanted)
        for token in wanted:
            found = self._cache.standing(token)
            best_first = chain(
                zip(self._in_order(found.defined), repeat(True)),
                zip(self._in_order(found.held & ~found.defined), repeat(False)),
            )
            hits[token] = self._hits(token, best_first)
        return hits

    def _in_order(self, files: int) -> list[int]:
        return sorted(self._places[number] for number in _members(files & self._all))

    def _seek(self, tokens: Iterable[str]) -> None:
        """Look for tokens in the files of the snapshot where they were not looked for yet."""
        together: dict[int, list[str]] = {}
        for token in tokens:
            if new := self._all & ~self._cache.standing(token).sought:
                together.setdefault(new, []).append(token)
        groups = list(together.values())
        asking: dict[int, list[int]] = {}
        for place, files in enumerate(together):
            for number in _members(files):
                asking.setdefault(number, []).append(place)
        held: dict[str, list[int]] = {}
        defined: dict[str, list[int]] = {}
        scanners: dict[tuple[int, ...], Scanner] = {}
        for number in sorted(asking, key=self._places.__getitem__):
            wanted = tuple(asking[number])
            if wanted not in scanners:
                scanners[wanted] = Scanner(chain.from_iterable(groups[place] for place in wanted))
            self._scan(number, scanners[wanted], held, defined)
        for files, group in together.items():
            for token in group:
                known = self._cache.standing(token)
                known.sought |= files
                known.held |= _set_of(held.get(token, ()))
                known.defined |= _set_of(defined.get(token, ()))
            self._cache.moved(group)

    def _scan(
        self, number: int, scanner: Scanner, held: dict[str, list[int]], defined: dict[str, list[int]]
    ) -> None:
        """Add a file to those that hold and those that seem to define each token it has."""
        path = self._files.paths[self._ids[self._places[number]]][0]
        data = self._contents(path)
        found = scanner.held(data) if data else []
        for token in found:
            held.setdefault(token, []).append(number)
        if data and found and _rank(path) < _PROSE_RANK:
            for name in defined_of(data, [token.encode() for token in found], path):
                defined.setdefault(name.decode(), []).append(number)

    def _contents(self, path: str) -> bytes | None:
        """The bytes of a file, or None when it is not one to search."""
        data = self._snapshot.read_once(path, _LARGEST_FILE)
        if data is None or b"\0" in data[:_PROBED_FOR_NUL]:
            return None
        return None if _is_minified(data) else data

    def _hits(self, token: str, files: Iterable[tuple[int, bool]]) -> list[Hit]:
        """The hits in the files at these places, going on until there are enough."""
        hits: list[Hit] = []
        for at, defines in files:
            blob_id = self._ids[at]
            lines = self._cache.lines(blob_id, token)
            for path in self._files.paths[blob_id]:
                if lines is None:
                    lines = _best_lines(
                        self._snapshot.read(path) or b"", token.encode(), path if defines else None
                    )
                    self._cache.add_lines(blob_id, token, lines)
                hits.extend(Hit(path, line, text) for line, text in lines)
            if len(hits) >= MOST_HITS:
                break
        return hits[:MOST_HITS]


def _set_of(numbers: Iterable[int]) -> int:
    """A set of numbers as the bits of an integer."""
    bits = bytearray()
    for number in numbers:
        byte = number >> 3
        if byte >= len(bits):
            bits.extend(bytes(byte - len(bits) + 1))
        bits[byte] |= 1 << (number & 7)
    return int.from_bytes(bits, "little")


def _members(numbers: int) -> Iterator[int]:
    """The numbers in such a set, smallest first."""
    bits = f"{numbers:b}"[::-1]
    at = bits.find("1")
    while at >= 0:
        yield at
        at = bits.find("1", at + 1)


def _is_minified(data: bytes) -> bool:
    """Whether a line is very long, as far as the beginning of a file shows."""
    start, end = 0, min(len(data), 4 * _MINIFIED_LINE)
    while start + _MINIFIED_LINE < end:
        start = data.rfind(b"\n", start, start + _MINIFIED_LINE + 1) + 1
        if not start:
            return True
    return False


def is_searched(path: str) -> bool:
    """Whether a file is searched, as far as its name tells."""
    name = path.rpartition("/")[2]
    return name not in _LOCK_FILES and ".min." not in name


def _best_lines(data: bytes, token: bytes, defined_in: str | None) -> Lines:
    """A few lines with a token in the order of the file; those that seem to define it before all others.

    ``defined_in`` is the file's path if it seems to define the token.
    """
    defining: list[tuple[int, bytes]] = []
    others: list[tuple[int, bytes]] = []
    for number, line in lines_with(data, token):
        if defined_in is not None and token in definitions_of(line, defined_in):
            defining.append((number, line))
        elif len(others) < _LINES_PER_FILE:
            others.append((number, line))
        if len(defining) >= _LINES_PER_FILE or (defined_in is None and len(others) >= _LINES_PER_FILE):
            break
    chosen = sorted((defining + others)[:_LINES_PER_FILE])
    return [(number, _shown(line)) for number, line in chosen]


def _shown(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r")[:_LONGEST_LINE]


@lru_cache(maxsize=65536)
def _rank(path: str) -> int:
    """Where the hits of a file come: source (0), settings, tests, prose, data (4)."""
    extension = posixpath.splitext(path)[1].lower()
    if extension in _DATA:
        return _PROSE_RANK + 1
    if extension in _PROSE:
        return _PROSE_RANK
    if _TEST.search(path):
        return 2
    return 0 if extension in _SOURCE else 1
