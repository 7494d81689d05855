"""Screen lines of a comparison turned into styled text: gutters, signs, colours, emphasis, folds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from rich.cells import cell_len
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


@dataclass(frozen=True)
class Painter:
    """Draws the lines of one layout.

    ``tokens`` gives the syntax of a line of a side as far as it is known. ``prose`` lines are wrapped
    by the layout, others are cut at the edge.
    """

    diff: LineDiff
    layout: Layout
    width: int
    gutter: Gutter
    prose: bool
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
        gutter = self._gutter(side, row, part, line)
        segments = list(gutter)
        used = self.gutter.width
        if part < len(parts):
            start, end = parts[part]
            segments += self._content(side, index, text, parts[part], emphasis, line)
            used += cell_len(text[start:end])
        if used <= width and not shift:
            return [*segments, Segment(" " * (width - used), self.roles(line))]
        content = Strip(segments[len(gutter) :])
        if not self.prose:
            content = self._cut(content, shift, max(width - self.gutter.width, 0), line)
        whole = Strip.join([Strip(gutter), content])
        return list(whole.adjust_cell_length(width, self.roles(line)))

    def _cut(self, content: Strip, shift: int, room: int, line: str) -> Strip:
        """The part of a long line that is in view, with signs where more follows."""
        mark = self.roles(line, "gutter")
        if shift:
            more = content.cell_length > 0
            content = content.crop(shift)
            if more and room > 1:
                content = Strip.join([Strip([Segment("‹", mark)], 1), content.crop(1)])
        if content.cell_length > room > 0:
            content = Strip.join([content.crop(0, room - 1), Strip([Segment("›", mark)], 1)])
        return content

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
        for left, right in pairwise(sorted(cuts)):
            kind = next((token.kind for token in coloured if token.start <= left < token.end), "")
            changed = any(first <= left < last for first, last in emphasis)
            pieces.append((text[left:right], self.roles(line, kind, word if changed else "")))
        return styled(pieces)
