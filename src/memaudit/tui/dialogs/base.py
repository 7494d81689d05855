"""What all dialogs share: a box in the middle of the screen, a title, a line of keys, Esc to leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeVar

from textual import events
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from memaudit.tui.cells import fit
from memaudit.tui.lines import Lines, Row

Answer = TypeVar("Answer")


class Title(Lines):
    """The title of a dialog."""

    DEFAULT_CSS = """
    Title { height: 1; background: $panel; padding: 0 1; }
    """

    def __init__(self, text: str, note: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.text = text
        self.note = note

    def say(self, text: str, note: str = "") -> None:
        """Another title."""
        self.text, self.note = text, note
        self.renew()

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row."""
        room = max(width - len(self.text) - 2, 0)
        return [[(self.text, "strong"), ("  ", ""), (fit(self.note, room), "muted")]]


class Keys(Lines):
    """The keys of a dialog."""

    DEFAULT_CSS = """
    Keys { height: 1; padding: 0 1; }
    """

    def __init__(self, *keys: tuple[str, str], id: str | None = None) -> None:
        super().__init__(id=id)
        self._keys = keys

    def say(self, *keys: tuple[str, str]) -> None:
        """Other keys."""
        self._keys = keys
        self.renew()

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row."""
        row: list[tuple[str, str]] = []
        used = 0
        for key, name in self._keys:
            used += len(key) + len(name) + 4
            if row and used > width + 3:
                break
            row += [(key, "key"), (f" {name}   ", "muted")]
        return [row]


class Dialog(ModalScreen[Answer]):
    """A screen over the review; Esc gives back None."""

    DEFAULT_CSS = """
    Dialog { align: center middle; background: $background 60%; }
    Dialog > Vertical { background: $surface; border: round $border-blurred; height: auto; }
    Dialog:ansi { background: transparent; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back", show=False, id="anywhere.back")
    ]

    def _on_mount(self, event: events.Mount) -> None:
        """Notices would lie over the keys of the dialog, and whoever opens it has moved on."""
        self.app.clear_notifications()

    def action_leave(self) -> None:
        """Close without an answer."""
        self.dismiss(None)
