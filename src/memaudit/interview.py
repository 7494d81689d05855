"""What the screen asks of an audit that has to do with the model: the plan, consent, the run, its end.

Each request carries ``act``; the answer is an event ``model``. A run goes on in a thread of its own, so that
other requests are answered meanwhile: what comes of it is sent as events ``model_answered``, or
``model_drafted`` for rewrites, and, once, ``model_ended``.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from dataclasses import asdict
from typing import TYPE_CHECKING, Protocol

from memaudit import asking
from memaudit.asking_words import bill_words, plan_entries, why_nothing
from memaudit.domain import Claim, Judgement, Verdict
from memaudit.errors import MemauditError, UsageError
from memaudit.judges.model.consent import consent_of, give_consent, withdraw_consent
from memaudit.settings_model import ModelSettings, Price
from memaudit.wire import Json, judgement_to_json

if TYPE_CHECKING:
    from memaudit.audit import Audit
    from memaudit.drafted_rewrites import Drafting
    from memaudit.judges.model.plan import Plan
    from memaudit.judges.model.run import Run


class Send(Protocol):
    """Writes one event; may be called from any thread."""

    def __call__(self, event: str, **values: object) -> None:
        """Write ``event`` with its values."""
        ...


class Interview:
    """The model as one audit may ask it; one run at a time.

    ``aside`` has work done by the thread that the audit belongs to, some time after.
    ``judged`` are the verdicts of the audit, complete as soon as ``through`` is set.
    """

    def __init__(self, audit: Audit, send: Send, aside: Callable[[Callable[[], None]], None]) -> None:
        self.judged: list[tuple[Claim, Judgement]] = []
        self.through = False
        self._audit = audit
        self._send = send
        self._aside = aside
        self._awaited: Future[str] | None = None
        """What the run waits for that thread to find out."""
        self._closing = threading.Event()
        self._answered: dict[str, Judgement] = {}
        """What the model said of claims, by id: those that it calls stale may be reworded too."""
        self._plan: Plan | None = None
        self._rewrites = False
        """Whether the plan is one of rewrites."""
        self._thread: threading.Thread | None = None
        self._going: Run | Drafting | None = None
        self._cancelled = threading.Event()

    def answer(self, request: Json) -> None:
        """Do what is asked and send the answer, at once or from the run. Raises MemauditError."""
        token = request.get("token")
        values: Json = {}
        match request.get("act"):
            case "plan":
                settings = settings_from_wire(request["settings"])
                decided = set(request.get("decided") or ())
                values = self._planned(settings, decided, rewrites=bool(request.get("rewrites")))
            case "request":
                values = self._request(int(request.get("number", 0)))
            case "on":
                plan = self._require()
                given = give_consent(self._audit.state_folder, plan.settings, str(request.get("by", "")))
                values = asdict(given)
            case "off":
                values = {"was": withdraw_consent(self._audit.state_folder)}
            case "start":
                self._start(token)
                return
            case "cancel":
                self._cancel()
            case other:
                raise UsageError("no such request", f"model {other}")
        self._send("model", token=token, **values)

    def close(self) -> None:
        """End a run that is under way: its connections are closed, what was answered is kept."""
        self._closing.set()
        if (awaited := self._awaited) is not None:
            # Nobody is there any more to find it out.
            awaited.cancel()
        self._cancel()
        if self._thread is not None:
            self._thread.join()

    def _planned(self, settings: ModelSettings, decided: Collection[str], *, rewrites: bool) -> Json:
        """Make a plan, and tell it; claims that a person has ``decided`` are left out."""
        if not self.through:
            raise UsageError("the audit is not through yet", "", "ask again when every claim is judged")
        if self._is_running:
            raise UsageError("the model is being asked already", "", "cancel that first")
        wanted = [(claim, judgement) for claim, judgement in self.judged if claim.id not in decided]
        if rewrites:
            now = [(claim, self._answered.get(claim.id, judgement)) for claim, judgement in wanted]
            made = asking.plan_drafts(self._audit, now, settings)
        else:
            made = asking.plan(self._audit, wanted, settings)
        self._plan, self._rewrites = made, rewrites
        given = consent_of(self._audit.state_folder)
        return {
            "on": given is not None and given.covers(settings),
            "nothing": why_nothing(made, rewrites=rewrites),
            "questions": len(made.questions),
            "calls": made.estimate.calls,
            "entries": plan_entries(
                made, given, (0, 0) if rewrites else self._left_out(decided), rewrites=rewrites
            ),
        }

    def _left_out(self, decided: Collection[str]) -> tuple[int, int]:
        """How many unknown claims are not asked since nothing can decide them, or since a person has."""
        from memaudit.judges.model.plan import CLOSED

        unknown = [pair for pair in self.judged if pair[1].verdict is Verdict.UNKNOWN]
        closed = sum(judgement.reason in CLOSED for _, judgement in unknown)
        done = sum(claim.id in decided and judgement.reason not in CLOSED for claim, judgement in unknown)
        return closed, done

    def _request(self, number: int) -> Json:
        """One of the requests that a start would send, as it would be sent."""
        from memaudit.judges.model.prompt import readable

        new = [one for one in self._require().questions if one.known is None]
        if not 0 <= number < len(new):
            raise UsageError("there is no such request", str(number + 1))
        claim = new[number].question.claim
        return {"place": f"{claim.document}:{claim.line_start}", "text": readable(new[number].sent)}

    def _require(self) -> Plan:
        if self._plan is None:
            raise UsageError("there is no plan", "", "ask for one first")
        return self._plan

    # The run

    @property
    def _is_running(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def _start(self, token: object) -> None:
        plan = self._require()
        if self._is_running:
            raise UsageError("the model is being asked already", "", "cancel that first")
        # What was answered now is known the next time: that takes another plan.
        self._plan = self._going = None
        self._cancelled.clear()
        self._thread = threading.Thread(target=self._run, args=(plan, token, self._rewrites), daemon=True)
        self._thread.start()

    def _cancel(self) -> None:
        self._cancelled.set()
        if (going := self._going) is not None:
            going.cancel()

    def _run(self, plan: Plan, token: object, rewrites: bool) -> None:
        """Ask, in a thread: a locked keyring may take a minute before anything begins."""
        try:
            if rewrites:
                going: Run | Drafting = asking.start_drafts(self._audit, plan, self._on_audit)
            else:
                going = asking.start(self._audit, plan)
            self._going = going
        except MemauditError as error:
            self._send("refused", token=token, what=error.what, where=error.where, fix=error.fix)
            return
        except Exception as error:  # a backend that somebody installed, say: whoever waits must hear of it
            self._send("refused", token=token, what=f"{type(error).__name__}: {error}", where="", fix="")
            return
        self._send("model", token=token)
        if self._cancelled.is_set():
            going.cancel()
        ended = ""
        try:
            for event, values in self._came(going):
                self._send(event, **values, bill=bill_values(going))
            ended = going.ended
        except Exception as error:  # whatever a server or the SDK came up with: the audit goes on
            ended = f"{type(error).__name__}: {error}"
        self._send("model_ended", why=ended, words=bill_words(going.bill), bill=bill_values(going))

    def _on_audit(self, work: Callable[[], str]) -> str:
        """Have the audit asked by its own thread, and wait. Raises CancelledError when that goes away."""
        found: Future[str] = Future()

        def do() -> None:
            if found.set_running_or_notify_cancel():
                try:
                    found.set_result(work())
                except Exception as error:  # for the run to deal with: this thread has other things to do
                    found.set_exception(error)

        self._awaited = found
        if self._closing.is_set():
            found.cancel()
        self._aside(do)
        return found.result()

    def _came(self, going: Run | Drafting) -> Iterator[tuple[str, Json]]:
        """What comes of the claims, as it comes: the event to send and its values."""
        from memaudit.judges.model.run import Run

        if isinstance(going, Run):
            for one in going.verdicts():
                claim_id, judgement = one.judgement.claim_id, one.judgement
                self._answered[claim_id] = judgement
                values = {"judgement": judgement_to_json(judgement), "answer": one.answer}
                yield "model_answered", {"id": claim_id, **values, "usd": one.usd, "kept": one.kept}
            return
        for draft in going.drafted():
            text, note = (None, draft.fault)
            if draft.suggestion is not None:
                text, note = draft.suggestion.text, draft.suggestion.note
            yield (
                "model_drafted",
                {
                    "id": draft.claim.id,
                    "text": text,
                    "note": note,
                    "usd": draft.usd,
                    "kept": draft.kept,
                    "unanswered": draft.unanswered,
                },
            )


def bill_values(going: Run | Drafting) -> Json:
    """What a run has cost so far: calls, dollars, and dollars that calls which broke off may have cost."""
    bill = going.bill
    return {"calls": bill.calls, "usd": bill.usd, "uncertain": bill.uncertain}


def settings_from_wire(value: Json) -> ModelSettings:
    """The settings of the model that ``dataclasses.asdict`` made a JSON value of."""
    prices = {name: Price(**price) for name, price in value["prices"].items()}
    return ModelSettings(**{**value, "prices": prices, "ignore": tuple(value["ignore"])})
