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
from textual.strip import Strip
from textual.worker import Worker, WorkerState

from memaudit.tui.actions import Scope, bindings
from memaudit.tui.diff_layout import Layout, Show
from memaudit.tui.diff_model import LineDiff
from memaudit.tui.diff_paint import Gutter, Painter
from memaudit.tui.diff_travel import NOTHING, Travelling
from memaudit.tui.highlight import Highlighter, Line, lex
from memaudit.tui.jump import Target
from memaudit.tui.roles import Roles

SPLIT_WIDTH = 100
"""Cells from which the sides stand beside each other unless told otherwise."""

_CACHED_STRIPS = 1_000


class SplitDiff(Travelling, can_focus=True):
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
        self._to_first = True
        self._is_split = False
        self._prose = False
        self._wrapped = {False: False, True: True}
        """Whether lines are wrapped, by whether they are prose: the user may have said otherwise."""
        self._deciding: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
        self._opened: set[int] = set()
        self._highlighters = (Highlighter("", 0), Highlighter("", 0))
        self._number_width = 1
        self._laid_out_for: tuple[object, ...] = ()
        self._strips: dict[tuple[int, int, int], Strip] = {}
        """Drawn lines by number, cells scrolled sideways, and width: a scroll bar comes and goes."""
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
    def is_wrapped(self) -> bool:
        """Whether long lines are wrapped now."""
        return self._wrapped[self._prose]

    @property
    def hunks(self) -> int:
        """The number of runs of changed lines."""
        return len(self.laid_out.hunks)

    # Layout

    def _lay_out(self) -> None:
        width = self.scrollable_content_region.width
        if width <= 0:
            # Hidden: nothing of the comparison before may be drawn when the room comes back.
            self.laid_out = NOTHING
            return
        split = width >= SPLIT_WIDTH if self.split is None else self.split
        if not (self._diff.has_before and self._diff.has_after):
            split = False
        wanted = (width, split, self.is_wrapped, self._generation, frozenset(self._opened))
        if wanted == self._laid_out_for:
            return
        self._laid_out_for = wanted
        changed = split != self._is_split
        self._is_split = split
        self.laid_out = Layout(
            self._diff,
            split=split,
            wrap_width=self._text_width if self.is_wrapped else 0,
            deciding=self._deciding,
            opened=self._opened,
        )
        self._strips.clear()
        notes = len(self._diff.notes)
        self.virtual_size = Size(width + self._overhang(), len(self.laid_out.lines) + notes)
        self.refresh()
        if self._to_first:
            self._to_first = False
            self.show_first()
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
        if self.is_wrapped:
            return 0
        longest = 0
        for side, lines in ((0, self._diff.before), (1, self._diff.after)):
            candidates = nlargest(8, enumerate(lines), key=lambda item: len(item[1]))
            longest = max([longest, *(cell_len(self._diff.shown(side, index)) for index, _ in candidates)])
        return max(longest - self._text_width, 0)

    def on_resize(self) -> None:
        """Lay out for the new width; the first line in view stays the first."""
        self._lay_out_around_top()

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        """Lay out for the width that the bar takes or leaves: no resize tells of it."""
        super().watch_show_vertical_scrollbar(shown)
        self.call_after_refresh(self._lay_out)

    def watch_split(self) -> None:
        """Switch between one and two columns around the first line in view."""
        self._lay_out_around_top()

    def _lay_out_around_top(self) -> None:
        """Lay out anew: a view nobody has moved still shows what decides, any other keeps its first line."""
        unmoved = not self.moved
        top = None if self._to_first else self.line_at(round(self.scroll_y))
        self._lay_out()
        if unmoved:
            self.show_first()
        elif top is not None:
            self.show_row(top.row)

    def notify_style_update(self) -> None:
        """Forget lines drawn in the old theme."""
        super().notify_style_update()
        self._strips.clear()
        self._roles.forget()

    # Keys and mouse

    def action_wrap(self) -> None:
        """Wrap long lines or not, here and in every other text of the same sort."""
        self._wrapped[self._prose] = not self.is_wrapped
        self._lay_out_around_top()

    def action_unfold(self) -> None:
        """Open the first fold in view; fold all opened ones again when there is none."""
        top = round(self.scroll_y)
        for line in self.laid_out.lines[top : top + self.size.height]:
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
        lines = self.laid_out.lines[top : top + self.size.height]
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
        line = self.line_at(event.y + self.scroll_offset.y)
        if line is not None and line.show is Show.FOLD:
            self._opened.add(line.row)
            self._lay_out()

    # Drawing

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        width = self.scrollable_content_region.width
        if width <= 0:
            return Strip([], 0)
        key = (y + self.scroll_offset.y, self.scroll_offset.x, width)
        strip = self._strips.get(key)
        if strip is None:
            if len(self._strips) >= _CACHED_STRIPS:
                self._strips.clear()
            strip = self._strips[key] = self._painter(width).draw(key[0], key[1])
        return strip

    def _painter(self, width: int) -> Painter:
        return Painter(
            diff=self._diff,
            layout=self.laid_out,
            width=width,
            gutter=self._gutter,
            wrapped=self.is_wrapped,
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
