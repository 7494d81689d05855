"""The two lines on top: which repository and range, and how far the review is."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from memaudit.domain import WORKTREE, Range
from memaudit.text import visible
from memaudit.tui.board import NEEDS_A_PERSON, Board, Group, Rank
from memaudit.tui.cells import fit
from memaudit.tui.engine import Opened, Progress
from memaudit.tui.keymap import keymap_of
from memaudit.tui.lines import Lines, Row

_BAR = 16


def short_revision(revision: str) -> str:
    """A revision as it is named on the screen."""
    return "worktree" if revision == WORKTREE else visible(revision[:8])


def range_text(range_: Range) -> str:
    """The range on one line, with how it was chosen."""
    base = "each claim's own commit" if range_.per_claim else short_revision(range_.base)
    return f"{base}..{short_revision(range_.head)}"


class Header(Lines):
    """Store, range and how it was chosen; counts, progress, what is decided and not saved yet."""

    DEFAULT_CSS = """
    Header { height: 2; background: $panel; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.opened: Opened | None = None
        self.board = Board()
        self.progress: Progress | None = None
        self.unsaved = 0
        self.marked = 0
        """How many claims are marked, where no other line says so."""
        self.stopped = ""
        """Why no further verdicts will come, or empty."""
        self.moved = False
        """Whether HEAD stands elsewhere than when the repository was read."""
        self.others = ""
        """Who else has the review open, in words safe to show, or empty."""
        self.waiting = False
        """Whether the journal is waited for."""

    def build(self, width: int, height: int) -> Sequence[Row]:
        """Both rows."""
        return [self._place(width), self._state(width)]

    def _place(self, width: int) -> Row:
        row: list[tuple[str, str]] = [(" memaudit", "primary")]
        if self.opened is None:
            return row
        range_ = self.opened.range
        name = visible(self.opened.repo.rstrip("/").rsplit("/", 1)[-1] or self.opened.repo)
        row += [
            (f"  {name}", "strong"),
            (f"  {range_text(range_)}", ""),
            (f"  {visible(range_.chosen_by)}", "muted"),
        ]
        stores = [visible(store.name) for store in self.opened.stores]
        right = ", ".join(stores[:3]) + (f" and {len(stores) - 3} more" if len(stores) > 3 else "")
        if self.opened.read_only:
            right += " (read only)"
        others = [(f"{self.others} ", "accent")] if self.others else []
        taken = sum(cell_len(text) for text, _ in [*row, *others])
        if taken + cell_len(right) + 3 > width:
            # How the range was chosen matters more than which stores there are.
            right = "read only" if self.opened.read_only else ""
        right += "  " if right and others else " "
        return _justified(row, [(right, "muted"), *others], width)

    def _state(self, width: int) -> Row:
        if self.opened is None:
            if self.waiting:
                return [(" Waiting for the review journal, which another program is using …", "unknown")]
            return [(" Reading the repository and its memory …", "muted")] if not self.stopped else []
        counts = self.board.counts()
        left: list[tuple[str, str]] = [
            (f" ✗ {counts[Group.STALE]:,} stale", "stale" if counts[Group.STALE] else "muted"),
            (f"  ? {counts[Group.UNKNOWN]:,} unknown", "unknown" if counts[Group.UNKNOWN] else "muted"),
            (f"  ✓ {counts[Group.HELD]:,} held", "held" if counts[Group.HELD] else "muted"),
        ]
        if counts[Group.NORM]:
            words = "rules" if width < 76 else "rules or outside"
            left.append((f"  {counts[Group.NORM]:,} {words}", "muted"))
        if counts[Group.PENDING]:
            # Without a word on those that are not judged yet, a start would look like a clean result.
            judged = counts[Group.PENDING] < sum(counts.values())
            left = [*left, ("  so far", "muted")] if judged else [(" no claim is judged yet", "muted")]
        right = self._right(width, short=width < 76)
        if sum(cell_len(text) for text, _ in [*left, *right]) + 2 > width:
            right = self._right(width, short=True)
        return _justified(left, right, width)

    def _right(self, width: int, *, short: bool) -> list[tuple[str, str]]:
        row: list[tuple[str, str]] = []
        reload = keymap_of(self).key("reload")
        if self.stopped:
            row.append((f"audit stopped, {reload} again  ", "stale"))
        elif self.moved:
            row.append((f"HEAD moved, {reload} again  ", "accent"))
        elif self.progress is not None:
            progress = self.progress
            share = min(progress.done / progress.total, 1.0) if progress.total else 0.0
            full = int(share * _BAR)
            row += [("━" * full, "bar"), ("─" * (_BAR - full), "track")]
            count = f" {progress.done:,}/{progress.total:,}" if progress.total else ""
            words = "" if short and count else f" {visible(progress.phase)}"
            row.append((f"{count}{words}  ", "muted"))
        if self.progress is None or width >= 110:
            done, total = self.board.decided((Rank.BROKEN, Rank.WRONG))
            if total:
                text = f"{done}/{total} decided" if short else f"{done} of {total} stale decided"
                row.append((text, "held" if done == total else ""))
                done_too, unknown = self.board.decided((Rank.OPEN,))
                if done == total and unknown and width >= 110:
                    row.append((f", {done_too} of {unknown} unknown", "held" if done_too == unknown else ""))
            elif self.progress is None and not self.stopped and self.board.claims:
                undecided = self.board.decided(NEEDS_A_PERSON)
                row.append(("nothing stale" if not undecided[1] else "nothing stale, some unknown", "held"))
        if self.marked:
            row.append((f"  {self.marked:,} marked", "accent"))
        if self.unsaved:
            row.append((f"  {self.unsaved} unsaved", "accent"))
        row.append((" ", ""))
        return row


def _justified(left: list[tuple[str, str]], right: list[tuple[str, str]], width: int) -> Row:
    """Left and right parts on one row; the left one is cut when both do not fit."""
    wanted = sum(cell_len(text) for text, _ in right)
    used = sum(cell_len(text) for text, _ in left)
    room = width - wanted
    if used <= room:
        return [*left, (" " * (room - used), ""), *right]
    cut: list[tuple[str, str]] = []
    for text, role in left:
        cut.append((fit(text, min(cell_len(text), room - 1)), role))
        room -= cell_len(text)
        if room <= 1:
            break
    return [*cut, (" ", ""), *right] if sum(cell_len(text) for text, _ in cut) > 12 else left
