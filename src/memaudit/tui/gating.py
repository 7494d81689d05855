"""After a save: the whole store is judged again, and a save that made a claim worse is undone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual.notifications import SeverityLevel
from textual.screen import Screen

from memaudit.errors import MemauditError
from memaudit.text import visible
from memaudit.tui.engine import Engine
from memaudit.tui.sitting import Sitting

if TYPE_CHECKING:
    from memaudit.review.gate import Gate

_MOST_SHOWN = 5
_MANY = 1_000
"""Claims from which on it takes long enough to say that it is being done."""


class GatingScreen(Screen[None]):
    """The part of the review screen that looks at what a save made of the store."""

    sitting: Sitting
    engine: Engine
    judging_save = False
    """Whether the last save is being judged."""
    _afterwards: Callable[[], None] | None = None

    def tell(self, text: str, severity: SeverityLevel = "information") -> None:
        """A notice of one line; the text may come from anywhere."""
        raise NotImplementedError

    def refresh_now(self) -> None:
        """Bring the screen up to date with the sitting."""
        raise NotImplementedError

    def judge_save(self, told: str, then: Callable[[], None] | None = None) -> None:
        """Judge the store again, and undo the last save if a claim that held does not any more.

        ``told`` is what there is to say of the save if it stands. ``then`` is called once that is known,
        unless the save was undone.
        """
        self.judging_save, self._afterwards = True, then
        if len(self.sitting.board.claims) > _MANY:
            self.tell("Saved. The whole store is being judged again …")
        self.run_worker(self._judge_save(told), group="gate", exclusive=True, exit_on_error=False)

    def leave_when_judged(self, leave: Callable[[], None]) -> bool:
        """Put leaving off until the last save is judged; False where nothing is, or when asked again."""
        if not self.judging_save or self._afterwards is not None:
            return False
        self._afterwards = leave
        self.tell("Leaving as soon as the save is judged; once more leaves at once.")
        return True

    async def _judge_save(self, told: str) -> None:
        try:
            gate = self.sitting.compare(await self.engine.judge_again(self.sitting.changed_documents()))
            undone = bool(gate.lost)
        except MemauditError as error:
            self.tell(f"{told}. The store could not be judged again: {error.line()}", "warning")
            undone = False
        else:
            if undone:
                self._undo_save(gate)
            else:
                self.refresh_now()
                self.tell(f"{told}. {gate.words}" if gate.total else told)
        finally:
            self.judging_save = False
        then, self._afterwards = self._afterwards, None
        if then is not None and not undone:
            then()

    def _undo_save(self, gate: Gate) -> None:
        """Put the files back and say why."""
        from memaudit.tui.dialogs.confirm import Confirm

        failed: Sequence[MemauditError]
        try:
            failed = self.sitting.take_back()
        except MemauditError as error:
            failed = (error,)
        self.refresh_now()
        sentences = [gate.words]
        for lost in gate.lost[:_MOST_SHOWN]:
            place = f"{lost.claim.document}:{lost.claim.line_start}"
            sentences += [f"{visible(place)}  {visible(lost.claim.text)[:120]}", f"  {visible(lost.why)}"]
        if len(gate.lost) > _MOST_SHOWN:
            sentences.append(f"and {len(gate.lost) - _MOST_SHOWN:,} more.")
        if failed:
            sentences.append("Not every file could be put back:")
            sentences += [f"  {error.line()}" for error in failed]
        else:
            sentences.append("The files are as they were, from their backups. Your decisions are kept.")
        title = "Save not undone" if failed else "Save undone"
        self.app.push_screen(Confirm(title, tuple(sentences), (("enter", "go on"),)))
