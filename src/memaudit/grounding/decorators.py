"""Decorators of Python that register commands, read with their brackets: arguments may hold calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memaudit.patterns import lazy_regex

_REGISTERS = lazy_regex(r"^[ \t]*@(\w+)\.(?:command|group)\(", re.MULTILINE)
_NEXT = lazy_regex(r"\s*(?:#[^\n]*\n\s*)*(?:@[\w.]+(\()?|(?:async\s+)?def\s+(\w+))")
_PIECE = lazy_regex(
    r"\"\"\".*?\"\"\"|'''.*?'''|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|#[^\n]*|[()]", re.DOTALL
)
_MOST_DECORATORS = 200


@dataclass(frozen=True, slots=True)
class Registered:
    """A function that ``owner`` registers, the arguments it does so with, and where its name stands."""

    owner: str
    arguments: str
    function: str
    offset: int


def registered(source: str) -> Iterator[Registered]:
    """The functions below ``@x.command(…)`` and ``@x.group(…)``, whatever other decorators stand between."""
    for match in _REGISTERS.finditer(source):
        end = closing(source, match.end())
        function = _decorated(source, end) if end is not None else None
        if end is not None and function:
            name, place = function
            yield Registered(match[1], source[match.end() : end - 1], name, place)


def _decorated(source: str, place: int) -> tuple[str, int] | None:
    """The function that the decorators from ``place`` on belong to, and where its name stands."""
    for _ in range(_MOST_DECORATORS):
        found = _NEXT.match(source, place)
        if found is None:
            return None
        if found[2]:
            return found[2], found.start(2)
        end = closing(source, found.end()) if found[1] else found.end()
        if end is None:
            return None
        place = end
    return None


def closing(source: str, place: int) -> int | None:
    """The place behind the bracket that closes the one opened before ``place``; None where none does."""
    depth = 1
    for piece in _PIECE.finditer(source, place):
        depth += {"(": 1, ")": -1}.get(piece[0], 0)
        if depth == 0:
            return piece.end()
    return None
