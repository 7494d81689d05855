"""What to copy: each thing with its own key and the text that it is."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Key

from memaudit.text import visible
from memaudit.tui.copying import Copyable
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.dialogs.choices import Choice, Choices

_LABEL = 26


class CopyMenu(Dialog[Copyable]):
    """Gives back what was chosen."""

    DEFAULT_CSS = """
    CopyMenu > Vertical { width: 90; max-width: 100%; max-height: 100%; }
    """

    def __init__(self, choices: Sequence[Copyable]) -> None:
        super().__init__()
        self._choices = {one.key: one for one in choices}

    def compose(self) -> ComposeResult:
        """Title, the things with their first line, keys."""
        with Vertical():
            yield Title("Copy")
            yield Choices(
                Choice(f"{one.key}  {one.what:<{_LABEL}}  {_first_line(one.text)}", one.key)
                for one in self._choices.values()
            )
            yield Keys(("enter", "copy"), ("y t p …", "copy that"), ("esc", "back"))

    def on_key(self, event: Key) -> None:
        """The key of one of them."""
        choice = self._choices.get(event.character or event.key)
        if choice is not None:
            event.stop()
            self.dismiss(choice)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """The one under the cursor."""
        self.dismiss(self._choices[event.value])


def _first_line(text: str) -> str:
    return visible(text.partition("\n")[0])
