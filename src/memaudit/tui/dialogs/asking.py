"""What a model would be asked, where, and at what price: to be agreed to, started, or switched off."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.geometry import Size

from memaudit.errors import MemauditError
from memaudit.tui.asking_events import Plan
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.lines import Lines, Row, flowed
from memaudit.tui.panes.why import FactsPane

Load = Callable[[], Awaitable[Plan]]
Read = Callable[[int], Awaitable[tuple[str, str]]]
"""Gives place and text of a request by its number from 0; raises MemauditError."""


class PlanDialog(Dialog[str]):
    """Gives back ``agree`` to switch the model on and start, ``start``, ``off``, or None.

    ``load`` makes the plan, which takes a moment; ``keep`` is called with it before an answer is given.
    """

    DEFAULT_CSS = """
    PlanDialog > Vertical { width: 96; max-width: 100%; max-height: 100%; }
    PlanDialog FactsPane { height: auto; max-height: 24; padding: 1 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "agree", show=False),
        Binding("enter", "start", show=False, priority=True),
        Binding("r", "read", show=False),
        Binding("o", "off", show=False),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
    ]

    def __init__(self, title: str, load: Load, read: Read, keep: Callable[[Plan], object]) -> None:
        super().__init__()
        self._title = title
        self._load, self._read, self._keep = load, read, keep
        self.plan: Plan | None = None

    def compose(self) -> ComposeResult:
        """Title, the plan, keys."""
        with Vertical():
            yield Title(self._title)
            yield FactsPane()
            yield Keys(("esc", "back"))

    def on_mount(self) -> None:
        """Have the plan made."""
        self.query_one(FactsPane).focus()
        self._show([("", [("Reading the change: nothing is sent yet …", "muted")])])
        self.run_worker(self._make(), group="plan", exit_on_error=False)

    async def _make(self) -> None:
        try:
            plan = await self._load()
        except MemauditError as error:
            self._show([("", [(error.line(), "unknown")])])
            return
        self.plan = plan
        self._keep(plan)
        entries: list[tuple[str, Row]] = [(label, [(words, "")]) for label, words in plan.entries]
        if plan.nothing:
            entries += [("", []), ("", [(plan.nothing, "unknown")])]
        self._show(entries)
        state = "on for this repository" if plan.on else "off for this repository, until you agree"
        self.query_one(Title).say(self._title, state)
        self.query_one(Keys).say(*self._answers(plan), ("esc", "back"))

    def _answers(self, plan: Plan) -> list[tuple[str, str]]:
        answers = f"{'rewrite' if plan.rewrites else 'answer'}{'' if plan.known == 1 else 's'}"
        ask = f"ask {plan.calls:,}" if plan.calls else f"take the {plan.known:,} {answers}"
        keys = []
        if not plan.nothing:
            keys.append(("enter", ask) if plan.on else ("y", f"agree, and {ask}"))
        if plan.calls:
            keys.append(("r", "read the request" if plan.calls == 1 else f"read the {plan.calls:,} requests"))
        if plan.on:
            keys.append(("o", "switch off"))
        return keys

    def _show(self, entries: list[tuple[str, Row]]) -> None:
        self.query_one(FactsPane).show(entries)

    def action_agree(self) -> None:
        """Switch the model on for this repository, and ask."""
        if self.plan is not None and not self.plan.on and not self.plan.nothing:
            self.dismiss("agree")

    def action_start(self) -> None:
        """Ask, where somebody has agreed before."""
        if self.plan is not None and self.plan.on and not self.plan.nothing:
            self.dismiss("start")

    def action_off(self) -> None:
        """Switch the model off for this repository."""
        if self.plan is not None and self.plan.on:
            self.dismiss("off")

    def action_read(self) -> None:
        """Read what would be sent."""
        if self.plan is not None and self.plan.calls:
            self.app.push_screen(RequestsDialog(self.plan.calls, self._read))

    def action_scroll(self, lines: int) -> None:
        """Up or down."""
        self.query_one(FactsPane).scroll_relative(y=lines, animate=False)


class RequestsDialog(Dialog[None]):
    """The requests as they would be sent, one after the other."""

    DEFAULT_CSS = """
    RequestsDialog > Vertical { width: 100%; height: 100%; }
    RequestsDialog VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; padding: 1 1 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n,right,right_square_bracket", "turn(1)", show=False),
        Binding("p,left,left_square_bracket", "turn(-1)", show=False),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("b,q", "leave", show=False),
    ]

    def __init__(self, total: int, read: Read) -> None:
        super().__init__()
        self._total, self._read = total, read
        self.number = 0

    def compose(self) -> ComposeResult:
        """Title, the text, keys."""
        with Vertical():
            yield Title("", keep_end=True)
            with VerticalScroll():
                yield RequestText()
            turn = (("n p", "next, previous"),) if self._total > 1 else ()
            yield Keys(("↑ ↓", "scroll"), *turn, ("esc", "back"))

    def on_mount(self) -> None:
        """Show the first."""
        self.query_one(VerticalScroll).focus()
        self.action_turn(0)

    def action_turn(self, step: int) -> None:
        """To the next request, or the one before."""
        self.number = (self.number + step) % self._total
        self.run_worker(self._show(self.number), group="request", exclusive=True, exit_on_error=False)

    async def _show(self, number: int) -> None:
        try:
            place, text = await self._read(number)
        except MemauditError as error:
            place, text = "", error.line()
        self.query_one(Title).say(f"Request {number + 1:,} of {self._total:,}, not sent yet", place)
        # What all have in common stands first: whoever turns the page has read that.
        self.query_one(RequestText).show(text)

    def action_scroll(self, lines: int) -> None:
        """Up or down."""
        self.query_one(VerticalScroll).scroll_relative(y=lines, animate=False)


class RequestText(Lines):
    """A request, line by line; what was taken out of the code, and put in, stands out."""

    DEFAULT_CSS = """
    RequestText { height: auto; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._text = ""

    def show(self, text: str) -> None:
        """Show another one; it is safe to show."""
        self._text, self._rows = text, None
        self.refresh(layout=True)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as the text needs at this width."""
        return len(self.build(width, 0))

    def build(self, width: int, height: int) -> Sequence[Row]:
        """All rows."""
        roles = {"-": "removed", "+": "added"}
        return [
            row
            for line in self._text.split("\n")
            for row in flowed([(line, roles.get(line[:1], ""))], max(width, 1)) or [[]]
        ]
