"""Whole-token search over all files of a snapshot, for many tokens in one pass."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from memaudit.repo.scan import Scanner
from memaudit.repo.searchcache import Lines, SearchCache
from memaudit.repo.snapshot import Snapshot
from memaudit.repo.tokens import defined_of, definitions_of, is_token, lines_with

MOST_HITS = 50
"""At most this many hits are returned for one token."""

LONGEST_LINE = 400
"""Characters of a line that are returned."""

LARGEST_FILE = 1024 * 1024
"""Bytes of a file up to which it is searched; what a longer one holds is not known."""

_LINES_PER_FILE = 5
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
_NO_TEXT = (
    *(".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".ico", ".bmp", ".tiff", ".psd", ".pdf"),
    *(".mp3", ".mp4", ".mov", ".webm", ".wav", ".ogg", ".woff", ".woff2", ".ttf", ".otf", ".eot"),
    *(".zip", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".jar", ".whl", ".exe", ".dll", ".so", ".wasm"),
)
_PROSE_RANK = 3
_RANKS = 5
_TEST_FOLDERS = frozenset(
    "test tests __tests__ spec fixture fixtures testdata snapshot snapshots __snapshots__".split()
)
_TEST_NAMES = (".test.", "_test.", "_spec.")


class Hit(NamedTuple):
    """A line (numbered from 1) of a file that holds a token; ``text`` is cut after :data:`LONGEST_LINE`."""

    path: str
    line: int
    text: str


@dataclass(slots=True)
class _Found:
    """What a pass over files finds: those that hold a token, by number, and what is known of those."""

    defining_hits: dict[str, int]
    """How many hits define each token that will be asked for; :data:`MOST_HITS` are enough."""
    held: dict[str, list[int]] = field(default_factory=dict)
    unread: dict[str, list[int]] = field(default_factory=dict)
    defined: dict[str, list[int]] = field(default_factory=dict)


class Search:
    """Finds tokens as whole words in the files of one snapshot.

    A token is an identifier, with hyphens inside or not; it is also found as a part between the
    hyphens of a longer one, and without ``$`` signs around it. Anything else is found nowhere. Lock
    files, minified and binary files, those over 1 MiB and the paths in ``skip`` are not searched.
    """

    def __init__(
        self, snapshot: Snapshot, cache: SearchCache | None = None, skip: Collection[str] = ()
    ) -> None:
        self._snapshot = snapshot
        self._cache = cache or SearchCache()
        self._awaited: dict[str, bool] = {}
        ranked: list[list[str]] = [[] for _ in range(_RANKS)]
        for path in snapshot.files():
            if path not in skip and is_searched(path):
                ranked[_rank(path)].append(path)
        self._paths: dict[str, list[str]] = {}
        for path in chain.from_iterable(ranked):
            if blob_id := snapshot.blob_id(path, limit=LARGEST_FILE):
                self._paths.setdefault(blob_id, []).append(path)
        self._ids = list(self._paths)
        self._numbers = self._cache.numbers(self._ids)
        self._places = {number: place for place, number in enumerate(self._numbers)}
        self._all = _set_of(self._numbers)

    def expect(self, tokens: Iterable[str], *, perhaps: bool = False) -> None:
        """Say that these tokens will be asked for, or perhaps.

        Finding a new token takes reading every file; all that are expected are found together.
        """
        for token in tokens:
            if is_token(token):
                self._awaited[token] = self._awaited.get(token, False) or not perhaps

    def files_with(self, token: str) -> list[str]:
        """The paths of all files that hold a token."""
        if not is_token(token):
            return []
        self._find(token, sure=False)
        held = self._cache.standing(token).held
        return [path for at in self._in_order(held) for path in self._paths[self._ids[at]]]

    def hits(self, token: str) -> list[Hit]:
        """Where a token stands: at most :data:`MOST_HITS` lines, at most five from one file.

        Files that seem to define it come first, then source, settings, tests, prose and data.
        """
        if not is_token(token):
            return []
        self._find(token, sure=True)
        return self._hits(token)

    def _find(self, token: str, *, sure: bool) -> None:
        """Look for a token, with all that are expected, unless that is done."""
        if self._all & ~self._cache.standing(token).sought:
            self.expect([token], perhaps=not sure)
            self._seek(self._awaited)
            self._awaited = {}

    def _seek(self, tokens: Mapping[str, bool]) -> None:
        """Look for tokens, surely asked for or not, in the files where they were not looked for yet."""
        together: dict[int, list[str]] = {}
        for token in tokens:
            if new := self._all & ~self._cache.standing(token).sought:
                together.setdefault(new, []).append(token)
        groups = list(together.values())
        asking: dict[int, list[int]] = {}
        for place, files in enumerate(together):
            for number in _members(files):
                asking.setdefault(number, []).append(place)
        found = _Found({token: 0 for token, sure in tokens.items() if sure})
        scanners: dict[tuple[int, ...], Scanner] = {}
        for number in sorted(asking, key=self._places.__getitem__):
            wanted = tuple(asking[number])
            if wanted not in scanners:
                scanners[wanted] = Scanner(chain.from_iterable(groups[place] for place in wanted))
            self._scan(number, scanners[wanted], found)
        for files, group in together.items():
            for token in group:
                known = self._cache.standing(token)
                known.sought |= files
                known.held |= _set_of(found.held.get(token, ()))
                known.unread |= _set_of(found.unread.get(token, ()))
                known.defined |= _set_of(found.defined.get(token, ()))
            self._cache.moved(group)

    def _scan(self, number: int, scanner: Scanner, found: _Found) -> None:
        """Add a file to those that hold and those that seem to define each token it has."""
        blob_id = self._ids[self._places[number]]
        paths = self._paths[blob_id]
        data = self._contents(paths[0])
        if data is None and self._snapshot.lacks(paths[0]):
            self._cache.lacking |= 1 << number
        held = scanner.held(data) if data else []
        for token in held:
            found.held.setdefault(token, []).append(number)
        if not data or not held or _rank(paths[0]) >= _PROSE_RANK:
            return
        read = [token for token in held if found.defining_hits.get(token, MOST_HITS) < MOST_HITS]
        for token in held:
            if token not in read:
                found.unread.setdefault(token, []).append(number)
        for name in defined_of(data, [token.encode() for token in read], paths[0]):
            token = name.decode()
            found.defined.setdefault(token, []).append(number)
            lines = self._lines(blob_id, token, data, paths[0])
            found.defining_hits[token] += len(lines) * len(paths)

    def _contents(self, path: str) -> bytes | None:
        """The bytes of a file, or None when it is not one to search."""
        data = self._snapshot.read_once(path, LARGEST_FILE)
        if data is None or b"\0" in data[:_PROBED_FOR_NUL]:
            return None
        return None if _is_minified(data) else data

    def _hits(self, token: str) -> list[Hit]:
        """The hits of a token that was looked for, going on until there are enough."""
        known = self._cache.standing(token)
        unread = frozenset(self._in_order(known.unread))
        read: list[int] = []
        defining: list[int] = []
        hits: list[Hit] = []
        for at in self._in_order(known.unread | known.defined):
            if at in unread:
                read.append(self._numbers[at])
                if not self._defines(at, token):
                    continue
                defining.append(self._numbers[at])
            hits += self._hits_in(at, token, defines=True)
            if len(hits) >= MOST_HITS:
                break
        if read:
            known.unread &= ~_set_of(read)
            known.defined |= _set_of(defining)
            self._cache.moved([token])
        if len(hits) < MOST_HITS:
            for at in self._in_order(known.held & ~known.defined):
                hits += self._hits_in(at, token, defines=False)
                if len(hits) >= MOST_HITS:
                    break
        return hits[:MOST_HITS]

    def _in_order(self, files: int) -> list[int]:
        return sorted(self._places[number] for number in _members(files & self._all))

    def _defines(self, at: int, token: str) -> bool:
        path = self._paths[self._ids[at]][0]
        return bool(defined_of(self._snapshot.read(path) or b"", [token.encode()], path))

    def _hits_in(self, at: int, token: str, *, defines: bool) -> list[Hit]:
        blob_id = self._ids[at]
        paths = self._paths[blob_id]
        lines = self._cache.lines(blob_id, token)
        if lines is None:
            data = self._snapshot.read(paths[0]) or b""
            lines = self._lines(blob_id, token, data, paths[0] if defines else None)
        return [Hit(path, line, text) for path in paths for line, text in lines]

    def _lines(self, blob_id: str, token: str, data: bytes, defined_in: str | None) -> Lines:
        lines = self._cache.lines(blob_id, token)
        if lines is None:
            lines = _best_lines(data, token.encode(), defined_in)
            self._cache.add_lines(blob_id, token, lines)
        return lines


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
    return name not in _LOCK_FILES and ".min." not in name and not name.lower().endswith(_NO_TEXT)


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
    return line.decode("utf-8", "replace").rstrip("\r")[:LONGEST_LINE]


@lru_cache(maxsize=65536)
def _rank(path: str) -> int:
    """Where the hits of a file come: source (0), settings, tests, prose, data (4)."""
    extension = posixpath.splitext(path)[1].lower()
    if extension in _DATA:
        return _PROSE_RANK + 1
    if extension in _PROSE:
        return _PROSE_RANK
    folder = path.rpartition("/")[0]
    if _is_for_tests(folder) or any(map(path.__contains__, _TEST_NAMES)):
        return 2
    return 0 if extension in _SOURCE else 1


@lru_cache(maxsize=8192)
def _is_for_tests(folder: str) -> bool:
    return not _TEST_FOLDERS.isdisjoint(folder.split("/"))
