"""The editor of one claim: the suggestion filled in, the new text judged while it is typed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widgets import TextArea

from memaudit.domain import Block, Claim, Judgement, Verdict
from memaudit.errors import MemauditError
from memaudit.review.gate import dropped
from memaudit.text import visible
from memaudit.tui.actions import Scope, bindings, of_scope
from memaudit.tui.cells import fit
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.dialogs.candidates import Candidates, Word, word_at
from memaudit.tui.diff_model import LineDiff
from memaudit.tui.keymap import keymap_of
from memaudit.tui.lines import Lines, Row
from memaudit.tui.panes.card import TIERS, shared_out, verdict_pieces
from memaudit.tui.split_diff import SplitDiff

DEBOUNCE = 0.25
"""Seconds without a key after which the text is judged."""

Rejudge = Callable[[str], Awaitable[Judgement]]
"""Judges a text in the claim's place; raises MemauditError when it cannot be judged now."""

Complete = Callable[[str], Awaitable[tuple[list[str], bool]]]
"""Names at head that a word may become, and whether all names are known; raises MemauditError."""

_WORTH = (Verdict.STALE, Verdict.UNKNOWN, Verdict.HELD)
_MOST_ASKED = 40
"""How often names are asked for again while none was found and not all of the code is read."""


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

    def action_delete_to_start_of_line(self) -> None:
        """Delete all before the cursor: the text is one line, wherever it is wrapped."""
        self.delete((0, 0), self.cursor_location)

    async def _on_paste(self, event: events.Paste) -> None:
        event.text = flat(event.text)


class LiveVerdict(Lines):
    """What the text in the editor would be judged, or a word on why it is not kept."""

    DEFAULT_CSS = """
    LiveVerdict { height: 4; padding: 0 1; }
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
        """Verdict, its reason in words, and why the text is not kept."""
        verdict = self._verdict
        first: Row = [(fit(verdict, width), "muted")] if isinstance(verdict, str) else verdict_pieces(verdict)
        why = "" if isinstance(verdict, str) else visible(verdict.why)
        reason = shared_out([[(why, "muted")]], (0,), width, 2)
        return [first, *reason, [(fit(self._notice, width), "accent")]]


class Rewrite(Dialog[str]):
    """Gives back the new text, or None.

    No text is kept before it was judged, and one that would be stale, or would be worse off than the old
    one, only on the second request.
    """

    DEFAULT_CSS = """
    Rewrite > Vertical { width: 100; max-width: 100%; height: 24; max-height: 100%; }
    Rewrite Editor { height: 1fr; min-height: 3; border: none; padding: 0 1; background: $background; }
    Rewrite SplitDiff { height: 1fr; min-height: 2; margin: 0; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.REWRITE)
    holds_text = True

    def __init__(
        self,
        claim: Claim,
        judgement: Judgement | None,
        text: str | None,
        rejudge: Rejudge,
        complete: Complete | None = None,
    ) -> None:
        super().__init__()
        self._claim = claim
        self._old = judgement
        self._rejudge = rejudge
        self._names = complete
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
        self._unjudged: tuple[str, str] | None = None
        """A text that cannot be judged now, and why."""
        self._warned = ""
        self._leaving = ""
        """The text that is dropped when the dialog is left once more."""
        self._wanted = ""
        """The text that is to be kept as soon as it is judged."""

    def compose(self) -> ComposeResult:
        """Title, editor, verdict, what changes, keys."""
        place = f"{visible(self._claim.document)}:{self._claim.line_start}"
        with Vertical():
            yield Title("Rewrite", place, id="rewrite-title")
            yield Editor(self._texts[0][1], soft_wrap=True, compact=True)
            yield Candidates()
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
        # At once: what is typed before the focus is there would be lost.
        self.set_focus(editor)
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

    def on_text_area_selection_changed(self, event: TextArea.SelectionChanged) -> None:
        """Other names are meant elsewhere in the text."""
        event.stop()
        self._look_for_names()

    def action_complete(self) -> None:
        """Take the marked name. Without one the cursor stays where words are typed, or goes back there."""
        candidates = self.query_one(Candidates)
        word, name = candidates.word, candidates.name
        editor = self.query_one(Editor)
        if not name or word is None or self.focused is not editor:
            self.set_focus(editor)
            return
        row, _ = editor.cursor_location
        editor.replace(visible(name), (row, word.start), (row, word.end), maintain_selection_offset=False)
        editor.move_cursor((row, word.start + len(visible(name))))

    def action_next_name(self) -> None:
        """Mark the next name."""
        self.query_one(Candidates).step(1)

    def action_suggestion(self) -> None:
        """Fill in the next of the suggestion, the old text, and the text decided before."""
        if {self.text} == {words for _, words in self._texts}:
            self.query_one(LiveVerdict).refuse("There is no other text to fill in: nothing is suggested.")
            return
        self._at = (self._at + 1) % len(self._texts)
        editor = self.query_one(Editor)
        editor.text = self._texts[self._at][1]
        editor.move_cursor(editor.document.end)
        self._say_source()

    def action_leave(self) -> None:
        """Leave; asks again first where words were typed that would be lost."""
        text = self.text
        typed = bool(text) and text not in [words for _, words in self._texts]
        if typed and self._leaving != text:
            self._leaving = text
            self.query_one(LiveVerdict).refuse("esc once more leaves and drops what you typed.")
            return
        super().action_leave()

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
        if self._warned == text:
            self.dismiss(text)
            return
        objection = self._objection(text)
        if objection is None and self._wanted == text:
            self._warned = text
            verdict.refuse("Not judged yet. Enter once more keeps it unjudged.")
        elif objection is None:
            # It was typed faster than it can be judged: the answer decides.
            self._wanted = text
            verdict.refuse("Judging it first …")
            self._judge()
        elif objection:
            self._warned = text
            verdict.refuse(f"{objection} Enter once more keeps it all the same.")
        else:
            self.dismiss(text)

    def _objection(self, text: str) -> str | None:
        """What speaks against keeping a text, empty for nothing, None while that is not known."""
        if self._unjudged and self._unjudged[0] == text:
            return "Nobody can say now whether it holds."
        if self._judged is None or self._judged[0] != text:
            return None
        verdict, old = self._judged[1].verdict, self._old.verdict if self._old else None
        if verdict is Verdict.STALE:
            return "Still stale." if old is Verdict.STALE else "It would be stale."
        if old is not None and _WORTH.index(verdict) < _WORTH.index(old):
            return f"The old text is {old.value}, this would be {verdict.value}."
        return self._loss(self._judged[1])

    def _loss(self, judgement: Judgement) -> str:
        """That the new text names nothing any more of what the old one named, or empty."""
        names = dropped(self._old, judgement)
        more = f" and {len(names) - 1} more" if len(names) > 1 else ""
        return f"It says nothing any more of {visible(names[0])}{more}." if names else ""

    def _show(self, judgement: Judgement) -> None:
        """The verdict on the text as it stands, and what the text drops."""
        verdict = self.query_one(LiveVerdict)
        verdict.say(judgement)
        if loss := self._loss(judgement):
            verdict.refuse(loss)

    def _say_source(self) -> None:
        label, words = self._texts[self._at]
        typed = self.text not in ("", words)
        note = f" ({visible(self._note)})" if self._note and label in TIERS.values() else ""
        said = "your text" if typed else f"filled in: {label}{note}"
        place = f"{visible(self._claim.document)}:{self._claim.line_start}"
        self.query_one("#rewrite-title", Title).say("Rewrite", f"{place} · {said}")

    def _changed(self) -> None:
        text = self.text
        self._say_source()
        diff = LineDiff(flat(self._claim.text) + "\n", text + "\n" if text else "")
        self.query_one(SplitDiff).show(diff, prose=True, numbers=False)
        self._wanted = ""
        self._look_for_names()
        verdict = self.query_one(LiveVerdict)
        verdict.judging()
        if self._judged and self._judged[0] == text:
            self._show(self._judged[1])
            return
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(DEBOUNCE, self._judge)

    def _judge(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        self.run_worker(self._ask(self.text), group="rejudge", exclusive=True, exit_on_error=False)

    async def _ask(self, text: str) -> None:
        verdict = self.query_one(LiveVerdict)
        if not text:
            verdict.say("no text")
            return
        try:
            judgement = await self._rejudge(text)
        except MemauditError as error:
            self._unjudged = (text, error.line())
            verdict.say(f"cannot be judged now: {error.line()}")
        else:
            self._judged = (text, judgement)
            if text == self.text:
                self._show(judgement)
        if self._wanted == text == self.text:
            self.action_keep()

    def _look_for_names(self) -> None:
        """Ask for the names that the word before the cursor may become, a little after the last key."""
        editor, candidates = self.query_one(Editor), self.query_one(Candidates)
        row, column = editor.cursor_location
        code = self._claim.block in (Block.COMMAND, Block.TREE, Block.FENCE)
        line = editor.document.get_line(row)
        word = word_at(line, column, code=code) if editor.selection.is_empty else None
        if word == candidates.word:
            return
        candidates.offer(word, ())
        self.workers.cancel_group(self, "names")
        if word is not None and self._names is not None:
            self.run_worker(self._ask_names(self._names, word), group="names", exit_on_error=False)

    async def _ask_names(self, names: Complete, word: Word) -> None:
        await asyncio.sleep(DEBOUNCE / 2)
        for _ in range(_MOST_ASKED):
            try:
                found, complete = await names(word.typed)
            except MemauditError:
                return
            if self.query_one(Candidates).word != word:
                return
            if found or complete:
                self.query_one(Candidates).offer(word, found)
                return


def flat(text: str) -> str:
    """A text on one line, with what could act on a terminal written out: the field shows text as it is.

    Blanks inside a line stay: in a tree they are what remarks are aligned by.
    """
    lines = (line.strip() for line in text.replace("\t", " ").splitlines())
    return visible(" ".join(line for line in lines if line))
