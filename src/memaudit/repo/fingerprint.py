"""Files as sets of numbers, one a token, and the index that finds the files of a token."""

from __future__ import annotations

import sys
import zlib
from bisect import bisect_right
from collections.abc import Callable, Collection
from typing import NamedTuple

from memaudit.repo.tokens import compound_parts, definitions_of, runs_of

_REMEMBERED = 200_000
_WIDTH = 4
_FEW = 24


class Fingerprint(NamedTuple):
    """The tokens of a file and those it seems to define, as packed 32-bit numbers in native order.

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


class _Packed(dict[bytes, bytes]):
    """What each run of token characters came to, made when it is first met."""

    def __init__(self, make: Callable[[bytes], bytes]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, run: bytes) -> bytes:
        if len(self) >= _REMEMBERED:
            self.clear()
        packed = self[run] = self._make(run)
        return packed


class Fingerprinter:
    """Makes fingerprints, remembering what each distinct token came to."""

    def __init__(self) -> None:
        self._with_parts = _Packed(_pack_with_parts)
        self._alone = _Packed(_pack)

    def fingerprint(self, data: bytes, path: str = "", *, definitions: bool = True) -> Fingerprint:
        """The fingerprint of a file's contents, without its definitions where they are not wanted.

        ``path`` tells the language, which decides what looks like a definition.
        It holds maximal tokens, their parts between hyphens, and both without ``$`` signs.
        """
        tokens = b"".join(map(self._with_parts.__getitem__, runs_of(data)))
        defined = map(self._alone.__getitem__, definitions_of(data, path)) if definitions else ()
        return Fingerprint(tokens, b"".join(defined))


def _pack(token: bytes) -> bytes:
    return token_number(token).to_bytes(_WIDTH, sys.byteorder)


def _pack_with_parts(run: bytes) -> bytes:
    return b"".join(map(_pack, compound_parts(run))) if b"-" in run or b"$" in run else _pack(run)


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
        needle = number.to_bytes(_WIDTH, sys.byteorder)
        at = self._packed.find(needle)
        while at >= 0:
            if at % _WIDTH:  # Numbers are aligned: what starts elsewhere is no match.
                at = self._packed.find(needle, at + 1)
                continue
            place = bisect_right(self._starts, at)
            self._holders[number].append(self._files[place - 1])
            at = self._packed.find(needle, self._starts[place]) if place < len(self._starts) else -1

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
