"""All keys, and why some of them do nothing right now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.geometry import Size

from memaudit.text import visible
from memaudit.tui.actions import Scope, of_scope
from memaudit.tui.cells import fit
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.diff_layout import wrapped
from memaudit.tui.keymap import keymap_of
from memaudit.tui.lines import Lines, Row
from memaudit.tui.situation import Situation

_KEYS = 13
_NAME = 20
_HINTS = (
    "Text is selected with the mouse while shift is held, as your terminal does it.",
    "If the terminal shows odd signs after a crash, type reset and enter.",
)


class Overview(Lines):
    """The table of actions, in one column or two."""

    DEFAULT_CSS = """
    Overview { height: auto; padding: 0 1; }
    """

    def __init__(self, now: Situation) -> None:
        super().__init__()
        self._now = now

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the table has."""
        return len(self.build(width, 0))

    def build(self, width: int, height: int) -> Sequence[Row]:
        """All rows."""
        rows: list[Row] = []
        name_width = _NAME if width >= 70 else 0
        for scope in Scope:
            rows.append([(scope.value, "primary")])
            for action in of_scope(scope):
                reason = visible(action.why_not(self._now)) if scope is Scope.REVIEW else ""
                text = f"not now: {reason}" if reason else action.help
                text = text if name_width else f"{action.name}: {text}"
                keys = keymap_of(self).shown(action)
                pale = bool(reason)
                left: Row = [
                    ("  ", ""),
                    (fit(keys, _KEYS - 1) + " ", "muted" if pale else "key"),
                    (fit(action.name, name_width), "muted" if pale else "strong"),
                ]
                for start, end in wrapped(text, max(width - _KEYS - name_width - 2, 1)):
                    rows.append([*left, (text[start:end], "muted")])
                    left = [(" " * (_KEYS + name_width + 2), "")]
            rows.append([])
        for sentence in _HINTS:
            rows += [[(sentence[start:end], "muted")] for start, end in wrapped(sentence, max(width, 1))]
        return rows


class HelpDialog(Dialog[None]):
    """All keys by where they work."""

    DEFAULT_CSS = """
    HelpDialog > Vertical { width: 104; max-width: 100%; height: 100%; }
    HelpDialog VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark", "leave", show=False, id="review.help"),
        Binding("q", "leave", show=False),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
    ]

    def __init__(self, now: Situation) -> None:
        super().__init__()
        self._now = now

    def compose(self) -> ComposeResult:
        """Title, table, keys."""
        with Vertical():
            yield Title("All keys", "grey ones cannot be used now, with the reason")
            with VerticalScroll():
                yield Overview(self._now)
            yield Keys(("↑ ↓", "scroll"), ("esc", "back"))

    def action_scroll(self, lines: int) -> None:
        """Up or down."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)
