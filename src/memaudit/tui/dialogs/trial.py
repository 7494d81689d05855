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
"""Runs of a check that fails at head, which are the most: twice on either side."""


class TrialDialog(Dialog[Judgement]):
    """Gives back the judgement, None where nothing was run or it was stopped.

    A check that a model is to write is asked for twice: before anything is sent, and before the draft runs,
    which it does only after its end was on the screen: before, yes goes on to more of it.

    Whatever way it is left, what runs is ended with all that it started.
    """

    DEFAULT_CSS = """
    TrialDialog > Vertical { width: 100; max-width: 100%; max-height: 100%; }
    TrialDialog FactsPane { height: auto; max-height: 20; }
    TrialDialog Choices { margin: 1 0; }
    TrialDialog.-flat FactsPane { max-height: 14; }
    TrialDialog.-waits FactsPane { margin-bottom: 1; }
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
        self._asks = self._drafted = False

    def compose(self) -> ComposeResult:
        """Title, what is asked, answers, keys."""
        with Vertical():
            yield Title("Have a check drafted?" if self._process.drafts else "Run the check of this claim?")
            yield FactsPane()
            yield Choices(_answers("yes, send this" if self._process.drafts else "yes, run it"))
            yield Keys(("esc", "back, nothing is run"))

    def on_mount(self) -> None:
        """Have it worked out what there is to agree to."""
        self.set_class(self.app.size.height < 28, "-flat")
        self._wait("Working out how it would be run …")
        self.run_worker(self._ask(), exit_on_error=False)

    async def on_unmount(self) -> None:
        """Nothing goes on without the dialog."""
        await self._process.close()

    async def _ask(self) -> None:
        try:
            self._offer(await self._process.ask())
        except MemauditError as error:
            self._fail("The check cannot be run.", error)

    async def _draft(self) -> None:
        try:
            came = await self._process.draft()
        except MemauditError as error:
            self._fail("No check was drafted.", error)
            return
        if isinstance(came, Judgement):
            self.dismiss(came)
            return
        self._drafted = True
        self.query_one(Title).say("Run the drafted check?")
        self.query_one(Choices).offer(_answers("yes, run it"))
        self.query_one(Choices).action_edge(1)
        self._offer(came)

    def _wait(self, line: str) -> None:
        """Ask nothing while something is being worked out."""
        self._asks = False
        self.add_class("-waits")
        self.query_one(Choices).display = False
        self._show(("", [(line, "muted")]))

    def _offer(self, asked: list[tuple[str, str]]) -> None:
        """Show what there is to agree to, and ask."""
        self._entries = [(label, [(visible(words), _role(label, words))]) for label, words in asked]
        self._show(*self._entries)
        answers = self.query_one(Choices)
        self.remove_class("-waits")
        answers.display = True
        answers.focus()
        self._asks = True
        self._say_answers()

    def _fail(self, title: str, error: MemauditError) -> None:
        self.query_one(Title).say(title)
        self._wait("")
        self._show(("", [(error.line(), "")]))
        self.query_one(Keys).say(("esc", "back"))

    @property
    def _is_seen_whole(self) -> bool:
        """Whether the end of what there is to agree to is on the screen."""
        pane = self.query_one(FactsPane)
        return pane.scroll_offset.y >= pane.virtual_size.height - pane.size.height

    def _say_answers(self) -> None:
        keys = [("enter", "choose"), ("pgdn pgup", "scroll")]
        if self._drafted:
            keys = [("pgdn", "to the end, where y runs it")]
        self.query_one(Keys).say(*keys, ("esc", "back, nothing is run"))

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
            self._fail("The check came to no end.", error)

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
        if not self._asks:
            return
        if answer != "y":
            self.dismiss(None)
            return
        if self._process.drafts and not self._drafted:
            self._wait("A model is writing it …")
            self.query_one(Keys).say(("esc", "stop waiting; what was sent may be billed"))
            self.run_worker(self._draft(), exit_on_error=False)
            return
        if self._drafted and not self._is_seen_whole:
            self.action_scroll(1)
            return
        self._asks = False
        self.add_class("-waits")
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


def _role(label: str, words: str) -> str:
    """The command stands out, and so does what does not keep it in."""
    if label in ("network", "files") and words.startswith("NOT"):
        return "stale"
    return "strong" if label == "command" else ""


def _answers(yes: str) -> tuple[Choice, ...]:
    return Choice("no, run nothing", "n", "n"), Choice(yes, "y", "y")
