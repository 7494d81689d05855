"""A question with a few answers, each with its own key."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import Key

from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.dialogs.choices import Choice, Choices
from memaudit.tui.panes.message import Paragraphs


class Confirm(Dialog[str]):
    """Asks, and gives back the key of the answer, or None for Esc.

    ``answers`` are pairs of a key and what it does; the first one is under the cursor.
    """

    DEFAULT_CSS = """
    Confirm > Vertical { width: 66; max-width: 100%; max-height: 100%; }
    Confirm Paragraphs { margin: 1 1; }
    Confirm Choices { margin-bottom: 1; }
    """

    def __init__(self, title: str, sentences: tuple[str, ...], answers: tuple[tuple[str, str], ...]) -> None:
        super().__init__()
        self._title, self._sentences, self._answers = title, sentences, answers

    def compose(self) -> ComposeResult:
        """Title, sentences, answers."""
        with Vertical():
            yield Title(self._title)
            yield Paragraphs(*self._sentences)
            yield Choices(Choice(text, key, key) for key, text in self._answers)
            yield Keys(("enter", "choose"), ("esc", "back"))

    def on_key(self, event: Key) -> None:
        """An answer's own key."""
        if event.key in dict(self._answers) or event.character in dict(self._answers):
            event.stop()
            self.dismiss(event.character if event.character in dict(self._answers) else event.key)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """The answer under the cursor."""
        self.dismiss(event.value)
