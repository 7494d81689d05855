"""The claims that a decision for many would go to, each with a box: one row each, or old and new words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import ClassVar, NamedTuple

from rich.cells import cell_len
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from memaudit.domain import Claim
from memaudit.text import visible
from memaudit.tui.cells import fit, fit_end, styled
from memaudit.tui.diff_layout import wrapped
from memaudit.tui.diff_model import Spans, word_changes
from memaudit.tui.roles import Roles
from memaudit.tui.scrolled import Scrolled

_SHOWN_CHARS = 2_000
_INDENT = 4
_SAMPLE = 500
"""Claims that are looked at for the width of their places."""


_REASON = "·"
"""The sign of rows with what there is to say of a claim, where its head has no room for it."""


class _Part(NamedTuple):
    """One row: a piece of the old or the new words of an entry, of what is said of it, or its head."""

    entry: int
    sign: str
    start: int
    end: int


class BatchList(Scrolled, can_focus=True):
    """A cursor over claims, each of which can be left out.

    ``texts`` holds new words by claim id, ``notes`` what there is to say of a claim. Without new words a
    claim takes one row, with them as many as the old and the new words need.
    """

    DEFAULT_CSS = """
    BatchList {
        overflow: hidden auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        & > .batch-list--muted { color: $muted; }
        & > .batch-list--mark { color: $primary; text-style: bold; }
        & > .batch-list--strong { text-style: bold; }
        & > .batch-list--removed { color: $removed; }
        & > .batch-list--added { color: $added; }
        & > .batch-list--removed-word { background: $removed-word; text-style: $word-style; }
        & > .batch-list--added-word { background: $added-word; text-style: $word-style; }
        & > .batch-list--bar { color: $primary; text-style: bold; }
        & > .batch-list--cursor { background: $cursor; text-style: $cursor-style; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", show=False),
        Binding("up,k", "move(-1)", show=False),
        Binding("pagedown,ctrl+d", "page(1)", show=False),
        Binding("pageup,ctrl+u", "page(-1)", show=False),
        Binding("home,g", "edge(0)", show=False),
        Binding("end,G", "edge(-1)", show=False),
        Binding("space", "choose", show=False),
        Binding("asterisk", "choose_all", show=False),
    ]

    class Changed(Message):
        """Other claims are left out."""

    def __init__(self, claims: Sequence[Claim], texts: Mapping[str, str], notes: Mapping[str, str]) -> None:
        super().__init__()
        self._claims = claims
        self._texts, self._notes = texts, notes
        self._place_width = max((cell_len(_place(claim)) for claim in claims[:_SAMPLE]), default=0)
        self._out: set[int] = set()
        self._cursor = 0
        self._parts: list[_Part] = []
        self._starts: list[int] = []
        self._words: dict[int, tuple[str, str, Spans, Spans]] = {}
        self._roles = Roles(self, "batch-list")

    @property
    def taken(self) -> tuple[str, ...]:
        """Ids of the claims that are not left out."""
        return tuple(claim.id for number, claim in enumerate(self._claims) if number not in self._out)

    @property
    def count(self) -> int:
        """The number of claims that are not left out."""
        return len(self._claims) - len(self._out)

    def on_mount(self) -> None:
        """Lay out."""
        self._lay_out()

    def on_resize(self) -> None:
        """Lay out for another width."""
        self._lay_out()
        self._reveal()

    def notify_style_update(self) -> None:
        """Forget the old theme."""
        super().notify_style_update()
        self._roles.forget()

    # Where things are

    def _lay_out(self) -> None:
        self._parts, self._starts = [], []
        if self._texts:
            room = max(self.scrollable_content_region.width - _INDENT - 2, 1)
            for entry in range(len(self._claims)):
                self._starts.append(len(self._parts))
                self._parts.append(_Part(entry, "", 0, 0))
                note = self._note(entry)
                if cell_len(_place(self._claims[entry])) + 2 + cell_len(note) > room - 1:
                    self._parts += [_Part(entry, _REASON, start, end) for start, end in wrapped(note, room)]
                old, new, _, _ = self._words_of(entry)
                for sign, text in (("-", old), ("+", new)):
                    self._parts += [_Part(entry, sign, start, end) for start, end in wrapped(text, room)]
        self.virtual_size = Size(1, len(self._parts) if self._texts else len(self._claims))
        self.refresh()

    def _note(self, entry: int) -> str:
        return visible(self._notes.get(self._claims[entry].id, ""))

    def _words_of(self, entry: int) -> tuple[str, str, Spans, Spans]:
        """Old and new words as shown, and what differs between them."""
        words = self._words.get(entry)
        if words is None:
            claim = self._claims[entry]
            old, new = _shown(claim.text), _shown(self._texts[claim.id])
            words = self._words[entry] = (old, new, *word_changes(old, new))
        return words

    def _rows_of(self, entry: int) -> tuple[int, int]:
        """The first row of an entry, and the one after its last."""
        if not self._texts:
            return entry, entry + 1
        after = self._starts[entry + 1] if entry + 1 < len(self._starts) else len(self._parts)
        return self._starts[entry], after

    def _entry_at(self, row: int) -> int | None:
        if not 0 <= row < self.virtual_size.height:
            return None
        return bisect_right(self._starts, row) - 1 if self._texts else row

    # Moving and choosing

    def action_move(self, step: int) -> None:
        """To the next claim, or the one before."""
        self._go(self._cursor + step)

    def action_page(self, step: int) -> None:
        """A screen further, or back."""
        top, _ = self._rows_of(self._cursor)
        row = top + step * max(self.size.height - 1, 1)
        entry = self._entry_at(max(0, min(row, self.virtual_size.height - 1)))
        self._go(self._cursor if entry is None else entry)

    def action_edge(self, entry: int) -> None:
        """To the first or the last claim."""
        self._go(entry % max(len(self._claims), 1))

    def action_choose(self) -> None:
        """Leave the claim out, or take it in again, and go on to the next."""
        self._toggle(self._cursor)
        self.action_move(1)

    def action_choose_all(self) -> None:
        """Take all in, or leave all out where none is left out."""
        self._out = set() if self._out else set(range(len(self._claims)))
        self._changed()

    def on_click(self, event: events.Click) -> None:
        """Go to the claim clicked on; on its box, leave it out or take it in."""
        entry = self._entry_at(event.y + self.scroll_offset.y)
        if entry is None:
            return
        self._go(entry)
        if event.x < _INDENT + 1:
            self._toggle(entry)

    def _toggle(self, entry: int) -> None:
        if entry < len(self._claims):
            self._out ^= {entry}
            self._changed()

    def _changed(self) -> None:
        self.refresh()
        self.post_message(self.Changed())

    def _go(self, entry: int) -> None:
        self._cursor = max(0, min(entry, len(self._claims) - 1))
        self._reveal()
        self.refresh()

    def _reveal(self) -> None:
        if self._claims:
            first, after = self._rows_of(self._cursor)
            self.scroll_to_region(Region(0, first, 1, after - first), animate=False, force=True)

    # Drawing

    def render_line(self, y: int) -> Strip:
        """One row."""
        width = self.scrollable_content_region.width
        entry = self._entry_at(y + self.scroll_offset.y)
        if entry is None or width < 1:
            return Strip.blank(max(width, 0), self._roles())
        part = self._parts[y + self.scroll_offset.y] if self._texts else _Part(entry, "", 0, 0)
        here = "cursor" if entry == self._cursor and not part.sign else ""
        bar = self._roles("bar", here)
        pieces: list[tuple[str, Style]] = [("▌" if entry == self._cursor else " ", bar)]
        out = entry in self._out
        for text, role in self._words_row(part) if part.sign else self._head(entry, width - 1):
            pieces.append((text, self._roles("muted" if out and role else role, here)))
        return Strip(styled(pieces)).adjust_cell_length(width, self._roles("", here))

    def _head(self, entry: int, width: int) -> list[tuple[str, str]]:
        """The box, and the place; before it the words where there are no others to put below them."""
        claim = self._claims[entry]
        box = ("[ ] " if entry in self._out else "[x] ", "mark")
        place = _place(claim)
        room = max(width - len(box[0]), 0)
        if self._texts:
            head = fit(place, min(cell_len(place), room))
            below = self._parts[self._starts[entry] + 1].sign == _REASON
            note = "" if below else f"  {self._note(entry)}"
            return [box, (head, "strong"), (fit(note, max(room - cell_len(head), 0)), "muted")]
        place = fit_end(place, min(self._place_width, room // 3)) if room >= 40 else ""
        words = fit(f"{self._note(entry)}{_shown(claim.text)}", max(room - len(place) - 2, 0))
        return [box, (words, "" if entry not in self._out else "muted"), ("  ", ""), (place, "muted")]

    def _words_row(self, part: _Part) -> list[tuple[str, str]]:
        """A piece of the old or the new words, what differs picked out, or of the reason."""
        if part.sign == _REASON:
            return [(" " * (_INDENT + 1) + self._note(part.entry)[part.start : part.end], "muted")]
        old, new, old_spans, new_spans = self._words_of(part.entry)
        text, spans, role = (old, old_spans, "removed") if part.sign == "-" else (new, new_spans, "added")
        sign = part.sign if part.start == 0 else " "
        pieces = [(" " * (_INDENT - 1) + sign + " ", role)]
        at = part.start
        for start, end in spans:
            start, end = max(start, at), min(end, part.end)
            if start < end:
                pieces += [(text[at:start], role), (text[start:end], f"{role}-word")]
                at = end
        return [*pieces, (text[at : part.end], role)]


def _place(claim: Claim) -> str:
    return visible(f"{claim.document}:{claim.line_start}")


def _shown(text: str) -> str:
    return visible(" ".join(text[:_SHOWN_CHARS].split()))
