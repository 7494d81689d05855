"""Definitions of a name outside tests, one after the other, with no more files parsed than it takes.

A name that many files have as an argument or a setting is that of a function or class in few of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from memaudit.grounding.ground import Side, is_test
from memaudit.repo.symbols import Definition, language

_NEAR = 80
"""Characters around a name in which what makes it a definition begins."""

_SPACE = b" \t\r\n\\*?!"
_WEB = (b"function", b"class", b"interface"), frozenset(b"(<:=/")
_MANAGED = (b"class", b"struct", b"interface"), frozenset(b"(</")
_LOOKS: dict[str, tuple[tuple[bytes, ...], frozenset[int]]] = {
    "python": ((b"def", b"class"), frozenset()),
    "javascript": _WEB,
    "typescript": _WEB,
    "tsx": _WEB,
    "java": _MANAGED,
    "csharp": _MANAGED,
}
"""By language, words before the name of a function or type and signs after it: one is always there."""


def files_with(name: str, side: Side) -> Iterator[str]:
    """The files, no tests, that may define a name."""
    return (path for path in side.defining_files(name) if not is_test(path))


def certain(name: str, side: Side) -> Iterator[tuple[str, Definition]]:
    """The definitions of a name that were parsed, not those that a line only looks like."""
    return ((path, item) for path in files_with(name, side) for item in certain_in(path, name, side))


def certain_in(path: str, name: str, side: Side) -> list[Definition]:
    """As :func:`certain`, in one file."""
    return [item for item in side.defined_in(path, name) if not item.kind.endswith("?")]


def of_kinds(name: str, kinds: Collection[str], side: Side) -> Iterator[tuple[str, Definition]]:
    """The definitions of a name that are of given kinds: functions, classes, structs, traits, interfaces."""
    for path in files_with(name, side):
        yield from ((path, item) for item in of_kinds_in(path, name, kinds, side))


def of_kinds_in(path: str, name: str, kinds: Collection[str], side: Side) -> list[Definition]:
    """As :func:`of_kinds`, in one file."""
    looks = _LOOKS.get(language(path) or "")
    if looks and not _is_there(side.snapshot.read(path) or b"", name.encode(), *looks):
        return []
    return [item for item in side.defined_in(path, name) if item.kind in kinds]


def _is_there(data: bytes, name: bytes, words: tuple[bytes, ...], signs: frozenset[int]) -> bool:
    at = data.find(name)
    while at >= 0:
        end = at + len(name)
        if data[max(0, at - _NEAR) : at].rstrip(_SPACE).endswith(words):
            return True
        if signs.intersection(data[end : end + _NEAR].lstrip(_SPACE)[:1]):
            return True
        at = data.find(name, end)
    return False
