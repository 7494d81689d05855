"""What stands over the comparison: all pieces of evidence, the two places, the commit between them."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual import events
from textual.message import Message

from memaudit.domain import Evidence, Location
from memaudit.text import visible
from memaudit.tui.cells import fit, fit_end
from memaudit.tui.lines import Lines, Row

_MOST_ROWS = 4


class EvidenceList(Lines):
    """All pieces of evidence of a claim, one a row, the one that is shown marked; around it where there
    are more than have room.
    """

    DEFAULT_CSS = """
    EvidenceList { height: 0; padding: 0 1; }
    """

    class Chosen(Message):
        """A piece of evidence was clicked on; ``number`` counts from 0."""

        def __init__(self, number: int) -> None:
            self.number = number
            super().__init__()

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._all: tuple[Evidence, ...] = ()
        self._number = 0

    def show(self, evidence: tuple[Evidence, ...], number: int, room: int) -> None:
        """Show these in at most ``room`` rows; a single one needs none."""
        self._all, self._number = evidence, number
        rows = min(len(evidence), _MOST_ROWS, room) if len(evidence) > 1 else 0
        self.styles.height = rows if rows > 1 else 0
        self.renew()

    def _first(self, height: int) -> int:
        return max(min(self._number - height // 2, len(self._all) - height), 0)

    def build(self, width: int, height: int) -> Sequence[Row]:
        """What each is about, and its places."""
        first = self._first(height)
        rows: list[Row] = []
        for number, evidence in enumerate(self._all[first : first + height], first):
            here = number == self._number
            about = f"{'•' if here else ' '} {number + 1} {visible(evidence.reference)}  "
            places = fit_end(_places(evidence), max(min(cell_len(_places(evidence)), width // 2), 0))
            role = "strong" if here else "muted"
            rows.append([(fit(about, max(width - cell_len(places), 0)), role), (places, "muted")])
        return rows

    def on_click(self, event: events.Click) -> None:
        """Show the one clicked on."""
        number = self._first(self.size.height) + event.y
        if 0 <= number < len(self._all):
            self.post_message(self.Chosen(number))


def _places(evidence: Evidence) -> str:
    base, head = evidence.base, evidence.head
    if base is None and head is not None:
        return place(head)
    if base and head and base.path == head.path:
        return f"{place(base)} → {head.line}" if base.line != head.line else place(base)
    return f"{place(base)} → {place(head)}"


class EvidenceTitle(Lines):
    """Which two places are compared, and the commit that changed them."""

    DEFAULT_CSS = """
    EvidenceTitle { height: 2; padding: 0 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.evidence: Evidence | None = None
        self.split = False

    def build(self, width: int, height: int) -> Sequence[Row]:
        """Places, then commit or note."""
        evidence = self.evidence
        if evidence is None:
            return []
        return [self._places(evidence, width), self._commit(evidence, width)]

    def _places(self, evidence: Evidence, width: int) -> Row:
        base = f"- base  {place(evidence.base)}"
        head = f"+ head  {place(evidence.head)}"
        if self.split:
            half = (width - 1) // 2
            return [(fit(base, half), "removed"), (" ", ""), (fit(head, width - half - 1), "added")]
        room = width - cell_len(base) - 3
        if room >= cell_len(head):
            return [(base, "removed"), ("   ", ""), (head, "added")]
        half = (width - 3) // 2
        base = "- base " + fit_end(place(evidence.base), half - 7).strip()
        head = "+ head " + fit_end(place(evidence.head), width - cell_len(base) - 10).strip()
        return [(base, "removed"), ("   ", ""), (head, "added")]

    def _commit(self, evidence: Evidence, width: int) -> Row:
        commit = evidence.commit
        note = visible(evidence.note)
        if commit is None:
            return [(fit(note, width), "muted")]
        sha = visible(commit.sha[:8])
        rest = f" {visible(commit.summary)}"
        tail = f" · {visible(commit.author)} · {visible(commit.date[:10])}"
        if note:
            tail += f" · {note}"
        room = width - len(sha) - cell_len(tail)
        if room >= min(cell_len(rest), 16):
            return [(sha, "primary"), (fit(rest, room).rstrip(), ""), (tail, "muted")]
        return [(sha, "primary"), (fit(rest + tail, max(width - len(sha), 0)), "")]


def place(location: Location | None) -> str:
    """Path and line, or that there is none."""
    return visible(location.place) if location else "not there"
