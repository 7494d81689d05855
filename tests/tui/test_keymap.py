"""Keys of the user's own: they work, are shown everywhere, and what cannot be is refused in one line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from driving import judged, press, screen_text
from scenes import Scene

from memaudit.errors import SettingsError
from memaudit.settings import load_settings
from memaudit.tui.actions import ACTIONS
from memaudit.tui.keymap import Keymap, is_typed, key_named


def keymap(tmp_path: Path, table: str) -> Keymap:
    file = tmp_path / "mine.toml"
    file.write_text(f"[keys]\n{table}\n")
    return Keymap.of(load_settings(file))


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("a", "a"),
        ("A", "A"),
        ("é", "é"),
        ("/", "slash"),
        ("?", "question_mark"),
        ("esc", "escape"),
        ("pgdn", "pagedown"),
        ("↓", "down"),
        ("^e", "ctrl+e"),
        ("Ctrl+E", "ctrl+e"),
        ("F5", "f5"),
        ("shift+F3", "shift+f3"),
        ("shift+a", "A"),
        ("alt+x", "alt+x"),
        ("question_mark", "question_mark"),
        ("", None),
        ("ab", None),
        ("ctrl+", None),
        ("\x1b", None),
        ("a,b", None),
    ],
)
def test_keys_are_named_as_people_write_them(written: str, key: str | None) -> None:
    assert key_named(written) == key


def test_every_key_of_the_table_has_a_name_that_can_be_written_back() -> None:
    for action in ACTIONS:
        for key in action.keys:
            assert key_named(key) == key
        assert [key_named(one) for one in Keymap().shown(action).split(" ")] == list(action.keys)


@pytest.mark.parametrize("key", ["a", "A", "slash", "space", "full_stop"])
def test_what_a_text_field_takes_for_itself(key: str) -> None:
    assert is_typed(key)
    assert not is_typed(f"ctrl+{key}")


@pytest.mark.parametrize(
    ("table", "fault"),
    [
        ('acept = "y"', "keys has an unknown action acept (did you mean accept?)"),
        ('"zz \\u001b[1m" = "y"', "unknown action zz \\x1b[1m (docs/keys.md lists the actions)"),
        ('accept = "ctrl+zz"', "keys.accept has an unknown key ctrl+zz"),
        ('accept = "pgupp"', "keys.accept has an unknown key pgupp (did you mean pgup?)"),
        ('accept = "r"', "keys.accept cannot be r, which is retire"),
        ('retire = "a"', "keys.retire cannot be a, which is accept"),
        ('accept = "j"', "keys.accept cannot be j, which is down"),
        ('accept = "tab"', "keys.accept cannot be tab, which is switch"),
        ('deciding = "p"', "keys.deciding cannot be p, which is previous_hunk"),
        ('accept = "ctrl+c"', "keys.accept cannot be ^c"),
        ('leave = "ctrl+x"', "keys.leave cannot be changed"),
        ('keep = "k"', "keys.keep cannot be k, which is typed"),
    ],
)
def test_what_cannot_be_is_refused_with_file_and_key(tmp_path: Path, table: str, fault: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        keymap(tmp_path, table)
    assert fault in refusal.value.line()
    assert str(tmp_path / "mine.toml") in refusal.value.line()


def test_two_actions_can_change_places(tmp_path: Path) -> None:
    found = keymap(tmp_path, 'accept = "r"\nretire = ["a", "f3"]')
    assert (found.key("accept"), found.key("retire")) == ("r", "a")


def rebound(scene: Scene, tmp_path: Path, table: str) -> Scene:
    file = tmp_path / "mine.toml"
    file.write_text(f'author = "Tess"\n[keys]\n{table}\n')
    scene.settings = load_settings(file)
    return scene


async def test_the_own_key_works_and_the_old_one_does_not(scene: Scene, tmp_path: Path) -> None:
    rebound(scene, tmp_path, 'accept = "Y"\nretire = "a"\nright = ["ctrl+l", "right"]')
    async with scene.app().run_test(size=(120, 40)) as pilot:
        screen = await judged(pilot)
        await press(pilot, "r")
        assert not screen.sitting.board.decisions
        await press(pilot, "Y", "a")
        kinds = [one.kind.value for one in screen.sitting.board.decisions.values()]
        assert kinds == ["accept", "retire"]


async def test_list_comparison_and_editor_have_their_own_keys_too(scene: Scene, tmp_path: Path) -> None:
    rebound(scene, tmp_path, 'down = "ctrl+n"\nswitch = "f6"\npage_down = "f7"\nkeep = "f8"\nback = "f9"')
    async with scene.app().run_test(size=(120, 40)) as pilot:
        screen = await judged(pilot)
        await press(pilot, "ctrl+n", "ctrl+n")
        assert screen.claims.cursor_row == 2
        await press(pilot, "j")
        assert screen.claims.cursor_row == 2
        await press(pilot, "f6")
        assert screen.focused is not screen.claims
        await press(pilot, "f9")
        assert screen.focused is screen.claims
        await press(pilot, "e", "f8", "f8")
        assert len(screen.sitting.board.decisions) == 1


async def test_footer_help_palette_and_notices_show_the_own_keys(scene: Scene, tmp_path: Path) -> None:
    rebound(scene, tmp_path, 'accept = "Y"\nundo = "ctrl+z"\nfilter = "ctrl+f"\nhelp = "f1"\nquit = "Q"')
    async with scene.app().run_test(size=(120, 40), notifications=True) as pilot:
        await judged(pilot)
        footer = screen_text(pilot).splitlines()[-1]
        assert " Y accept " in footer
        assert " f1 all keys  Q quit " in footer
        await press(pilot, "f1")
        help_text = screen_text(pilot)
        assert "  Y  " in help_text
        assert "  ^z  " in help_text
        await press(pilot, "escape", "ctrl+p", *"accept")
        assert "Accept  (Y)" in screen_text(pilot)
        await press(pilot, "escape", "A", "enter")
        assert "^z takes it back" in "\n".join(one.message for one in pilot.app._notifications)
        await press(pilot, "ctrl+f", "escape", "Q")
        assert "Leave?" in screen_text(pilot)


async def test_the_last_way_out_cannot_be_taken_away(scene: Scene, tmp_path: Path) -> None:
    rebound(scene, tmp_path, 'quit = "Q"')
    app = scene.app()
    async with app.run_test(size=(120, 40)) as pilot:
        await judged(pilot)
        await press(pilot, "e", "ctrl+c")
        await pilot.press("ctrl+c")
    assert app.return_code == 0


def test_keys_that_clash_stop_the_program_with_one_line(scene: Scene, tmp_path: Path) -> None:
    rebound(scene, tmp_path, "")
    scene.settings = replace(scene.settings, keyboard={"accept": ("q",)})
    with pytest.raises(SettingsError, match=r"mine.toml: keys.accept cannot be q, which is quit"):
        scene.app()


def test_reviews_do_not_share_their_keys(scene: Scene, tmp_path: Path) -> None:
    rebound(scene, tmp_path, 'accept = "Y"')
    assert scene.app().keymap.key("accept") == "Y"
    assert Keymap().key("accept") == "a"
