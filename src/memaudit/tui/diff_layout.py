"""Which lines of a comparison stand on the screen, in which order: folds, wrapping, side by side or not.

Works on a :class:`~memaudit.tui.diff_model.LineDiff` and plain numbers; the widget draws the result.
"""

from __future__ import annotations

import enum
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len, get_character_cell_size

from memaudit.tui.diff_model import LineDiff

CONTEXT = 3
"""Unchanged rows that stay visible around a change and around a deciding line."""


class Show(enum.Enum):
    """What one screen line of a comparison holds."""

    PAIR = "pair"
    """Both sides beside each other."""
    BEFORE = "before"
    """A removed line, across the whole width."""
    AFTER = "after"
    """An added line, across the whole width."""
    SAME = "same"
    """An unchanged line, across the whole width."""
    FOLD = "fold"
    """A run of unchanged rows, shown as one line that can be opened."""


class ScreenLine(NamedTuple):
    """One line of the screen: a row of the comparison and which wrapped part of it.

    For a fold ``row`` is the first hidden row and ``part`` their number.
    """

    show: Show
    row: int
    part: int


class Layout:
    """Screen lines of a comparison.

    ``split`` puts the sides beside each other. ``wrap_width`` is the width of one side's text in
    cells, or 0 for lines that are never wrapped. ``deciding`` holds line indices of the before and
    of the after side that must not be folded away. ``opened`` holds the first rows of folds that
    were opened.
    """

    def __init__(
        self,
        diff: LineDiff,
        *,
        split: bool,
        wrap_width: int = 0,
        deciding: tuple[Collection[int], Collection[int]] = ((), ()),
        opened: Collection[int] = (),
    ) -> None:
        self._diff = diff
        self._wrap_width = wrap_width
        self._deciding = (frozenset(deciding[0]), frozenset(deciding[1]))
        self.lines: list[ScreenLine] = []
        self.hunks: list[int] = []
        """Screen lines at which a changed run starts."""
        self.deciding: list[int] = []
        """Screen lines that hold a deciding line."""
        for start, end, hidden in _stretches(self._kept(), opened):
            if hidden:
                self.lines.append(ScreenLine(Show.FOLD, start, end - start))
            else:
                self._add_rows(start, end, split)

    def parts(self, text: str) -> tuple[tuple[int, int], ...]:
        """Character ranges of the screen lines that ``text`` is wrapped to."""
        if not self._wrap_width:
            return ((0, len(text)),)
        return wrapped(text, self._wrap_width)

    def is_deciding(self, side: int, index: int) -> bool:
        """Whether a line of the before (0) or after (1) side is one that decides the verdict."""
        return index in self._deciding[side]

    def _kept(self) -> list[bool]:
        rows = self._diff.rows
        old, new = self._deciding
        anchors = [
            number for number, row in enumerate(rows) if row.changed or row.before in old or row.after in new
        ]
        if not anchors:
            return [True] * len(rows)
        kept = [False] * len(rows)
        done = 0
        for anchor in anchors:
            start, end = max(anchor - CONTEXT, done), min(anchor + CONTEXT + 1, len(rows))
            kept[start:end] = [True] * (end - start)
            done = end
        return kept

    def _add_rows(self, start: int, end: int, split: bool) -> None:
        rows = self._diff.rows
        number = start
        while number < end:
            stop = number
            if rows[number].changed:
                while stop < end and rows[stop].changed:
                    stop += 1
                if number == 0 or not rows[number - 1].changed:
                    self.hunks.append(len(self.lines))
            else:
                stop += 1
            run = range(number, stop)
            if split:
                self._add_all(Show.PAIR, run)
            elif not rows[number].changed:
                self._add_all(Show.SAME, run)
            else:
                self._add_all(Show.BEFORE, [row for row in run if rows[row].before >= 0])
                self._add_all(Show.AFTER, [row for row in run if rows[row].after >= 0])
            number = stop

    def _add_all(self, show: Show, numbers: Sequence[int]) -> None:
        """Add rows that are shown alike; thousands at once where none needs a closer look."""
        if self._wrap_width or any(self._deciding):
            for number in numbers:
                self._add(show, number)
        else:
            self.lines += [ScreenLine(show, number, 0) for number in numbers]

    def _add(self, show: Show, number: int) -> None:
        row = self._diff.rows[number]
        old = row.before if show is not Show.AFTER else -1
        new = row.after if show is not Show.BEFORE else -1
        if old in self._deciding[0] or new in self._deciding[1]:
            self.deciding.append(len(self.lines))
        if not self._wrap_width:
            self.lines.append(ScreenLine(show, number, 0))
            return
        height = 1
        if old >= 0:
            height = len(self.parts(self._diff.shown(0, old)))
        if new >= 0 and (show is Show.PAIR or old < 0):
            height = max(height, len(self.parts(self._diff.shown(1, new))))
        for part in range(height):
            self.lines.append(ScreenLine(show, number, part))


def _stretches(kept: list[bool], opened: Collection[int]) -> Iterator[tuple[int, int, bool]]:
    """Runs of rows as (start, end, folded away); a single hidden row is not worth a fold."""
    start = 0
    for number in range(1, len(kept) + 1):
        if number < len(kept) and kept[number] == kept[start]:
            continue
        hidden = not kept[start] and number - start > 1 and start not in opened
        yield start, number, hidden
        start = number


@lru_cache(maxsize=4096)
def wrapped(text: str, width: int) -> tuple[tuple[int, int], ...]:
    """Character ranges of ``text`` cut to at most ``width`` cells, at blanks where that is possible."""
    if cell_len(text) <= width or width < 1:
        return ((0, len(text)),)
    parts: list[tuple[int, int]] = []
    start = 0
    while start < len(text):
        end = _fitting(text, start, width)
        if end < len(text):
            blank = text.rfind(" ", start + 1, end + 1)
            if blank > start:
                end = min(blank + 1, len(text))
        parts.append((start, end))
        start = end
    return tuple(parts)


def _fitting(text: str, start: int, width: int) -> int:
    """The end of the longest piece from ``start`` that fits; at least one character."""
    if text.isascii():
        return min(start + width, len(text))
    used = 0
    for index in range(start, len(text)):
        used += get_character_cell_size(text[index])
        if used > width:
            return max(index, start + 1)
    return len(text)
