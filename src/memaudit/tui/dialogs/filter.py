"""What is listed: by verdict, origin, decision, kind, file, commit and author, applied while choosing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Resize

from memaudit.domain import ClaimKind, CommitInfo, Origin
from memaudit.text import visible
from memaudit.tui.board import GROUPS, Board, Filter, Group
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.dialogs.choices import Choice, Choices
from memaudit.tui.filters import ORIGINS, Decided
from memaudit.tui.ranks import breaking_commits

_AROUND = 7
"""Rows of the dialog that are no choices: margins, border, title and keys."""

_MOST_CHOICES = 22

_PARTS: dict[str, Callable[[str], object]] = {
    "groups": Group,
    "origins": Origin,
    "decisions": Decided,
    "kinds": ClaimKind,
    "files": str,
    "commits": str,
    "authors": str,
}
"""The parts of the filter that can be marked here, with what makes a value of its name."""

_TITLES = {
    "groups": "Verdict",
    "origins": "Stale",
    "decisions": "Decision",
    "kinds": "Kind",
    "files": "File",
    "commits": "Commit that made it stale",
    "authors": "Author of that commit",
}


def _values(board: Board, commits: Mapping[str, CommitInfo]) -> Mapping[str, Sequence[str]]:
    """The values that claims have, for every part in the order in which they are offered."""
    known = range(len(board.claims))
    had = {part: Counter(value for i in known for value in of(i)) for part, of in board.traits.parts.items()}
    fixed: dict[str, Iterable[str]] = {
        "groups": dict.fromkeys(GROUPS.values()),
        "origins": Origin,
        "decisions": Decided,
        "kinds": ClaimKind,
        "files": had["files"],
        "commits": sorted(had["commits"], key=lambda sha: commits[sha].date, reverse=True),
        "authors": sorted(had["authors"], key=lambda name: (-had["authors"][name], name)),
    }
    return {part: [value for value in fixed[part] if had[part][value]] for part in _TITLES}


class FilterDialog(Dialog[None]):
    """Calls ``apply`` at every choice; closing it changes nothing more.

    Space marks. Enter closes, and before that marks what is under the cursor if nothing was changed yet:
    for one choice, one key.
    """

    DEFAULT_CSS = """
    FilterDialog { align: left bottom; background: transparent; }
    FilterDialog > Vertical { width: 66; max-width: 100%; max-height: 100%; margin: 2 0 1 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("c", "clear", "Show all", show=False),
        Binding("tab", "part(1)", "Next part", show=False),
        Binding("shift+tab", "part(-1)", "Previous part", show=False),
        Binding("enter", "done", "List", show=False, priority=True),
        Binding("f", "leave", "Close", show=False, id="review.filter"),
        Binding("q", "leave", "Close", show=False),
    ]

    def __init__(self, board: Board, apply: Callable[[Filter], None]) -> None:
        super().__init__()
        self._apply_to_list = apply
        self._board = board
        self._filter = self._before = board.filter
        self._commits = {
            commit.sha: commit for judgement in board.judgements for commit in breaking_commits(judgement)
        }
        self._values = _values(board, self._commits)

    def compose(self) -> ComposeResult:
        """Title, choices, keys."""
        with Vertical():
            yield Title("Filter", "what is marked is listed; nothing marked: all")
            yield Choices(self._choices())
            yield Keys(
                ("space", "mark"),
                ("enter", "list these"),
                ("tab", "next part"),
                ("c", "show all"),
                ("esc", "back"),
            )

    def on_mount(self) -> None:
        """Fit the choices before they are laid out for the first time."""
        self._fit(self.app.size.height)

    def on_resize(self, event: Resize) -> None:
        """Let the choices scroll before they push the keys off the screen."""
        self._fit(event.size.height)

    def _fit(self, height: int) -> None:
        self.query_one(Choices).styles.max_height = min(max(height - _AROUND, 1), _MOST_CHOICES)

    def _choices(self) -> list[Choice]:
        choices, alike = [], []
        for (part, title), counts in zip(_TITLES.items(), self._tally(), strict=True):
            section = self._section(title, part, counts)
            choices += section
            if not section:
                alike.append(title[0].lower() + title[1:])
        if alike:
            choices.append(Choice(f"Nothing to choose by {', '.join(alike)}"))
        return choices

    def _tally(self) -> Iterator[Mapping[str, int]]:
        """The values of every part in turn, with how many claims of them the other parts let through."""
        board, made = self._board, self._board.traits.parts
        for part, values in self._values.items():
            counts = Counter(
                value for index in board.passing(self._filter.without(part)) for value in made[part](index)
            )
            yield {value: counts[value] for value in values}

    def _section(self, title: str, part: str, counts: Mapping[str, int]) -> list[Choice]:
        """One part of the filter; left out where it could not tell claims apart."""
        wanted = getattr(self._filter, part)
        values = [*counts, *sorted(str(value) for value in wanted if value not in counts)]
        if len(values) < 2 and not wanted:
            return []
        return [
            Choice(title),
            *(
                Choice(
                    self._label(part, value), f"{part}:{value}", f"{counts.get(value, 0):,}", value in wanted
                )
                for value in values
            ),
        ]

    def _label(self, part: str, value: str) -> str:
        if part == "origins":
            return ORIGINS[Origin(value)]
        if part == "commits":
            commit = self._commits.get(value)
            return visible(f"{value[:8]} {commit.summary if commit else ''}")
        return visible(value)

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """Mark or unmark."""
        self._toggle(event.value)

    def _toggle(self, value: str) -> None:
        part, _, name = value.partition(":")
        marked = frozenset({_PARTS[part](name)})
        self._apply(replace(self._filter, **{part: getattr(self._filter, part) ^ marked}))

    def action_done(self) -> None:
        """List what is marked, or the one choice under the cursor."""
        choices = self.query_one(Choices)
        if self._filter == self._before and not choices.marked:
            self._toggle(choices.value)
        self.dismiss(None)

    def action_part(self, step: int) -> None:
        """To the next part of the filter, or the one before."""
        self.query_one(Choices).leap(step)

    def action_clear(self) -> None:
        """List everything that matches the search."""
        self._apply(Filter(query=self._filter.query))

    def _apply(self, wanted: Filter) -> None:
        self._filter = wanted
        self._apply_to_list(wanted)
        self.query_one(Choices).offer(self._choices())
