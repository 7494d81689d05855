"""What stands in place of everything while the terminal is too small for it."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import ModalScreen

from memaudit.tui.panes.message import Hint

LEAST = Size(40, 12)
"""Columns and rows that the screen and its dialogs need."""


def is_too_small(size: Size) -> bool:
    """Whether this is less than the least."""
    return size.width < LEAST.width or size.height < LEAST.height


class TooSmall(ModalScreen[None]):
    """Says so, and goes away as soon as there is room; what lies below stays as it is."""

    DEFAULT_CSS = """
    TooSmall { background: $background; }
    """

    def compose(self) -> ComposeResult:
        """The words."""
        yield Hint()

    def on_mount(self) -> None:
        """Say it for this size."""
        self.renew(self.app.size)

    def on_screen_resume(self) -> None:
        """What was opened over it is closed: there may be room by now."""
        self.renew(self.app.size)

    def renew(self, size: Size) -> None:
        """Another size."""
        if not is_too_small(size) and self.app.screen is self:
            self.dismiss(None)
            return
        self.query_one(Hint).show(
            f"This window has {size.width} x {size.height} cells.",
            f"memaudit needs {LEAST.width} x {LEAST.height}: make it larger.",
            "^c twice leaves.",
        )
