"""The list of claims: one line each, drawn straight from the board, whatever its length."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip

from memaudit.tui.actions import Scope, bindings
from memaudit.tui.board import FOLD, Board
from memaudit.tui.finding import Terms
from memaudit.tui.jump import Target
from memaudit.tui.marks import Marks
from memaudit.tui.row_painter import RowPainter, Shown
from memaudit.tui.scrolled import Scrolled

FOLD_ROW = ""
"""The cursor's value while it stands on the row of folded claims."""


class _View(NamedTuple):
    """What all rows drawn at one moment have in common."""

    width: int
    top: int
    rows: int
    selected: int | None
    focused: bool
    terms: Terms


class ClaimList(Scrolled, can_focus=True):
    """A cursor over the rows of a :class:`~memaudit.tui.board.Board`, with marks.

    The list owns the cursor (the id of a claim, so that it survives filtering and reordering), the
    marks and a cache of drawn rows; everything else is the board's. Whoever changes the board calls
    :meth:`sync`, at most some fifteen times a second.
    """

    DEFAULT_CSS = """
    ClaimList {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        & > .claim-list--stale { color: $error; text-style: bold; }
        & > .claim-list--held { color: $success; }
        & > .claim-list--unknown { color: $warning; }
        & > .claim-list--pending { color: $faint; }
        & > .claim-list--muted { color: $muted; }
        & > .claim-list--match { text-style: bold underline; }
        & > .claim-list--decision { color: $accent; }
        & > .claim-list--bar { color: $primary; text-style: bold; }
        & > .claim-list--cursor { background: $cursor; text-style: $cursor-style; }
        & > .claim-list--cursor-blurred { background: $cursor-blurred; text-style: $cursor-blurred-style; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.LIST)

    cursor: reactive[str | None] = reactive[str | None](None, repaint=False)
    """The id of the selected claim, :data:`FOLD_ROW`, or None while there is no row."""

    class Moved(Message):
        """The cursor stands on another row."""

        def __init__(self, claim_id: str | None) -> None:
            self.claim_id = claim_id
            super().__init__()

    class Opened(Message):
        """The row under the cursor was opened."""

        def __init__(self, claim_id: str | None) -> None:
            self.claim_id = claim_id
            super().__init__()

    class Peeked(Message):
        """The other side is to be scrolled from here, by this many lines."""

        def __init__(self, lines: int) -> None:
            self.lines = lines
            super().__init__()

    class Marked(Message):
        """The set of marked claims changed."""

    def __init__(self, board: Board, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.board = board
        self._marks = Marks()
        self.empty_lines: tuple[str, ...] = ()
        """What to say in place of rows when there are none."""
        self._painter = RowPainter(self)
        self._steered = False
        self._drawn_cursor: int | None = None
        self._drawn: dict[int, Shown | None] = {}
        self._view: _View | None = None

    @property
    def marks(self) -> set[str]:
        """Ids of the marked claims."""
        return self._marks.ids

    @property
    def marks_unlisted(self) -> int:
        """The number of marked claims that are not listed now."""
        return self._marks.unlisted(self.board)

    def on_mount(self) -> None:
        """Have the rows of a board that is there from the start in the first paint already."""
        if self.board.claims:
            self.show(self.board)

    # What the owner calls

    def show(self, board: Board) -> None:
        """Show another board from its first row."""
        self.board = board
        self._marks.clear()
        self._steered = False
        self._painter.measure(board)
        self.sync()

    def sync(self) -> None:
        """Bring the screen up to date with the board: rows in view that changed, or all if order did."""
        moved, dirty = self.board.take_changes()
        if moved:
            self._reorder()
            return
        top, height = self.scroll_offset.y, self.size.height
        for row in range(top, min(top + height, len(self.board))):
            if self.board[row] in dirty:
                self.refresh_lines(row)

    def select(self, index: int | None) -> None:
        """Put the cursor on a claim that is listed."""
        if index is not None and self.board.row(index) is not None:
            self._steered = True
            self.cursor = FOLD_ROW if index == FOLD else self.board.claims[index].id

    @property
    def index(self) -> int | None:
        """The board's index of the selected claim, FOLD on the folded row, None without rows."""
        return FOLD if self.cursor == FOLD_ROW else self.board.index(self.cursor)

    @property
    def cursor_row(self) -> int | None:
        """The row under the cursor."""
        index = self.index
        return None if index is None else self.board.row(index)

    def unmark(self) -> None:
        """Take all marks away."""
        if self.marks:
            self._marks.clear()
            self.refresh()
            self.post_message(self.Marked())

    # Cursor and scrolling

    def _reorder(self) -> None:
        """Take over a new order: the selected claim keeps its place on the screen."""
        rows = len(self.board)
        before = self._drawn_cursor
        self.virtual_size = Size(1, rows)
        row = self.cursor_row
        if rows and (row is None or not self._steered):
            self.cursor = self._id_at(0 if self._steered else self._first())
            before = None
        elif not rows:
            self.cursor = None
        row = self.cursor_row
        if row is not None:
            if before is not None and 0 <= before < self.size.height:
                self.scroll_to(y=max(row - before, 0), animate=False, force=True)
            else:
                self._reveal(row)
        self._refresh_changed()

    def _first(self) -> int:
        """The row to begin with: the first claim that needs a decision."""
        index = self.board.next_undecided(None)
        row = None if index is None else self.board.row(index)
        return row or 0

    def _refresh_changed(self) -> None:
        """Draw the rows in view that are no longer what they show; scrolling draws all by itself."""
        view = self._look()
        for y in range(self.size.height):
            if self._drawn.get(y) != self._shown(y + view.top, view):
                self.refresh_lines(y + view.top)

    def _id_at(self, row: int) -> str:
        index = self.board[row]
        return FOLD_ROW if index == FOLD else self.board.claims[index].id

    def watch_cursor(self, old: str | None, new: str | None) -> None:
        """Redraw the two rows that changed and tell the screen."""
        for claim_id in (old, new):
            index = FOLD if claim_id == FOLD_ROW else self.board.index(claim_id)
            row = None if index is None else self.board.row(index)
            if row is not None:
                self.refresh_lines(row)
        row = self.cursor_row
        if row is not None:
            self._reveal(row)
        self.post_message(self.Moved(new))

    def _reveal(self, row: int) -> None:
        self.scroll_to_region(Region(0, row, 1, 1), animate=False, force=True)
        self._drawn_cursor = row - round(self.scroll_target_y)

    def _go(self, row: int) -> None:
        rows = len(self.board)
        if rows:
            self._steered = True
            self.cursor = self._id_at(max(0, min(row, rows - 1)))
            self._reveal(self.cursor_row or 0)

    def action_down(self) -> None:
        """Next row."""
        self._go((self.cursor_row or 0) + 1)

    def action_up(self) -> None:
        """Previous row."""
        self._go((self.cursor_row or 0) - 1)

    def action_page_down(self) -> None:
        """A screen further."""
        self._go((self.cursor_row or 0) + max(self.size.height - 1, 1))

    def action_page_up(self) -> None:
        """A screen back."""
        self._go((self.cursor_row or 0) - max(self.size.height - 1, 1))

    def action_first(self) -> None:
        """First row."""
        self._go(0)

    def action_last(self) -> None:
        """Last row."""
        self._go(len(self.board) - 1)

    def action_mark(self) -> None:
        """Mark or unmark the claim and go on to the next."""
        self._toggle_mark(self.index)
        self.action_down()

    def action_mark_run(self) -> None:
        """Mark from the claim that was marked last to this one."""
        self._mark_run(self.index)

    def action_mark_all(self) -> None:
        """Mark every listed claim that is not folded away, or none if all are marked."""
        self._marks.all(self.board)
        self._remarked()

    def action_mark_others(self) -> None:
        """Mark what is listed and not marked, and the other way round."""
        self._marks.invert(self.board)
        self._remarked()

    def action_open(self) -> None:
        """Open the row under the cursor."""
        self.post_message(self.Opened(self.cursor))

    def action_peek_down(self) -> None:
        """Scroll the other side."""
        self.post_message(self.Peeked(3))

    def action_peek_up(self) -> None:
        """Scroll the other side back."""
        self.post_message(self.Peeked(-3))

    def _toggle_mark(self, index: int | None) -> None:
        if index is not None and index != FOLD:
            self._marks.toggle(self.board, index)
            self._remarked()

    def _mark_run(self, index: int | None) -> None:
        if index is not None and index != FOLD:
            self._marks.run(self.board, index)
            self._remarked()

    def _remarked(self) -> None:
        self._refresh_changed()
        self.post_message(self.Marked())

    def jump_targets(self) -> Sequence[Target]:
        """The rows in view."""
        top = self.scroll_offset.y
        rows = range(top, min(top + self.size.height, len(self.board)))
        return [Target(Offset(0, row - top), partial(self._jump, row)) for row in rows]

    def _jump(self, row: int) -> None:
        self.focus()
        self._go(row)

    def on_click(self, event: events.Click) -> None:
        """Select the row clicked on; in the margin, or with control, mark it; with shift, all up to it."""
        row = event.y + self.scroll_offset.y
        if not 0 <= row < len(self.board):
            return
        if event.shift:
            self._mark_run(self.board[row])
        elif event.x <= 1 or event.ctrl:
            self._toggle_mark(self.board[row])
        else:
            self._go(row)
            if event.chain > 1 or self.board[row] == FOLD:
                self.post_message(self.Opened(self.cursor))

    def on_focus(self) -> None:
        """Draw the cursor as the active one."""
        self._refresh_cursor()

    def on_blur(self) -> None:
        """Draw the cursor as the one that waits."""
        self._refresh_cursor()

    def _refresh_cursor(self) -> None:
        if (row := self.cursor_row) is not None:
            self.refresh_lines(row)

    def on_resize(self) -> None:
        """Keep the cursor in view."""
        if (row := self.cursor_row) is not None:
            self._reveal(row)

    def notify_style_update(self) -> None:
        """Forget rows drawn in the old theme."""
        super().notify_style_update()
        self._painter.forget()

    # Drawing

    def render_lines(self, crop: Region) -> list[Strip]:
        """All rows asked for, which have the same width, cursor and offset."""
        self._view = self._look()
        return super().render_lines(crop)

    def _look(self) -> _View:
        return _View(
            width=self.scrollable_content_region.width,
            top=self.scroll_offset.y,
            rows=len(self.board),
            selected=self.index,
            focused=self.has_focus,
            terms=self.board.terms,
        )

    def render_line(self, y: int) -> Strip:
        """One row of the screen."""
        view = self._view or self._look()
        if view.width <= 0:
            return Strip([], 0)
        shown = self._drawn[y] = self._shown(y + view.top, view)
        if shown is None:
            empty = self.empty_lines if not view.rows else ()
            return self._painter.blank(view.width, empty[y] if y < len(empty) else "")
        if shown.here:
            self._drawn_cursor = y
        return self._painter.strip(self.board, shown)

    def _shown(self, row: int, view: _View) -> Shown | None:
        """What a row has to show, None below the last one."""
        if row >= view.rows:
            return None
        board, index = self.board, self.board[row]
        here = view.selected == index
        marked = index != FOLD and board.claims[index].id in self.marks
        revision = board.folded_count if index == FOLD else board.revision(index)
        return Shown(index, revision, view.width, here, here and view.focused, marked, view.terms)
