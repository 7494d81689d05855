"""The review screen's side of the audit: starts it, takes its events in, says what went wrong."""

from __future__ import annotations

import asyncio
import gc
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.text import Text
from textual.timer import Timer

from memaudit.errors import JournalBusyError, MemauditError
from memaudit.settings import Settings
from memaudit.text import visible
from memaudit.tui.bulk import BulkScreen
from memaudit.tui.deciding import reworded_words
from memaudit.tui.engine import Done, Engine, Event, Failed, Judged, Opened, Progress
from memaudit.tui.exporting import ExportingScreen
from memaudit.tui.outcome import closing_words
from memaudit.tui.outward import OutwardScreen
from memaudit.tui.sitting import Sitting, preload
from memaudit.tui.trying import TryingScreen

if TYPE_CHECKING:
    from memaudit.domain import AuditRequest

_SETTLE = 5_000
"""Verdicts after which those that came are taken for good."""

REFRESH = 1 / 12
"""Seconds between two refreshes while verdicts stream in."""

WATCH_SECONDS = 3.0
"""Seconds between two looks at whether HEAD is where it was."""

BUSY_SECONDS = 0.25
"""Seconds between two attempts to use a journal that another program keeps locked."""

_MOST_UNREAD_TOLD = 3
"""Files that could not be read, told one by one."""


class AuditingScreen(BulkScreen, ExportingScreen, OutwardScreen, TryingScreen):
    """Runs one audit process at a time; what it reports is shown by the subclass."""

    def __init__(self, request: AuditRequest, settings: Settings, command: tuple[str, ...] | None) -> None:
        super().__init__()
        self._request = request
        self._command = command
        self.settings = settings
        self.sitting = Sitting(settings.decided_by, request.review_folder)
        self.engine = self._new_engine()
        self.progress: Progress | None = None
        """How far the audit is, from its start to its end."""
        self.stopped = ""
        """Why no further verdicts will come, or empty."""
        self.moved_to = ""
        """The commit that HEAD has moved to since the stores were read, or empty."""
        self._refresh_timer: Timer | None = None
        self._settled = 0

    def show_opened(self, opened: Opened) -> None:
        """The claims are known."""
        raise NotImplementedError

    def show_failure(self, line: str) -> None:
        """Nothing could be opened, for a reason on one line that is safe to show."""
        raise NotImplementedError

    def show_waiting(self, line: str) -> None:
        """The journal is in use by another program; the line is safe to show."""
        raise NotImplementedError

    async def on_unmount(self) -> None:
        """End the audit process with the screen."""
        await self.engine.close()
        self.sitting.close()

    def start_audit(self) -> None:
        """Start the audit process and listen to it."""
        self.progress = Progress(0, 0, "reading the repository")
        self.run_worker(self._listen(self.engine), group="audit", exclusive=True, exit_on_error=False)
        self.run_worker(preload, group="preload", thread=True, exit_on_error=False)

    async def reopen(self) -> None:
        """Read the stores again and judge them anew; decisions are in the journal."""
        old, self.engine = self.engine, self._new_engine()
        self.stopped = self.moved_to = ""
        await old.close()
        self.start_audit()
        self.refresh_now()

    def share_in(self, review_folder: str) -> None:
        """Keep the review in another folder once it is opened: nothing could be in this one."""
        self._request = replace(self._request, review_folder=review_folder)
        self.sitting.review_folder = review_folder

    def do_reload(self) -> None:
        """Read everything again."""
        self.run_worker(self.reopen(), group="reopen", exclusive=True, exit_on_error=False)

    def watch_head(self) -> None:
        """Look from time to time whether HEAD is where it was, once the audit is through."""
        if self.engine.running and self.progress is None and not self.moved_to:
            self.run_worker(self._look_at_head(), group="head", exclusive=True, exit_on_error=False)

    async def _look_at_head(self) -> None:
        engine = self.engine
        try:
            moved_to = await engine.moved_to()
        except MemauditError:
            return
        if moved_to and engine is self.engine:
            self.moved_to = moved_to
            self.tell(
                self.say("HEAD has moved on since the audit. {reload} reads everything again."), "warning"
            )
            self.refresh_now()

    def leave(self) -> None:
        """End the program: exit code 2 and the reason when nothing could be opened, else 0."""
        if self.sitting.opened is None and self.stopped:
            line = Text(f"memaudit: {visible(self.stopped)}", no_wrap=True, overflow="ignore")
            self.app.exit(2, return_code=2, message=line)
        else:
            self.app.exit(0)

    def refresh_now(self) -> None:
        """Bring the screen up to date, and not again a moment later."""
        if self._refresh_timer is not None:
            self._refresh_timer.stop()
            self._refresh_timer = None

    def _new_engine(self) -> Engine:
        return Engine(self._request, self._command) if self._command else Engine(self._request)

    async def _listen(self, engine: Engine) -> None:
        async for event in engine.events():
            if engine is self.engine:
                if isinstance(event, Opened) and not await self._open(event, engine):
                    continue
                self._take(event)

    def _take(self, event: Event) -> None:
        match event:
            case Progress():
                self.progress = event
            case Judged(judgements):
                self.sitting.judge(judgements)
                self._settled += len(judgements)
                if self._settled >= _SETTLE:
                    self._settle()
            case Done(cost, warning):
                self.progress = None
                self._settle()
                self.sitting.cost = cost
                if warning:
                    self.tell(visible(warning), "warning")
                if self.sitting.opened and (
                    words := closing_words(self.sitting.board, self.sitting.opened.range)
                ):
                    self.tell(self.say(words))
            case Failed():
                self._fail(event)
        if isinstance(event, Opened | Failed | Done):
            self.refresh_now()
        elif self._refresh_timer is None:
            self._refresh_timer = self.set_timer(REFRESH, self.refresh_now)

    async def _open(self, opened: Opened, engine: Engine) -> bool:
        """Take up the stores, as soon as the journal can be used; whether there is anything to show."""
        while True:
            try:
                self.sitting.open(opened)
            except JournalBusyError as error:
                self.show_waiting(error.line())
                await asyncio.sleep(BUSY_SECONDS)
                if engine is not self.engine or not self.is_attached:
                    return False
            except MemauditError as error:
                self.sitting.opened = None
                self._fail(Failed(error.what, error.where, error.fix))
                return True
            else:
                break
        self.show_opened(opened)
        self._settle()
        self._tell_unread(opened)
        found = len(self.sitting.board.decisions)
        if found:
            unsaved = self.sitting.unsaved
            noun = "decision" if found == 1 else "decisions"
            state = f"{unsaved} not saved yet" if unsaved else "all saved"
            self.tell(f"{found} earlier {noun} taken up, {state}.")
        if self.sitting.lost:
            self.tell(f"{self.sitting.lost} earlier decisions no longer find their claim.", "warning")
        if reworded := self.sitting.reworded:
            self.tell(f"{reworded_words(reworded)}: look at them before you save.", "warning")
        return True

    def _tell_unread(self, opened: Opened) -> None:
        unread = [document for store in opened.stores for document in store.unread]
        for document in unread[:_MOST_UNREAD_TOLD]:
            self.tell(f"Not audited: {document.path} {'; '.join(document.warnings)}.", "warning")
        if (more := len(unread) - _MOST_UNREAD_TOLD) > 0:
            self.tell(f"{more} more could not be read: memaudit stores lists them.", "warning")

    def _settle(self) -> None:
        """Keep what is there from Python's full collections: it stays, and walking it stops the screen.

        With many claims that would be for a tenth of a second, again and again while verdicts come in.
        """
        self._settled = 0
        gc.freeze()

    def _fail(self, failed: Failed) -> None:
        self.progress = None
        self.stopped = failed.line
        if self.sitting.opened is None:
            self.show_failure(visible(failed.line))
        else:
            again = self.say("{reload} starts it again.")
            self.tell(f"The audit stopped, the review goes on. {again} {failed.line}", "error")
