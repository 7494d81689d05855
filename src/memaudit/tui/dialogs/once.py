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

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close with an answer, unless there is one."""
        if self._is_answered:
            return AwaitComplete()
        self._is_answered = True
        closing: AwaitComplete = super().dismiss(result)
        return closing

    async def _on_message(self, message: Message) -> None:
        """Pass over whatever people did after their answer."""
        told = isinstance(message, events.InputEvent) or not isinstance(message, events.Event)
        if self._is_answered and told and message.bubble:
            return
        await super()._on_message(message)
