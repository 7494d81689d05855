"""Screen lines of a comparison turned into styled text: gutters, signs, colours, emphasis, folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from rich.cells import cell_len, get_character_cell_size
from rich.segment import Segment
from textual.strip import Strip

from memaudit.tui.cells import fit, styled
from memaudit.tui.diff_layout import Layout, ScreenLine, Show
from memaudit.tui.diff_model import LineDiff, Row, Spans
from memaudit.tui.highlight import Line
from memaudit.tui.roles import Roles


@dataclass(frozen=True)
class Gutter:
    """What stands before the text of a line: a mark, line numbers of ``digits`` cells, a sign.

    ``both`` is for one column, where the numbers of both sides stand beside each other.
    """

    digits: int
    both: bool

    @property
    def numbers(self) -> int:
        """Cells of the line numbers."""
        return 2 * self.digits + 1 if self.both and self.digits else self.digits

    @property
    def width(self) -> int:
        """Cells of the whole gutter."""
        return 1 + self.numbers + 3


class Window(NamedTuple):
    """The characters ``[start, end)`` of a line that are in view, the signs where more follows on either
    side, and how many cells are left.
    """

    start: int
    end: int
    before: str
    after: str
    blank: int


def window(text: str, part: tuple[int, int], shift: int, room: int) -> Window:
    """The part of a line that ``room`` cells show when it is scrolled ``shift`` cells to the left.

    A wide character that is cut in two gives way to blanks. A blank that has no room at the end, as at the
    end of a wrapped piece, is nothing more that follows.
    """
    start, end = part
    cells = end - start if text.isascii() else cell_len(text[start:end])
    if cells == shift + room + 1 and text[end - 1] == " ":
        end, cells, part = end - 1, cells - 1, (start, end - 1)
    if not shift and cells <= room:
        return Window(start, end, "", "", room - cells)
    if not cells:
        return Window(end, end, "", "", room)
    before = "‹" if shift and room > 1 else ""
    first, last = shift + len(before), shift + room
    after = "›" if cells > last else ""
    last -= len(after)
    start, at = _from_cell(text, part, first)
    stop, to = _to_cell(text, (start, end), at, last)
    if at >= last:
        # Nothing but half a character has room.
        return Window(start, start, before + " " * (last - first), after, 0)
    blank = last - to
    return Window(
        start, stop, before + " " * (at - first), " " * blank + after if after else "", 0 if after else blank
    )


def _from_cell(text: str, part: tuple[int, int], cell: int) -> tuple[int, int]:
    """The first character that begins at a cell or behind it, and where it does; the end if none does."""
    start, end = part
    if text.isascii():
        stop = min(start + cell, end)
        return stop, max(stop - start, cell)
    at = 0
    for index in range(start, end):
        if at >= cell:
            return index, at
        at += get_character_cell_size(text[index])
    return end, max(at, cell)


def _to_cell(text: str, part: tuple[int, int], at: int, cell: int) -> tuple[int, int]:
    """Behind the last character that ends at a cell or before it, and where it does.

    The first one of ``part`` begins at the cell ``at``.
    """
    start, end = part
    if text.isascii():
        stop = max(min(start + cell - at, end), start)
        return stop, at + stop - start
    for index in range(start, end):
        size = get_character_cell_size(text[index])
        if at + size > cell:
            return index, at
        at += size
    return end, at


@dataclass(frozen=True)
class Painter:
    """Draws the lines of one layout.

    ``tokens`` gives the syntax of a line of a side as far as it is known. ``wrapped`` lines were wrapped
    by the layout, others are cut at the edge.
    """

    diff: LineDiff
    layout: Layout
    width: int
    gutter: Gutter
    wrapped: bool
    roles: Roles
    tokens: Callable[[int, int], Line]

    def draw(self, number: int, shift: int) -> Strip:
        """Screen line ``number``, its text scrolled ``shift`` cells to the left."""
        lines = self.layout.lines
        if number >= len(lines):
            return self._note(number - len(lines))
        line = lines[number]
        if line.show is Show.FOLD:
            return self._fold(line)
        row = self.diff.rows[line.row]
        before, after = self.diff.emphasis(row)
        if line.show is Show.PAIR:
            half = (self.width - 1) // 2
            segments = [
                *self._side(0, row, line.part, before, half, shift),
                Segment("│", self.roles("gutter")),
                *self._side(1, row, line.part, after, self.width - 1 - half, shift),
            ]
            return Strip(segments, self.width)
        side = 1 if line.show is Show.AFTER else 0
        return Strip(
            self._side(side, row, line.part, after if side else before, self.width, shift), self.width
        )

    def _note(self, number: int) -> Strip:
        if number >= len(self.diff.notes):
            return Strip.blank(self.width, self.roles())
        text = fit(f"  {self.diff.notes[number]}", self.width)
        return Strip([Segment(text, self.roles("note"))], self.width)

    def _fold(self, line: ScreenLine) -> Strip:
        text = f"{' ' * (self.gutter.width - 2)}⋮ {line.part:,} unchanged lines"
        return Strip([Segment(fit(text, self.width), self.roles("fold"))], self.width)

    def _side(self, side: int, row: Row, part: int, emphasis: Spans, width: int, shift: int) -> list[Segment]:
        """One side of one screen line, in exactly ``width`` cells."""
        index = row.after if side else row.before
        if index < 0:
            return [Segment("╱" * width, self.roles("filler"))]
        text = self.diff.shown(side, index)
        parts = self.layout.parts(text)
        line = ("added-line" if side else "removed-line") if row.changed else ""
        segments = self._gutter(side, row, part, line)
        room = width - self.gutter.width
        if room <= 0:
            return list(Strip(segments).adjust_cell_length(width, self.roles(line)))
        if part >= len(parts):
            return [*segments, Segment(" " * room, self.roles(line))]
        view = window(text, parts[part], 0 if self.wrapped else shift, room)
        if view.before:
            segments.append(Segment(view.before, self.roles(line, "gutter")))
        segments += self._content(side, index, text, (view.start, view.end), emphasis, line)
        if view.after:
            segments.append(Segment(view.after, self.roles(line, "gutter")))
        if view.blank:
            segments.append(Segment(" " * view.blank, self.roles(line)))
        return segments

    def _gutter(self, side: int, row: Row, part: int, line: str) -> list[Segment]:
        index = row.after if side else row.before
        digits = self.gutter.digits
        role = ("added" if side else "removed") if row.changed else "gutter"
        decides = self.layout.is_deciding(side, index) or (
            self.gutter.both and not row.changed and self.layout.is_deciding(1, row.after)
        )
        sign = ("+" if side else "-") if row.changed and not part else " "
        if part or not digits:
            numbers = " " * self.gutter.numbers
        elif self.gutter.both:
            old = "" if side else str(row.before + 1)
            new = str(row.after + 1) if side or not row.changed else ""
            numbers = f"{old:>{digits}} {new:>{digits}}"
        else:
            numbers = f"{index + 1:>{digits}}"
        if not decides:
            return [Segment(f" {numbers} {sign} ", self.roles(line, role))]
        mark = "▶" if not part else " "
        return [
            Segment(mark + numbers, self.roles(line, "deciding")),
            Segment(f" {sign} ", self.roles(line, role)),
        ]

    def _content(
        self, side: int, index: int, text: str, part: tuple[int, int], emphasis: Spans, line: str
    ) -> list[Segment]:
        """One part of a line's text, coloured."""
        start, end = part
        coloured = self.tokens(side, index)
        word = "added-word" if side else "removed-word"
        cuts = {start, end}
        for span in (*emphasis, *((token.start, token.end) for token in coloured)):
            cuts.update(cut for cut in span if start < cut < end)
        pieces = []
        ahead = iter(coloured)
        token = next(ahead, None)
        for left, right in pairwise(sorted(cuts)):
            while token is not None and token.end <= left:
                token = next(ahead, None)
            kind = token.kind if token is not None and token.start <= left else ""
            changed = any(first <= left < last for first, last in emphasis)
            pieces.append((text[left:right], self.roles(line, kind, word if changed else "")))
        return styled(pieces)
