"""Asking a model from the screen: the real audit process and the real SDK, a server on this machine."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from modelkit import Answer, ModelServer, claim_in, error, verdict
from pageskit import RAISES, Asking, pages
from textual.pilot import Pilot

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, DecisionKind, Verdict
from memaudit.judges.model.answers import Answers
from memaudit.judges.model.consent import consent_of, withdraw_consent
from memaudit.settings import Settings
from memaudit.settings_model import ModelSettings
from memaudit.tui.app import MemauditApp
from memaudit.tui.dialogs.asking import PlanDialog

SIZE = (120, 40)


def app_on(repo: Any, model: ModelSettings, range_: str = "HEAD~1..HEAD") -> MemauditApp:
    app = MemauditApp(AuditRequest(path=repo.root, range=range_), Settings(author="Tess", model=model))
    app.animation_level = "none"
    return app


async def shows(pilot: Pilot[Any], *words: str) -> str:
    """Wait until all of these are on the screen; what it shows then."""

    def shown() -> bool:
        text = " ".join(screen_text(pilot).split())
        return all(one in text for one in words)

    try:
        await until(pilot, shown)
    except AssertionError as error:
        raise AssertionError(f"not shown: {words}\n{screen_text(pilot)}") from error
    await settle(pilot)
    return screen_text(pilot)


async def planned(pilot: Pilot[Any]) -> str:
    """Open the plan and wait for it."""
    await press(pilot, "v")
    screen = pilot.app.screen
    assert isinstance(screen, PlanDialog)
    await until(pilot, lambda: screen.plan is not None)
    await settle(pilot)
    return screen_text(pilot)


def verdicts(pilot: Pilot[Any]) -> dict[str, tuple[Verdict, str]]:
    """Verdict and judge by the first word of a claim."""
    board = review(pilot).sitting.board
    return {
        claim.text.split()[0].strip("`"): (one.verdict, one.judge)
        for claim, one in zip(board.claims, board.judgements, strict=True)
        if one is not None
    }


def told(pilot: Pilot[Any]) -> list[str]:
    return [one.message for one in pilot.app._notifications]


async def test_agree_watch_stop_go_on_and_leave(pages_repo: Any, server: ModelServer) -> None:
    never = threading.Event()
    known = {"fetch_page": verdict("flipped"), "store_page": verdict("held")}
    server.respond = lambda body: known.get(claim_in(body).split("`")[1], Answer(wait_for=never))
    async with app_on(pages_repo, server.settings(at_once=1)).run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        plan = await planned(pilot)
        host = server.url.removeprefix("http://")
        for part in (host, "stub-1", "4 calls for 4 open claims", "cap $1.00", "off for this repository"):
            assert part in plan
        await press(pilot, "r")
        first = await shows(pilot, "Request 1 of 4, not sent yet", "CLAUDE.md:3")
        assert "You check one statement" in first
        await press(pilot, "n", "end")
        assert "statement: `store_page` logs" in await shows(pilot, "Request 2 of 4", "CLAUDE.md:4")
        await press(pilot, "escape", "enter")
        assert isinstance(pilot.app.screen, PlanDialog), "only y agrees"
        assert server.bodies == []

        await press(pilot, "y")
        running = await shows(pilot, "2 of 4 asked, $0.0", "of $1.00", "esc stops")
        assert "✗ stale ≈" in running
        assert verdicts(pilot)["fetch_page"] == (Verdict.STALE, "model")
        assert verdicts(pilot)["store_page"] == (Verdict.HELD, "model")
        claim = screen.sitting.board.claims[0]
        now = await screen.engine.content(claim.id, "head", "src/pages.py")
        assert now == pages(RAISES), "other requests are answered meanwhile"
        await press(pilot, "escape")
        await shows(pilot, "2 of 4 asked: 1 stale, 1 held. Stopped, what was answered is kept.")
        await shows(pilot, "2 not asked, v goes on.", "for calls that broke off.")
        await press(pilot, "escape", "g", "3", "z")
        why = await shows(pilot, "model, 75% sure", "src/pages.py:7", "for this claim; 3 model calls")
        assert "Stopped" not in why, "esc puts the bill away"

        await press(pilot, "z")
        assert "2 calls for 4 open claims, 2 already answered" in await planned(pilot)
        await press(pilot, "enter")
        await shows(pilot, "0 of 2 asked, $0.00 of $1.00, 2 already answered")
        await until(pilot, lambda: server.open > 0)
        process = screen.engine._process
        assert process is not None
        await pilot.press("q")
        assert pilot.app.return_code == 0
    assert process.returncode is not None
    never.set()


async def test_a_missing_key_is_one_line_that_says_what_to_do(
    pages_repo: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    async with app_on(pages_repo, ModelSettings()).run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert "server      api.anthropic.com" in await planned(pilot)
        await press(pilot, "y")
        await shows(
            pilot, "Model: there is no keyring on this machine (set the key as an environment variable"
        )


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"prices": {}, "url": "https://models.example"}, "No price is known for stub-1"),
        ({"cap_usd": 0.001}, "The cap of $0.0010 is below what one question may cost"),
        ({"ignore": ("CLAUDE.md",)}, "4 in files that may not leave"),
    ],
)
async def test_what_cannot_be_asked_is_said_before(
    pages_repo: Any, server: ModelServer, values: dict[str, Any], line: str
) -> None:
    async with app_on(pages_repo, server.settings(**values)).run_test(size=SIZE) as pilot:
        await judged(pilot)
        plan = await planned(pilot)
        assert line in plan
        assert "agree, and" not in plan
        await press(pilot, "y", "enter", "escape")
        assert "Nothing was sent." in told(pilot)
    assert consent_of(Audit(AuditRequest(path=pages_repo.root)).state_folder) is None
    assert server.bodies == []


async def test_where_nothing_is_open_the_key_says_so(pages_repo: Any, server: ModelServer) -> None:
    async with app_on(pages_repo, server.settings(), "HEAD..HEAD").run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert "ask the model" not in screen_text(pilot)
        await press(pilot, "v")
        assert "Ask the model: no undecided claim is open that a model could judge." in told(pilot)


@pytest.fixture
def answered(pages_repo: Any, server: ModelServer) -> ModelSettings:
    """Settings of a model that has answered everything before: one flipped, the others held."""
    settings = server.settings()
    asking = Asking(pages_repo.root, settings)
    answers = Answers(asking.audit.state_folder, settings)
    for one in asking.plan().questions:
        flipped = "fetch" in one.question.claim.text
        answers.keep(one.key, "flipped" if flipped else "held")
    return settings


async def test_what_a_person_decided_is_neither_asked_nor_changed(
    pages_repo: Any, answered: ModelSettings
) -> None:
    async with app_on(pages_repo, answered).run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "a")
        plan = await planned(pilot)
        assert "0 calls for 3 open claims, 3 already answered" in plan
        assert "1 decided by a person" in plan
        await press(pilot, "enter")
        await shows(pilot, "Model: 3 already answered: 3 held. Billed $0.00.")
        await pilot.click("#asking")
        await settle(pilot)
        assert "Billed" not in screen_text(pilot)
        assert verdicts(pilot)["fetch_page"] == (Verdict.UNKNOWN, "grounded")
        claim = screen.sitting.board.claims[0]
        decision = screen.sitting.decision(claim.id)
        assert decision is not None
        assert decision.kind is DecisionKind.ACCEPT


async def test_a_save_is_not_measured_by_what_a_model_said(pages_repo: Any, answered: ModelSettings) -> None:
    async with app_on(pages_repo, answered).run_test(size=SIZE) as pilot:
        await judged(pilot)
        await planned(pilot)
        await press(pilot, "enter")
        await shows(pilot, "4 already answered: 1 stale, 3 held.")
        assert "All that can be asked was asked" in await planned(pilot)
        await press(pilot, "escape")
        await press(pilot, "A")
        assert "≈ says a model" in screen_text(pilot)
        await press(pilot, "enter", "g", "r", "s", "enter")
        await until(pilot, lambda: not review(pilot).judging_save)
        await settle(pilot)
        assert any("1 of 1 claim that held still holds." in one for one in told(pilot))
    assert "fetch_page" not in (pages_repo.root / "CLAUDE.md").read_text()


async def test_it_is_switched_off_on_the_screen(pages_repo: Any, answered: ModelSettings) -> None:
    async with app_on(pages_repo, answered).run_test(size=SIZE) as pilot:
        await judged(pilot)
        await planned(pilot)
        await press(pilot, "o")
        await until(pilot, lambda: bool(told(pilot)))
        assert "The model is off for this repository: nothing is sent." in told(pilot)
    assert consent_of(Audit(AuditRequest(path=pages_repo.root)).state_folder) is None


async def test_agreeing_to_another_model_is_asked_for_anew(pages_repo: Any, answered: ModelSettings) -> None:
    async with app_on(pages_repo, replace(answered, name="stub-2")).run_test(size=SIZE) as pilot:
        await judged(pilot)
        plan = await planned(pilot)
        assert "Ada agreed to stub-1 at http://127.0.0.1" in plan
        assert "y agree, and ask 4" in plan


async def test_somebody_switching_it_off_meanwhile_is_heeded(
    pages_repo: Any, answered: ModelSettings
) -> None:
    async with app_on(pages_repo, answered).run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert "o switch off" in await planned(pilot)
        withdraw_consent(Audit(AuditRequest(path=pages_repo.root)).state_folder)
        await press(pilot, "enter")
        await shows(pilot, "Model: the model is off for this repository (memaudit model on)")


SLIP = "Slip {}: tickets are printed by `print_ticket` in `src/printer.py` and kept for 30 days."
SLIP_NOW = "Slip {}: tickets are printed by `print_slip` in `src/office/paper.py` and kept for 30 days."


async def test_rewrites_are_drafted_looked_at_taken_and_saved(git_repo: Any, server: ModelServer) -> None:
    memory = "# Kiosk\n\n" + "".join(f"- {SLIP.format(number)}\n" for number in (1, 2))
    git_repo.commit("one", {"CLAUDE.md": memory, "src/printer.py": "def print_ticket(t):\n    return t\n"})
    slip = "def print_slip(ticket):\n    send(ticket)\n    return 'printed'\n"
    git_repo.commit("two", {"src/printer.py": None, "src/office/paper.py": slip})
    drafts = {"1": SLIP_NOW.format(1), "2": "Slip 2: run [red]anything[/] with `src/nowhere.py`."}
    server.respond = lambda body: Answer(json.dumps({"rewrite": drafts[claim_in(body).split()[1][0]]}))
    async with app_on(git_repo, server.settings(at_once=1)).run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "W")
        plan = await shows(pilot, "Have rewrites drafted", "2 calls for 2 stale claims", "y agree, and ask 2")
        assert "what was found wrong" in " ".join(plan.replace("│", " ").split())
        await press(pilot, "r")
        await shows(pilot, "Request 1 of 2, not sent yet", "CLAUDE.md:3", "You reword one")
        assert server.bodies == []
        await press(pilot, "escape", "y")
        await shows(pilot, "1 rewrite drafted, 1 refused. Billed $0.0")
        assert len(server.bodies) == 3, "the refused one was asked for once more"
        await press(pilot, "escape", "G", "3")
        await shows(pilot, "no rewrite that passes: ")
        await press(pilot, "g", "1")
        await shows(pilot, "src/office/paper.py", "suggestion, to be checked (t): Slip 1")
        await press(pilot, "t", "s", "enter")
        assert not screen.sitting.unsaved
        await press(pilot, "W")
        await shows(pilot, "0 calls for 1 stale claim, 1 already answered", "take the 1 rewrite ")
    assert (git_repo.root / "CLAUDE.md").read_text() == memory.replace(SLIP.format(1), SLIP_NOW.format(1))


async def test_a_server_that_fails_is_no_refusal_and_may_be_asked_again(
    git_repo: Any, server: ModelServer
) -> None:
    git_repo.commit(
        "one", {"CLAUDE.md": f"- {SLIP.format(1)}\n", "src/printer.py": "def print_ticket(t): ...\n"}
    )
    git_repo.commit("two", {"src/printer.py": None, "src/office/paper.py": "def print_slip(ticket): ...\n"})
    server.respond = lambda body: error(400, "out of order")
    async with app_on(git_repo, server.settings(at_once=1)).run_test(size=(160, 40)) as pilot:
        await judged(pilot)
        await press(pilot, "W", "y")
        await shows(pilot, "0 rewrites drafted, 1 without an answer", "W asks again where no answer came.")
        await press(pilot, "escape", "3")
        await shows(pilot, "a model was asked for a rewrite in vain: ", "out of order")
        server.respond = lambda body: Answer(json.dumps({"rewrite": SLIP_NOW.format(1)}))
        await press(pilot, "W")
        await shows(pilot, "1 call for 1 stale claim")
        await press(pilot, "enter")
        await shows(pilot, "1 rewrite drafted.")


async def test_there_is_nothing_to_draft_where_nothing_is_stale(pages_repo: Any, server: ModelServer) -> None:
    async with app_on(pages_repo, server.settings()).run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "W")
        assert "no stale claim is undecided" in told(pilot)[-1]
