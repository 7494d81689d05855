"""The line in which a search is typed, and the line that says what is listed and marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from memaudit.text import visible
from memaudit.tui.board import Board
from memaudit.tui.cells import fit
from memaudit.tui.keymap import keymap_of
from memaudit.tui.lines import Lines, Row


class SearchBar(Input):
    """An input whose arrow keys move through the list below it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "steer(1)", show=False),
        Binding("up", "steer(-1)", show=False),
        Binding("escape", "clear_search", show=False, id="anywhere.back"),
    ]

    class Steered(Message):
        """The list is to move by this many rows."""

        def __init__(self, rows: int) -> None:
            self.rows = rows
            super().__init__()

    class Cleared(Message):
        """The search is over."""

    def action_steer(self, rows: int) -> None:
        """Move in the list while typing."""
        self.post_message(self.Steered(rows))

    def action_clear_search(self) -> None:
        """Empty and leave."""
        self.value = ""
        self.post_message(self.Cleared())


class FilterLine(Lines):
    """What is listed in which order, how much of it, and how many claims are marked."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._marks = self._filter = self._near = self._sort = self._count = ""

    def say(self, board: Board, sort: str, marked: int, unlisted: int) -> None:
        """Take over what the board lists; ``sort`` is empty for the usual order."""
        hidden = f", {unlisted:,} of them not listed" if unlisted else ""
        self._marks = f"{marked:,} marked{hidden}  " if marked else ""
        self._filter = visible(board.filter.describe())
        self._near = "  near matches only" if board.near and board.matched else ""
        self._sort = f"by {sort}  " if sort else ""
        self._count = f"{board.matched:,} of {len(board.claims):,}  " if self._filter else ""
        self.renew()

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row: what is cut first matters least."""
        keys = keymap_of(self)
        left = [(" ", ""), (self._marks, "accent")]
        way_out = keys.say("{show_all} all ") if self._filter else ""
        right = [(self._sort, "primary"), (self._count + way_out, "muted")]
        room = width - sum(cell_len(text) for text, _ in [*left, *right])
        if self._filter and room < 9:
            right, room = [], width - sum(cell_len(text) for text, _ in left)
        if self._filter:
            filter_ = fit(self._filter, min(cell_len(self._filter), max(room, 0)))
            near = fit(self._near, max(room - cell_len(filter_), 0))
            return [[*left, (filter_, "strong"), (near, "unknown"), *right]]
        hint = keys.say("decisions go to all of them; {back} unmarks") if self._marks else ""
        return [[*left, (fit(hint, max(room, 0)), "muted"), *right]]
