"""Files as sets of numbers, one a token, and the index that finds the files of a token."""

from __future__ import annotations

import re
import zlib
from array import array
from bisect import bisect_right
from collections.abc import Collection
from itertools import chain
from typing import NamedTuple

from memaudit.repo.tokens import compound_parts, definitions_of, runs_of

_REMEMBERED = 200_000
_WIDTH = 4
_FEW = 24


class Fingerprint(NamedTuple):
    """The tokens of a file and those it seems to define, as packed 32-bit numbers.

    The numbers are the same in every process. Two tokens may share one, so that a hit must be
    confirmed in the file; a token that is there is never missed.
    """

    tokens: bytes
    definitions: bytes


NO_TOKENS = Fingerprint(b"", b"")
"""The fingerprint of a file that is not searched."""


def token_number(token: str | bytes) -> int:
    """The number that stands for a token."""
    return zlib.crc32(token.encode() if isinstance(token, str) else token)


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
        tokens = runs_of(data)
        definitions = definitions_of(data)
        if len(self._numbers) > _REMEMBERED:
            self._numbers.clear()
            self._parts.clear()
            self._compound.clear()
        for token in (tokens | definitions).difference(self._numbers):
            self._numbers[token] = token_number(token)
            if b"-" in token or b"$" in token:
                self._parts[token] = frozenset(map(token_number, compound_parts(token)))
                self._compound.add(token)
        numbers = map(self._numbers.__getitem__, tokens)
        parts = chain.from_iterable(map(self._parts.__getitem__, tokens & self._compound))
        defined = map(self._numbers.__getitem__, definitions)
        return Fingerprint(array("I", chain(numbers, parts)).tobytes(), array("I", defined).tobytes())


class _Postings:
    """Packed numbers of many files end to end, and which files hold the numbers asked for so far."""

    def __init__(self) -> None:
        self._packed = bytearray()
        self._starts: list[int] = []
        self._files: list[int] = []
        self._holders: dict[int, list[int]] = {}
        self._asked: frozenset[int] = frozenset()

    def add(self, file: int, packed: bytes) -> None:
        if not packed:
            return
        self._starts.append(len(self._packed))
        self._files.append(file)
        self._packed += packed
        if self._asked:
            for number in self._asked.intersection(memoryview(packed).cast("I")):
                self._holders[number].append(file)

    def holders(self, numbers: Collection[int]) -> dict[int, list[int]]:
        """The files that hold each number, in the order they were added."""
        new = frozenset(numbers) - self._asked
        if new:
            self._holders.update((number, []) for number in new)
            if len(new) <= _FEW:
                for number in new:
                    self._find(number)
            else:
                self._scan(new)
            self._asked |= new
        return {number: self._holders[number] for number in numbers}

    def _find(self, number: int) -> None:
        found = self._holders[number]
        # Numbers are aligned, so a match that starts elsewhere is no match.
        for match in re.finditer(re.escape(array("I", (number,)).tobytes()), self._packed):
            if match.start() % _WIDTH == 0:
                file = self._files[bisect_right(self._starts, match.start()) - 1]
                if not found or found[-1] != file:
                    found.append(file)

    def _scan(self, new: frozenset[int]) -> None:
        with memoryview(self._packed) as packed:
            for at, file in enumerate(self._files):
                end = self._starts[at + 1] if at + 1 < len(self._starts) else len(packed)
                for number in new.intersection(packed[self._starts[at] : end].cast("I")):
                    self._holders[number].append(file)


class FingerprintIndex:
    """Fingerprints held in memory, asked which files hold or define a token.

    A token is looked for once: afterwards its files are known, and those added later join them. Files
    are named by numbers, given in the order they are added.
    """

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._tokens = _Postings()
        self._definitions = _Postings()

    def __contains__(self, blob_id: str) -> bool:
        return blob_id in self.numbers

    def add(self, blob_id: str, fingerprint: Fingerprint) -> None:
        """Take in a file's fingerprint."""
        if blob_id not in self.numbers:
            number = self.numbers[blob_id] = len(self.numbers)
            self._tokens.add(number, fingerprint.tokens)
            self._definitions.add(number, fingerprint.definitions)

    def holders(self, tokens: Collection[str]) -> dict[str, list[int]]:
        """The files that may hold each token."""
        return _by_token(self._tokens, tokens)

    def definers(self, tokens: Collection[str]) -> dict[str, list[int]]:
        """The files that seem to define each token."""
        return _by_token(self._definitions, tokens)


def _by_token(postings: _Postings, tokens: Collection[str]) -> dict[str, list[int]]:
    numbers = {token: token_number(token) for token in tokens}
    found = postings.holders(frozenset(numbers.values()))
    return {token: found[number] for token, number in numbers.items()}
