"""Moving through a comparison: by line and screen, change by change, to the lines that decide."""

from __future__ import annotations

from textual.geometry import Region
from textual.strip import Strip

from memaudit.tui.diff_layout import Layout, ScreenLine
from memaudit.tui.diff_model import LineDiff
from memaudit.tui.slim_bar import SlimScroll

NOTHING = Layout(LineDiff("", ""), split=False)
"""The layout of no lines at all."""

_LEAD = 2
"""Lines shown above a change that was stepped to."""

_SIDEWAYS = 8
"""Cells that long lines move at a time."""


class Travelling(SlimScroll):
    """A view on laid out lines; what they are and how they are drawn is for the subclass."""

    laid_out: Layout = NOTHING
    moved = False
    """Whether somebody scrolled since the first deciding line was brought into view."""
    _first_y = 0
    """The line that was scrolled to for the first deciding line."""

    def show_first(self) -> None:
        """Bring the first deciding line into view, with those after it that fit, else the first change."""
        target = (self.laid_out.deciding or self.laid_out.hunks or [0])[0]
        height = self.size.height
        last = max([target, *(y for y in self.laid_out.deciding if y - target < height)])
        self._first_y = 0
        if last >= height - 2:
            self._first_y = max(target - height // 3, min(last - height + 1, target), 0)
        # The scroll bar of a longer comparison than the one before comes with the next refresh only, and
        # without one nothing scrolls unless forced.
        self.scroll_to(x=0, y=self._first_y, animate=False, force=True)
        self.moved = False

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Note that somebody scrolled: a view that grew and has no lines left to scroll to does not count."""
        super().watch_scroll_y(old_value, new_value)
        y = round(new_value)
        if y != self._first_y and not y == self.max_scroll_y < self._first_y:
            self.moved = True

    def show_row(self, row: int) -> None:
        """Bring a row of the comparison to the top."""
        for y, line in enumerate(self.laid_out.lines):
            if line.row >= row:
                self.scroll_to(y=y, animate=False)
                return

    def line_at(self, y: int) -> ScreenLine | None:
        """The laid out line that stands ``y`` lines from the beginning."""
        return self.laid_out.lines[y] if 0 <= y < len(self.laid_out.lines) else None

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines in view. They bring their own background and there is no frame around them, so that
        nothing of what Textual lays over the lines of other widgets is needed.
        """
        strips = [self.render_line(y) for y in crop.line_range]
        background = self.background_colors[1]
        for filter_ in self.get_line_filters():
            strips = [strip.apply_filter(filter_, background) for strip in strips]
        if crop.column_span != (0, self.size.width):
            strips = [strip.crop(*crop.column_span) for strip in strips]
        return strips

    def action_scroll_down(self) -> None:
        """A line down."""
        self.scroll_relative(y=1, animate=False)

    def action_scroll_up(self) -> None:
        """A line up."""
        self.scroll_relative(y=-1, animate=False)

    def action_page_down(self) -> None:
        """A screen further."""
        self.scroll_relative(y=max(self.size.height - 1, 1), animate=False)

    def action_page_up(self) -> None:
        """A screen back."""
        self.scroll_relative(y=-max(self.size.height - 1, 1), animate=False)

    def action_top(self) -> None:
        """First line."""
        self.scroll_to(y=0, animate=False)

    def action_bottom(self) -> None:
        """Last line."""
        self.scroll_to(y=self.max_scroll_y, animate=False)

    def action_left(self) -> None:
        """Long lines back."""
        self.scroll_relative(x=-_SIDEWAYS, animate=False)

    def action_right(self) -> None:
        """Long lines further."""
        self.scroll_relative(x=_SIDEWAYS, animate=False)

    def action_next_hunk(self) -> None:
        """Go to the next change."""
        self._step(self.laid_out.hunks, 1)

    def action_previous_hunk(self) -> None:
        """Go to the change before."""
        self._step(self.laid_out.hunks, -1)

    def action_deciding(self) -> None:
        """Go to the next deciding line, round and round."""
        self._step(self.laid_out.deciding, 1, around=True)

    def _step(self, stops: list[int], direction: int, *, around: bool = False) -> None:
        here = round(self.scroll_target_y) + _LEAD
        ahead = [y for y in stops if (y - here) * direction > 0]
        reachable = [y for y in ahead if direction < 0 or here - _LEAD < self.max_scroll_y]
        if not reachable and around:
            reachable = stops
        if reachable:
            target = min(reachable) if direction > 0 else max(reachable)
            self.scroll_to(y=max(target - _LEAD, 0), animate=False)
