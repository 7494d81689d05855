"""Base of the small fixed parts of the screen: rows of styled text, built only when they change."""

from __future__ import annotations

from collections.abc import Sequence

from textual.strip import Strip
from textual.widget import Widget

from memaudit.tui.cells import styled
from memaudit.tui.diff_layout import wrapped
from memaudit.tui.roles import Roles

Row = Sequence[tuple[str, str]]
"""One row: pieces of text with the name of their role, empty for plain text."""


def flowed(pieces: Row, width: int) -> list[Row]:
    """Pieces of text flowed over several rows, each keeping its role."""
    text = "".join(piece for piece, _ in pieces)
    starts: list[tuple[int, int, str]] = []
    offset = 0
    for piece, role in pieces:
        starts.append((offset, offset + len(piece), role))
        offset += len(piece)
    rows: list[Row] = []
    for start, end in wrapped(text, width):
        rows.append(
            [
                (text[max(start, left) : min(end, right)], role)
                for left, right, role in starts
                if left < end and right > start
            ]
        )
    return rows


class Lines(Widget):
    """A widget that draws rows of text; whoever changes what they say calls :meth:`renew`.

    All text goes to the terminal as it is: callers pass untrusted text through
    :func:`memaudit.text.visible` first.
    """

    DEFAULT_CSS = """
    Lines {
        & > .lines--muted { color: $muted; }
        & > .lines--faint { color: $faint; }
        & > .lines--strong { text-style: bold; }
        & > .lines--accent { color: $accent; }
        & > .lines--primary { color: $primary; text-style: bold; }
        & > .lines--stale { color: $error; text-style: bold; }
        & > .lines--held { color: $success; }
        & > .lines--unknown { color: $warning; }
        & > .lines--pending { color: $faint; }
        & > .lines--added { color: $added; }
        & > .lines--removed { color: $removed; }
        & > .lines--added-word { background: $added-word; text-style: $word-style; }
        & > .lines--removed-word { background: $removed-word; text-style: $word-style; }
        & > .lines--key { color: $primary; text-style: bold; }
        & > .lines--active { background: $cursor; color: $foreground; text-style: $active-style; }
        & > .lines--resting { color: $foreground; text-style: bold underline; }
        & > .lines--bar { color: $primary; }
        & > .lines--track { color: $faint; }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: Sequence[Row] | None = None
        self._roles = Roles(self, "lines")

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The rows for this size; those beyond ``height`` are not shown."""
        raise NotImplementedError

    def renew(self) -> None:
        """Build the rows again and draw those that differ."""
        old, self._rows = self._rows, None
        if old is None or not self.size:
            self.refresh()
            return
        self._rows = self.build(self.size.width, self.size.height)
        if list(map(list, old)) != list(map(list, self._rows)):
            self.refresh()

    def on_resize(self) -> None:
        """Build for the new size."""
        self._rows = None
        self.refresh()

    def notify_style_update(self) -> None:
        """Forget the old theme."""
        super().notify_style_update()
        self._roles.forget()

    def render_line(self, y: int) -> Strip:
        """One row of the screen."""
        width, height = self.size
        if self._rows is None:
            self._rows = self.build(width, height)
        if y >= len(self._rows):
            return Strip.blank(width, self._roles())
        parts = [(text, self._roles(role)) for text, role in self._rows[y]]
        return Strip(styled(parts)).adjust_cell_length(width, self._roles())
