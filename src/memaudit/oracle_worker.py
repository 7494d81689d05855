"""The trial of one check as a process of its own, talking JSON lines: the screen goes on meanwhile.

Reads one request per line on standard input, writes one event per line on standard output. First comes
``check`` or ``draft``. It is answered with ``asked``, what a person has to agree to, and nothing is done
before ``yes``: a check is run then. A draft is sent for, and ``asked`` for once more before it is run. The
end of input, ``stop`` or a signal to end stops what is running, with all that it started. ``billed`` tells
what a call has cost, in dollars, ``left`` what could not be removed.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from memaudit import interrupts, wire
from memaudit.errors import MemauditError

if TYPE_CHECKING:
    from memaudit.domain import Judgement
    from memaudit.oracle.trial import Trial
    from memaudit.settings_model import ModelSettings
    from memaudit.trying import Entries

Agreed = Callable[["Entries"], bool]


def serve(requests: TextIO, events: TextIO) -> int:
    """Answer one trial; the exit code is 2 when it came to no judgement."""

    def send(event: str, **values: object) -> None:
        events.write(json.dumps({"event": event, **values}, ensure_ascii=True) + "\n")
        events.flush()

    def agreed(entries: Entries) -> bool:
        send("asked", entries=list(entries))
        return bool(json.loads(requests.readline() or "{}").get("do") == "yes")

    def run(trial: Trial, entries: Entries) -> Judgement | None:
        try:
            if not agreed(entries):
                return None
            interrupts.on_end(lambda *_: trial.stop())
            threading.Thread(target=_stop_at_end, args=(requests, trial), daemon=True).start()
            return trial.judge(lambda told: send("running", told=told))
        finally:
            if left := trial.close():
                send("left", told=left)

    interrupts.end_after_cleaning_up()
    line = requests.readline()
    if not line:
        return 2
    try:
        request = json.loads(line)
        if request["do"] == "draft":
            judgement = _draft(request, agreed, run, lambda usd: send("billed", usd=usd))
        else:
            judgement = _check(request, run)
    except MemauditError as error:
        send("failed", what=error.what, where=error.where, fix=error.fix)
        return 2
    except BrokenPipeError:
        # The screen has gone without a word.
        return 2
    if judgement is None:
        return 2
    send("judged", judgement=wire.judgement_to_json(judgement))
    return 0


Run = Callable[["Trial", "Entries"], "Judgement | None"]


def _check(request: dict[str, Any], run: Run) -> Judgement | None:
    """Try the check that a claim carries."""
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
    return run(trial, trying.asked(claim, check, trial, sides))


def _draft(
    request: dict[str, Any], agreed: Agreed, run: Run, billed: Callable[[float], None]
) -> Judgement | None:
    """Have the check of a claim drafted, and try that; ``billed`` hears of dollars that a call has cost."""
    from memaudit import drafted_checks, trying
    from memaudit.audit import Audit
    from memaudit.domain import AuditRequest
    from memaudit.judges.model.check_call import NoDraftError
    from memaudit.oracle.drafted import no_check

    audit = Audit(
        AuditRequest(
            path=Path(request["path"]),
            stores=tuple(request["stores"]),
            store_at=request["store_at"],
            range=f"{request['base']}..{request['head']}",
        )
    )
    claim = wire.claim_from_wire(request["claim"])
    judgement = wire.judgement_from_json(claim.id, request["judgement"])
    settings = _settings(request["model"])
    ask = drafted_checks.make_request(audit, claim, judgement, settings)
    if not agreed(drafted_checks.asked(audit, ask, settings)):
        return None
    try:
        draft = drafted_checks.draft(audit, ask, settings)
    except NoDraftError as failed:
        if failed.usd or failed.uncertain:
            billed(failed.usd)
        raise
    if not draft.kept:
        billed(draft.usd)
    if why := drafted_checks.why_unusable(ask, draft.source):
        return no_check(claim, f"{why} ({drafted_checks.billed(draft)})")
    sides = trying.Sides(*audit.sides(claim), audit.repository.root)
    trial = drafted_checks.make_ready(ask, draft.source, sides)
    shown, *rest = trying.asked(claim, None, trial, sides)
    return run(trial, [shown, ("cost", drafted_checks.billed(draft)), *rest])


def _settings(value: dict[str, Any]) -> ModelSettings:
    from memaudit.settings_model import ModelSettings, Price

    prices = {name: Price(**price) for name, price in value["prices"].items()}
    return ModelSettings(**{**value, "ignore": tuple(value["ignore"]), "prices": prices})


def _stop_at_end(requests: TextIO, trial: Trial) -> None:
    """Stop a trial once the screen says so or is gone."""
    requests.readline()
    trial.stop()


if __name__ == "__main__":
    sys.exit(serve(sys.stdin, sys.stdout))
