"""Everything that a key does can be done with the mouse."""

from __future__ import annotations

from typing import Any

import pytest
from driving import judged, press, review, screen_text, settle, until
from scenes import Scene
from textual import events
from textual.geometry import Offset
from textual.pilot import Pilot

from memaudit.tui.dialogs.choices import Choices
from memaudit.tui.dialogs.confirm import Confirm
from memaudit.tui.dialogs.help import HelpDialog
from memaudit.tui.dialogs.rewrite import Rewrite
from memaudit.tui.dialogs.save import SavePreview
from memaudit.tui.split_diff import SplitDiff

SIZE = (120, 40)


async def click(pilot: Pilot[Any], x: int, y: int, **options: Any) -> None:
    await pilot.click(offset=(x, y), **options)
    # What stands for a key presses it: some more turns of the loop.
    for _ in range(3):
        await settle(pilot)


async def click_on(pilot: Pilot[Any], words: str, *, last: bool = True) -> None:
    """Click on the first letter of some words on the screen, the lowest ones if they are there twice."""
    rows = screen_text(pilot).splitlines()
    places = [Offset(row.index(words), y) for y, row in enumerate(rows) if words in row]
    assert places, f"{words!r} is not on the screen"
    await click(pilot, *(places[-1] if last else places[0]))


async def wheel(pilot: Pilot[Any], x: int, y: int, times: int = 1) -> None:
    for _ in range(times):
        scrolled = events.MouseScrollDown(
            None, x=x, y=y, delta_x=0, delta_y=1, button=0, shift=False, meta=False, ctrl=False
        )
        pilot.app.post_message(scrolled)
    await settle(pilot)


async def test_rows_are_selected_and_marked_by_click(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        top = screen.claims.content_region.y
        await click(pilot, 20, top + 3)
        assert screen.claims.cursor_row == 3
        await click(pilot, 1, top + 1)
        assert len(screen.claims.marks) == 1
        assert screen.claims.cursor_row == 3
        await click(pilot, 20, top + 2, times=2)
        assert isinstance(screen.focused, SplitDiff)


async def test_tabs_and_the_keys_at_the_bottom(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        for tab in ("2 Memory", "3 Why", "4 History", "1 Evidence"):
            await click_on(pilot, tab)
            assert screen.tab == tab.split()[1].lower()
        await click_on(pilot, "a accept")
        assert len(screen.sitting.board.decisions) == 1
        await click_on(pilot, "u undo")
        assert not screen.sitting.board.decisions
        await click_on(pilot, "? all keys")
        assert isinstance(pilot.app.screen, HelpDialog)
        await click_on(pilot, "esc back")
        assert pilot.app.screen is screen


async def test_keys_of_the_comparison_in_the_footer(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "tab")
        assert screen.focused is not screen.claims
        await click_on(pilot, "tab other side")
        await until(pilot, lambda: screen.focused is screen.claims)


async def test_the_folded_line_opens_by_click(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await click_on(pilot, "▸ 2 claims")
        assert "Answer in plain words." in screen_text(pilot)


async def test_a_fold_of_the_comparison_opens_by_click(scene: Scene) -> None:
    scene.contents["base:package.json"] = "\n".join(map(str, range(80))) + "\n"
    scene.contents["head:package.json"] = scene.contents["base:package.json"] + "more\n"
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await click_on(pilot, "unchanged lines")
        assert "unchanged lines" not in screen_text(pilot)


async def test_the_wheel_scrolls_what_is_under_it(scene: Scene) -> None:
    scene.contents["base:package.json"] = "\n".join(map(str, range(300))) + "\n"
    scene.contents["head:package.json"] = "\n".join(map(str, range(1, 600, 2))) + "\n"
    files = {"CLAUDE.md": scene.text(), "AGENTS.md": "".join(f"- Line {n} is here.\n" for n in range(90))}
    scene = Scene(scene.folder, files=files, contents=scene.contents)
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        cursor = screen.claims.cursor
        await wheel(pilot, 10, 10, 3)
        assert screen.claims.scroll_offset.y > 0
        assert screen.claims.cursor == cursor
        diff = next(one for one in screen.query(SplitDiff) if one.is_on_screen)
        before = diff.scroll_offset.y
        await wheel(pilot, 90, 30, 3)
        assert diff.scroll_offset.y > before


@pytest.mark.parametrize("words", ["enter accept 5", "accept 5"])
async def test_an_answer_is_chosen_by_click(scene: Scene, words: str) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "A")
        await click_on(pilot, words)
        assert pilot.app.screen is screen
        assert len(screen.sitting.board.decisions) == 5


async def test_a_click_beside_a_dialog_closes_it_but_not_beside_typed_words(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "a", "q")
        assert isinstance(pilot.app.screen, Confirm)
        await click_on(pilot, "Leave?")
        assert isinstance(pilot.app.screen, Confirm)
        await click(pilot, 2, 2)
        assert pilot.app.screen is screen
        await press(pilot, "e")
        await click(pilot, 2, 2)
        assert isinstance(pilot.app.screen, Rewrite)


async def test_each_of_two_keys_with_one_name_can_be_clicked(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "t", "n", "n", "r", "s")
        assert isinstance(pilot.app.screen, SavePreview)
        assert "1 of 2" in screen_text(pilot)
        await click_on(pilot, "] [ files")
        assert "2 of 2" in screen_text(pilot)
        await click_on(pilot, "[ files")
        assert "1 of 2" in screen_text(pilot)
        await click_on(pilot, "enter write")
        assert "npm run test:unit" in scene.text()


async def test_a_filter_is_marked_by_click(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "f")
        await click_on(pilot, "[ ] held")
        await click_on(pilot, "enter list these")
        assert len(screen.sitting.board) == 5


async def test_a_theme_and_a_setting_are_chosen_by_click(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "T")
        await click_on(pilot, "light")
        assert pilot.app.theme == "light"
        await press(pilot, "comma")
        await click_on(pilot, "wrap ")
        assert "no" in screen_text(pilot)
        assert review(pilot).settings.wrap is False
        pilot.app.screen.query_one(Choices)
