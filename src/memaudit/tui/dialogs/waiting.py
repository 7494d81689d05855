"""Another program keeps the review journal locked: says so at once, and goes away when it is free."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Vertical

from memaudit.errors import MemauditError
from memaudit.tui.auditing import BUSY_SECONDS
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.panes.message import Paragraphs


class Waiting(Dialog[bool]):
    """Gives back True as soon as ``is_free`` says so; whatever it raises is for the next attempt to meet."""

    DEFAULT_CSS = """
    Waiting > Vertical { width: 66; max-width: 100%; max-height: 100%; }
    Waiting Paragraphs { margin: 1 1; }
    """

    def __init__(self, line: str, is_free: Callable[[], bool]) -> None:
        super().__init__()
        self._line, self._is_free = line, is_free

    def compose(self) -> ComposeResult:
        """What is waited for."""
        with Vertical():
            yield Title("Waiting for the review journal")
            yield Paragraphs(f"{self._line}.", "What you decided is done as soon as it is free.")
            yield Keys(("esc", "give up: nothing is decided"))

    def on_mount(self) -> None:
        """Look again and again."""
        self.set_interval(BUSY_SECONDS, self._look)

    def _look(self) -> None:
        try:
            free = self._is_free()
        except MemauditError:
            free = True
        if free and self.is_current:
            self.dismiss(True)
