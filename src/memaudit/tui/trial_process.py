"""The process that tries a check, seen from the screen: made ready, told to run, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from memaudit.domain import Cost, Judgement
from memaudit.errors import MemauditError
from memaudit.wire import judgement_from_json

COMMAND: tuple[str, ...] = (sys.executable, "-P", "-m", "memaudit.oracle_worker")
"""``-P`` keeps Python from importing modules out of the folder that is being audited."""

_MOST_LINE = 16 * 1024 * 1024
_GRACE_SECONDS = 5.0
"""How long the process may take to end what it runs and to remove its copies."""


@dataclass
class TrialProcess:
    """One check of one claim: :meth:`ask` first, then :meth:`judge`; :meth:`close` ends it at any time.

    ``request`` opens it, see :mod:`memaudit.oracle_worker`.
    """

    claim_id: str
    request: dict[str, Any]
    command: Sequence[str] = COMMAND
    cost: Cost = field(default_factory=Cost, init=False)
    """What calls to a model have cost so far."""
    left: str = field(default="", init=False)
    """What of the throw-away copies could not be removed, in words."""
    _process: asyncio.subprocess.Process | None = field(default=None, init=False)
    _waits: bool = field(default=False, init=False)
    """Whether a model is being waited for: the process hears nothing then."""
    _reader: asyncio.Task[Any] | None = field(default=None, init=False)
    """Who waits for the next event."""
    _closing: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    @property
    def drafts(self) -> bool:
        """Whether the check is to be drafted by a model first."""
        return bool(self.request["do"] == "draft")

    async def ask(self) -> list[tuple[str, str]]:
        """What a person has to agree to: labels and words, not yet safe to show. Raises MemauditError."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_MOST_LINE,
            )
        except OSError as error:
            raise MemauditError(f"the check cannot be tried: {error.strerror or error}") from error
        await self._send(**self.request)
        asked = await self._asked()
        if isinstance(asked, Judgement):
            raise MemauditError("the process that tries checks said something unexpected")
        return asked

    async def draft(self) -> list[tuple[str, str]] | Judgement:
        """Have the check drafted: what has to be agreed to now, or the judgement where it can be none."""
        await self._send(do="yes")
        self._waits = True
        try:
            return await self._asked()
        finally:
            self._waits = False

    async def _asked(self) -> list[tuple[str, str]] | Judgement:
        async for event in self._events():
            if event["event"] == "asked":
                return [(str(label), str(words)) for label, words in event["entries"]]
            if event["event"] == "judged":
                return judgement_from_json(self.claim_id, event["judgement"])
        raise MemauditError("the process that tries checks ended")

    async def judge(self) -> AsyncIterator[str | Judgement]:
        """Run the check: what is being run, in words, then the judgement. Raises MemauditError."""
        await self._send(do="yes")
        async for event in self._events():
            if event["event"] == "running":
                yield str(event["told"])
            elif event["event"] == "judged":
                yield judgement_from_json(self.claim_id, event["judgement"])
                return
        raise MemauditError("the process that tries checks ended")

    async def close(self) -> None:
        """End it: it stops what it runs, with all that this started, and removes its copies.

        Afterwards :attr:`cost` and :attr:`left` are complete, whoever else has it closed at the same time.
        """
        async with self._closing:
            process, self._process = self._process, None
            if process is not None:
                await self._end(process)

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        if self._reader is not None:
            self._reader.cancel()
            await asyncio.wait([self._reader])
        if process.stdin is not None:
            process.stdin.close()
        if self._waits:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
        try:
            async with asyncio.timeout(_GRACE_SECONDS):
                with contextlib.suppress(MemauditError):
                    async for _ in self._events(process):
                        pass  # Only what is left and what was billed still counts.
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    async def _send(self, **request: Any) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise MemauditError("the process that tries checks ended")
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(json.dumps(request).encode() + b"\n")
            await process.stdin.drain()

    async def _events(
        self, process: asyncio.subprocess.Process | None = None
    ) -> AsyncIterator[dict[str, Any]]:
        process = process or self._process
        if process is None or process.stdout is None:
            return
        while line := await self._line(process.stdout):
            try:
                event = json.loads(line)
            except ValueError as error:
                raise MemauditError("the process that tries checks said something unexpected") from error
            if event["event"] == "failed":
                raise MemauditError(str(event["what"]), str(event["where"]), str(event["fix"]))
            if event["event"] == "billed":
                self.cost = Cost(self.cost.model_calls + 1, self.cost.usd + float(event["usd"]))
            elif event["event"] == "left":
                self.left = str(event["told"])
            else:
                yield event

    async def _line(self, stream: asyncio.StreamReader) -> bytes:
        self._reader = asyncio.current_task()
        try:
            return await stream.readline()
        except ValueError as error:
            raise MemauditError("the process that tries checks said more than can be shown") from error
        finally:
            self._reader = None
