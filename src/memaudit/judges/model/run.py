"""A run: the questions of a plan, a few at a time and within the cap, until all are answered or it ends.

The calls go on in a thread with an event loop of its own, so that cancelling closes the connections at once,
whoever reads the verdicts.
"""

from __future__ import annotations

import asyncio
import heapq
import queue
import threading
from collections.abc import Iterator
from dataclasses import replace

from memaudit.errors import ModelError
from memaudit.judges.model.answers import Answers
from memaudit.judges.model.apikey import ApiKey
from memaudit.judges.model.client import Attempt, Client
from memaudit.judges.model.costs import ATTEMPTS, Bill, added, dollars, shown
from memaudit.judges.model.plan import Plan, Planned
from memaudit.judges.model.verdict import Answered, answered

_MOST_FAILED = 4
"""Questions in a row that the server fails or refuses, after which the run ends."""


class Run:
    """Asks the questions of a plan. :meth:`verdicts` starts it and yields what comes, cached answers first.

    Raises ModelError on making one for a model whose price is not known: no cap could be kept then.
    """

    def __init__(self, plan: Plan, key: ApiKey, answers: Answers) -> None:
        price = plan.settings.price
        if price is None:
            fix = f"give it in the settings: [model.prices.{plan.settings.name}]"
            raise ModelError("no price is known for this model", plan.settings.name, fix)
        self._price = price
        self._plan = plan
        self._key = key
        self._answers = answers
        self._lock = threading.Lock()
        self._bill = Bill()
        self._reserved = 0.0
        self._failed = 0
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
        new: list[Planned] = []
        for planned in self._plan.questions:
            if planned.known is None:
                new.append(planned)
            else:
                yield self._verdict(planned, planned.known, "", 0.0, kept=True)
        if not new or self._cancelled:
            self._ended = self._ended or ("cancelled" if self._cancelled else "")
            return
        thread = threading.Thread(target=self._in_thread, args=(new,), daemon=True)
        thread.start()
        try:
            while (item := self._out.get()) is not None:
                if isinstance(item, BaseException):
                    raise item
                yield item
        finally:
            self.cancel()
            thread.join()

    def _in_thread(self, new: list[Planned]) -> None:
        try:
            asyncio.run(self._ask_all(new))
        except asyncio.CancelledError:
            self._ended = "cancelled"
        except BaseException as error:
            self._out.put(error)
        finally:
            self._out.put(None)

    async def _ask_all(self, new: list[Planned]) -> None:
        with self._lock:
            self._loop, self._main = asyncio.get_running_loop(), asyncio.current_task()
            if self._cancelled:
                raise asyncio.CancelledError
        async with Client(self._plan.settings, self._key) as client:
            waiting = _Waiting(new)
            flying: dict[asyncio.Task[Attempt], Planned] = {}
            try:
                while flying or (waiting.ready and not self._ended):
                    while self._may_ask(waiting, len(flying)):
                        planned = waiting.take()
                        self._reserve(planned)
                        flying[asyncio.create_task(client.ask(planned.sent))] = planned
                    if not flying:
                        self._ended = f"the cap of {shown(self._plan.settings.cap_usd)} is reached"
                        return
                    done, _ = await asyncio.wait(flying, return_when=asyncio.FIRST_COMPLETED)
                    for task in done:
                        planned = flying.pop(task)
                        waiting.answered(planned)
                        self._settle(planned, task.result())
            finally:
                for task, planned in flying.items():
                    task.cancel()
                    # Nobody will hear what they cost.
                    self._broke_off(planned)
                await asyncio.gather(*flying, return_exceptions=True)

    def _may_ask(self, waiting: _Waiting, flying: int) -> bool:
        settings = self._plan.settings
        if self._ended or not waiting.ready or flying >= settings.at_once:
            return False
        spent = self._bill.usd + self._bill.uncertain + self._reserved
        return spent + ATTEMPTS * waiting.first.worst <= settings.cap_usd

    def _reserve(self, planned: Planned) -> None:
        self._reserved += ATTEMPTS * planned.worst

    def _broke_off(self, planned: Planned) -> None:
        with self._lock:
            uncertain = self._bill.uncertain + ATTEMPTS * planned.worst
            self._bill = replace(self._bill, calls=self._bill.calls + 1, uncertain=uncertain)

    def _settle(self, planned: Planned, attempt: Attempt) -> None:
        """Put what one question cost on the bill, and its verdict out."""
        self._reserved -= ATTEMPTS * planned.worst
        reply = attempt.reply
        usd = dollars(reply.usage, self._price) if reply else 0.0
        with self._lock:
            bill = self._bill
            self._bill = Bill(
                calls=bill.calls + 1,
                usage=added(bill.usage, reply.usage) if reply else bill.usage,
                usd=bill.usd + usd,
                uncertain=bill.uncertain + attempt.unheard * planned.worst,
            )
        answer, fault = (reply.answer, reply.fault) if reply else (None, attempt.fault)
        if answer is not None:
            self._answers.keep(planned.question, answer)
        self._failed = 0 if reply else self._failed + 1
        if attempt.ends or self._failed >= _MOST_FAILED:
            told = f"{self._plan.settings.host}: {fault}" + (f" ({attempt.fix})" if attempt.fix else "")
            self._ended = self._ended or told
        self._out.put(self._verdict(planned, answer, fault, usd, kept=False))

    def _verdict(
        self, planned: Planned, answer: str | None, fault: str, usd: float, *, kept: bool
    ) -> Answered:
        name = self._plan.settings.name
        return answered(planned.question, planned.before, name, answer, fault, usd, kept=kept)


class _Waiting:
    """The questions still to be asked, in order. Of those on one shared change, the first goes alone: when
    its answer is there, the server has the change and reads it for the others at a tenth of the price.
    """

    def __init__(self, questions: list[Planned]) -> None:
        self._ready: list[tuple[int, Planned]] = []
        self._behind: dict[str, list[tuple[int, Planned]]] = {}
        for place, planned in enumerate(questions):
            change = planned.question.change
            if planned.shared and change in self._behind:
                self._behind[change].append((place, planned))
                continue
            if planned.shared:
                self._behind[change] = []
            self._ready.append((place, planned))

    @property
    def ready(self) -> bool:
        """Whether one may go now; where none is on its way, whether any is left."""
        return bool(self._ready)

    @property
    def first(self) -> Planned:
        """The question whose turn it is."""
        return self._ready[0][1]

    def take(self) -> Planned:
        """Take out the question whose turn it is."""
        return heapq.heappop(self._ready)[1]

    def answered(self, planned: Planned) -> None:
        """Let those go that waited for this one."""
        for item in self._behind.pop(planned.question.change, ()):
            heapq.heappush(self._ready, item)
