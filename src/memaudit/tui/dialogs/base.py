"""What all dialogs share: a box in the middle of the screen, a title, a line of keys, Esc to leave."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType

from memaudit.tui.cells import fit, fit_end
from memaudit.tui.dialogs.once import Answer, Once
from memaudit.tui.keymap import key_named, keymap_of, press_key
from memaudit.tui.lines import Lines, Row

_GAP = 3


class Title(Lines):
    """The title of a dialog."""

    DEFAULT_CSS = """
    Title { height: 1; background: $panel; padding: 0 1; }
    """

    def __init__(self, text: str, note: str = "", *, keep_end: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self.text = text
        self.note = note
        self._keep_end = keep_end
        """Whether a note that has no room is cut at its beginning, like the path of a file."""

    def say(self, text: str, note: str = "") -> None:
        """Another title."""
        self.text, self.note = text, note
        self.renew()

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row."""
        room = max(width - len(self.text) - 2, 0)
        note = fit_end(self.note, room).lstrip() if self._keep_end else fit(self.note, room)
        return [[(self.text, "strong"), ("  ", ""), (note, "muted")]]


class Keys(Lines):
    """The keys of a dialog, which can be clicked; the last one, the way back, is never left out.

    Each entry is a key, or several with blanks between them, and what it does. ``esc`` stands for the
    key that goes back, whichever that is.
    """

    DEFAULT_CSS = """
    Keys { height: 1; padding: 0 1; }
    """

    def __init__(self, *keys: tuple[str, str], id: str | None = None) -> None:
        super().__init__(id=id)
        self._keys = keys
        self._spans: list[tuple[int, int, str]] = []

    def say(self, *keys: tuple[str, str]) -> None:
        """Other keys."""
        self._keys = keys
        self.renew()

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row."""
        back = keymap_of(self).key("back")
        entries = [(back if keys == "esc" else keys, name) for keys, name in self._keys]
        sizes = [cell_len(keys) + cell_len(name) + 1 for keys, name in entries]
        room = width - (sizes[-1] if sizes else 0)
        row: list[tuple[str, str]] = []
        self._spans = []
        at = 0
        for number, ((keys, name), size) in enumerate(zip(entries, sizes, strict=True), 1):
            gap = _GAP if number < len(entries) else 0
            if gap and at + size + gap > room:
                continue
            row += [(keys, "key"), (f" {name}{' ' * gap}", "muted")]
            self._add_spans(at, size, keys)
            at += size + gap
        return [row]

    def _add_spans(self, at: int, size: int, keys: str) -> None:
        """Each of several keys is its own place; the words behind them stand for the first one."""
        start = at
        for key in keys.split():
            self._spans.append((start, start + cell_len(key), key))
            start += cell_len(key) + 1
        self._spans.append((start, at + size, keys.split()[0]))

    def on_click(self, event: events.Click) -> None:
        """Press the key clicked on."""
        at = event.get_content_offset_capture(self).x
        for start, end, shown in self._spans:
            if start <= at < end and (key := key_named(shown)):
                press_key(self, key)
                return


class Dialog(Once[Answer]):
    """A screen over the review; Esc, or a click beside it, gives back None."""

    holds_text: ClassVar[bool] = False
    """Whether something typed would be lost by a click that went astray."""

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

    def on_click(self, event: events.Click) -> None:
        """Leave when the click went beside the box."""
        clicked, _ = self.get_widget_at(*event.screen_offset)
        if clicked is self and not self.holds_text:
            self.action_leave()

    def action_leave(self) -> None:
        """Close without an answer."""
        self.dismiss(None)
