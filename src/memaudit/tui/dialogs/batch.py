"""A decision for many claims, looked at before it is made: how many, which, and single ones left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from memaudit.domain import Claim
from memaudit.tui.dialogs.base import Dialog, Keys, Title
from memaudit.tui.dialogs.batch_list import BatchList


@dataclass(frozen=True)
class Wording:
    """How a decision for many is asked for: ``Accept 5 held claims?``, ``accept 5``."""

    verb: str
    one: str
    many: str

    def counted(self, count: int) -> str:
        """The claims with their number."""
        return f"{count:,} {self.one if count == 1 else self.many}"


class Batch(Dialog[tuple[str, ...]]):
    """Gives back the ids of the claims that were not left out, None if nothing is to be done.

    ``key`` confirms as well as enter does; ``note`` says where the claims come from. ``texts`` and ``notes``
    are what :class:`BatchList` takes.
    """

    DEFAULT_CSS = """
    Batch > Vertical { width: 100%; height: 100%; }
    Batch BatchList { height: 1fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "confirm", show=False, priority=True)]

    def __init__(
        self,
        wording: Wording,
        note: str,
        claims: Sequence[Claim],
        *,
        key: str,
        texts: Mapping[str, str] | None = None,
        notes: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__()
        self._wording, self._note, self._total = wording, note, len(claims)
        self._claims, self._texts, self._notes = claims, texts or {}, notes or {}
        self._bindings.bind(key, "confirm", show=False)

    def compose(self) -> ComposeResult:
        """Title, claims, keys."""
        with Vertical():
            yield Title("")
            yield BatchList(self._claims, self._texts, self._notes)
            yield Keys()

    def on_mount(self) -> None:
        """Say how many there are."""
        self.query_one(BatchList).focus()
        self._renew()

    def on_batch_list_changed(self) -> None:
        """Say how many are left."""
        self._renew()

    def _renew(self) -> None:
        taken, total = self.query_one(BatchList).count, self._total
        verb = self._wording.verb
        counted = self._wording.counted(total)
        title = f"{verb.capitalize()} {counted}?"
        if taken < total:
            title = f"{verb.capitalize()} {taken:,} of {counted}?" if taken else f"None of {counted} is left."
        self.query_one(Title).say(title, self._note)
        confirm = [("enter", f"{verb} {taken:,}")] if taken else []
        self.query_one(Keys).say(*confirm, ("space", "leave out"), ("*", "all, none"), ("esc", "back"))

    def action_confirm(self) -> None:
        """Yes, for those that are left."""
        taken = self.query_one(BatchList).taken
        self.dismiss(taken or None)
