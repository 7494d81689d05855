"""The check of a claim before it is run, and while it runs: what is run where, and then the verdict."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.events import Key

from memaudit.domain import Judgement
from memaudit.errors import MemauditError
from memaudit.text import visible
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.dialogs.choices import Choice, Choices
from memaudit.tui.lines import Row
from memaudit.tui.panes.why import FactsPane
from memaudit.tui.trial_process import TrialProcess

_STEPS = 4
"""Runs of a check that fails at head: twice on either side."""


class TrialDialog(Dialog[Judgement]):
    """Gives back the judgement, None where nothing was run or it was stopped.

    Whatever way it is left, what runs is ended with all that it started.
    """

    DEFAULT_CSS = """
    TrialDialog > Vertical { width: 100; max-width: 100%; max-height: 100%; }
    TrialDialog FactsPane { height: auto; max-height: 20; }
    TrialDialog Choices { margin: 1 0; }
    TrialDialog.-flat FactsPane { max-height: 14; }
    TrialDialog.-runs FactsPane { margin-bottom: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", show=False, priority=True),
        Binding("k,up", "move(-1)", show=False, priority=True),
        Binding("pagedown", "scroll(1)", show=False, priority=True),
        Binding("pageup", "scroll(-1)", show=False, priority=True),
    ]

    def __init__(self, process: TrialProcess) -> None:
        super().__init__()
        self._process = process
        self._entries: list[tuple[str, Row]] = []
        self._asks = self._runs = False

    def compose(self) -> ComposeResult:
        """Title, what is asked, answers, keys."""
        with Vertical():
            yield Title("Run the check of this claim?")
            yield FactsPane()
            yield Choices((Choice("no, run nothing", "n", "n"), Choice("yes, run it", "y", "y")))
            yield Keys(("esc", "back, nothing is run"))

    def on_mount(self) -> None:
        """Have it worked out how the check would be run."""
        self.set_class(self.app.size.height < 28, "-flat")
        self.query_one(Choices).display = False
        self._show(("", [("Working out how it would be run …", "muted")]))
        self.run_worker(self._ask(), exit_on_error=False)

    async def on_unmount(self) -> None:
        """Nothing goes on without the dialog."""
        await self._process.close()

    async def _ask(self) -> None:
        try:
            asked = await self._process.ready()
        except MemauditError as error:
            self.query_one(Title).say("The check cannot be run.")
            self._show(("", [(error.line(), "")]))
            self.query_one(Keys).say(("esc", "back"))
            return
        self._entries = [
            (label, [(visible(words), "strong" if label == "command" else "")]) for label, words in asked
        ]
        self._show(*self._entries)
        answers = self.query_one(Choices)
        answers.display = True
        answers.focus()
        self._asks = True
        self._say_answers()

    def _say_answers(self) -> None:
        keys = (("enter", "choose"), ("pgdn pgup", "scroll"), ("esc", "back, nothing is run"))
        self.query_one(Keys).say(*keys)

    async def _run(self) -> None:
        steps: list[str] = []
        try:
            async for told in self._process.judge():
                if isinstance(told, Judgement):
                    self.dismiss(told)
                    return
                steps.append(told)
                line = f"{len(steps)} of {_STEPS} at most: {visible(told)}"
                self._show(("running", [(line, "accent")]), ("", []), *self._entries)
        except MemauditError as error:
            self.query_one(Title).say("The check came to no end.")
            self._show(("", [(error.line(), "")]))
            self.query_one(Keys).say(("esc", "back"))

    def _show(self, *entries: tuple[str, Row]) -> None:
        self.query_one(FactsPane).show(list(entries))

    def on_choices_chosen(self, event: Choices.Chosen) -> None:
        """The answer under the cursor."""
        self._answer(event.value)

    def on_key(self, event: Key) -> None:
        """An answer's own key."""
        if event.key in ("y", "n") and self._asks:
            event.stop()
            self._answer(event.key)

    def _answer(self, answer: str) -> None:
        if self._runs or not self._asks:
            return
        if answer != "y":
            self.dismiss(None)
            return
        self._runs = True
        self.add_class("-runs")
        self.query_one(Choices).display = False
        self.query_one(Title).say("Running the check …")
        self.query_one(Keys).say(("esc", "stop it and all that it started"))
        self.query_one(FactsPane).focus()
        self.run_worker(self._run(), exit_on_error=False)

    def action_move(self, step: int) -> None:
        """To the other answer, or through the text while it runs."""
        answers = self.query_one(Choices)
        if answers.display:
            answers.action_move(step)
        else:
            self.query_one(FactsPane).scroll_relative(y=step, animate=False)

    def action_scroll(self, pages: int) -> None:
        """Through the text."""
        pane = self.query_one(FactsPane)
        pane.scroll_relative(y=pages * max(pane.size.height - 1, 1), animate=False)
