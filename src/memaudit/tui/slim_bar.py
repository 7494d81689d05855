"""A scroll bar that is drawn in few steps: Textual's own takes as long as forty lines of text."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip

from memaudit.tui.scrolled import Scrolled


class SlimBar(ScrollBar):
    """A vertical scroll bar of one cell; it looks and acts as any other."""

    _drawn_for: tuple[object, ...] = ()
    _drawn: list[Strip] = []  # noqa: RUF012

    def render_lines(self, crop: Region) -> list[Strip]:
        """The rows of the bar; rows that look alike are the same strip."""
        rendering = self.render()
        if not isinstance(rendering, ScrollBarRender) or self.size.width != 1:
            return super().render_lines(crop)
        wanted = (
            self.app.theme,
            self.size.height,
            rendering.virtual_size,
            rendering.window_size,
            rendering.position,
            rendering.style,
        )
        if wanted != self._drawn_for:
            self._drawn_for, self._drawn = wanted, self._draw(rendering)
        return self._drawn[crop.y : crop.bottom]

    def _draw(self, rendering: ScrollBarRender) -> list[Strip]:
        style = self.app.console.get_style(rendering.style)
        assert style.color is not None and style.bgcolor is not None
        segments = rendering.render_bar(
            size=self.size.height,
            virtual_size=rendering.virtual_size,
            window_size=rendering.window_size,
            position=rendering.position,
            thickness=1,
            vertical=True,
            back_color=style.bgcolor,
            bar_color=style.color,
        ).segments
        filters, background = self.get_line_filters(), self.background_colors[1]
        known: dict[Segment, Strip] = {}
        for segment in segments:
            if segment not in known:
                strip = Strip([segment], 1).apply_style(Style(bgcolor=background.rich_color))
                for filter_ in filters:
                    strip = strip.apply_filter(filter_, background)
                known[segment] = strip
        return [known[segment] for segment in segments]


class SlimScroll(Scrolled):
    """A view with such a bar."""

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """The bar, made when it is asked for first."""
        if self._vertical_scrollbar is None:
            bar = SlimBar(vertical=True, name="vertical", thickness=self.scrollbar_size_vertical)
            bar.display = False
            self._vertical_scrollbar = bar
            self.app._start_widget(self, bar)
        return self._vertical_scrollbar
