"""The audit as a process of its own, talking JSON lines: a crash or a long git call never stops the screen.

Reads one request per line on standard input, writes one event per line on standard output.
``audit`` comes first and opens; what :class:`memaudit.questions.Questions` knows is answered between
claims while it judges, and after that until input ends.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TextIO, TypeAlias

from memaudit import wire
from memaudit.collecting import collect_seldom
from memaudit.domain import Cost, summarise
from memaudit.errors import MemauditError, UsageError
from memaudit.interview import Interview, Send
from memaudit.questions import Questions

if TYPE_CHECKING:
    from memaudit.audit import Audit

_BATCH_SECONDS = 0.05
"""Judgements are sent in batches of about this long, so that neither side is busy with framing."""


Work: TypeAlias = "Callable[[], None]"
Inbox: TypeAlias = "queue.SimpleQueue[wire.Json | Work | None]"


def serve(requests: TextIO, events: TextIO) -> int:
    """Answer requests until input ends; the exit code is 2 when the audit could not be opened."""

    writing = threading.Lock()

    def send(event: str, **values: object) -> None:
        line = json.dumps({"event": event, **values}, ensure_ascii=True) + "\n"
        with writing:
            events.write(line)
            events.flush()

    line = requests.readline()
    if not line:
        return 0
    inbox = _read_aside(requests)
    try:
        audit = _open(json.loads(line))
        send(
            "opened",
            repo=audit.repository.name,
            root=str(audit.root) if audit.root else None,
            common_dir=str(audit.repository.common_dir),
            prefix=audit.repository.prefix,
            range=wire.range_to_json(audit.range),
            stores=[wire.store_to_wire(store) for store in audit.stores],
            read_only=audit.read_only,
            origin=audit.origin,
        )
        questions, interview = Questions(audit), Interview(audit, send, inbox.put)
        for _ in _judge_all(audit, interview, send):
            while not inbox.empty():
                request = inbox.get()
                if request is None:
                    return 0
                _answer(request, questions, interview, send)
    except MemauditError as error:
        send("failed", what=error.what, where=error.where, fix=error.fix)
        return 2
    while (request := inbox.get()) is not None:
        _answer(request, questions, interview, send)
    interview.close()
    return 0


def _read_aside(requests: TextIO) -> Inbox:
    """Read further requests in a thread of their own, so that none waits for the audit; None is the end."""
    inbox: Inbox = queue.SimpleQueue()

    def read() -> None:
        for line in requests:
            inbox.put(json.loads(line))
        inbox.put(None)

    threading.Thread(target=read, daemon=True).start()
    return inbox


def _open(request: dict[str, object]) -> Audit:
    from memaudit.audit import Audit
    from memaudit.domain import AuditRequest

    if request.get("do") != "audit":
        raise UsageError("the first request must be an audit", "worker")
    stores = request.get("stores") or []

    def text(key: str) -> str | None:
        value = request.get(key)
        return value if isinstance(value, str) else None

    audit = Audit(
        AuditRequest(
            path=Path(text("path") or "."),
            stores=tuple(str(store) for store in stores) if isinstance(stores, list) else (),
            store_at=text("store_at"),
            range=text("range"),
            since=text("since"),
            head=text("head"),
            judge=text("judge") or "local",
            review_folder=text("review_folder") or "",
        )
    )
    audit.require_readable()
    return audit


def _judge_all(audit: Audit, interview: Interview, send: Send) -> Iterator[None]:
    """Judge every claim and send the verdicts; yields after each claim, so that requests can be answered."""
    judged = interview.judged
    total = len(audit.claims)
    batch: list[wire.Json] = []
    sent = time.monotonic()
    send("progress", done=0, total=total, phase="reading the repository")
    for claim, judgement in audit.run():
        judged.append((claim, judgement))
        batch.append({"id": claim.id, **wire.judgement_to_json(judgement)})
        if time.monotonic() - sent >= _BATCH_SECONDS:
            send("judged", items=batch)
            send("progress", done=len(judged), total=total, phase="judging claims")
            batch, sent = [], time.monotonic()
        yield
    if batch:
        send("judged", items=batch)
    send("progress", done=len(judged), total=total, phase="judging claims")
    interview.through = True
    summary = summarise(judgement for _, judgement in judged)
    send("done", summary=asdict(summary), cost=asdict(Cost()), warning="; ".join(audit.warnings))


def _answer(request: wire.Json | Work, questions: Questions, interview: Interview, send: Send) -> None:
    if not isinstance(request, dict):
        request()
        return
    token = request.get("token")
    try:
        if request.get("do") == "model":
            interview.answer(request)
            return
        event, values = questions.answer(request)
    except MemauditError as error:
        event, values = "refused", {"what": error.what, "where": error.where, "fix": error.fix}
    send(event, token=token, **values)


if __name__ == "__main__":
    collect_seldom()
    sys.exit(serve(sys.stdin, sys.stdout))
