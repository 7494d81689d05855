"""The line in which a search is typed, and the line that says what is listed and marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import Input

from memaudit.tui.cells import fit
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
    """What is listed, how much of it, and how many claims are marked."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.filter = ""
        self.listed = 0
        self.total = 0
        self.marked = 0

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row."""
        row: list[tuple[str, str]] = [(" ", "")]
        if self.marked:
            row.append((f"{self.marked:,} marked  ", "accent"))
        if self.filter:
            right = f"{self.listed:,} of {self.total:,}  esc all "
            used = sum(cell_len(text) for text, _ in row)
            room = width - used - len(right)
            if room > 8:
                row += [(fit(self.filter, room), "strong"), (right, "muted")]
            else:
                row.append((fit(self.filter, max(width - used, 0)), "strong"))
        elif self.marked:
            row.append(("decisions go to all of them; esc unmarks", "muted"))
        return [row]
