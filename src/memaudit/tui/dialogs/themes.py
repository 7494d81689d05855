"""The choice of a theme, shown while choosing."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import ComposeResult
from textual.containers import Vertical

from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.dialogs.choices import Choice, Choices


class ThemeDialog(Dialog[str]):
    """Gives back the name of the chosen theme; Esc brings the old one back."""

    DEFAULT_CSS = """
    ThemeDialog { background: transparent; align: right bottom; }
    ThemeDialog > Vertical { width: 44; max-width: 100%; margin: 0 1 1 0; }
    """

    def __init__(self, themes: Iterable[tuple[str, str]], current: str) -> None:
        super().__init__()
        self._themes = list(themes)
        self._before = current

    def compose(self) -> ComposeResult:
        """Title, names, keys."""
        with Vertical():
            yield Title("Theme", "kept in your settings")
            yield Choices((Choice(name, name, note) for name, note in self._themes), cursor=self._before)
            yield Keys(("enter", "keep"), ("esc", "back"))

    def on_choices_moved(self, event: Choices.Moved) -> None:
        """Show it."""
        self.app.theme = event.value

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """Keep it."""
        self.app.theme = event.value
        self.dismiss(event.value)

    def action_leave(self) -> None:
        """Back to the theme before."""
        self.app.theme = self._before
        self.dismiss(None)
