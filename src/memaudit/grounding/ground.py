"""The ground claims stand on: one pair of revisions, with everything that is asked of it twice.

A :class:`Side` answers questions about one revision, a :class:`Ground` about the pair. Both look
things up when first asked and keep the answer; nothing is indexed that no claim names.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property, lru_cache
from typing import Any, TypeVar, cast

from memaudit.domain import CommitInfo, Location
from memaudit.grounding.code import code_lines
from memaudit.grounding.lists import key
from memaudit.grounding.shelf import Kept, Shelf
from memaudit.patterns import lazy_regex
from memaudit.repo.branches import Branches
from memaudit.repo.changes import Changes
from memaudit.repo.history import History, Holds
from memaudit.repo.manifests import Manifest, Pin, read_manifest
from memaudit.repo.manifests.model import reader_name
from memaudit.repo.searchcache import SearchCache
from memaudit.repo.snapshot import Snapshot
from memaudit.repo.symbols import Definition, definitions, language
from memaudit.repo.textsearch import LONGEST_LINE, Hit, Search
from memaudit.repo.tokens import definitions_of

T = TypeVar("T")

_PROSE = (
    ".md",
    ".mdx",
    ".mdc",
    ".markdown",
    ".rst",
    ".txt",
    ".adoc",
    ".po",
    ".svg",
    ".csv",
    ".ipynb",
    ".snap",
)
_PROSE_NAMES = ("changelog", "changes", "history", "news", "license", "notice", "authors", "contributors")
_VENDORED = frozenset({"vendor", "node_modules", "third_party", "third-party", "vendored", "site-packages"})
_OF_THE_SCOPE = frozenset(
    "sdk core cli client js react vue svelte node next server kit web browser app common runtime".split()
)
"""Packages that people call by their scope: ``@trigger.dev/sdk``."""

_TEST_FILE = lazy_regex(r"(?<=[a-z0-9])Tests?\.(?:cs|java|kt|kts|php|swift|scala|fs)\Z")
_DEPTH = 4
"""How many folders deep manifests are looked for; deeper ones are fixtures and vendored copies."""


@lru_cache(maxsize=16384)
def package_key(name: str) -> str:
    """A package name as registries compare it: case, dots, hyphens and underscores aside."""
    return re.sub(r"[-_.]+", "-", name).lower()


@lru_cache(maxsize=65536)
def is_prose(path: str) -> bool:
    """Whether a file is text for people: a name in it does not show that the name exists in code."""
    name = path.rpartition("/")[2].lower()
    return name.endswith(_PROSE) or name.partition(".")[0] in _PROSE_NAMES


@lru_cache(maxsize=65536)
def is_vendored(path: str) -> bool:
    """Whether a path lies in a copy of somebody else's code: what it holds is not this repository's."""
    return not _VENDORED.isdisjoint(path.split("/")[:-1])


@lru_cache(maxsize=65536)
def is_test(path: str) -> bool:
    """Whether a file is a test, a fixture or an example."""
    parts = path.lower().split("/")
    return bool(
        {"test", "tests", "__tests__", "spec", "fixtures", "testdata", "examples", "e2e"} & set(parts[:-1])
    ) or (
        any(part.endswith((".tests", ".test", "-tests", "_tests")) for part in parts[:-1])
        or parts[-1].startswith("test_")
        or ".test." in parts[-1]
        or ".spec." in parts[-1]
        or "_test." in parts[-1]
        or bool(_TEST_FILE.search(path))
    )


class Side:
    """One revision of the repository, asked about the things that claims name."""

    def __init__(
        self, snapshot: Snapshot, memory: Collection[str], cache: SearchCache | None, shelf: Shelf
    ) -> None:
        self.snapshot = snapshot
        self._memory = frozenset(memory)
        self._cache = cache
        self._shelf = shelf
        self._hits: dict[str, list[Hit]] = {}
        self._defining: dict[str, list[str]] = {}
        self._defined: dict[str, list[tuple[str, Definition]]] = {}
        self._lines: dict[str, list[str]] = {}
        self._parsed = Kept(self._known_definitions, self._add_definitions)

    @cached_property
    def manifests(self) -> tuple[Manifest, ...]:
        """Every manifest and task file not too deep in the tree, shallow ones first."""
        found: list[Manifest] = []
        kept = Kept(self._cache.manifest, self._cache.add_manifest) if self._cache else None
        paths = [path for path in self.snapshot.files() if path.count("/") <= _DEPTH and reader_name(path)]
        for path in sorted(paths, key=lambda item: (item.count("/"), item)):
            if is_vendored(path):
                continue
            manifest = self._shelf.get(self.snapshot, path, "manifest", read_manifest, None, kept)
            if manifest is not None:
                found.append(manifest)
        return tuple(found)

    @cached_property
    def dependencies(self) -> dict[str, tuple[Manifest, Pin]]:
        """Declared dependencies by :func:`package_key`, the shallowest manifest first."""
        found: dict[str, tuple[Manifest, Pin]] = {}
        for manifest in self.manifests:
            for name, pin in manifest.dependencies.items():
                found.setdefault(package_key(name), (manifest, pin))
        return found

    @cached_property
    def programs(self) -> dict[str, tuple[Manifest, Pin]]:
        """The programs that the repository itself installs by name, tests and fixtures left out."""
        return {
            name: (manifest, pin)
            for manifest in self.manifests
            if not is_test(manifest.path)
            for name, pin in manifest.programs.items()
        }

    def called(self, name: str) -> tuple[Manifest, Pin] | None:
        """The dependency that people call ``name``, written without separators: "tailwindcss", the scope
        of "@trigger.dev/sdk", the last part of a Go module.
        """
        return self._called.get(name)

    @cached_property
    def _called(self) -> dict[str, tuple[Manifest, Pin]]:
        found: dict[str, tuple[Manifest, Pin]] = {}
        for manifest, pin in self.dependencies.values():
            if pin.spec.startswith(("workspace:", "link:", "file:", "portal:")):
                continue
            scope, _, rest = pin.name.lower().partition("/")
            if not rest:
                names = [scope]
            elif scope.startswith("@"):
                known = rest in _OF_THE_SCOPE or rest.startswith(scope[1:])
                names = [scope if known else "", rest if rest.count("-") else ""]
            else:
                names = [re.sub(r"/v\d+\Z", "", rest).rpartition("/")[2]]
            for name in names:
                found.setdefault(re.sub(r"[^a-z0-9]+", "", name), (manifest, pin))
        found.pop("", None)
        return found

    @cached_property
    def stems(self) -> dict[str, set[str]]:
        """The folders that hold a file or folder of a name, by the name's letters and digits alone."""
        found: dict[str, set[str]] = {}
        for folder in ("", *self.snapshot.folders()):
            for name in self.snapshot.children(folder):
                found.setdefault(key(name.partition(".")[0]), set()).add(folder)
        return found

    @cached_property
    def _search(self) -> Search:
        """The search in files that are no prose and no memory."""
        unsearched = {path for path in self.snapshot.files() if is_vendored(path) or is_prose(path)}
        return Search(self.snapshot, self._cache, self._memory | unsearched)

    def look_up(self, tokens: Iterable[str], *, perhaps: bool = False) -> None:
        """Say that these tokens will be asked for, or perhaps: the files are gone through once for all."""
        self._search.expect((token for token in tokens if token not in self._hits), perhaps=perhaps)

    def hits(self, token: str) -> list[Hit]:
        """Where a token stands in files that are no prose and no memory."""
        if token not in self._hits:
            self._hits[token] = self._search.hits(token)
        return self._hits[token]

    def files_with(self, token: str) -> list[str]:
        """All files that hold a token, prose and memory aside; found sooner than the :meth:`hits`."""
        return self._search.files_with(token)

    def every_line(self, token: str) -> Iterator[Hit]:
        """All lines with a token in them. The :meth:`hits` are a sample: of a common word they show that
        something is there, and never that it is not.
        """
        for path in self.files_with(token):
            for number, line in enumerate((self.snapshot.text(path) or "").split("\n"), 1):
                if token in line:
                    yield Hit(path, number, line[:LONGEST_LINE])

    def definitions(self, path: str) -> list[Definition]:
        """What a file defines; empty when it is absent or of no known language."""
        if language(path) is None:
            return []
        return self._shelf.get(self.snapshot, path, "definitions", definitions, [], self._parsed)

    def _known_definitions(self, blob_id: str, path: str) -> list[list[Definition]]:
        known = language(path)
        found = self._cache.definitions(blob_id, known) if self._cache and known else None
        return [] if found is None else [found]

    def _add_definitions(self, blob_id: str, path: str, found: list[Definition]) -> None:
        known = language(path)
        if self._cache and known:
            self._cache.add_definitions(blob_id, known, found)

    def defining(self, name: str) -> list[Hit]:
        """The hits of a name that look like its definition, unparsed; those in tests last."""
        token, called = name.encode(), f"{name}("
        found = [
            hit
            for hit in self.hits(name)
            if token in definitions_of(hit.text.encode(), hit.path)
            and not hit.text.lstrip().startswith(called)
        ]
        return sorted(found, key=lambda hit: is_test(hit.path))

    def defining_files(self, name: str) -> list[str]:
        """The files with a hit of a name that looks like its definition, sorted, those of tests last."""
        if name not in self._defining:
            token = name.encode()
            hits = (hit for hit in self.hits(name) if token in definitions_of(hit.text.encode(), hit.path))
            self._defining[name] = sorted({hit.path for hit in hits}, key=lambda path: (is_test(path), path))
        return self._defining[name]

    def defined_in(self, path: str, name: str) -> list[Definition]:
        """The definitions of a simple name in a file."""
        return [item for item in self.definitions(path) if item.name == name]

    def defined(self, name: str) -> list[tuple[str, Definition]]:
        """Definitions of a simple name anywhere in the code, tests last.

        Every file that may hold one is parsed: where only some are of interest, :meth:`defining_files`
        tells which they are.
        """
        if name not in self._defined:
            found = [
                (path, item) for path in self.defining_files(name) for item in self.defined_in(path, name)
            ]
            found.sort(key=lambda pair: (is_test(pair[0]), pair[1].kind.endswith("?"), pair[0]))
            self._defined[name] = found
        return self._defined[name]

    def lines(self, path: str) -> list[str]:
        """The lines of a file, empty where it has no text."""
        if path not in self._lines:
            self._lines[path] = (self.snapshot.text(path) or "").split("\n")
        return self._lines[path]

    def code(self, path: str) -> list[str]:
        """The lines of a source file without its comments; empty for a file of no known language."""
        return self._shelf.get(self.snapshot, path, "code", code_lines, [])

    def at(self, path: str, line: int) -> Location:
        """A place in this revision with the text of its line."""
        lines = self.lines(path)
        return Location(path, line, lines[line - 1].strip()[:300] if 0 < line <= len(lines) else "")

    def at_hit(self, hit: Hit) -> Location:
        """As :meth:`at`, for a line that was found: its file is read only if not all of the line is known."""
        if hit.line > 1 and len(hit.text) < LONGEST_LINE:
            return Location(hit.path, hit.line, hit.text.strip()[:300])
        return self.at(hit.path, hit.line)

    def place(self, path: str) -> Location:
        """A file or folder as a place: its first line, or how many files it holds."""
        if self.snapshot.kind(path) == "folder":
            count = len(self.snapshot.children(path))
            return Location(path.rstrip("/") + "/", 1, f"folder with {count} entries")
        first = next((line.strip() for line in self.lines(path) if line.strip()), "")
        return Location(path, 1, first[:300])


class Ground:
    """The two revisions of a range, what changed between them, and who changed it."""

    def __init__(
        self, base: Side, head: Side, changes: Changes, history: History, branches: Branches
    ) -> None:
        self.base = base
        self.head = head
        self.changes = changes
        self.history = history
        self.refs = branches.names
        self._branches = branches
        self._removed: dict[str, CommitInfo | None] = {}
        self._origins: dict[str, CommitInfo | None] = {}
        self._memory: dict[tuple[object, ...], Any] = {}

    def remember(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """The value of ``make`` the first time ``key`` is asked for, the same one ever after."""
        if key not in self._memory:
            self._memory[key] = make()
        return cast("T", self._memory[key])

    def branch_with(self, path: str) -> str | None:
        """A branch whose tip has a file or folder at ``path``, None when no branch that is looked at has."""
        return self.remember(("branch", path), lambda: self._branches.holding(path))

    def base_hits(self, token: str) -> list[Hit]:
        """Where a token stood at base."""
        return self.base.hits(token)

    def ask_removed(self, paths: Collection[str]) -> None:
        """Find the commits that removed these paths, or the last file of these folders, in one walk."""
        wanted = [path for path in paths if path not in self._removed]
        inside = {path: self._files_of(path) for path in wanted}
        found = self.history.last_change({file for files in inside.values() for file in files})
        for path, files in inside.items():
            commits = [found[file] for file in files if file in found]
            self._removed[path] = max(commits, key=lambda commit: commit.date, default=None)

    def _files_of(self, path: str) -> list[str]:
        if self.base.snapshot.kind(path) != "folder":
            return [path]
        start = path.rstrip("/") + "/"
        return [item for item in self.changes.deleted if item.startswith(start)] or [path]

    def removed_by(self, path: str) -> CommitInfo | None:
        """The commit of the range that last changed or removed a path (for a folder: its last file)."""
        self.ask_removed([path])
        return self._removed[path]

    def added_by(self, path: str) -> CommitInfo | None:
        """The commit of the range that brought a path (for a folder: its first file)."""
        if self.head.snapshot.kind(path) == "folder":
            inside = sorted(item for item in self.changes.added if item.startswith(path.rstrip("/") + "/"))
            path = inside[0] if inside else path
        first = next((line for line in self.head.lines(path) if line.strip()), "")
        found = self.history.line_change(path, first, vanished=False) if first else None
        return found or self.last_of([path])

    def last_of(self, paths: Collection[str]) -> CommitInfo | None:
        """The newest commit of the range that changed any of these paths."""
        found = self.history.last_change(paths).values()
        return max(found, key=lambda commit: commit.date, default=None)

    @cached_property
    def merged(self) -> dict[int, CommitInfo]:
        """Pull requests merged in the range, by number."""
        return self.history.merged_numbers(self.base.snapshot.rev, self.head.snapshot.rev)

    def ask_origin(self, paths: Collection[str]) -> None:
        """Find the commits before the range that removed these paths, in one walk."""
        wanted = [path for path in paths if path not in self._origins]
        if wanted:
            found = self.history.origin_commits(wanted)
            self._origins.update({path: found.get(path) for path in wanted})

    def origin_of(self, path: str) -> CommitInfo | None:
        """The commit before the range that removed a path; None when there never was one."""
        self.ask_origin([path])
        return self._origins[path]

    def broken_at(self, path: str, holds: Holds, *, follow: bool = False) -> CommitInfo | None:
        """The commit of the range at which something stopped being true of a file's text."""
        return self.history.broken_at(path, holds, follow=follow)

    def line_change(self, path: str, needle: str, *, vanished: bool = True) -> CommitInfo | None:
        """The commit of the range at which a line with ``needle`` left the file (or came into it)."""
        return self.history.line_change(path, needle, vanished=vanished)


def folders_up(path: str) -> list[str]:
    """The folder of a file and its ancestors up to the root ``""``; just the root for one outside."""
    if path.startswith("/"):
        return [""]
    folder = posixpath.dirname(path)
    found = [folder]
    while folder:
        folder = posixpath.dirname(folder)
        found.append(folder)
    return found


def entered(folder: str, step: str) -> str:
    """Where ``cd step`` leads from a folder: below the root, beside it (``../x``), or ``""`` when unknown."""
    path = posixpath.normpath(posixpath.join(folder, step))
    return "" if path == "." or path.startswith("/") else path


def join(folder: str, path: str) -> str | None:
    """A path below the repository root, or None where it leads out of it."""
    joined = posixpath.normpath(posixpath.join(folder, path))
    if joined.startswith(("..", "/")):
        return None
    return "" if joined == "." else joined
