"""What a body or a file can do by itself and through the code of this repository that it calls or imports."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from memaudit.grounding.bodied import certain
from memaudit.grounding.ground import Side, is_test, is_vendored
from memaudit.patterns import lazy_regex
from memaudit.repo.symbols import Definition

_CALL = lazy_regex(r"(?<![\w$])([A-Za-z_$][\w$]*[!?]?)\s*(?:<[\w, :&]*>)?\s*\(")
_IMPORT = lazy_regex(
    r"^\s*(?:import|from|use|pub use|require|require_relative|include|export|mod|pub mod|const|let|var)\b.*"
)
_FROM_IMPORT = lazy_regex(r"^\s*from\s+([.\w]+)\s+import\b")
_QUOTED = lazy_regex(r"[\"'`]([@\w./-]+)[\"'`]")
_DOTTED = lazy_regex(r"[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+|\bmod\s+\w+|\bimport\s+\w+")
_KEYWORDS = frozenset(
    "if for while switch return match catch def fn func function class and or not in print super".split()
)
_MOST_NAMESAKES = 5
"""A name that more definitions have than this says nothing about which one is called."""

_DEEPEST = 3
_MOST_FOLLOWED = 60
_MOST_IMPORTED = 80
FUNCTIONS = frozenset({"function", "method", "constructor"})
"""The kinds of definition with a body that runs when it is called."""


class Stretch(NamedTuple):
    """Lines ``[first, last]`` of a file, numbered from 1."""

    path: str
    first: int
    last: int

    def lines(self, side: Side) -> list[tuple[int, str]]:
        """Its code by line number, comments emptied."""
        code = side.code(self.path)
        return list(enumerate(code[self.first - 1 : self.last], self.first))


def body(path: str, definition: Definition) -> Stretch:
    """A definition as a stretch, with its header."""
    return Stretch(path, definition.line_start, definition.line_end)


def whole(path: str, side: Side) -> Stretch:
    """A file as a stretch."""
    return Stretch(path, 1, len(side.lines(path)))


def called(stretch: Stretch, side: Side, deep: int = _DEEPEST) -> list[Stretch]:
    """The bodies of functions of this repository that a stretch calls, and those that they call in turn,
    ``deep`` steps away. A call is followed by its bare name: wherever it may lead counts.
    """
    found: dict[Stretch, None] = {}
    edge = [stretch]
    for _ in range(deep):
        edge = [item for one in edge for item in _callees(one, side) if item != stretch and item not in found]
        edge = list(dict.fromkeys(edge))[: _MOST_FOLLOWED - len(found)]
        found.update(dict.fromkeys(edge))
    return list(found)


def called_beside(stretch: Stretch, side: Side) -> list[Stretch]:
    """The functions of the same file that a stretch calls itself."""
    names = _called_names(stretch, side)
    found = (item for item in side.definitions(stretch.path) if item.name in names and is_function(item))
    return [body(stretch.path, item) for item in found]


def _called_names(stretch: Stretch, side: Side) -> set[str]:
    calls = (match[1] for _, line in stretch.lines(side) for match in _CALL.finditer(line))
    return {name for name in calls if name not in _KEYWORDS}


def _callees(stretch: Stretch, side: Side) -> Iterator[Stretch]:
    names = _called_names(stretch, side)
    side.look_up(names)
    for name in sorted(names):
        targets = list(islice(certain(name, side), _MOST_NAMESAKES + 1))
        if len(targets) <= _MOST_NAMESAKES:
            yield from (body(path, definition) for path, definition in targets)


def imported(path: str, side: Side, deep: int = _DEEPEST) -> list[str]:
    """The files of this repository that a file imports, and those that they import in turn, ``deep`` steps
    away.
    """
    found: dict[str, None] = {}
    edge = [path]
    for _ in range(deep):
        edge = [item for one in edge for item in _imports(one, side) if item != path and item not in found]
        edge = list(dict.fromkeys(edge))[: _MOST_IMPORTED - len(found)]
        found.update(dict.fromkeys(edge))
    return list(found)


def _imports(path: str, side: Side) -> Iterator[str]:
    folder = posixpath.dirname(path)
    extension = posixpath.splitext(path)[1]
    for line in side.code(path):
        if not _IMPORT.match(line):
            continue
        relative = _FROM_IMPORT.match(line)
        written = [match[1] for match in _QUOTED.finditer(line)]
        dotted = [re.sub(r"^(?:mod|import)\s+", "", item) for item in _DOTTED.findall(line)]
        if relative:
            names = re.findall(r"\w+", line.partition("import")[2])
            module = relative[1].strip(".")
            dotted += [f"{module}.{name}".strip(".") for name in names] + ([module] if module else [])
        for name in written:
            yield from _files([name.removeprefix("./").lstrip("@")], folder, extension, side)
        for name in dotted:
            parts = [part for part in re.split(r"\.|::", name) if part not in ("crate", "super", "self")]
            yield from _files(
                ["/".join(parts[:end]) for end in range(len(parts), 0, -1)], folder, extension, side
            )


def _files(stems: Iterable[str], folder: str, extension: str, side: Side) -> Iterator[str]:
    """The files that the longest of these written paths may stand for, those near the importer first."""
    for stem in stems:
        plain = posixpath.normpath(stem).lstrip("./") if stem else ""
        if not plain or len(plain) < 2:
            continue
        bare = plain.removesuffix(".js").removesuffix(extension)
        endings = (extension, f"/index{extension}", f"/__init__{extension}", f"/mod{extension}")
        found = [
            path
            for ending in endings
            for path in side.snapshot.by_suffix(bare + ending)
            if not is_test(path) and not is_vendored(path)
        ]
        if found:
            found.sort(key=lambda path: (posixpath.dirname(path) != folder, path))
            yield from found[:_MOST_NAMESAKES]
            return


def is_function(definition: Definition) -> bool:
    """Whether a parsed definition has a body that runs when it is called."""
    return definition.kind in FUNCTIONS
