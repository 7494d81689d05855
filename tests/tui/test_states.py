"""Every state that is not the usual one says what it is and what to do next."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from scenes import HEAD, Scene
from textual.pilot import Pilot

from memaudit.domain import AuditRequest, Range
from memaudit.settings import Settings
from memaudit.tui.app import MemauditApp
from memaudit.wire import range_to_json

SIZE = (120, 40)


def notices(pilot: Pilot[Any]) -> str:
    return "\n".join(one.message for one in pilot.app._notifications)


@pytest.fixture
def held(tmp_path: Path) -> Scene:
    return Scene(
        tmp_path,
        files={"CLAUDE.md": "# X\n\n- Settings come from `orchard.toml`.\n- Be kind in plain words.\n"},
    )


async def test_nothing_stale_says_that_nothing_is_to_do_and_what_comes_next(held: Scene) -> None:
    async with held.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert "nothing stale" in screen_text(pilot)
        assert "Nothing is stale: nothing to do. A accepts the 1 held, q leaves." in notices(pilot)


async def test_what_is_unknown_is_not_nothing_to_do(tmp_path: Path) -> None:
    scene = Scene(tmp_path, files={"CLAUDE.md": "- Build with `make dist`, the result is in `out/`.\n"})
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert "Nothing is stale; what is unknown needs a look." in notices(pilot)


async def test_with_something_stale_nothing_is_said(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert notices(pilot) == ""


async def test_an_empty_range_is_told(held: Scene) -> None:
    held.events = held._events()
    held.events[0]["range"] = range_to_json(Range(HEAD, HEAD, "--range HEAD..HEAD"))
    async with held.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert "The range is empty" in notices(pilot)


async def test_a_memory_without_claims_says_how_to_name_another(tmp_path: Path) -> None:
    scene = Scene(tmp_path, files={"CLAUDE.md": "# Only a heading\n"})
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        text = screen_text(pilot)
        assert "No claims in this memory." in text
        assert "memaudit --store FILE" in text


async def test_memory_that_could_not_be_read_is_told(tmp_path: Path) -> None:
    name = ".claude/rules/\x1b[31m.md"
    scene = Scene(tmp_path, files={"CLAUDE.md": "- The port is set.\n", name: b"- more\n" * 700_000})
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        told = "Not audited: .claude/rules/\\x1b[31m.md is larger than 4 MiB and was not read."
        assert told in notices(pilot)


async def test_while_nothing_is_open_it_says_what_it_waits_for(scene: Scene) -> None:
    scene.events = []
    async with scene.app().run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "Reading the repository" in screen_text(pilot)
        await press(pilot, "a", "s", "slash", "escape", "ctrl+r", "question_mark", "escape")
        assert "Reading the repository" in screen_text(pilot)


async def test_a_dead_audit_is_started_again_by_key(scene: Scene) -> None:
    scene.crash = "out of memory"
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        screen = review(pilot)
        await until(pilot, lambda: bool(screen.stopped))
        await settle(pilot)
        assert "audit stopped, ^r again" in screen_text(pilot)
        assert "^r starts it again." in notices(pilot)
        await press(pilot, "a")
        scene.crash = ""
        scene.command()
        await press(pilot, "ctrl+r")
        await judged(pilot)
        assert "audit stopped" not in screen_text(pilot)
        assert len(screen.sitting.board.decisions) == 1


async def test_what_could_not_be_opened_is_tried_again_by_key(scene: Scene) -> None:
    events = scene._events()
    scene.events = [{"event": "failed", "what": "no commit yet", "where": "/there", "fix": "git commit"}]
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        screen = review(pilot)
        await until(pilot, lambda: bool(screen.stopped))
        await settle(pilot)
        assert "^r tries again, q leaves; , changes the settings." in screen_text(pilot)
        scene.events = events
        scene.command()
        await press(pilot, "f5")
        await judged(pilot)
        assert "memaudit cannot open this." not in screen_text(pilot)
        assert "0 of 4 stale decided" in screen_text(pilot)


@pytest.mark.parametrize("keys", [("q",), ("ctrl+c", "ctrl+c")])
async def test_leaving_what_could_not_be_opened_ends_with_2_and_the_reason(
    scene: Scene, keys: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    scene.events = [{"event": "failed", "what": "[/] no\x1b[1m", "where": "/there", "fix": "git commit"}]
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: bool(review(pilot).stopped))
        for key in keys:
            await pilot.press(key)
    assert app.return_code == 2
    assert capsys.readouterr().err == "memaudit: /there: [/] no\\x1b[1m (git commit)\n"


async def test_a_head_that_moves_is_told_and_read_again_by_key(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memaudit.tui.review_screen.WATCH_SECONDS", 0.05)
    scene.moved_to = "c" * 40
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await until(pilot, lambda: bool(screen.moved_to))
        await settle(pilot)
        assert "HEAD moved, ^r again" in screen_text(pilot)
        assert "HEAD has moved on since the audit" in notices(pilot)
        scene.moved_to = ""
        scene.command()
        await press(pilot, "ctrl+r")
        await judged(pilot)
        assert "HEAD moved" not in screen_text(pilot)


async def test_a_real_commit_is_noticed_and_its_claims_are_judged(
    git_repo: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memaudit.tui.review_screen.WATCH_SECONDS", 0.05)
    base = git_repo.commit(
        "Start", {"CLAUDE.md": "- Colours come from `src/paint.py`.\n", "src/paint.py": "x = 1\n"}
    )
    app = MemauditApp(AuditRequest(path=git_repo.root, since=base), Settings(author="Tess"))
    app.animation_level = "none"
    async with app.run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        assert "nothing stale" in screen_text(pilot)
        git_repo.commit("Drop it", {"src/paint.py": None})
        await until(pilot, lambda: bool(screen.moved_to))
        await press(pilot, "ctrl+r")
        await until(pilot, lambda: not screen.moved_to and screen.sitting.opened is not None)
        await judged(pilot)
        await until(pilot, lambda: "1 stale" in screen_text(pilot))


async def test_a_range_that_ends_elsewhere_does_not_care_for_head(git_repo: Any) -> None:
    from memaudit.audit import Audit

    first = git_repo.commit(
        "Start", {"CLAUDE.md": "- Colours come from `src/paint.py`.\n", "src/paint.py": "x = 1\n"}
    )
    git_repo.commit("Go on", {"src/paint.py": "x = 2\n"})
    fixed = Audit(AuditRequest(path=git_repo.root, range=f"{first}..{first}"))
    follows = Audit(AuditRequest(path=git_repo.root, since=first))
    assert (fixed.moved_to(), follows.moved_to()) == ("", "")
    now = git_repo.commit("And on", {"src/paint.py": "x = 3\n"})
    assert (fixed.moved_to(), follows.moved_to()) == ("", now)


@pytest.mark.parametrize("key", ["e", "s", "f", "T", "comma", "question_mark", "x", "A", "ctrl+p", "slash"])
async def test_ctrl_c_twice_leaves_from_every_dialog(scene: Scene, key: str) -> None:
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "a", key, "ctrl+c")
        assert app.is_running
        await pilot.press("ctrl+c")
    assert app.return_code == 0


async def test_ctrl_c_twice_leaves_while_the_audit_is_busy_and_answers_nothing(scene: Scene) -> None:
    scene.silent, scene.finished = True, False
    app = scene.app()
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: review(pilot).sitting.opened is not None)
        await pilot.press("e", "ctrl+c", "ctrl+c")
    assert app.return_code == 0


@pytest.mark.parametrize("size", [(39, 24), (80, 11), (1, 1)])
async def test_a_window_that_is_too_small_says_so_and_comes_back(scene: Scene, size: tuple[int, int]) -> None:
    async with scene.app().run_test(size=(80, 24)) as pilot:
        screen = await judged(pilot)
        await press(pilot, "j", "e")
        await until(pilot, lambda: "judging" not in screen_text(pilot))
        before = screen_text(pilot)
        await pilot.resize_terminal(*size)
        await settle(pilot)
        assert screen_text(pilot).split() != before.split()
        await press(pilot, "a", "q", "escape")
        await pilot.resize_terminal(80, 24)
        await settle(pilot)
        assert screen_text(pilot) == before
        await press(pilot, "escape")
        assert screen.claims.cursor_row == 1
        assert not screen.sitting.board.decisions


async def test_what_it_says_names_both_sizes(scene: Scene) -> None:
    async with scene.app().run_test(size=(36, 20)) as pilot:
        await settle(pilot)
        text = " ".join(screen_text(pilot).split())
        assert "36 x 20" in text
        assert "memaudit needs 40 x 12" in text
        await pilot.press("ctrl+c", "ctrl+c")
    assert pilot.app.return_code == 0
