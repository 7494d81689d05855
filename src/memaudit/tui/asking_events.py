"""The model as the screen hears of it from the audit process: a plan, verdicts as they come, the end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from memaudit.domain import Cost, Judgement, Suggestion, Tier
from memaudit.judges.model import NAME as MODEL
from memaudit.wire import judgement_from_json


@dataclass(frozen=True)
class Plan:
    """What would be asked. ``entries`` are labels and words that are safe to show.

    ``nothing`` says why a start would come to nothing, empty where it would not. ``calls`` counts the
    requests that a start would send, ``questions`` those answered before as well. With ``rewrites`` these are
    asked for, not verdicts.
    """

    on: bool
    nothing: str
    questions: int
    calls: int
    cap: float
    entries: tuple[tuple[str, str], ...]
    rewrites: bool = False

    @property
    def known(self) -> int:
        """The number of claims that were answered before."""
        return self.questions - self.calls


@dataclass(frozen=True)
class Answered:
    """What the model made of one claim, and what the run has cost by now.

    ``answer`` is None where there is none; ``kept`` tells that it is from an earlier run.
    """

    judgement: Judgement
    answer: str | None
    usd: float
    kept: bool
    cost: Cost


@dataclass(frozen=True)
class Drafted:
    """What the model made of the request to reword one claim: a suggestion, or why there is none."""

    claim_id: str
    suggestion: Suggestion
    kept: bool
    cost: Cost
    unanswered: bool = False
    """Whether no answer came that could be read."""


@dataclass(frozen=True)
class AskingEnded:
    """The run is over. ``why`` says in words why not everything was asked, ``bill`` what it has cost."""

    why: str
    bill: str
    cost: Cost

    @property
    def cancelled(self) -> bool:
        """Whether somebody ended it."""
        return self.why == "cancelled"


def plan_from_wire(value: dict[str, Any], cap: float, *, rewrites: bool = False) -> Plan:
    """The plan that the audit process told; ``cap`` is that of the settings it was made with."""
    entries = tuple((str(label), str(words)) for label, words in value["entries"])
    on, nothing = bool(value["on"]), str(value["nothing"])
    return Plan(on, nothing, int(value["questions"]), int(value["calls"]), cap, entries, rewrites)


def answered_from_wire(value: dict[str, Any]) -> Answered:
    """One verdict of the model."""
    answer = value["answer"]
    return Answered(
        judgement_from_json(str(value["id"]), value["judgement"]),
        None if answer is None else str(answer),
        float(value["usd"]),
        bool(value["kept"]),
        _cost(value["bill"]),
    )


def drafted_from_wire(value: dict[str, Any]) -> Drafted:
    """One rewrite of the model, or the reason why it was refused."""
    text, note, unanswered = value["text"], str(value["note"]), bool(value.get("unanswered"))
    if text is None:
        what = (
            "a model was asked for a rewrite in vain" if unanswered else "a model had no rewrite that passes"
        )
        suggestion = Suggestion(Tier.REFUSE, None, f"{what}: {note}", MODEL)
    else:
        suggestion = Suggestion(Tier.ASK, str(text), note, MODEL)
    return Drafted(str(value["id"]), suggestion, bool(value["kept"]), _cost(value["bill"]), unanswered)


def ended_from_wire(value: dict[str, Any]) -> AskingEnded:
    """The end of a run."""
    return AskingEnded(str(value["why"]), str(value["words"]), _cost(value["bill"]))


def _cost(bill: dict[str, Any]) -> Cost:
    return Cost(int(bill["calls"]), float(bill["usd"]))
