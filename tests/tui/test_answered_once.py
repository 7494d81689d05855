"""Dialogs that are answered twice before they are gone, and what a fault of ours leaves on the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from scenes import Scene
from textual import events
from textual.app import App
from textual.pilot import Pilot

from memaudit import cli, interrupts
from memaudit.tui.app import MemauditApp
from memaudit.tui.board import Sort
from memaudit.tui.dialogs.choices import Choices
from memaudit.tui.dialogs.once import Once
from memaudit.tui.dialogs.sort import SortDialog
from memaudit.tui.palette import Palette
from memaudit.tui.too_small import TooSmall

SIZE = (120, 40)


async def burst(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys faster than the screen can follow."""
    for key in keys:
        pilot.app.post_message(events.Key(key, key if len(key) == 1 else None))
    await settle(pilot)


@pytest.mark.parametrize(
    ("opening", "keys", "decided"),
    [
        ("S", ("space", "space"), 0),
        ("S", ("j", "enter", "enter", "enter"), 0),
        ("S", ("enter", "a"), 0),
        ("T", ("enter", "enter"), 0),
        ("f", ("enter", "enter"), 0),
        ("f", ("escape", "escape"), 0),
        ("comma", ("escape", "escape"), 0),
        ("x", ("escape", "escape"), 0),
        ("question_mark", ("escape", "escape"), 0),
        ("semicolon", ("escape", "a"), 0),
        ("e", ("escape", "escape", "a"), 0),
        ("y", ("enter", "enter"), 0),
        ("A", ("a", "a", "a"), 5),
        ("A", ("enter", "enter", "enter"), 5),
        ("t s", ("enter", "enter"), 1),
        ("t s", ("escape", "escape"), 1),
        ("t q", ("escape", "escape"), 1),
        ("ctrl+p", ("escape", "escape"), 0),
    ],
)
async def test_a_dialog_takes_one_answer_and_nothing_below_takes_the_others(
    scene: Scene, opening: str, keys: tuple[str, ...], decided: int
) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, *opening.split())
        assert isinstance(pilot.app.screen, Once)
        await burst(pilot, *keys)
        assert len(pilot.app.screen_stack) == 1
        assert len(review(pilot).sitting.board.decisions) == decided


async def test_what_is_chosen_stays_when_another_key_follows_at_once(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "S")
        await burst(pilot, "j", "enter", "j", "enter")
        assert screen.sitting.board.sort is Sort.PLACE
        before = pilot.app.theme
        await press(pilot, "T")
        await burst(pilot, "enter", "j", "escape")
        assert pilot.app.theme == before


async def test_an_action_of_the_palette_is_done_once(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "ctrl+p")
        assert isinstance(pilot.app.screen, Palette)
        await press(pilot, *"retire")
        await until(pilot, lambda: "Retire" in screen_text(pilot))
        await burst(pilot, "enter", "enter", "enter", "enter")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await settle(pilot)
        assert len(screen.sitting.board.decisions) == 1


async def test_a_double_click_answers_once_and_does_nothing_below(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        here = screen.claims.cursor
        await press(pilot, "S")
        await pilot.double_click(Choices, offset=(4, 1))
        await settle(pilot)
        assert screen.sitting.board.sort is Sort.PLACE
        assert len(pilot.app.screen_stack) == 1
        assert screen.claims.cursor == here


async def test_an_answer_that_comes_below_another_screen_waits_for_it(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "S")
        dialog = pilot.app.screen
        assert isinstance(dialog, SortDialog)
        await pilot.resize_terminal(30, 8)
        await settle(pilot)
        assert isinstance(pilot.app.screen, TooSmall)
        dialog.dismiss(Sort.PLACE)
        await settle(pilot)
        assert isinstance(pilot.app.screen, TooSmall)
        await pilot.resize_terminal(*SIZE)
        await until(pilot, lambda: pilot.app.screen is screen)
        await settle(pilot)
        assert screen.sitting.board.sort is Sort.PLACE


def test_a_fault_ends_with_2_and_one_line(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    run: Callable[..., object] = App.run

    def broken(_: MemauditApp) -> None:
        raise LookupError("no such thing")

    monkeypatch.setattr(App, "run", lambda app: run(app, headless=True))
    monkeypatch.setattr(MemauditApp, "on_ready", broken)
    for name in ("hand_to", "end_with_terminal", "raise_where_caught"):
        monkeypatch.setattr(interrupts, name, lambda *_: None)
    monkeypatch.setattr(cli, "_why_no_screen", lambda: "")
    assert cli.run([str(scene.root)]) == 2
    out, err = capfd.readouterr()
    assert err.splitlines() == [
        "memaudit: LookupError: no such thing (set MEMAUDIT_DEBUG=1 to see where, and please report it)"
    ]
    assert not out
