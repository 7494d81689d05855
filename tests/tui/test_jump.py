"""Jump mode: a letter leads to everything in view, and nothing else happens."""

from __future__ import annotations

import pytest
from driving import judged, press, screen_text, settle
from scenes import Scene

from memaudit.tui.jump import JumpOverlay, Letter, codes
from memaudit.tui.split_diff import SplitDiff

SIZE = (120, 40)


@pytest.mark.parametrize("count", [0, 1, 26, 27, 51, 52, 300, 676])
def test_codes_are_short_and_none_is_the_start_of_another(count: int) -> None:
    found = codes(count)
    assert len(found) == len(set(found)) == count
    assert all(len(code) == 1 for code in found) or count > 26
    ends = {code for code in found if len(code) == 1}
    assert not any(code[0] in ends for code in found if len(code) == 2)


def letters(screen: object) -> dict[str, Letter]:
    assert isinstance(screen, JumpOverlay)
    return {letter.code: letter for letter in screen.query(Letter)}


async def test_a_letter_on_a_row_puts_the_cursor_there(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "tab", "semicolon")
        shown = letters(pilot.app.screen)
        corner = screen.claims.content_region
        code = next(one for one, letter in shown.items() if letter.region.offset == (corner.x, corner.y + 4))
        assert screen_text(pilot).splitlines()[corner.y + 4].startswith(code)
        await press(pilot, *code)
        assert screen.claims.cursor_row == 4
        assert screen.focused is screen.claims


async def test_what_to_do_is_said_where_the_keys_stand(scene: Scene) -> None:
    async with scene.app().run_test(size=(80, 24)) as pilot:
        await judged(pilot)
        await press(pilot, "semicolon")
        assert "Type a letter to go where it stands." in screen_text(pilot).splitlines()[-1]
        await press(pilot, "escape")
        assert "Type a letter" not in screen_text(pilot)


async def test_tabs_and_the_comparison_have_letters_too(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "semicolon")
        tab = screen.query_one("#tabs").content_region
        code = next(
            one for one, it in letters(pilot.app.screen).items() if it.region.offset == (tab.x + 12, tab.y)
        )
        await press(pilot, *code)
        assert screen.tab == "memory"
        await press(pilot, "semicolon")
        diff = screen.query_one("#memory SplitDiff", SplitDiff)
        area = diff.content_region
        code = next(one for one, it in letters(pilot.app.screen).items() if it.region.offset == area.offset)
        await press(pilot, *code)
        assert screen.focused is diff


async def test_a_fold_is_opened(scene: Scene) -> None:
    scene.contents["base:package.json"] = "\n".join(map(str, range(80))) + "\n"
    scene.contents["head:package.json"] = scene.contents["base:package.json"] + "more\n"
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        assert "unchanged lines" in screen_text(pilot)
        rows = screen_text(pilot).splitlines()
        (y,) = [number for number, row in enumerate(rows) if "unchanged lines" in row]
        await press(pilot, "semicolon")
        (code,) = [
            one for one, it in letters(pilot.app.screen).items() if it.region.y == y and it.region.x > 40
        ]
        await press(pilot, *code)
        assert "unchanged lines" not in screen_text(pilot)


@pytest.mark.parametrize("key", ["escape", "1", "down"])
async def test_any_other_key_leaves_and_does_nothing(scene: Scene, key: str) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        before = screen_text(pilot)
        await press(pilot, "semicolon", key)
        assert pilot.app.screen is screen
        assert screen_text(pilot) == before


async def test_with_many_rows_the_second_letter_decides(scene: Scene) -> None:
    scene = Scene(scene.folder, files={"CLAUDE.md": "".join(f"- Line {n} is here.\n" for n in range(60))})
    async with scene.app().run_test(size=(120, 60)) as pilot:
        screen = await judged(pilot)
        await press(pilot, "semicolon")
        code = next(one for one in letters(pilot.app.screen) if len(one) == 2)
        await press(pilot, code[0])
        left = [letter for letter in letters(pilot.app.screen).values() if letter.display]
        assert left
        assert all(letter.code.startswith(code[0]) for letter in left)
        row = letters(pilot.app.screen)[code].region.y - screen.claims.content_region.y
        await press(pilot, code[1])
        assert screen.claims.cursor_row == row


async def test_a_click_on_a_letter_goes_there_and_a_resize_leaves(scene: Scene) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "semicolon")
        await pilot.click(offset=(0, screen.claims.content_region.y + 3))
        await settle(pilot)
        assert screen.claims.cursor_row == 3
        await press(pilot, "semicolon")
        await pilot.resize_terminal(100, 30)
        await settle(pilot)
        assert pilot.app.screen is screen
