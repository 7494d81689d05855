"""What earlier reviews came to: one line when the review opens, and all of it by a key."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual import events

from memaudit.tui.cells import fit
from memaudit.tui.engine import Engine, Opened
from memaudit.tui.lines import Lines, Row
from memaudit.tui.pairing import PairingScreen
from memaudit.tui.telling import named, place, short

if TYPE_CHECKING:
    from memaudit.review.recap import Recap

_HINT = "  H more, esc away "


class RecapLine(Lines):
    """The recap on one line; a click sends it away."""

    DEFAULT_CSS = """
    RecapLine { height: 1; background: $surface; padding: 0 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.sentence = ""

    def build(self, width: int, height: int) -> Sequence[Row]:
        """The one row."""
        room = max(width - len(_HINT), 0)
        if room < len(self.sentence):
            return [[(fit(self.sentence, width), "")]]
        return [[(fit(self.sentence, room), ""), (_HINT, "muted")]]

    def on_click(self, event: events.Click) -> None:
        """Go away."""
        if isinstance(self.screen, RecallingScreen):
            self.screen.dismiss_recap()


class RecallingScreen(PairingScreen):
    """Recalls earlier reviews."""

    _recalled = False

    async def _open(self, opened: Opened, engine: Engine) -> bool:
        shown = await super()._open(opened, engine)
        if shown and self.sitting.opened is not None and not self._recalled:
            self._recalled = True
            self.run_worker(self._recall(), group="recap", exit_on_error=False)
        return shown

    async def _recall(self) -> None:
        recap = await asyncio.to_thread(self.sitting.recap())
        if not recap:
            return
        line = self.query_one(RecapLine)
        line.sentence = _sentence(recap, self.sitting.author)
        line.renew()
        self.add_class("-recap")

    def dismiss_recap(self) -> None:
        """Take the line away."""
        self.remove_class("-recap")

    def do_recap(self) -> None:
        """Tell all of it, as it is now."""
        if self.sitting.opened is not None:
            self.run_worker(self._tell_recap(), group="recap", exit_on_error=False)

    async def _tell_recap(self) -> None:
        from memaudit.tui.dialogs.recap import RecapDialog

        recap = await asyncio.to_thread(self.sitting.recap())
        self.dismiss_recap()
        paragraphs = _paragraphs(recap, self.sitting.author)
        if unsaved := self.sitting.unsaved:
            them = "decision is" if unsaved == 1 else "decisions are"
            paragraphs += ["", self.say(f"{unsaved:,} {them} not in a file yet: {{save}} writes.")]
        self.app.push_screen(RecapDialog(paragraphs))


def _sentence(recap: Recap, author: str) -> str:
    from memaudit.review.recap import day_words, sentence

    return sentence(recap, author, lambda name: named(name, author), day_words) + "."


def _paragraphs(recap: Recap, author: str) -> list[str]:
    from memaudit.review.account_words import person_words

    if not recap and not recap.left:
        return ["Nothing was decided here before."]
    lines = [_sentence(recap, author), ""]
    for name in sorted(recap.people, key=lambda one: (one != author, one.casefold())):
        lines.append(f"{named(name, author)}: {person_words(recap.people[name])}")
    if recap.came_back:
        lines += ["", "Retired before, and in the memory again:"]
        lines += [f"{place(claim)}  {short(claim.text, 100)}" for claim in recap.came_back[:20]]
    return lines
