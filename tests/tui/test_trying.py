"""The check of a claim on the screen: looked at, agreed to, run aside, stopped, its verdict taken in."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from scenes import BASE, HEAD, Scene
from textual.pilot import Pilot
from trialkit import CHECKED, Script, fails_at_head

from memaudit.domain import AuditRequest, DecisionKind, Evidence, Judgement, Location, Origin, Verdict
from memaudit.judges.model.consent import give_consent
from memaudit.oracle.joining import joined
from memaudit.paths import repository_state
from memaudit.settings import Settings
from memaudit.tui import trial_process
from memaudit.tui.app import MemauditApp
from memaudit.tui.dialogs.choices import Choices
from memaudit.tui.dialogs.trial import TrialDialog

SIZE = (120, 40)


@pytest.fixture
def checked(tmp_path: Path) -> Scene:
    """One claim with a check and one without."""
    scene = Scene(tmp_path, files={"CLAUDE.md": CHECKED})
    touched = [
        Judgement(one.id, Verdict.UNKNOWN, "touched", "It changed.", "grounded", 0.5) for one in scene.claims
    ]
    scene.judgements = {one.claim_id: one for one in touched}
    return scene


def notices(pilot: Pilot[Any]) -> str:
    """What the screen has told and still shows."""
    return "\n".join(one.message for one in pilot.app._notifications)


async def asked(pilot: Pilot[Any], script: Script) -> TrialDialog:
    """Open the dialog and wait until it asks."""
    await judged(pilot)
    script.use(pilot)
    await press(pilot, "g", "X")
    dialog = pilot.app.screen
    assert isinstance(dialog, TrialDialog)
    return dialog


async def test_the_dialog_shows_what_would_be_run_and_no_is_the_first_answer(checked: Scene) -> None:
    script = Script(checked.folder, judgement=fails_at_head(checked.claim("Halves")))
    async with checked.app().run_test(size=SIZE) as pilot:
        await asked(pilot, script)
        shown = screen_text(pilot)
        for part in (
            "-m pytest --rootdir=.",
            "each up to twice",
            "60 s and 4,096 MB",
            "cut off",
            "can be written to",
        ):
            assert part in shown
        await press(pilot, "enter")
        assert pilot.app.screen is review(pilot)
        assert review(pilot).judgement.reason == "touched"  # type: ignore[union-attr]
    first, *rest = script.heard
    assert (first["do"], first["base"], first["head"]) == ("check", BASE, HEAD)
    assert first["claim"]["text"].startswith("Halves are rounded up")
    assert (first["kind"], first["words"]) == ("test", ["tests/test_sums.py::test_half"])
    assert rest == [{"do": "end"}], "nothing was run"


@pytest.mark.parametrize("keys", [("y",), ("down", "enter")])
async def test_on_yes_the_verdict_replaces_that_of_the_row(checked: Scene, keys: tuple[str, ...]) -> None:
    script = Script(checked.folder, judgement=fails_at_head(checked.claim("Halves")))
    async with checked.app().run_test(size=SIZE) as pilot:
        await asked(pilot, script)
        screen = review(pilot)
        # Not until the screen is at rest: a notice goes by itself after a while.
        await pilot.press(*keys)
        await until(pilot, lambda: "Its check says stale (fails-at-head)" in notices(pilot))
        await settle(pilot)
        assert screen.judgement is not None
        assert (screen.judgement.judge, screen.judgement.reason) == ("oracle", "fails-at-head")
        shown = screen_text(pilot)
        assert "✗ 1 stale" in shown
        assert "tests/test_sums.py:4" in shown
        assert "the test passed at base, failed (assert 1 == 2) at head" in shown
        await press(pilot, "3")
        assert "oracle, 97% sure" in screen_text(pilot)


async def test_a_decision_made_before_stands(checked: Scene) -> None:
    script = Script(checked.folder, judgement=fails_at_head(checked.claim("Halves")))
    async with checked.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "g", "a")
        await asked(pilot, script)
        await pilot.press("y")
        screen = review(pilot)
        await until(pilot, lambda: "stays decided" in notices(pilot))
        await settle(pilot)
        assert [one.kind for one in screen.sitting.board.decisions.values()] == [DecisionKind.ACCEPT]


async def test_esc_stops_what_runs(checked: Scene) -> None:
    script = Script(checked.folder, waits=True)
    async with checked.app().run_test(size=SIZE) as pilot:
        await asked(pilot, script)
        await pilot.press("y")
        await until(pilot, lambda: "1 of 4 at most: base" in screen_text(pilot))
        assert "esc stop it and all that it started" in screen_text(pilot)
        await press(pilot, "escape")
        assert pilot.app.screen is review(pilot)
        await until(pilot, lambda: script.heard[-1] == {"do": "end"})
        assert review(pilot).judgement.judge == "grounded"  # type: ignore[union-attr]


LEFT = "[red]1[/red] copy is left: \x1b[31m denied"


async def test_what_could_not_be_removed_is_said(checked: Scene) -> None:
    script = Script(checked.folder, judgement=fails_at_head(checked.claim("Halves")), left=LEFT)
    async with checked.app().run_test(size=(160, 40)) as pilot:
        await asked(pilot, script)
        await pilot.press("y")
        await until(pilot, lambda: "copy is left" in notices(pilot))
        told = notices(pilot)
        assert "Its check says stale" in told, "it is no less a verdict"
        assert "[red]1[/red] copy is left: \\x1b[31m denied." in told
        assert not any(one.markup for one in pilot.app._notifications)


async def test_what_could_not_be_removed_is_said_of_a_run_that_was_stopped(checked: Scene) -> None:
    script = Script(checked.folder, waits=True, left=LEFT)
    async with checked.app().run_test(size=SIZE) as pilot:
        await asked(pilot, script)
        await pilot.press("y")
        await until(pilot, lambda: "1 of 4 at most: base" in screen_text(pilot))
        await pilot.press("escape")
        await until(pilot, lambda: "copy is left" in notices(pilot))


async def test_what_cannot_be_run_is_said(checked: Scene) -> None:
    fault = {"what": "there is no such file at base", "where": "tests/test_sums.py", "fix": ""}
    script = Script(checked.folder, failed=fault)
    async with checked.app().run_test(size=SIZE) as pilot:
        await asked(pilot, script)
        assert "tests/test_sums.py: there is no such file at base" in screen_text(pilot)
        await press(pilot, "y")
        assert isinstance(pilot.app.screen, TrialDialog)
        await press(pilot, "escape")
        assert pilot.app.screen is review(pilot)


async def test_a_process_that_dies_is_no_verdict(checked: Scene) -> None:
    script = Script(checked.folder, running=[])
    async with checked.app().run_test(size=SIZE) as pilot:
        await asked(pilot, script)
        await press(pilot, "y")
        await until(pilot, lambda: "the process that tries checks ended" in screen_text(pilot))
        await press(pilot, "escape")
        assert review(pilot).judgement.judge == "grounded"  # type: ignore[union-attr]


async def test_a_process_that_says_too_much_is_no_verdict(
    checked: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial_process, "_MOST_LINE", 10_000)
    script = Script(checked.folder, running=["x" * 50_000], waits=True)
    async with checked.app().run_test(size=SIZE) as pilot:
        await asked(pilot, script)
        await press(pilot, "y")
        await until(pilot, lambda: "said more than can be shown" in screen_text(pilot))
        await press(pilot, "escape")
        assert review(pilot).judgement.judge == "grounded"  # type: ignore[union-attr]


async def test_a_claim_without_a_check_is_told_what_would_be_one(checked: Scene) -> None:
    async with checked.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "g")
        assert "X run its check" in screen_text(pilot)
        await press(pilot, "j")
        assert "X run its check" not in screen_text(pilot)
        await press(pilot, "X")
        assert pilot.app.screen is review(pilot)
        assert "this claim carries no check" in notices(pilot)
        assert "the id of a test" in notices(pilot)


@pytest.fixture
def model_on(checked: Scene) -> Scene:
    """The same with the model switched on."""
    give_consent(repository_state(checked.root / ".git"), checked.settings.model, "Tess")
    return checked


async def test_no_check_is_drafted_while_the_model_is_off(checked: Scene) -> None:
    async with checked.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "g", "j", "D")
        assert pilot.app.screen is review(pilot)
        assert "Draft a check: the model is off for this repository (memaudit model on)." in notices(pilot)


async def test_a_drafted_check_is_asked_for_twice(model_on: Scene) -> None:
    sent = [("model", "claude-haiku-5-5 at api.anthropic.com"), ("cost", "1 call, never more than $0.0100")]
    draft = [("draft", "written by a model"), ("", "    assert half(3) == 2")]
    claim = model_on.claim("short")
    fails = Judgement(claim.id, Verdict.STALE, "fails-at-head", "It fails.", "oracle", 0.85)
    script = Script(model_on.folder, before=[sent], entries=draft, judgement=fails, billed=0.0042)
    async with model_on.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        script.use(pilot)
        await press(pilot, "g", "D")
        assert "carries a check of its own" in notices(pilot)
        await press(pilot, "j", "D")
        assert "Have a check drafted?" in screen_text(pilot)
        assert "never more than $0.0100" in screen_text(pilot)
        await press(pilot, "down", "enter")
        shown = screen_text(pilot)
        assert "Run the drafted check?" in shown
        assert "    assert half(3) == 2" in shown
        assert pilot.app.screen.query_one(Choices).value == "n"
        await press(pilot, "y")
        await until(pilot, lambda: pilot.app.screen is review(pilot))
        await settle(pilot)
        assert review(pilot).judgement.judge == "oracle"  # type: ignore[union-attr]
        assert (review(pilot).sitting.cost.model_calls, review(pilot).sitting.cost.usd) == (1, 0.0042)
    first, *rest = script.heard
    assert (first["do"], first["base"], first["model"]["name"]) == ("draft", BASE, "claude-haiku-5-5")
    assert first["judgement"]["reason"] == "touched"
    assert rest == [{"do": "yes"}] * 2


async def test_a_draft_runs_only_once_its_end_was_on_the_screen(model_on: Scene) -> None:
    draft = [("draft", "written by a model"), *(("", f"    step({number:02})") for number in range(30))]
    claim = model_on.claim("short")
    fails = Judgement(claim.id, Verdict.STALE, "fails-at-head", "It fails.", "oracle", 0.85)
    script = Script(model_on.folder, before=[[("model", "some")]], entries=draft, judgement=fails, billed=0.1)
    async with model_on.app().run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        script.use(pilot)
        await press(pilot, "g", "j", "D", "y")
        seen = screen_text(pilot)
        assert "Run the drafted check?" in seen
        assert "to the end, where y runs it" in seen
        for _ in range(9):
            if "step(29)" in screen_text(pilot):
                break
            await press(pilot, "y")
            assert script.heard[-1] == {"do": "yes"}
            assert len(script.heard) == 2, "only the draft was agreed to"
            seen += screen_text(pilot)
        assert all(f"step({number:02})" in seen for number in range(30))
        await press(pilot, "pageup", "pagedown", "pagedown", "y")
        await until(pilot, lambda: pilot.app.screen is review(pilot))
    assert len(script.heard) == 3


async def test_hostile_words_are_shown_written_out(checked: Scene) -> None:
    script = Script(checked.folder, entries=[("command", "\x1b[31mred [bold] [/ ")], judgement=None)
    async with checked.app().run_test(size=SIZE) as pilot:
        await asked(pilot, script)
        assert "\\x1b[31mred [bold] [/" in screen_text(pilot)


async def test_a_real_check_from_the_screen(git_repo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sums = "import os\n\nassert os.path.exists('sums.py')\n"
    git_repo.commit("base", {"CLAUDE.md": "- `python3 -S sums.py` works.\n", "sums.py": sums})
    git_repo.commit("head", {"sums.py": "raise SystemExit(3)\n"})
    monkeypatch.setenv("PATH", os.environ["PATH"])
    request = AuditRequest(path=git_repo.root, range="HEAD~1..HEAD")
    async with MemauditApp(request, Settings(author="Tess")).run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "full_stop", "g", "X")
        assert "sh -c 'python3 -S sums.py'" in screen_text(pilot)
        await press(pilot, "y")
        await until(pilot, lambda: pilot.app.screen is screen)
        await settle(pilot)
        assert screen.judgement is not None
        assert (screen.judgement.verdict, screen.judgement.judge) == (Verdict.STALE, "oracle")
        assert "exit code 3" in screen.judgement.why


def judgement(verdict: Verdict, judge: str, reason: str = "r") -> Judgement:
    origin = Origin.RANGE if verdict is Verdict.STALE else None
    at = (Evidence(judge, Location("a.py", 1, ""), None),)
    return Judgement("id", verdict, reason, f"says {judge}", judge, 0.9, origin, evidence=at)


@pytest.mark.parametrize(
    ("before", "tried", "after", "by"),
    [
        (Verdict.UNKNOWN, Verdict.STALE, Verdict.STALE, "oracle"),
        (Verdict.HELD, Verdict.STALE, Verdict.STALE, "oracle"),
        (Verdict.UNKNOWN, Verdict.HELD, Verdict.HELD, "oracle"),
        (Verdict.UNKNOWN, Verdict.UNKNOWN, Verdict.UNKNOWN, "oracle"),
        (Verdict.STALE, Verdict.HELD, Verdict.STALE, "grounded"),
        (Verdict.STALE, Verdict.UNKNOWN, Verdict.STALE, "grounded"),
        (Verdict.HELD, Verdict.UNKNOWN, Verdict.HELD, "grounded"),
    ],
)
def test_the_verdict_of_a_check_beside_the_one_before(
    before: Verdict, tried: Verdict, after: Verdict, by: str
) -> None:
    both = joined(judgement(before, "grounded"), judgement(tried, "oracle"))
    assert (both.verdict, both.judge) == (after, by)
    assert {one.reference for one in both.evidence} == {"grounded", "oracle"}
    assert "says oracle" in both.why


async def test_what_a_check_showed_is_not_missed_in_a_save(checked: Scene) -> None:
    """The files are judged again without running anything: no save is undone for want of that."""
    held = Judgement(checked.claim("Halves").id, Verdict.HELD, "passes-at-head", "It passes.", "oracle", 0.95)
    async with checked.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        screen.sitting.take_trial(held)
        again = [(claim, checked.judgements[claim.id]) for claim in checked.claims]  # type: ignore[index]
        assert screen.sitting.judgement(held.claim_id) == held
        assert not screen.sitting.compare(again).lost
