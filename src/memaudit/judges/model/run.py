"""A run: the questions of a plan, a few at a time and within the cap, until all are answered or it ends."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Iterator
from dataclasses import replace

from memaudit.judges.model.answers import Answers
from memaudit.judges.model.apikey import ApiKey
from memaudit.judges.model.client import Attempt, Client
from memaudit.judges.model.costs import ATTEMPTS, Bill, added, dollars, shown
from memaudit.judges.model.going import Going
from memaudit.judges.model.plan import Plan, Planned
from memaudit.judges.model.verdict import Answered

_MOST_FAILED = 4
"""Questions in a row that the server fails or refuses, after which the run ends."""

_WAITS = "it was asked in a batch that is not through yet"


class Run(Going):
    """Asks the questions of a plan one by one; those that wait for a batch are left to it."""

    def __init__(
        self, plan: Plan, key: ApiKey, answers: Answers, may_send: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__(plan, key, answers, may_send)
        self._reserved = 0.0
        self._failed = 0

    def _beside(self) -> Iterator[Answered]:
        for planned in self._plan.questions:
            if planned.waits:
                yield self._verdict(planned, None, _WAITS, 0.0, kept=False)

    async def _ask_all(self) -> None:
        async with Client(self._plan.settings, self._key, self._may_send) as client:
            waiting = _Waiting(self._plan.new)
            flying: dict[asyncio.Task[Attempt], Planned] = {}
            try:
                while flying or (waiting.ready and not self._ended):
                    while self._may_ask(waiting, len(flying)):
                        planned = waiting.take()
                        self._reserve(planned)
                        flying[asyncio.create_task(self._ask(client, planned))] = planned
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

    async def _ask(self, client: Client, planned: Planned) -> Attempt:
        return await client.ask(planned.sent)

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
                uncertain=bill.uncertain + _unsure(attempt) * planned.worst,
            )
        answer, fault = (reply.answer, reply.fault) if reply else (None, attempt.fault)
        if answer is not None:
            self._answers.keep(planned.key, answer)
        self._failed = 0 if reply else self._failed + 1
        if attempt.ends or self._failed >= _MOST_FAILED:
            told = f"{self._plan.settings.host}: {fault}" + (f" ({attempt.fix})" if attempt.fix else "")
            self._ended = self._ended or told
        self._out.put(self._verdict(planned, answer, fault, usd, kept=False))


def _unsure(attempt: Attempt) -> int:
    """How many attempts count as what they cost at most, because nobody has told."""
    return attempt.unheard + (attempt.reply is not None and not attempt.reply.usage.told)


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
