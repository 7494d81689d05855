"""What all ways of asking have in common: the thread that asks, the bill, and being cancelled.

The calls go on in a thread with an event loop of its own, so that cancelling closes the connections at once,
whoever reads the verdicts.
"""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import Callable, Iterator

from memaudit.errors import ModelError
from memaudit.judges.model.answers import Answers
from memaudit.judges.model.apikey import ApiKey
from memaudit.judges.model.costs import Bill
from memaudit.judges.model.plan import Plan, Planned
from memaudit.judges.model.verdict import Answered, answered

_LOOK_SECONDS = 0.2


class Going:
    """Asks the questions of a plan. :meth:`verdicts` starts it and yields what comes, cached answers first.

    Raises ModelError on making one for a model whose price is not known: no cap could be kept then.
    """

    def __init__(
        self, plan: Plan, key: ApiKey, answers: Answers, may_send: Callable[[], None] = lambda: None
    ) -> None:
        """``may_send`` raises ModelError when nothing may be sent any more; each request asks it."""
        price = plan.settings.price
        if price is None:
            fix = f"give it in the settings: [model.prices.{plan.settings.name}]"
            raise ModelError("no price is known for this model", plan.settings.name, fix)
        self._price = price
        self._plan = plan
        self._key = key
        self._may_send = may_send
        self._answers = answers
        self._lock = threading.Lock()
        self._bill = Bill()
        self._ended = ""
        self._cancelled = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._main: asyncio.Task[None] | None = None
        self._out: queue.SimpleQueue[Answered | BaseException | None] = queue.SimpleQueue()

    @property
    def bill(self) -> Bill:
        """What was spent so far; may be asked from any thread."""
        with self._lock:
            return self._bill

    @property
    def ended(self) -> str:
        """Why not everything was asked, in words; empty while all is well."""
        return self._ended

    def cancel(self) -> None:
        """Stop at once, from any thread: open connections are closed, what was answered stays."""
        with self._lock:
            self._cancelled = True
            loop, main = self._loop, self._main
        if loop is not None and main is not None:
            try:
                loop.call_soon_threadsafe(main.cancel)
            except RuntimeError:
                return  # It has ended by itself meanwhile.

    def verdicts(self) -> Iterator[Answered]:
        """What comes of the claims, as it comes. Leaving the iteration cancels the run."""
        for planned in self._plan.questions:
            if planned.known is not None:
                yield self._verdict(planned, planned.known, "", 0.0, kept=True)
        yield from self._beside()
        if not self._is_needed() or self._cancelled:
            self._ended = self._ended or ("cancelled" if self._cancelled else "")
            return
        thread = threading.Thread(target=self._in_thread, daemon=True)
        thread.start()
        try:
            while (item := self._next()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            self.cancel()
            thread.join()

    def _next(self) -> Answered | BaseException | None:
        """Wait for what comes next. Now and then Python gets a turn: a control-C that falls between its last
        look at signals and the wait would be heard of only when something comes.
        """
        while True:
            with contextlib.suppress(queue.Empty):
                return self._out.get(timeout=_LOOK_SECONDS)

    def _beside(self) -> Iterator[Answered]:
        """What is known of claims without asking, but for cached answers."""
        return iter(())

    def _is_needed(self) -> bool:
        """Whether there is anything to do with the server."""
        return bool(self._plan.new)

    def _in_thread(self) -> None:
        try:
            asyncio.run(self._begin())
        except asyncio.CancelledError:
            self._ended = "cancelled"
        except BaseException as error:
            self._out.put(error)
        finally:
            self._out.put(None)

    async def _begin(self) -> None:
        with self._lock:
            self._loop, self._main = asyncio.get_running_loop(), asyncio.current_task()
            if self._cancelled:
                raise asyncio.CancelledError
        await self._ask_all()

    async def _ask_all(self) -> None:
        raise NotImplementedError

    def _verdict(
        self, planned: Planned, answer: str | None, fault: str, usd: float, *, kept: bool
    ) -> Answered:
        name = self._plan.settings.name
        return answered(planned.question, planned.before, name, answer, fault, usd, kept=kept)
