"""Two texts beside each other, or in one column where there is no room: the diff widget.

Draws only the lines in view; words that differ and syntax colour are found for those alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from heapq import nlargest
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import BindingType
from textual.geometry import Offset, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.worker import Worker, WorkerState

from memaudit.tui.actions import Scope, bindings
from memaudit.tui.diff_layout import Layout, ScreenLine, Show
from memaudit.tui.diff_model import LineDiff
from memaudit.tui.diff_paint import Gutter, Painter
from memaudit.tui.highlight import Highlighter, Line, lex
from memaudit.tui.jump import Target
from memaudit.tui.roles import Roles

SPLIT_WIDTH = 100
"""Cells from which the sides stand beside each other unless told otherwise."""

_CACHED_STRIPS = 1_000
_NOTHING = Layout(LineDiff("", ""), split=False)


class SplitDiff(ScrollView, can_focus=True):
    """A comparison that can be scrolled, folded and stepped through change by change."""

    DEFAULT_CSS = """
    SplitDiff {
        overflow: auto auto;
        scrollbar-size: 0 1;
        & > .split-diff--gutter { color: $faint; }
        & > .split-diff--added { color: $added; text-style: $added-style; }
        & > .split-diff--removed { color: $removed; text-style: $removed-style; }
        & > .split-diff--added-line { background: $added-line; }
        & > .split-diff--removed-line { background: $removed-line; }
        & > .split-diff--added-word { background: $added-word; text-style: $word-style; }
        & > .split-diff--removed-word { background: $removed-word; text-style: $word-style; }
        & > .split-diff--deciding { color: $deciding; text-style: bold; }
        & > .split-diff--filler { color: $faint; }
        & > .split-diff--fold { color: $muted; }
        & > .split-diff--note { color: $muted; text-style: italic; }
        & > .split-diff--keyword { color: $syntax-keyword; }
        & > .split-diff--string { color: $syntax-string; }
        & > .split-diff--comment { color: $syntax-comment; }
        & > .split-diff--number { color: $syntax-number; }
        & > .split-diff--name { color: $syntax-name; }
        & > .split-diff--type { color: $syntax-type; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "split-diff--gutter",
        "split-diff--added",
        "split-diff--removed",
        "split-diff--added-line",
        "split-diff--removed-line",
        "split-diff--added-word",
        "split-diff--removed-word",
        "split-diff--deciding",
        "split-diff--filler",
        "split-diff--fold",
        "split-diff--note",
        "split-diff--keyword",
        "split-diff--string",
        "split-diff--comment",
        "split-diff--number",
        "split-diff--name",
        "split-diff--type",
    }
    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.DIFF)

    split: reactive[bool | None] = reactive[bool | None](None, init=False)
    """Side by side or not; None leaves it to the width."""

    class Arranged(Message):
        """The lines were laid out anew: side by side or not."""

        def __init__(self, split: bool) -> None:
            self.split = split
            super().__init__()

    def __init__(self, *, split: bool | None = None, id: str | None = None) -> None:
        super().__init__(id=id)
        self.set_reactive(SplitDiff.split, split)
        self._diff = LineDiff("", "")
        self._layout = _NOTHING
        self._to_first = True
        self._first_y = 0
        """The line that was scrolled to for the first deciding line."""
        self._is_split = False
        self._prose = False
        self._deciding: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
        self._opened: set[int] = set()
        self._highlighters = (Highlighter("", 0), Highlighter("", 0))
        self._number_width = 1
        self._laid_out_for: tuple[object, ...] = ()
        self._strips: dict[tuple[int, int], Strip] = {}
        self._generation = 0
        self._roles = Roles(self, "split-diff")

    # What the owner calls

    def show(
        self,
        diff: LineDiff,
        *,
        paths: tuple[str, str] = ("", ""),
        prose: bool = False,
        deciding: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset()),
        numbers: bool = True,
        keep_place: bool = False,
    ) -> None:
        """Show a comparison, scrolled to its first deciding line, else to its first change.

        ``paths`` name the two files for syntax colour. ``prose`` wraps long lines instead of cutting
        them at the edge. ``deciding`` holds line indices of either side. Without ``numbers`` the
        lines are not numbered. With ``keep_place`` the view
        stays where it is.
        """
        self._diff = diff
        self._prose = prose
        self._deciding = deciding
        self._generation += 1
        if not keep_place:
            self._opened = set()
        self._highlighters = (
            Highlighter(paths[0], len(diff.before)),
            Highlighter(paths[1], len(diff.after)),
        )
        self._number_width = len(str(max(len(diff.before), len(diff.after), 1))) if numbers else 0
        self._laid_out_for = ()
        self._to_first = not keep_place
        self._lay_out()

    @property
    def is_split(self) -> bool:
        """Whether the sides stand beside each other now."""
        return self._is_split

    @property
    def hunks(self) -> int:
        """The number of runs of changed lines."""
        return len(self._layout.hunks)

    # Layout

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if width <= 0:
            # Hidden: nothing of the comparison before may be drawn when the room comes back.
            self._layout = _NOTHING
            return
        split = width >= SPLIT_WIDTH if self.split is None else self.split
        if not (self._diff.has_before and self._diff.has_after):
            split = False
        wanted = (width, split, self._generation, frozenset(self._opened))
        if wanted == self._laid_out_for:
            return
        self._laid_out_for = wanted
        changed = split != self._is_split
        self._is_split = split
        self._layout = Layout(
            self._diff,
            split=split,
            wrap_width=self._text_width if self._prose else 0,
            deciding=self._deciding,
            opened=self._opened,
        )
        self._strips.clear()
        notes = len(self._diff.notes)
        self.virtual_size = Size(width + self._overhang(), len(self._layout.lines) + notes)
        self.refresh()
        if self._to_first:
            self._to_first = False
            self._show_first()
        if changed:
            self.post_message(self.Arranged(split))

    @property
    def _gutter(self) -> Gutter:
        """What stands before the text."""
        return Gutter(self._number_width, both=not self._is_split)

    @property
    def _text_width(self) -> int:
        """Cells of text of one side."""
        if self._is_split:
            return max((self.scrollable_content_region.width - 1) // 2 - self._gutter.width, 1)
        return max(self.scrollable_content_region.width - self._gutter.width, 1)

    def _overhang(self) -> int:
        """How many cells of the longest line do not fit."""
        if self._prose:
            return 0
        longest = 0
        for side, lines in ((0, self._diff.before), (1, self._diff.after)):
            candidates = nlargest(8, enumerate(lines), key=lambda item: len(item[1]))
            longest = max([longest, *(cell_len(self._diff.shown(side, index)) for index, _ in candidates)])
        return max(longest - self._text_width, 0)

    def _show_first(self) -> None:
        """Bring the first deciding line into view, with those after it that fit, else the first change."""
        target = (self._layout.deciding or self._layout.hunks or [0])[0]
        height = self.size.height
        last = max([target, *(y for y in self._layout.deciding if y - target < height)])
        self._first_y = 0
        if last >= height - 2:
            self._first_y = max(target - height // 3, min(last - height + 1, target), 0)
        # The scroll bar of a longer comparison than the one before comes with the next refresh only, and
        # without one nothing scrolls unless forced.
        self.scroll_to(x=0, y=self._first_y, animate=False, force=True)

    def on_resize(self) -> None:
        """Lay out for the new width; the first line in view stays the first."""
        self._lay_out_around_top()

    def watch_split(self) -> None:
        """Switch between one and two columns around the first line in view."""
        self._lay_out_around_top()

    def _lay_out_around_top(self) -> None:
        """Lay out anew: a view nobody has moved still shows what decides, any other keeps its first line."""
        unmoved = round(self.scroll_y) == self._first_y
        top = None if self._to_first else self._line_at(round(self.scroll_y))
        self._lay_out()
        if unmoved:
            self._show_first()
        elif top is not None:
            self._scroll_to_row(top.row)

    def _line_at(self, y: int) -> ScreenLine | None:
        return self._layout.lines[y] if 0 <= y < len(self._layout.lines) else None

    def _scroll_to_row(self, row: int) -> None:
        for y, line in enumerate(self._layout.lines):
            if line.row >= row:
                self.scroll_to(y=y, animate=False)
                return

    def notify_style_update(self) -> None:
        """Forget lines drawn in the old theme."""
        super().notify_style_update()
        self._strips.clear()
        self._roles.forget()

    # Keys and mouse

    def action_scroll_down(self) -> None:
        """A line down."""
        self.scroll_relative(y=1, animate=False)

    def action_scroll_up(self) -> None:
        """A line up."""
        self.scroll_relative(y=-1, animate=False)

    def action_page_down(self) -> None:
        """A screen further."""
        self.scroll_relative(y=max(self.size.height - 1, 1), animate=False)

    def action_page_up(self) -> None:
        """A screen back."""
        self.scroll_relative(y=-max(self.size.height - 1, 1), animate=False)

    def action_top(self) -> None:
        """First line."""
        self.scroll_to(y=0, animate=False)

    def action_bottom(self) -> None:
        """Last line."""
        self.scroll_to(y=self.max_scroll_y, animate=False)

    def action_left(self) -> None:
        """Long lines back."""
        self.scroll_relative(x=-8, animate=False)

    def action_right(self) -> None:
        """Long lines further."""
        self.scroll_relative(x=8, animate=False)

    def action_next_hunk(self) -> None:
        """Go to the next change."""
        self._step(self._layout.hunks, 1)

    def action_previous_hunk(self) -> None:
        """Go to the change before."""
        self._step(self._layout.hunks, -1)

    def action_deciding(self) -> None:
        """Go to the next deciding line, round and round."""
        self._step(self._layout.deciding, 1, around=True)

    def _step(self, stops: list[int], direction: int, *, around: bool = False) -> None:
        lead = 2
        here = round(self.scroll_target_y) + lead
        ahead = [y for y in stops if (y - here) * direction > 0]
        reachable = [y for y in ahead if direction < 0 or here - lead < self.max_scroll_y]
        if not reachable and around:
            reachable = stops
        if reachable:
            target = min(reachable) if direction > 0 else max(reachable)
            self.scroll_to(y=max(target - lead, 0), animate=False)

    def action_unfold(self) -> None:
        """Open the first fold in view; fold all opened ones again when there is none."""
        top = round(self.scroll_y)
        for line in self._layout.lines[top : top + self.size.height]:
            if line.show is Show.FOLD:
                self._opened.add(line.row)
                self._lay_out()
                return
        if self._opened:
            self._opened.clear()
            self._lay_out()

    def jump_targets(self) -> Sequence[Target]:
        """The comparison itself, and the folds in view."""
        top = round(self.scroll_y)
        lines = self._layout.lines[top : top + self.size.height]
        folds = [
            Target(Offset(0, y), partial(self._open_fold, line.row))
            for y, line in enumerate(lines)
            if line.show is Show.FOLD
        ]
        first = [] if folds and folds[0].at.y == 0 else [Target(Offset(0, 0), self.focus)]
        return [*first, *folds]

    def _open_fold(self, row: int) -> None:
        self.focus()
        self._opened.add(row)
        self._lay_out()

    def on_click(self, event: events.Click) -> None:
        """Open the fold clicked on."""
        line = self._line_at(event.y + self.scroll_offset.y)
        if line is not None and line.show is Show.FOLD:
            self._opened.add(line.row)
            self._lay_out()

    # Drawing

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        width = self.scrollable_content_region.width
        if width <= 0:
            return Strip([], 0)
        number, shift = y + self.scroll_offset.y, self.scroll_offset.x
        strip = self._strips.get((number, shift))
        if strip is None:
            if len(self._strips) >= _CACHED_STRIPS:
                self._strips.clear()
            strip = self._strips[(number, shift)] = self._painter(width).draw(number, shift)
        return strip

    def _painter(self, width: int) -> Painter:
        return Painter(
            diff=self._diff,
            layout=self._layout,
            width=width,
            gutter=self._gutter,
            prose=self._prose,
            roles=self._roles,
            tokens=self._tokens,
        )

    def _tokens(self, side: int, index: int) -> Line:
        highlighter = self._highlighters[side]
        known = highlighter.line(index)
        if known is None and highlighter.path:
            stretch = highlighter.missing(index)
            if stretch is not None:
                self.call_later(self._lex, side, highlighter, stretch)
        return known or ()

    def _lex(self, side: int, highlighter: Highlighter, stretch: tuple[int, int, int]) -> None:
        """Lex a stretch of lines in a thread; the lines are drawn again when it is done."""
        read_from, wanted_from, end = stretch
        diff = self._diff
        if highlighter is not self._highlighters[side]:
            return

        def work() -> tuple[Highlighter, int, list[Line]]:
            lines = [diff.shown(side, index) for index in range(read_from, end)]
            return highlighter, wanted_from, lex(highlighter.path, lines)[wanted_from - read_from :]

        self.run_worker(work, thread=True, group="lex", exit_on_error=False)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Take in lexed lines."""
        if event.worker.group != "lex" or event.state is not WorkerState.SUCCESS:
            return
        event.stop()
        found: tuple[Highlighter, int, list[Line]] = event.worker.result  # type: ignore[assignment]
        highlighter, first, lines = found
        highlighter.put(first, lines)
        if highlighter in self._highlighters:
            self._strips.clear()
            self.refresh()
