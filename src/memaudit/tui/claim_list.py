"""The list of claims: one line each, drawn straight from the board, whatever its length."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from memaudit.tui.actions import Scope, bindings
from memaudit.tui.board import FOLD, Board, Rank
from memaudit.tui.cells import fit, styled
from memaudit.tui.claim_row import MARGIN, Parts, claim_parts, divided, fold_parts
from memaudit.tui.roles import Roles

FOLD_ROW = ""
"""The cursor's value while it stands on the row of folded claims."""

_CACHED_STRIPS = 2_000
_SAMPLE = 2_000
"""Claims that are looked at for the width of their places; a longer one is cut at its beginning."""


class _View(NamedTuple):
    """What all rows drawn at one moment have in common."""

    width: int
    top: int
    rows: int
    selected: int | None
    focused: bool


class ClaimList(ScrollView, can_focus=True):
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
        & > .claim-list--norm { color: $muted; }
        & > .claim-list--text { color: $foreground; }
        & > .claim-list--quiet { color: $muted; }
        & > .claim-list--place { color: $muted; }
        & > .claim-list--decision { color: $accent; }
        & > .claim-list--bar { color: $primary; text-style: bold; }
        & > .claim-list--cursor { background: $cursor; text-style: $cursor-style; }
        & > .claim-list--cursor-blurred { background: $cursor-blurred; text-style: $cursor-blurred-style; }
        & > .claim-list--empty { color: $muted; }
    }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "claim-list--stale",
        "claim-list--held",
        "claim-list--unknown",
        "claim-list--pending",
        "claim-list--norm",
        "claim-list--text",
        "claim-list--quiet",
        "claim-list--place",
        "claim-list--decision",
        "claim-list--bar",
        "claim-list--cursor",
        "claim-list--cursor-blurred",
        "claim-list--empty",
    }
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
        self.marks: set[str] = set()
        self.empty_lines: tuple[str, ...] = ()
        """What to say in place of rows when there are none."""
        self._roles = Roles(self, "claim-list")
        self._strips: dict[tuple[object, ...], Strip] = {}
        self._place_width = 0
        self._steered = False
        self._drawn_cursor: int | None = None
        self._view: _View | None = None

    # What the owner calls

    def show(self, board: Board) -> None:
        """Show another board from its first row."""
        self.board = board
        self.marks.clear()
        self._steered = False
        self._strips.clear()
        sample = board.claims[:: len(board.claims) // _SAMPLE + 1]
        places = {f"{claim.document}:{claim.line_start}" for claim in sample}
        self._place_width = max(map(cell_len, places), default=0)
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
            self.marks.clear()
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
            row = 0 if row is None or not self._steered else row
            self.cursor = self._id_at(min(row, rows - 1))
            before = None
        elif not rows:
            self.cursor = None
        row = self.cursor_row
        if row is not None:
            if before is not None and 0 <= before < self.size.height:
                self.scroll_to(y=max(row - before, 0), animate=False, force=True)
            else:
                self._reveal(row)
        self.refresh()

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

    def action_mark_all(self) -> None:
        """Mark every listed claim that is not folded away, or none if all are marked."""
        ranks = [rank for rank in Rank if rank is not Rank.NORM or not self.board.folds]
        listed = {self.board.claims[index].id for index in self.board.listed(ranks)}
        self.marks = set() if listed <= self.marks else self.marks | listed
        self.refresh()
        self.post_message(self.Marked())

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
        if index is None or index == FOLD:
            return
        claim_id = self.board.claims[index].id
        self.marks ^= {claim_id}
        row = self.board.row(index)
        if row is not None:
            self.refresh_lines(row)
        self.post_message(self.Marked())

    def on_click(self, event: events.Click) -> None:
        """Select the row clicked on; in the left margin, or with control, mark it."""
        row = event.y + self.scroll_offset.y
        if not 0 <= row < len(self.board):
            return
        if event.x <= 1 or event.ctrl:
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
        self._strips.clear()
        self._roles.forget()

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
        )

    def render_line(self, y: int) -> Strip:
        """One row of the screen."""
        view = self._view or self._look()
        width, row = view.width, y + view.top
        if width <= 0:
            return Strip([], 0)
        if row >= view.rows:
            return self._blank(y, width)
        index = self.board[row]
        here = view.selected == index
        if here:
            self._drawn_cursor = y
        focused = here and view.focused
        if index == FOLD:
            parts = fold_parts(self.board.folded_count, width - MARGIN)
            return self._drawn(parts, width, here, focused)
        claim_id = self.board.claims[index].id
        key = (index, self.board.revision(index), width, here, focused, claim_id in self.marks)
        strip = self._strips.get(key)
        if strip is None:
            if len(self._strips) >= _CACHED_STRIPS:
                self._strips.clear()
            strip = self._strips[key] = self._claim_strip(index, width, here, focused)
        return strip

    def _claim_strip(self, index: int, width: int, here: bool, focused: bool) -> Strip:
        claim = self.board.claims[index]
        columns = divided(width - MARGIN, self._place_width)
        contested = claim.id in self.board.contested
        parts = claim_parts(
            claim, self.board.rank(index), self.board.decision(index), columns, contested=contested
        )
        return self._drawn(parts, width, here, focused, marked=claim.id in self.marks)

    def _drawn(self, parts: Parts, width: int, here: bool, focused: bool, *, marked: bool = False) -> Strip:
        cursor = "" if not here else "cursor" if focused else "cursor-blurred"
        # Where the cursor is drawn in reverse, colours would turn into patches of background.
        plain = bool(cursor) and bool(self._roles.partial(cursor).reverse)
        margin = [
            (("▌" if here else " ") + ("●" if marked else " "), "bar" if here or marked else parts[0][1])
        ]
        segments = styled(
            [(text, self._roles("" if plain else role, cursor)) for text, role in [*margin, *parts]]
        )
        return Strip(segments).adjust_cell_length(width, self._roles("", cursor))

    def _blank(self, y: int, width: int) -> Strip:
        if not len(self.board) and y < len(self.empty_lines):
            return Strip(styled([(fit("  " + self.empty_lines[y], width), self._roles("empty"))]), width)
        return Strip.blank(width, self._roles())
