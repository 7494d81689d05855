"""The row of tabs over the right side, and the row of keys at the bottom: both can be clicked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rich.cells import cell_len
from textual import events
from textual.geometry import Offset
from textual.message import Message

from memaudit.tui.actions import ACTIONS, Action, Scope
from memaudit.tui.jump import Target
from memaudit.tui.keymap import keymap_of
from memaudit.tui.lines import Lines, Row

TABS = ("evidence", "memory", "why", "history")
"""Ids of the tabs, which are also the ids of the actions that show them."""


class Clicked(Message):
    """A piece of a bar that stands for an action was clicked."""

    def __init__(self, action: str) -> None:
        self.action = action
        super().__init__()


class _Bar(Lines):
    """Pieces of text that stand for actions."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._spans: list[tuple[int, int, str]] = []

    def jump_targets(self) -> Sequence[Target]:
        """Every piece of the bar."""
        return [
            Target(Offset(start, 0), partial(self.post_message, Clicked(action)))
            for start, _, action in self._spans
        ]

    def on_click(self, event: events.Click) -> None:
        """Do what was clicked on."""
        for start, end, action in self._spans:
            if start <= event.x < end:
                self.post_message(Clicked(action))
                return


class TabBar(_Bar):
    """The tabs of the right side, and a word on the one shown."""

    DEFAULT_CSS = """
    TabBar { height: 1; background: $panel; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.active = TABS[0]
        self.note = ""
        self.focused = False
        """Whether the keys go to what the tab shows."""

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row."""
        row: list[tuple[str, str]] = []
        self._spans = []
        used = 0
        for number, tab in enumerate(TABS, 1):
            text = f" {number} {tab.capitalize()} "
            shown = "active" if self.focused else "resting"
            row.append((text, shown if tab == self.active else "muted"))
            self._spans.append((used, used + len(text), tab))
            used += len(text)
        note = f"{self.note} "
        if used + cell_len(note) + 1 <= width:
            row.append((" " * (width - used - cell_len(note)), ""))
            row.append((note, "muted"))
        return [row]


class KeyBar(_Bar):
    """The most important keys, as many as fit; saving has its place as soon as there is what to save."""

    DEFAULT_CSS = """
    KeyBar { height: 1; background: $panel; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.unusable: frozenset[str] = frozenset()
        """Ids of actions that cannot be done now."""
        self.scope = Scope.LIST

    def jump_targets(self) -> Sequence[Target]:
        """None: what stands here has a letter of its own."""
        return ()

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row."""
        self._spans = []
        last = [action for action in _footer() if action.id in ("help", "quit")]
        chosen = [action for action in self._candidates() if action not in last]
        room = width - sum(self._cells(action) for action in last)
        row: list[tuple[str, str]] = []
        used = 0
        kept_for = next((one for one in chosen if one.id == "save" and one.id not in self.unusable), None)
        for action in chosen:
            if action is kept_for:
                kept_for = None
            kept = self._cells(kept_for) if kept_for else 0
            if used + self._cells(action) + kept <= room:
                self._add(row, action, used)
                used += self._cells(action)
        gap = width - used - sum(self._cells(action) for action in last)
        if gap >= 0:
            row.append((" " * gap, ""))
            used += gap
            for action in last:
                self._add(row, action, used)
                used += self._cells(action)
        return [row]

    def _candidates(self) -> list[Action]:
        own = []
        if self.scope is Scope.DIFF:
            own = [
                action
                for action in ACTIONS
                if action.id in ("next_hunk", "previous_hunk", "unfold", "switch")
            ]
        return own + [action for action in _footer() if not (action.passing and action.id in self.unusable)]

    def _add(self, row: list[tuple[str, str]], action: Action, at: int) -> None:
        """Keys that cannot be used now stay where they are, only paler."""
        usable = action.id not in self.unusable
        row.append((f" {keymap_of(self).first(action)}", "key" if usable else "faint"))
        row.append((f" {action.name.lower()} ", "muted" if usable else "faint"))
        self._spans.append((at, at + self._cells(action), action.id))

    def _cells(self, action: Action) -> int:
        return len(keymap_of(self).first(action)) + len(action.name) + 3


def _footer() -> list[Action]:
    return sorted((action for action in ACTIONS if action.footer), key=lambda action: action.footer)
