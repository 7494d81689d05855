"""The trial of one check as a process of its own, talking JSON lines: the screen goes on meanwhile.

Reads one request per line on standard input, writes one event per line on standard output. ``ready`` comes
first and is answered with ``asked``, what a person has to agree to; only ``run`` runs anything. The end of
input, ``stop`` or a signal to end stops what is running, with all that it started.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from memaudit import wire
from memaudit.errors import MemauditError

if TYPE_CHECKING:
    from memaudit.oracle.trial import Trial


def serve(requests: TextIO, events: TextIO) -> int:
    """Answer one trial; the exit code is 2 when it came to no judgement."""

    def send(event: str, **values: object) -> None:
        events.write(json.dumps({"event": event, **values}, ensure_ascii=True) + "\n")
        events.flush()

    line = requests.readline()
    if not line:
        return 2
    trial = None
    try:
        trial, asked = _ready(json.loads(line))
        signal.signal(signal.SIGTERM, lambda *_: trial.stop())
        send("asked", entries=list(asked))
        if json.loads(requests.readline() or "{}").get("do") != "run":
            return 2
        threading.Thread(target=_stop_at_end, args=(requests, trial), daemon=True).start()
        judgement = trial.judge(lambda told: send("running", told=told))
        send("judged", judgement=wire.judgement_to_json(judgement))
    except MemauditError as error:
        send("failed", what=error.what, where=error.where, fix=error.fix)
        return 2
    finally:
        if trial is not None:
            trial.close()
    return 0


def _ready(request: dict[str, Any]) -> tuple[Trial, Iterator[tuple[str, str]]]:
    """The trial that is asked for, and what a person has to agree to."""
    from memaudit import trying
    from memaudit.oracle.checks import Check, CheckKind
    from memaudit.repo.repository import open_repository
    from memaudit.repo.snapshot import snapshot

    repository = open_repository(Path(request["path"]))
    base, head = (snapshot(repository, rev) for rev in (request["base"], request["head"]))
    sides = trying.Sides(base, head, repository.root)
    claim = wire.claim_from_wire(request["claim"])
    check = Check(CheckKind(request["kind"]), tuple(request["words"]))
    trial = trying.make_ready(claim, check, sides)
    return trial, trying.asked(claim, check, trial, sides)


def _stop_at_end(requests: TextIO, trial: Trial) -> None:
    """Stop a trial once the screen says so or is gone."""
    requests.readline()
    trial.stop()


if __name__ == "__main__":
    sys.exit(serve(sys.stdin, sys.stdout))
