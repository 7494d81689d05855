"""The editor of one claim: the suggestion filled in, the new text judged while it is typed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import TextArea

from memaudit.domain import Claim, Judgement, Verdict
from memaudit.errors import MemauditError
from memaudit.text import visible
from memaudit.tui.actions import Scope, bindings, of_scope
from memaudit.tui.cells import fit
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.diff_model import LineDiff
from memaudit.tui.keymap import keymap_of
from memaudit.tui.lines import Lines, Row
from memaudit.tui.panes.card import TIERS, verdict_pieces
from memaudit.tui.split_diff import SplitDiff

DEBOUNCE = 0.25
"""Seconds without a key after which the text is judged."""

Rejudge = Callable[[str], Awaitable[Judgement]]


class Editor(TextArea):
    """A text field of one claim: Enter keeps, as in a form; line ends that are pasted become blanks."""

    class Kept(Message):
        """Enter was pressed."""

    # Textual calls the handler of every class in turn, so neither calls the one it extends.

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            self.post_message(self.Kept())

    async def _on_paste(self, event: events.Paste) -> None:
        event.text = flat(event.text)


class LiveVerdict(Lines):
    """What the text in the editor would be judged, or a word on why it is not kept."""

    DEFAULT_CSS = """
    LiveVerdict { height: 2; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._verdict: Judgement | str = ""
        self._notice = ""

    def judging(self) -> None:
        """Another text, not judged yet."""
        self._verdict, self._notice = "judging …", ""
        self.renew()

    def say(self, verdict: Judgement | str) -> None:
        """The verdict on the text, or why there is none."""
        self._verdict = verdict
        self.renew()

    def refuse(self, notice: str) -> None:
        """Why the text is not kept; stays until the text changes."""
        self._notice = notice
        self.renew()

    def build(self, width: int, height: int) -> list[Row]:
        """Verdict, then its reason in words."""
        verdict, notice = self._verdict, self._notice
        first: Row = [(fit(verdict, width), "muted")] if isinstance(verdict, str) else verdict_pieces(verdict)
        why = "" if isinstance(verdict, str) else visible(verdict.why)
        return [first, [(fit(notice or why, width), "accent" if notice else "muted")]]


class Rewrite(Dialog[str]):
    """Gives back the new text, or None.

    ``rejudge`` judges a text in the claim's place. A text that would be judged stale is kept only on
    the second request.
    """

    DEFAULT_CSS = """
    Rewrite > Vertical { width: 100; max-width: 100%; height: 22; max-height: 100%; }
    Rewrite Editor { height: 1fr; min-height: 3; border: none; padding: 0 1; background: $background; }
    Rewrite SplitDiff { height: 1fr; min-height: 2; margin: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.REWRITE)
    holds_text = True

    def __init__(self, claim: Claim, judgement: Judgement | None, text: str | None, rejudge: Rejudge) -> None:
        super().__init__()
        self._claim = claim
        self._rejudge = rejudge
        suggestion = judgement.suggestion if judgement else None
        texts = [("your text", text)] if text is not None else []
        if suggestion is not None and suggestion.text is not None:
            texts.append((TIERS[suggestion.tier], suggestion.text))
        texts.append(("the old text", claim.text))
        self._texts = [(label, flat(words)) for label, words in texts]
        self._note = suggestion.note if suggestion else ""
        self._at = 0
        self._timer: Timer | None = None
        self._judged: tuple[str, Judgement] | None = None
        self._warned = ""

    def compose(self) -> ComposeResult:
        """Title, editor, verdict, what changes, keys."""
        place = f"{visible(self._claim.document)}:{self._claim.line_start}"
        with Vertical():
            yield Title("Rewrite", place, id="rewrite-title")
            yield Editor(self._texts[0][1], soft_wrap=True, compact=True)
            yield Title("Judged")
            yield LiveVerdict()
            yield Title("Change")
            yield SplitDiff(id="rewrite-diff")
            yield Keys(
                *((keymap_of(self).first(one), one.name.lower()) for one in of_scope(Scope.REWRITE)),
                ("esc", "back"),
            )

    def on_mount(self) -> None:
        """Put the cursor at the end and judge the text as it stands."""
        editor = self.query_one(Editor)
        editor.cursor_blink = self.app.animation_level != "none"
        editor.focus()
        editor.move_cursor(editor.document.end)
        self._say_source()
        self._changed()

    @property
    def text(self) -> str:
        """The new text on one line."""
        return flat(self.query_one(Editor).text)

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Judge a little after the last key."""
        event.stop()
        self._changed()

    def action_suggestion(self) -> None:
        """Fill in the next of the suggestion, the old text, and the text decided before."""
        self._at = (self._at + 1) % len(self._texts)
        editor = self.query_one(Editor)
        editor.text = self._texts[self._at][1]
        editor.move_cursor(editor.document.end)
        self._say_source()

    def on_editor_kept(self) -> None:
        """Enter in the editor."""
        self.action_keep()

    def action_keep(self) -> None:
        """Give back the text; ask again first when it would still be stale."""
        text = self.text
        verdict = self.query_one(LiveVerdict)
        if not text:
            verdict.refuse("A rewrite needs words. Esc goes back, r there retires the claim.")
            return
        if text == flat(self._claim.text):
            verdict.refuse("This is the old text. Esc goes back, a there accepts the claim as it is.")
            return
        judged = self._judged
        if judged and judged[0] == text and judged[1].verdict is Verdict.STALE and self._warned != text:
            self._warned = text
            verdict.refuse("Still stale. Enter once more keeps it all the same.")
            return
        self.dismiss(text)

    def _say_source(self) -> None:
        label = self._texts[self._at][0]
        note = f" ({visible(self._note)})" if self._note and label in TIERS.values() else ""
        place = f"{visible(self._claim.document)}:{self._claim.line_start}"
        self.query_one("#rewrite-title", Title).say("Rewrite", f"{place} · filled in: {label}{note}")

    def _changed(self) -> None:
        text = self.text
        diff = LineDiff(flat(self._claim.text) + "\n", text + "\n" if text else "")
        self.query_one(SplitDiff).show(diff, prose=True, numbers=False)
        verdict = self.query_one(LiveVerdict)
        verdict.judging()
        if self._judged and self._judged[0] == text:
            verdict.say(self._judged[1])
            return
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(DEBOUNCE, self._judge)

    def _judge(self) -> None:
        self.run_worker(self._ask(self.text), group="rejudge", exclusive=True, exit_on_error=False)

    async def _ask(self, text: str) -> None:
        verdict = self.query_one(LiveVerdict)
        if not text:
            verdict.say("no text")
            return
        try:
            judgement = await self._rejudge(text)
        except MemauditError as error:
            verdict.say(f"cannot be judged now: {error.line()}")
            return
        self._judged = (text, judgement)
        if text == self.text:
            verdict.say(judgement)


def flat(text: str) -> str:
    """A text on one line, with what could act on a terminal written out: the field shows text as it is."""
    return visible(" ".join(text.split()))
