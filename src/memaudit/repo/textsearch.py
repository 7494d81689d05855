"""Whole-token search over all files of a snapshot, for many tokens in one pass."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from memaudit.repo.searchcache import Lines, SearchCache
from memaudit.repo.snapshot import Snapshot
from memaudit.repo.tokens import (
    NO_TOKENS,
    Fingerprinter,
    definitions_of,
    is_token,
    lines_with,
    token_number,
)

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
    return _Search(snapshot, tokens, cache or SearchCache(), skip).run()


class _Search:
    def __init__(
        self, snapshot: Snapshot, tokens: Collection[str], cache: SearchCache, skip: Collection[str]
    ) -> None:
        self._snapshot = snapshot
        self._cache = cache
        self._fingerprinter = Fingerprinter()
        self._tokens: dict[int, list[str]] = {}
        for token in sorted(filter(is_token, tokens)):
            self._tokens.setdefault(token_number(token.encode()), []).append(token)
        self._defining = _Hits(tokens, self._tokens)
        self._using = _Hits(tokens, self._tokens)
        skipped = frozenset(skip)
        self._paths = sorted(
            (path for path in snapshot.files() if path not in skipped and is_searched(path)),
            key=lambda path: (_rank(path), path),
        )

    def run(self) -> dict[str, list[Hit]]:
        if self._tokens:
            ids = {path: blob_id for path in self._paths if (blob_id := self._snapshot.blob_id(path))}
            known = self._cache.fingerprints(set(ids.values()))
            for path, blob_id in ids.items():
                data: bytes | None = None
                fingerprint = known.get(blob_id)
                if fingerprint is None:
                    data = self._contents(path)
                    fingerprint = self._fingerprinter.fingerprint(data) if data else NO_TOKENS
                    known[blob_id] = fingerprint
                    self._cache.add_fingerprint(blob_id, fingerprint)
                defined = self._defining.wanted.intersection(fingerprint.definitions)
                used = self._using.wanted.intersection(fingerprint.tokens) - defined
                if defined or used:
                    self._collect(path, blob_id, data, defined, used)
            self._cache.keep()
        return {
            token: (hits + self._using.found[token])[:MOST_HITS]
            for token, hits in self._defining.found.items()
        }

    def _contents(self, path: str) -> bytes | None:
        """The bytes of a file, or None when it is not one to search."""
        data = self._snapshot.read_once(path, _LARGEST_FILE)
        if data is None or b"\0" in data[:_PROBED_FOR_NUL]:
            return None
        longest = max(map(len, data[: 4 * _MINIFIED_LINE].split(b"\n")), default=0)
        return None if longest > _MINIFIED_LINE else data

    def _collect(
        self, path: str, blob_id: str, data: bytes | None, defined: set[int], used: set[int]
    ) -> None:
        known = self._cache.lines(blob_id)
        count = len(known)
        for hits, numbers in ((self._defining, defined), (self._using, used)):
            for number in numbers:
                for token in self._tokens[number]:
                    if token not in known:
                        data = data if data is not None else self._contents(path) or b""
                        known[token] = _best_lines(data, token.encode(), number in defined)
                    hits.add(number, token, path, known[token])
        if len(known) > count:
            self._cache.add_lines(blob_id, known)


class _Hits:
    """The hits of each token so far, and the numbers of the tokens that want more of them."""

    def __init__(self, tokens: Collection[str], numbers: Iterable[int]) -> None:
        self.found: dict[str, list[Hit]] = {token: [] for token in tokens}
        self.wanted = set(numbers)

    def add(self, number: int, token: str, path: str, lines: Lines) -> None:
        found = self.found[token]
        found.extend(Hit(path, line, text) for line, text in lines)
        if len(found) >= MOST_HITS:
            self.wanted.discard(number)


def is_searched(path: str) -> bool:
    """Whether a file is searched, as far as its name tells."""
    name = posixpath.basename(path)
    return name not in _LOCK_FILES and ".min." not in name


def _best_lines(data: bytes, token: bytes, defined: bool) -> Lines:
    """A few lines with a token in the order of the file; those that seem to define it before all others."""
    defining: list[tuple[int, bytes]] = []
    others: list[tuple[int, bytes]] = []
    for number, line in lines_with(data, token):
        if defined and token in definitions_of(line):
            defining.append((number, line))
        elif len(others) < _LINES_PER_FILE:
            others.append((number, line))
        if len(defining) >= _LINES_PER_FILE or (not defined and len(others) >= _LINES_PER_FILE):
            break
    chosen = sorted((defining + others)[:_LINES_PER_FILE])
    return [(number, _shown(line)) for number, line in chosen]


def _shown(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r")[:_LONGEST_LINE]


@lru_cache(maxsize=65536)
def _rank(path: str) -> int:
    extension = posixpath.splitext(path)[1].lower()
    if extension in _DATA:
        return 4
    if extension in _PROSE:
        return 3
    if _TEST.search(path):
        return 2
    return 0 if extension in _SOURCE else 1
