"""How far the model is, and what it has cost: a line on the screen while it is asked, and its bill after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual import events
from textual.geometry import Size
from textual.message import Message

from memaudit.text import visible
from memaudit.tui.asking_events import Answered, AskingEnded, Drafted, Plan
from memaudit.tui.cells import fit
from memaudit.tui.keymap import keymap_of
from memaudit.tui.lines import Lines, Row, flowed

_MOST_ROWS = 3


@dataclass
class Asking:
    """One run as far as it has come."""

    plan: Plan
    begun: bool = False
    """Whether the key was found, and questions are on their way."""
    stopping: bool = False
    """Whether somebody cancelled it."""
    asked: int = 0
    known: int = 0
    stale: int = 0
    held: int = 0
    silent: int = 0
    """Questions without an answer."""
    drafted: int = 0
    turned_down: int = 0
    """Rewrites that did not pass, or that the model could not make."""
    usd: float = 0.0
    refused: str = ""
    """Why nothing could be asked at all, safe to show."""
    ended: AskingEnded | None = None

    @property
    def goes_on(self) -> bool:
        """Whether more may come."""
        return self.ended is None and not self.refused

    def take(self, one: Answered) -> None:
        """Count a verdict."""
        self.begun = True
        self.usd = one.cost.usd
        self.known += one.kept
        self.asked += not one.kept
        self.stale += one.answer == "flipped"
        self.held += one.answer == "held"
        self.silent += one.answer is None

    def take_draft(self, one: Drafted) -> None:
        """Count a rewrite."""
        self.begun = True
        self.usd = one.cost.usd
        self.known += one.kept
        self.asked += not one.kept
        if one.unanswered:
            self.silent += 1
        elif one.suggestion.text is None:
            self.turned_down += 1
        else:
            self.drafted += 1

    @property
    def left(self) -> int:
        """The number of questions that were not asked."""
        return max(self.plan.calls - self.asked, 0)

    def words(self, again: str) -> str:
        """How far it is, in sentences; ``again`` is the key that asks on."""
        if self.refused:
            return f"Model: {self.refused}"
        known = f"{self.known:,} already answered" if self.known else ""
        asked = f"{self.asked:,} of {self.plan.calls:,} asked" if self.plan.calls else ""
        if self.ended is None:
            if not self.begun:
                return "Model: looking for the key …"
            spent = f"{dollars(self.usd)} of {dollars(self.plan.cap)}" if asked else ""
            return f"Model: {_joined(asked, spent, known)}"
        told = f"Model: {_joined(asked, known)}: {self._came()}. "
        if self.ended.why:
            why = "stopped, what was answered is kept" if self.ended.cancelled else self.ended.why
            told += f"{visible(why[:1].upper() + why[1:])}. "
        if self.left:
            told += f"{self.left:,} not asked, {again} goes on. "
        elif self.silent:
            told += f"{again} asks again where no answer came. "
        bill = self.ended.bill or f"billed {dollars(self.usd)}"
        return f"{told}{visible(bill[:1].upper() + bill[1:])}."

    def _came(self) -> str:
        if self.plan.rewrites:
            drafted = f"{self.drafted:,} {'rewrite' if self.drafted == 1 else 'rewrites'} drafted"
            refused = f"{self.turned_down:,} refused" if self.turned_down else ""
            return _joined(drafted, refused, f"{self.silent:,} without an answer" if self.silent else "")
        answers = self.asked + self.known - self.stale - self.held - self.silent
        parts = [
            f"{count:,} {word}"
            for count, word in (
                (self.stale, "stale"),
                (self.held, "held"),
                (answers, "cannot tell"),
                (self.silent, "without an answer"),
            )
            if count
        ]
        return ", ".join(parts) or "no answer"


class AskingLine(Lines):
    """One run in words, in up to three rows. A click stops the run, or puts its bill away."""

    DEFAULT_CSS = """
    AskingLine { height: auto; background: $surface; padding: 0 1; }
    """

    class Clicked(Message):
        """The run is to be stopped, or its bill put away."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.asking: Asking | None = None

    def show(self, asking: Asking | None) -> None:
        """Show a run as it is now, or none."""
        self.asking = asking
        self.display = asking is not None
        self._rows = None
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the words need."""
        return len(self.build(width, _MOST_ROWS))

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The words, and the key that stops or puts away where it has room."""
        asking = self.asking
        if asking is None:
            return []
        keys = keymap_of(self)
        words = asking.words(keys.key("draft_rewrites" if asking.plan.rewrites else "ask_model"))
        role = "unknown" if asking.refused or (asking.ended and asking.ended.why) else ""
        verb = "away" if not asking.goes_on else "stopping …" if asking.stopping else "stops"
        hint = f"  {verb}" if asking.stopping and asking.goes_on else f"  {keys.key('back')} {verb}"
        if cell_len(words) + cell_len(hint) <= width:
            gap = width - cell_len(words) - cell_len(hint)
            return [[(words, role), (" " * gap, ""), (hint, "muted")]]
        rows = flowed([(words, role)], max(width, 1))
        if len(rows) > _MOST_ROWS:
            rest = "".join(text for row in rows[_MOST_ROWS - 1 :] for text, _ in row)
            rows = [*rows[: _MOST_ROWS - 1], [(fit(rest, width), role)]]
        return rows

    def on_click(self, event: events.Click) -> None:
        """The same as the key."""
        self.post_message(self.Clicked())


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def dollars(usd: float) -> str:
    """Dollars with as many digits as tell something."""
    return f"${usd:.2f}" if usd >= 1 or usd == 0 else f"${usd:.4f}"
