"""The names that a word in the rewrite editor may become: the row that shows them, and which word it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from rich.cells import cell_len

from memaudit.text import visible
from memaudit.tui.cells import fit
from memaudit.tui.lines import Lines, Row

_ENDS = frozenset(" \t\n`'\"“”‘’()[]{}<>,;|=")
_NAMELIKE = re.compile(r"[/_]|\w\.\w|[a-z0-9][A-Z]|[A-Z]{2}")
_SHORTEST = 2


class Word(NamedTuple):
    """The stretch ``[start, end)`` of a line that a name would replace, and what was typed of it so far."""

    start: int
    end: int
    typed: str


def word_at(line: str, column: int, *, code: bool = False) -> Word | None:
    """The word before the cursor when it looks like the name of something: in code, or by its signs.

    ``code`` is for a line that is all code.
    """
    start = column
    while start and line[start - 1] not in _ENDS:
        start -= 1
    end = column
    while end < len(line) and line[end] not in _ENDS:
        end += 1
    typed = line[start:column]
    in_code = code or line.count("`", 0, start) % 2 == 1
    if not in_code:
        typed_end = len(line[start:end].rstrip(".:!?"))
        end = max(start + typed_end, column)
    if len(typed) < _SHORTEST or not (in_code or _NAMELIKE.search(typed)):
        return None
    return Word(start, end, typed)


class Candidates(Lines):
    """One row of names, the one that would be taken marked."""

    DEFAULT_CSS = """
    Candidates { height: 1; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.word: Word | None = None
        self._names: tuple[str, ...] = ()
        self._at = 0

    def offer(self, word: Word | None, names: Sequence[str]) -> None:
        """Offer names for a word, the first one marked."""
        self.word, self._names, self._at = word, tuple(names), 0
        self.renew()

    @property
    def name(self) -> str:
        """The marked name, empty for none."""
        return self._names[self._at] if self._names else ""

    def step(self, step: int) -> None:
        """Mark another name, round and round."""
        if self._names:
            self._at = (self._at + step) % len(self._names)
            self.renew()

    def build(self, width: int, height: int) -> list[Row]:
        """The row, beginning with the marked name where not all have room."""
        if not self._names:
            return [[(fit("", width), "")]]
        row: list[tuple[str, str]] = [("tab", "key"), (" ", "")]
        used = 4
        for number in range(len(self._names)):
            name = visible(self._names[(self._at + number) % len(self._names)])
            size = cell_len(name) + 2
            if number and used + size > width:
                break
            row += [(fit(name, min(size - 2, width - used)), "muted" if number else "strong"), ("  ", "")]
            used += size
        return [row]
