"""A scroll view whose bar stands right from the moment it is there."""

from __future__ import annotations

from textual.scroll_view import ScrollView


class Scrolled(ScrollView):
    """Textual tells a scroll bar only of moves made while it is shown; this tells it what came before."""

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        """Put the bar where the view is."""
        if shown:
            self.vertical_scrollbar.position = self.scroll_y
