"""Whole-token search over all files of a snapshot, for many tokens in one pass."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from typing import ClassVar
from weakref import WeakKeyDictionary

from memaudit.repo.fingerprint import NO_TOKENS, Fingerprinter, FingerprintIndex
from memaudit.repo.searchcache import Lines, SearchCache
from memaudit.repo.snapshot import Snapshot
from memaudit.repo.tokens import definitions_of, is_token, lines_with

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
    return _Search(snapshot, cache or SearchCache(), skip).run(tokens)


class _Files:
    """The files of a snapshot that are searched, best first; kept as long as the snapshot."""

    _known: ClassVar[WeakKeyDictionary[Snapshot, _Files]] = WeakKeyDictionary()

    def __init__(self, snapshot: Snapshot) -> None:
        ranked: list[list[str]] = [[] for _ in range(_RANKS)]
        for path in filter(is_searched, snapshot.files()):
            ranked[_rank(path)].append(path)
        self.paths: dict[str, list[str]] = {}
        for path in chain.from_iterable(ranked):
            if blob_id := snapshot.blob_id(path, limit=_LARGEST_FILE):
                self.paths.setdefault(blob_id, []).append(path)
        self.ids = list(self.paths)
        self._places: tuple[FingerprintIndex, dict[int, int]] | None = None

    @classmethod
    def of(cls, snapshot: Snapshot) -> _Files:
        found = cls._known.get(snapshot)
        if found is None:
            found = cls._known[snapshot] = cls(snapshot)
        return found

    def places(self, index: FingerprintIndex) -> dict[int, int]:
        """Where in :attr:`ids` a file stands, by its number in an index that holds them all."""
        if self._places is None or self._places[0] is not index:
            self._places = index, {index.numbers[blob_id]: at for at, blob_id in enumerate(self.ids)}
        return self._places[1]


class _Search:
    def __init__(self, snapshot: Snapshot, cache: SearchCache, skip: Collection[str]) -> None:
        self._snapshot = snapshot
        self._cache = cache
        self._skip = frozenset(skip)
        self._files = _Files.of(snapshot)

    def run(self, tokens: Collection[str]) -> dict[str, list[Hit]]:
        wanted = [token for token in tokens if is_token(token)]
        hits: dict[str, list[Hit]] = {token: [] for token in tokens}
        if wanted:
            self._index_files()
            places = self._files.places(self._cache.index)
            holders = self._cache.index.holders(wanted)
            definers = self._cache.index.definers(wanted)
            for token in wanted:
                defining = sorted(places[file] for file in definers[token] if file in places)
                using = sorted(
                    {places[file] for file in holders[token] if file in places}.difference(defining)
                )
                best_first = chain(zip(defining, repeat(True)), zip(using, repeat(False)))
                hits[token] = self._hits(token, best_first)
            self._cache.keep()
        return hits

    def _index_files(self) -> None:
        self._cache.load()
        fingerprinter = Fingerprinter()
        for blob_id, paths in self._files.paths.items():
            if blob_id not in self._cache.index:
                data = self._contents(paths[0])
                fingerprint = (
                    fingerprinter.fingerprint(data, paths[0], definitions=_rank(paths[0]) < _PROSE_RANK)
                    if data
                    else NO_TOKENS
                )
                self._cache.add(blob_id, fingerprint)

    def _contents(self, path: str) -> bytes | None:
        """The bytes of a file, or None when it is not one to search."""
        data = self._snapshot.read_once(path, _LARGEST_FILE)
        if data is None or b"\0" in data[:_PROBED_FOR_NUL]:
            return None
        longest = max(map(len, data[: 4 * _MINIFIED_LINE].split(b"\n")), default=0)
        return None if longest > _MINIFIED_LINE else data

    def _hits(self, token: str, files: Iterable[tuple[int, bool]]) -> list[Hit]:
        """The hits in the files at these places, going on until there are enough."""
        hits: list[Hit] = []
        for at, defines in files:
            blob_id = self._files.ids[at]
            lines = self._cache.lines(blob_id, token)
            for path in self._files.paths[blob_id]:
                if path in self._skip:
                    continue
                if lines is None:
                    lines = _best_lines(
                        self._snapshot.read(path) or b"", token.encode(), path if defines else None
                    )
                    self._cache.add_lines(blob_id, token, lines)
                hits.extend(Hit(path, line, text) for line, text in lines)
            if len(hits) >= MOST_HITS:
                break
        return hits[:MOST_HITS]


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
