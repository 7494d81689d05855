"""A short list to choose from with headings, counts and marks: filters, themes, formats, answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from memaudit.tui.cells import fit, styled
from memaudit.tui.scrolled import Scrolled


@dataclass(frozen=True)
class Choice:
    """One line; without a ``value`` it is a heading."""

    label: str
    value: str = ""
    note: str = ""
    chosen: bool | None = None
    """Whether it is marked; None for a list without marks."""


class Choices(Scrolled, can_focus=True):
    """Lines with a cursor that skips headings."""

    DEFAULT_CSS = """
    Choices {
        height: auto;
        max-height: 100%;
        overflow: hidden auto;
        scrollbar-size-vertical: 1;
        & > .choices--heading { color: $muted; text-style: bold; }
        & > .choices--note { color: $muted; }
        & > .choices--mark { color: $primary; text-style: bold; }
        & > .choices--cursor { background: $cursor; text-style: $cursor-style; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "choices--heading",
        "choices--note",
        "choices--mark",
        "choices--cursor",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", show=False),
        Binding("up,k", "move(-1)", show=False),
        Binding("home,g", "edge(1)", show=False),
        Binding("end,G", "edge(-1)", show=False),
        Binding("enter,space", "choose", show=False),
    ]

    class Moved(Message):
        """The cursor stands on another choice."""

        def __init__(self, value: str) -> None:
            self.value = value
            super().__init__()

    class Chosen(Message):
        """A choice was made."""

        def __init__(self, value: str) -> None:
            self.value = value
            super().__init__()

    def __init__(self, choices: Iterable[Choice] = (), *, cursor: str = "", id: str | None = None) -> None:
        super().__init__(id=id)
        self._choices = tuple(choices)
        self._row = 0
        self.offer(self._choices)
        for row, choice in enumerate(self._choices):
            if cursor and choice.value == cursor:
                self._row = row

    @property
    def value(self) -> str:
        """The value under the cursor."""
        return self._choices[self._row].value if self._choices else ""

    def offer(self, choices: Iterable[Choice]) -> None:
        """Other choices, the cursor where it was."""
        self._choices = tuple(choices)
        self._row = min(self._row, max(len(self._choices) - 1, 0))
        if self._choices and not self._choices[self._row].value:
            self._seek(1)
        self.virtual_size = Size(1, len(self._choices))
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One row per choice."""
        return len(self._choices)

    def action_move(self, step: int) -> None:
        """To the next or previous choice."""
        self._seek(step)

    def action_edge(self, step: int) -> None:
        """To the first or last choice."""
        self._row = -1 if step > 0 else len(self._choices)
        self._seek(step)

    def leap(self, step: int) -> None:
        """To the first choice below the next or the previous heading, round the ends."""
        firsts = [row for row in range(1, len(self._choices)) if not self._choices[row - 1].value]
        if not firsts:
            return
        here = max((number for number, row in enumerate(firsts) if row <= self._row), default=0)
        self._row = firsts[(here + step) % len(firsts)] - 1
        self._seek(1)

    @property
    def marked(self) -> bool:
        """Whether the choice under the cursor is marked."""
        return bool(self._choices and self._choices[self._row].chosen)

    def action_choose(self) -> None:
        """Take the choice under the cursor."""
        if self.value:
            self.post_message(self.Chosen(self.value))

    def on_click(self, event: events.Click) -> None:
        """Take the choice clicked on."""
        row = event.y + self.scroll_offset.y
        if 0 <= row < len(self._choices) and self._choices[row].value:
            self._row = row
            self.refresh()
            self.action_choose()

    def _seek(self, step: int) -> None:
        row = self._row + step
        while 0 <= row < len(self._choices) and not self._choices[row].value:
            row += step
        if 0 <= row < len(self._choices):
            self._row = row
            self.scroll_to_region(self._with_headings(row), animate=False)
            self.post_message(self.Moved(self.value))
        self._row = max(0, min(self._row, len(self._choices) - 1))
        self.refresh()

    def _with_headings(self, row: int) -> Region:
        """A choice with the heading above it, and the last one with what is said below: no key goes there."""
        first, end = row, row + 1
        while first and not self._choices[first - 1].value:
            first -= 1
        if not any(choice.value for choice in self._choices[end:]):
            end = len(self._choices)
        return Region(0, first, 1, end - first)

    def render_line(self, y: int) -> Strip:
        """One choice."""
        width = self.scrollable_content_region.width
        row = y + self.scroll_offset.y
        base = self.rich_style
        if row >= len(self._choices):
            return Strip.blank(width, base)
        choice = self._choices[row]
        if row == self._row and choice.value:
            base += self.get_component_rich_style("choices--cursor", partial=True)
        heading = self.get_component_rich_style("choices--heading", partial=True)
        note = self.get_component_rich_style("choices--note", partial=True)
        mark = self.get_component_rich_style("choices--mark", partial=True)
        if not choice.value:
            return Strip(styled([(fit(f" {choice.label}", width), base + heading)]), width)
        sign = "" if choice.chosen is None else ("[x] " if choice.chosen else "[ ] ")
        room = max(width - len(sign) - 4 - cell_len(choice.note), 0)
        parts = [
            ("  ", base),
            (sign, base + mark),
            (fit(choice.label, room), base),
            (f" {choice.note} ", base + note),
        ]
        return Strip(styled(parts)).adjust_cell_length(width, base)
