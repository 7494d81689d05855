"""The model as the screen's audit process asks it: plan, consent, start, cancel, what comes meanwhile."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import pytest
from modelkit import Answer, ModelServer, claim_in, error, verdict

from memaudit.audit import Audit
from memaudit.domain import AuditRequest
from memaudit.errors import MemauditError
from memaudit.interview import Interview, settings_from_wire
from memaudit.judges.model.consent import consent_of
from memaudit.settings_model import ModelSettings


class Room:
    """One interview, and what it says."""

    def __init__(self, root: Any, model: ModelSettings, *, through: bool = True) -> None:
        self.said: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self.model = model
        self.audit = Audit(AuditRequest(path=root, range="HEAD~1..HEAD"))
        self.interview = Interview(
            self.audit,
            lambda event, **values: self.said.put({"event": event, **values}),
            lambda work: work(),
        )
        if through:
            self.interview.judged += self.audit.run()
            self.interview.through = True

    def do(self, act: str, **values: Any) -> dict[str, Any]:
        """The answer to a request; what else is said before it must be nothing."""
        self.interview.answer({"do": "model", "act": act, "token": act, **values})
        answer = self.said.get(timeout=300)
        assert answer["token"] == act
        return answer

    def plan(self, *decided: str) -> dict[str, Any]:
        return self.do("plan", settings=asdict(self.model), decided=list(decided))

    def until_ended(self) -> list[dict[str, Any]]:
        said = [self.said.get(timeout=300)]
        while said[-1]["event"] != "model_ended":
            said.append(self.said.get(timeout=300))
        return said


@pytest.fixture
def room(pages_repo: Any, server: ModelServer) -> Iterator[Room]:
    made = Room(pages_repo.root, server.settings(at_once=1))
    yield made
    made.interview.close()


def test_a_plan_says_where_what_goes_and_sends_nothing(room: Room, server: ModelServer) -> None:
    plan = room.plan()
    assert (plan["on"], plan["nothing"], plan["questions"], plan["calls"]) == (False, "", 4, 4)
    entries = dict(plan["entries"])
    assert entries["server"] == server.url.removeprefix("http://") + ", on this machine"
    assert entries["asked"] == "4 calls for 4 open claims, most at risk first"
    assert entries["not asked"] == "1 that no repository state can decide"
    assert entries["cost"].endswith("(cap $1.00, prices of 2026-11-30)")
    first = room.do("request", number=0)
    assert first["place"] == "CLAUDE.md:3"
    assert "-        log.warning('missing page')" in first["text"]
    with pytest.raises(MemauditError, match="no such request"):
        room.do("request", number=4)
    assert server.bodies == []


def test_a_plan_leaves_out_what_is_decided_and_what_may_not_leave(room: Room) -> None:
    fetch, store = (claim.id for claim in room.audit.claims[:2])
    entries = dict(room.plan(fetch, store)["entries"])
    assert entries["asked"].startswith("2 calls for 2 open claims")
    assert entries["not asked"] == "2 decided by a person, 1 that no repository state can decide"
    room.model = ModelSettings(
        **{**asdict(room.model), "ignore": ("CLAUDE.md",), "prices": room.model.prices}
    )
    plan = room.plan()
    assert plan["nothing"] == ("Nothing in the change bears on the 4 open claims: there is nothing to ask.")
    assert dict(plan["entries"])["not asked"].startswith("4 in files that may not leave")


def test_settings_come_through_as_they_are(server: ModelServer) -> None:
    settings = server.settings(ignore=("a", "b"), effort="", key_env="SOME_KEY")
    assert settings_from_wire(asdict(settings)) == settings


@pytest.mark.parametrize("act", ["start", "request", "on"])
def test_nothing_is_done_before_there_is_a_plan(room: Room, act: str) -> None:
    with pytest.raises(MemauditError, match="there is no plan"):
        room.do(act)
    with pytest.raises(MemauditError, match="no such request"):
        room.do("dance")


def test_a_plan_waits_for_the_audit(pages_repo: Any, server: ModelServer) -> None:
    with pytest.raises(MemauditError, match="not through yet"):
        Room(pages_repo.root, server.settings(), through=False).plan()


def test_without_consent_a_start_is_refused(room: Room, server: ModelServer) -> None:
    room.plan()
    refused = room.do("start")
    assert (refused["event"], refused["what"]) == ("refused", "the model is off for this repository")
    assert server.bodies == []


def test_consent_is_given_and_withdrawn(room: Room) -> None:
    room.plan()
    assert room.do("on", by="Ada")["by"] == "Ada"
    assert consent_of(room.audit.state_folder) is not None
    assert dict(room.plan()["entries"])["consent"].startswith("given by Ada on 2")
    assert room.do("off")["was"] is True
    assert room.do("off")["was"] is False
    assert consent_of(room.audit.state_folder) is None


def test_verdicts_are_sent_as_they_come_with_the_bill_so_far(room: Room, server: ModelServer) -> None:
    server.respond = lambda body: verdict("flipped" if "fetch" in claim_in(body) else "held")
    room.plan()
    room.do("on", by="Ada")
    assert room.do("start")["event"] == "model"
    *came, ended = room.until_ended()
    assert [one["answer"] for one in came] == ["flipped", "held", "held", "held"]
    assert [one["bill"]["calls"] for one in came] == [1, 2, 3, 4]
    assert came[0]["judgement"]["judge"] == "model"
    assert (ended["why"], ended["bill"]["calls"]) == ("", 4)
    assert ended["words"].startswith("billed $0.0")
    # What was asked once is known now, so that another start takes another plan.
    with pytest.raises(MemauditError, match="there is no plan"):
        room.do("start")
    assert dict(room.plan()["entries"])["asked"] == "0 calls for 4 open claims, 4 already answered"
    room.do("start")
    assert [one["kept"] for one in room.until_ended()[:-1]] == [True] * 4
    assert len(server.bodies) == 4


def test_a_run_is_cancelled_at_once_and_there_is_only_one(room: Room, server: ModelServer) -> None:
    never = threading.Event()
    server.script(verdict("held"), Answer(wait_for=never))
    room.plan()
    room.do("on", by="Ada")
    room.do("start")
    server.arrived.acquire()
    server.arrived.acquire()
    assert room.said.get(timeout=300)["event"] == "model_answered"
    with pytest.raises(MemauditError, match="being asked already"):
        room.plan()
    room.do("cancel")
    (ended,) = room.until_ended()
    assert ended["why"] == "cancelled"
    assert "calls that broke off" in ended["words"]
    room.interview.close()
    assert dict(room.plan()["entries"])["asked"].startswith("3 calls for 4 open claims, 1 already answered")
    never.set()


def test_a_server_that_refuses_everything_ends_the_run_with_its_words(
    room: Room, server: ModelServer
) -> None:
    server.respond = lambda _: error(401, "invalid\x1b[31m x-api-key")
    room.plan()
    room.do("on", by="Ada")
    room.do("start")
    *came, ended = room.until_ended()
    assert [one["answer"] for one in came] == [None]
    assert "the key is not accepted: invalid" in ended["why"]
    assert "\x1b" not in ended["why"]
