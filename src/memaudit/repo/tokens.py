"""Source text as tokens: which identifiers a file holds, which it seems to define, and where."""

from __future__ import annotations

import re
import zlib
from array import array
from collections.abc import Iterator
from typing import NamedTuple

_SHAPE = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*(?:-[A-Za-z0-9_]+)*")
# Up to five lower-case words (modifiers and keywords), then a name that is either followed by what
# opens a value, a body or a parameter list, or preceded by a keyword that always introduces one. Anchored
# to line starts by a literal line feed and possessive throughout: this runs over every byte searched.
_DEFINITION = re.compile(
    rb"\n[ \t]*+(?:[a-z#!_]++(?:\([a-z]++\))?+[ \t]++(?![:=?{<])){0,5}+(?:\([^()\n]*+\)[ \t]++)?+"
    rb"(?:(?<!return )(?<!await )(?<!raise )(?<!throw )(?<!new )(?<!if )(?<!assert )"
    rb"[\"']?+([A-Za-z_$][\w$-]*+)[\"']?+[ \t]*+[?+]?+[:=({<]"
    rb"|(?:(?<=class )|(?<=struct )|(?<=interface )|(?<=enum )|(?<=trait )|(?<=type )|(?<=mod )|(?<=module )"
    rb"|(?<=namespace )|(?<=define )|(?<=let )|(?<=var )|(?<=const ))([A-Za-z_$][\w$]*+))"
)
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_ONLY_TOKENS = bytes(byte if byte in _WORD or byte in b"$-" else ord(" ") for byte in range(256))
_HYPHEN = ord("-")
_REMEMBERED = 200_000


class Fingerprint(NamedTuple):
    """The tokens of a file and those it seems to define, as 32-bit numbers.

    The numbers are the same in every process. Two tokens may share one, so that a hit must be
    confirmed in the file; a token that is there is never missed.
    """

    tokens: array[int]
    definitions: array[int]


NO_TOKENS = Fingerprint(array("I"), array("I"))
"""The fingerprint of a file that is not searched."""


def is_token(text: str) -> bool:
    """Whether ``text`` can be found at all: an identifier, possibly with hyphens inside."""
    return _SHAPE.fullmatch(text) is not None


def token_number(token: bytes) -> int:
    """The number that stands for a token in fingerprints."""
    return zlib.crc32(token)


def definitions_of(data: bytes) -> set[bytes]:
    """The names that a text seems to define: behind a keyword, or before ``:``, ``=``, ``(`` or ``{``."""
    return {one or other for one, other in _DEFINITION.findall(b"\n" + data)}


class Fingerprinter:
    """Makes fingerprints, remembering what each distinct token came to."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._parts: dict[bytes, frozenset[int]] = {}
        self._compound: set[bytes] = set()

    def fingerprint(self, data: bytes) -> Fingerprint:
        """The fingerprint of a file's contents.

        It holds maximal tokens, their parts between hyphens, and both without ``$`` signs.
        """
        tokens = set(data.translate(_ONLY_TOKENS).split())
        definitions = definitions_of(data)
        if len(self._numbers) > _REMEMBERED:
            self._numbers.clear()
            self._parts.clear()
            self._compound.clear()
        for token in (tokens | definitions).difference(self._numbers):
            self._numbers[token] = token_number(token)
            if b"-" in token or b"$" in token:
                self._parts[token] = frozenset(map(token_number, _parts(token)))
                self._compound.add(token)
        numbers = array("I", map(self._numbers.__getitem__, tokens))
        for token in tokens & self._compound:
            numbers.extend(self._parts[token])
        return Fingerprint(numbers, array("I", map(self._numbers.__getitem__, definitions)))


def _parts(token: bytes) -> set[bytes]:
    parts = {token.strip(b"-"), *token.split(b"-")}
    parts.update(*(part.split(b"$") for part in list(parts)))
    parts.update(part.strip(b"$") for part in list(parts))
    return parts - {b""}


def lines_with(data: bytes, token: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines, numbered from 1, that hold a token: whole, or as a part between hyphens or ``$``."""
    number, counted = 1, 0
    at = data.find(token)
    while at >= 0:
        end = at + len(token)
        if _is_whole(data, at, end, b"-" in token):
            start = data.rfind(b"\n", 0, at) + 1
            end = data.find(b"\n", at)
            if end < 0:
                end = len(data)
            number += data.count(b"\n", counted, start)
            counted = start
            yield number, data[start:end]
        at = data.find(token, end)


def _is_whole(data: bytes, start: int, end: int, hyphenated: bool) -> bool:
    if (start and data[start - 1] in _WORD) or (end < len(data) and data[end] in _WORD):
        return False
    if not hyphenated:
        return True
    longer_before = start > 1 and data[start - 1] == _HYPHEN and data[start - 2] in _WORD
    longer_behind = end + 1 < len(data) and data[end] == _HYPHEN and data[end + 1] in _WORD
    return not longer_before and not longer_behind
