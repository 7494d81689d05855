"""A screen over the review that is answered once, however often its answer is given."""

from __future__ import annotations

from typing import TypeVar

from textual import events
from textual.await_complete import AwaitComplete
from textual.message import Message
from textual.screen import ModalScreen

Answer = TypeVar("Answer")


class Once(ModalScreen[Answer]):
    """Takes its first answer: a second key or click is on its way before the screen is gone."""

    _is_answered = False
    _is_below = False
    """Whether it was answered while another screen lay above."""
    _late_answer: Answer | None = None

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close with an answer, unless there is one; below another screen, as soon as that is closed."""
        if self._is_answered:
            return AwaitComplete()
        self._is_answered, self._late_answer = True, result
        self._is_below = self.app.screen is not self
        if self._is_below:
            return AwaitComplete()
        closing: AwaitComplete = super().dismiss(result)
        return closing

    def on_screen_resume(self) -> None:
        """What lay above is closed: so is this, if it was answered meanwhile."""
        if self._is_below:
            self._is_below = False
            super().dismiss(self._late_answer)

    async def _on_message(self, message: Message) -> None:
        """Pass over whatever people did after their answer."""
        told = isinstance(message, events.InputEvent) or not isinstance(message, events.Event)
        if self._is_answered and told and message.bubble:
            return
        await super()._on_message(message)
