"""The audit process seen from the screen: started, fed requests, its stream of events read.

The audit runs in a child because the git library holds Python's lock for whole calls, and so that a
crash in native code never takes the review down.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import os
import sys
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from memaudit.domain import Claim, CommitInfo, Cost, Judgement, Range, Store
from memaudit.errors import MemauditError
from memaudit.tui.asking_events import (
    Answered,
    AskingEnded,
    Drafted,
    answered_from_wire,
    drafted_from_wire,
    ended_from_wire,
)
from memaudit.wire import claim_from_wire, judgement_from_json, store_from_wire

if TYPE_CHECKING:
    from memaudit.domain import AuditRequest

MAX_LINE = 512 * 1024 * 1024
"""Bytes of one event that are put up with; more is a fault of the child."""

_CHUNK = 1 << 16
_BATCH = 200
_GRACE_SECONDS = 0.5


@dataclass(frozen=True)
class Opened:
    """The repository and its stores are known; no verdict yet."""

    repo: str
    root: str | None
    common_dir: str
    prefix: str
    range: Range
    stores: tuple[Store, ...]
    read_only: str
    """Why the stores cannot be saved, empty when they can."""
    origin: str
    """What the review is called in the folder it is shared in, empty where it is not shared."""


@dataclass(frozen=True)
class Progress:
    """``done`` of ``total`` steps of ``phase``."""

    done: int
    total: int
    phase: str


@dataclass(frozen=True)
class Judged:
    """Verdicts, as they come."""

    judgements: tuple[Judgement, ...]


@dataclass(frozen=True)
class Done:
    """Every claim has its verdict; ``warning`` tells of something that went wrong beside it, or is empty."""

    cost: Cost
    warning: str = ""


@dataclass(frozen=True)
class Failed:
    """The audit cannot go on; ``line`` says what, where and what to do, in one line."""

    what: str
    where: str
    fix: str

    @property
    def line(self) -> str:
        """The fault on one line."""
        return MemauditError(self.what, self.where, self.fix).line()


@dataclass(frozen=True)
class FullCommit:
    """A commit to be read. ``files`` are pairs of git's status letter and a path; ``more_files`` counts
    those that were left out. ``change`` is what it did to the file ``changed``, as lines of a diff, ``cut``
    if there are more.
    """

    info: CommitInfo
    message: str
    files: tuple[tuple[str, str], ...]
    more_files: int
    parents: tuple[str, ...]
    changed: str = ""
    change: tuple[str, ...] = ()
    cut: bool = False


Event = Opened | Progress | Judged | Done | Failed | Answered | Drafted | AskingEnded


class EngineError(MemauditError):
    """The audit process ended, or said something that it never should."""

    title = "The audit stopped"


@dataclass
class Engine:
    """One audit process.

    :meth:`events` starts it and yields what it reports until it ends. :meth:`rejudge` and
    :meth:`content` may be called any time after that; they raise EngineError once it has ended.
    """

    request: AuditRequest
    command: Sequence[str] = (sys.executable, "-P", "-m", "memaudit.worker")
    """``-P`` keeps Python from importing modules out of the folder that is being audited."""
    _process: asyncio.subprocess.Process | None = field(default=None, init=False)
    _answers: dict[int, asyncio.Future[dict[str, Any]]] = field(default_factory=dict, init=False)
    _token: int = field(default=0, init=False)
    _last_words: deque[str] = field(default_factory=lambda: deque(maxlen=20), init=False)
    _ended: EngineError | None = field(default=None, init=False)
    _listener: asyncio.Task[None] | None = field(default=None, init=False)

    @property
    def running(self) -> bool:
        """Whether requests can be sent."""
        return self._process is not None and self._ended is None

    async def events(self) -> AsyncIterator[Event]:
        """Start the audit and yield its events; a crash is yielded as :class:`Failed`."""
        request = self.request
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                *self.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
            )
        except OSError as error:
            yield self._end(f"the audit process cannot be started: {error.strerror or error}")
            return
        self._listener = listener = asyncio.create_task(self._listen_to_stderr(process))
        told = False
        try:
            await self._send({"do": "audit", **asdict(request), "path": os.fspath(request.path)})
            async for line in self._lines(process):
                async for event in self._read(line):
                    told |= isinstance(event, Failed)
                    yield event
            what = f"the audit process ended (exit code {await process.wait()})"
        except EngineError as error:
            what = error.what
        except (ValueError, KeyError, TypeError) as error:
            what = f"the audit process said something unexpected ({type(error).__name__}: {error})"
        await asyncio.wait({listener}, timeout=_GRACE_SECONDS)
        ended = self._end(what)
        if not told:
            yield ended

    async def rejudge(self, claim_id: str, text: str) -> Judgement:
        """The verdict that the claim would get with these words."""
        answer = await self._ask({"do": "rejudge", "id": claim_id, "text": text})
        return judgement_from_json(claim_id, answer["judgement"])

    async def content(self, claim_id: str, side: str, path: str) -> str | None:
        """A file at the claim's ``base`` or ``head``; None where there is none, or no text."""
        answer = await self._ask({"do": "content", "id": claim_id, "side": side, "path": path})
        text = answer["text"]
        return text if isinstance(text, str) else None

    async def sides(self, claim_id: str) -> tuple[str, str]:
        """The revisions that a claim is judged from and judged at."""
        answer = await self._ask({"do": "sides", "id": claim_id})
        return str(answer["base"]), str(answer["head"])

    async def complete(self, claim_id: str, word: str) -> tuple[list[str], bool]:
        """Names at head that a word may become, and whether all names are known by now."""
        answer = await self._ask({"do": "complete", "id": claim_id, "word": word})
        return [str(name) for name in answer["names"]], bool(answer["complete"])

    async def commit(self, claim_id: str, sha: str, paths: Sequence[str] = ()) -> FullCommit:
        """A commit with its whole message, the files it changed, and its change to the first of ``paths``."""
        answer = await self._ask({"do": "commit", "id": claim_id, "sha": sha, "paths": list(paths)})
        return FullCommit(
            CommitInfo(**answer["info"]),
            str(answer["message"]),
            tuple((str(status), str(path)) for status, path in answer["files"]),
            int(answer["more_files"]),
            tuple(str(parent) for parent in answer["parents"]),
            str(answer.get("changed", "")),
            tuple(str(line) for line in answer.get("change", ())),
            bool(answer.get("cut", False)),
        )

    async def history(self, claim_id: str) -> list[tuple[str, str]]:
        """What the ledger tells of a claim: labels and words; empty when it knows nothing of it yet."""
        answer = await self._ask({"do": "history", "id": claim_id})
        return [(str(label), str(text)) for label, text in answer["lines"]]

    async def judge_again(self, files: Mapping[str, bytes]) -> list[tuple[Claim, Judgement]]:
        """All claims with their verdicts, once documents, by path, hold these bytes."""
        held = {path: base64.b64encode(data).decode("ascii") for path, data in files.items()}
        answer = await self._ask({"do": "again", "files": held})
        return await asyncio.to_thread(_judged_again, answer)

    async def model(self, act: str, **values: Any) -> dict[str, Any]:
        """Have something done that has to do with the model: plan, request, on, off, start or cancel."""
        return await self._ask({"do": "model", "act": act, **values})

    async def moved_to(self) -> str:
        """The commit that HEAD has moved to since the audit was opened, empty while it is where it was."""
        answer = await self._ask({"do": "head"})
        return str(answer["moved_to"])

    async def close(self) -> None:
        """End the audit process and let go of its pipes."""
        process, self._process = self._process, None
        self._end("the review was closed")
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                process.terminate()
            try:
                await asyncio.wait_for(process.wait(), _GRACE_SECONDS)
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
        if self._listener is not None:
            await asyncio.wait({self._listener}, timeout=_GRACE_SECONDS)
        if process.stdout is not None:
            # Whoever still reads events sees the end there; otherwise the rest is read and dropped here.
            with contextlib.suppress(RuntimeError, TimeoutError):
                await asyncio.wait_for(process.stdout.read(), _GRACE_SECONDS)

    async def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        if self._ended is not None:
            raise self._ended
        self._token += 1
        token = self._token
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[token] = answer
        try:
            await self._send({**request, "token": token})
            return await answer
        finally:
            self._answers.pop(token, None)

    async def _send(self, request: dict[str, Any]) -> None:
        process = self._process
        if process is None or process.stdin is None:
            raise self._ended or EngineError("the audit process is not running")
        try:
            process.stdin.write(json.dumps(request).encode() + b"\n")
            await process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as error:
            raise self._ended or EngineError("the audit process does not listen any more") from error

    async def _lines(self, process: asyncio.subprocess.Process) -> AsyncIterator[bytes]:
        """Whole lines of standard output, however long: asyncio's own reader stops at 64 KiB."""
        assert process.stdout is not None
        pieces: list[bytes] = []
        size = 0
        while chunk := await process.stdout.read(_CHUNK):
            *complete, rest = chunk.split(b"\n")
            for piece in complete:
                yield b"".join([*pieces, piece])
                pieces, size = [], 0
            pieces.append(rest)
            size += len(rest)
            if size > MAX_LINE:
                raise EngineError("the audit process said too much at once")

    async def _read(self, line: bytes) -> AsyncIterator[Event]:
        if not line.strip():
            return
        value = json.loads(line)
        match value["event"]:
            case "opened":
                yield await asyncio.to_thread(_opened, value)
            case "progress":
                yield Progress(int(value["done"]), int(value["total"]), str(value["phase"]))
            case "judged":
                items = value["items"]
                for start in range(0, len(items), _BATCH):
                    batch = items[start : start + _BATCH]
                    yield Judged(tuple(judgement_from_json(item["id"], item) for item in batch))
                    await asyncio.sleep(0)
            case "done":
                yield Done(Cost(**value["cost"]), str(value.get("warning") or ""))
            case "model_answered":
                yield answered_from_wire(value)
            case "model_drafted":
                yield drafted_from_wire(value)
            case "model_ended":
                yield ended_from_wire(value)
            case "failed":
                yield Failed(str(value["what"]), str(value["where"]), str(value["fix"]))
            case "refused":
                refusal = EngineError(str(value["what"]), str(value["where"]), str(value["fix"]))
                if answer := self._waiting(value):
                    answer.set_exception(refusal)
            case (
                "sides"
                | "rejudged"
                | "content"
                | "history"
                | "completed"
                | "commit"
                | "head"
                | "again"
                | "model"
            ):
                if answer := self._waiting(value):
                    answer.set_result(value)
            case _:
                raise ValueError(f"unknown event {value['event']!r}")

    def _waiting(self, value: dict[str, Any]) -> asyncio.Future[dict[str, Any]] | None:
        answer = self._answers.get(value["token"])
        return answer if answer is not None and not answer.done() else None

    async def _listen_to_stderr(self, process: asyncio.subprocess.Process) -> None:
        """Keep the last lines of what the child complained about."""
        assert process.stderr is not None
        rest = b""
        while chunk := await process.stderr.read(_CHUNK):
            *complete, rest = (rest + chunk)[-_CHUNK:].split(b"\n")
            self._last_words.extend(line.decode(errors="replace") for line in complete if line.strip())
        if rest.strip():
            self._last_words.append(rest.decode(errors="replace"))

    def _end(self, what: str) -> Failed:
        last_words = self._last_words[-1] if self._last_words else ""
        if self._ended is None:
            self._ended = EngineError(what, fix=last_words)
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(self._ended)
        return Failed(what, "", last_words)


def _judged_again(answer: dict[str, Any]) -> list[tuple[Claim, Judgement]]:
    try:
        claims = [(claim_from_wire(item["claim"]), item) for item in answer["judged"]]
        return [(claim, judgement_from_json(claim.id, item)) for claim, item in claims]
    except (ValueError, KeyError, TypeError) as error:
        raise EngineError("the audit process said something unexpected") from error


def _opened(value: dict[str, Any]) -> Opened:
    range_ = value["range"]
    return Opened(
        repo=value["repo"],
        root=value["root"],
        common_dir=value["common_dir"],
        prefix=value["prefix"],
        range=Range(**range_),
        stores=tuple(store_from_wire(store) for store in value["stores"]),
        read_only=str(value["read_only"] or ""),
        origin=str(value["origin"]),
    )
