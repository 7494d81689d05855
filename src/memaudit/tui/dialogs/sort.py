"""In which order claims are listed."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.dialogs.choices import Choice, Choices
from memaudit.tui.sorting import EXPLAINED, Sort


class SortDialog(Dialog[Sort]):
    """Gives back the order that was chosen, None for the one there is."""

    DEFAULT_CSS = """
    SortDialog { align: left bottom; background: transparent; }
    SortDialog > Vertical { width: 66; max-width: 100%; max-height: 100%; margin: 2 0 1 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("O,q", "leave", "Close", show=False)]

    def __init__(self, sort: Sort) -> None:
        super().__init__()
        self._sort = sort

    def compose(self) -> ComposeResult:
        """Title, orders, keys."""
        with Vertical():
            yield Title("Sort", f"now: {self._sort.value}")
            choices = (Choice(sort.value, sort.value, EXPLAINED[sort]) for sort in Sort)
            yield Choices(choices, cursor=self._sort.value)
            yield Keys(("enter", "sort"), ("esc", "back"))

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """This one."""
        self.dismiss(Sort(event.value))
