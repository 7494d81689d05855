"""What is listed: by verdict, decision, kind and file, applied at once while choosing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Resize

from memaudit.domain import ClaimKind
from memaudit.text import visible
from memaudit.tui.board import GROUPS, Board, Filter, Group
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.dialogs.choices import Choice, Choices

_AROUND = 7
"""Rows of the dialog that are no choices: margins, border, title and keys."""

_MOST_CHOICES = 22


class FilterDialog(Dialog[None]):
    """Calls ``apply`` at every choice; closing it changes nothing more."""

    DEFAULT_CSS = """
    FilterDialog { align: left bottom; background: transparent; }
    FilterDialog > Vertical { width: 60; max-width: 100%; max-height: 100%; margin: 2 0 1 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "clear", "Show all", show=False),
        Binding("f", "leave", "Close", show=False, id="review.filter"),
        Binding("q", "leave", "Close", show=False),
    ]

    def __init__(self, board: Board, apply: Callable[[Filter], None]) -> None:
        super().__init__()
        self._apply_to_list = apply
        self._board = board
        self._filter = board.filter

    def compose(self) -> ComposeResult:
        """Title, choices, keys."""
        with Vertical():
            yield Title("Filter", "what is marked is listed; nothing marked: all")
            yield Choices(self._choices())
            yield Keys(("space", "mark"), ("c", "show all"), ("esc", "done"))

    def on_mount(self) -> None:
        """Fit the choices before they are laid out for the first time."""
        self._fit(self.app.size.height)

    def on_resize(self, event: Resize) -> None:
        """Let the choices scroll before they push the keys off the screen."""
        self._fit(event.size.height)

    def _fit(self, height: int) -> None:
        self.query_one(Choices).styles.max_height = min(max(height - _AROUND, 1), _MOST_CHOICES)

    def _choices(self) -> list[Choice]:
        board, wanted = self._board, self._filter
        choices = [Choice("Verdict")]
        groups = board.counts()
        choices += [
            Choice(group.value, f"group:{group.value}", f"{groups[group]:,}", group in wanted.groups)
            for group in dict.fromkeys(GROUPS.values())
            if groups[group] or group in wanted.groups
        ]
        decided = len(board.decisions)
        choices += [
            Choice("Decision"),
            Choice("decided", "decided:yes", f"{decided:,}", wanted.decided is True),
            Choice("undecided", "decided:no", f"{len(board.claims) - decided:,}", wanted.decided is False),
            Choice("Kind"),
        ]
        kinds = board.tally(lambda index: board.claims[index].kind.value)
        choices += [
            Choice(kind.value, f"kind:{kind.value}", f"{kinds[kind.value]:,}", kind in wanted.kinds)
            for kind in ClaimKind
            if kind.value in kinds
        ]
        files = board.tally(lambda index: board.claims[index].document)
        if len(files) > 1:
            choices.append(Choice("File"))
            choices += [
                Choice(visible(path), f"file:{path}", f"{count:,}", path in wanted.files)
                for path, count in files.items()
            ]
        return choices

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """Mark or unmark."""
        part, _, value = event.value.partition(":")
        wanted = self._filter
        if part == "group":
            wanted = replace(wanted, groups=wanted.groups ^ {Group(value)})
        elif part == "kind":
            wanted = replace(wanted, kinds=wanted.kinds ^ {ClaimKind(value)})
        elif part == "file":
            wanted = replace(wanted, files=wanted.files ^ {value})
        else:
            flag = value == "yes"
            wanted = replace(wanted, decided=None if wanted.decided is flag else flag)
        self._apply(wanted)

    def action_clear(self) -> None:
        """List everything that matches the search."""
        self._apply(Filter(query=self._filter.query))

    def _apply(self, wanted: Filter) -> None:
        self._filter = wanted
        self._apply_to_list(wanted)
        self.query_one(Choices).offer(self._choices())
