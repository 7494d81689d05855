"""What earlier reviews came to, in full."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll

from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.panes.message import Paragraphs


class RecapDialog(Dialog[None]):
    """Paragraphs that are safe to show."""

    DEFAULT_CSS = """
    RecapDialog > Vertical { width: 76; max-width: 100%; max-height: 100%; }
    RecapDialog VerticalScroll { height: auto; max-height: 24; padding: 1; }
    """

    def __init__(self, paragraphs: Sequence[str]) -> None:
        super().__init__()
        self._paragraphs = tuple(paragraphs)

    def compose(self) -> ComposeResult:
        """Title, paragraphs, keys."""
        with Vertical():
            yield Title("Earlier reviews")
            with VerticalScroll():
                yield Paragraphs(*self._paragraphs)
            yield Keys(("↑ ↓", "scroll"), ("esc", "back"))
