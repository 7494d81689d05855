"""The settings on the screen: shown, changed, written to the file, in effect at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import judged, press, screen_text, until
from scenes import Scene

from memaudit.settings import KEYS, load_settings
from memaudit.tui.dialogs.settings import SettingsDialog
from memaudit.tui.panes.memory import MemoryPane
from memaudit.tui.split_diff import SplitDiff

SIZE = (120, 40)
OWN = '# Mine.\nauthor = "Tess"  # for now\n'


@pytest.fixture
def file(scene: Scene, tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(OWN)
    scene.settings = load_settings(path)
    return path


def steps_to(name: str) -> list[str]:
    return ["j"] * list(KEYS).index(name)


async def test_every_setting_is_listed_with_its_value_and_help(scene: Scene, file: Path) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "comma")
        assert isinstance(pilot.app.screen, SettingsDialog)
        assert file.name in screen_text(pilot)
        for key in KEYS.values():
            text = " ".join(screen_text(pilot).replace("│", " ").split())
            assert key.name in text
            assert key.help[:60] in text
            await press(pilot, "j")


async def test_a_switch_is_turned_and_written(scene: Scene, file: Path) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "comma", *steps_to("wrap"), "enter", "escape")
        assert file.read_text() == OWN + "wrap = false\n"
        assert screen.query_one(MemoryPane).wrap is False


async def test_choices_go_round_and_take_effect_at_once(scene: Scene, file: Path) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "comma", *steps_to("diff"), "enter")
        assert load_settings(file).diff == "side-by-side"
        assert all(diff.split for diff in screen.query(SplitDiff))
        await press(pilot, "enter", "enter")
        assert load_settings(file).diff == "auto"
        await press(pilot, "g", "enter")
        assert pilot.app.theme == load_settings(file).theme != "dark"


async def test_a_text_is_typed_and_esc_leaves_it(scene: Scene, file: Path) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "comma", *steps_to("author"), "enter", *" L.", "escape")
        assert file.read_text() == OWN
        assert isinstance(pilot.app.screen, SettingsDialog)
        await press(pilot, "enter", *" L.", "enter", "escape", "a")
        assert file.read_text() == OWN.replace("Tess", "Tess L.")
        assert next(iter(screen.sitting.board.decisions.values())).by == "Tess L."


async def test_a_setting_goes_back_to_its_default(scene: Scene, file: Path) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "comma", *steps_to("author"), "delete")
        assert file.read_text() == "# Mine.\n"


async def test_a_key_is_changed_by_pressing_it(scene: Scene, file: Path) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        await press(pilot, "comma", *["j"] * len(KEYS), "enter")
        assert "Press the new key." in screen_text(pilot)
        await press(pilot, "escape", "enter", "exclamation_mark", "escape")
        assert file.read_text() == OWN + '\n[keys]\naccept = ["!"]\n'
        assert "! accept" in screen_text(pilot).splitlines()[-1]
        await press(pilot, "a")
        assert not screen.sitting.board.decisions
        await press(pilot, "exclamation_mark")
        assert screen.sitting.board.decisions


async def test_a_key_that_is_taken_is_refused_and_nothing_is_written(scene: Scene, file: Path) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "comma", *["j"] * len(KEYS), "enter", "q")
        assert "keys.accept cannot be q, which is quit" in " ".join(screen_text(pilot).split())
        assert isinstance(pilot.app.screen, SettingsDialog)
        assert file.read_text() == OWN
        assert "Press the new key." in screen_text(pilot), "another key can be pressed at once"
        await press(pilot, "exclamation_mark")
        assert "cannot be q" not in screen_text(pilot)
        assert 'accept = ["!"]' in file.read_text()
        await press(pilot, "delete")
        assert file.read_text() == OWN, "and the table goes with its last key"


async def test_a_file_that_cannot_be_written_is_told(scene: Scene, file: Path) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        screen = await judged(pilot)
        file.unlink()
        file.mkdir()
        await press(pilot, "comma", *steps_to("wrap"), "enter")
        assert "Is a directory" in screen_text(pilot)
        assert screen.query_one(MemoryPane).wrap is True


async def test_a_chosen_theme_is_kept_for_the_next_start(scene: Scene, file: Path) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "T", "j", "escape")
        assert file.read_text() == OWN
        await press(pilot, "T", "j", "enter")
        chosen = pilot.app.theme
        assert chosen != "dark"
    assert file.read_text() == f'{OWN}theme = "{chosen}"\n'
    assert load_settings(file).theme == chosen


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12)])
async def test_the_keys_of_the_dialog_stay_in_view(scene: Scene, file: Path, size: tuple[int, int]) -> None:
    async with scene.app().run_test(size=size) as pilot:
        await judged(pilot)
        await press(pilot, "comma", "G")
        assert "esc done" in screen_text(pilot)
        assert "Back" in screen_text(pilot)


async def test_a_review_folder_that_does_not_exist_is_refused(scene: Scene, file: Path) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "comma", *steps_to("review_folder"), "enter", *"/nowhere/else", "enter")
        assert "there is no such folder to share a review in" in screen_text(pilot)
        assert file.read_text() == OWN
        await press(pilot, "ctrl+u", *str(file.parent), "enter")
        assert load_settings(file).review_folder == str(file.parent)


async def test_a_missing_review_folder_names_its_setting_and_can_be_mended(scene: Scene, file: Path) -> None:
    scene.origin = "0123456789abcdef" * 2
    app = scene.app(review_folder="/nowhere/else")
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "memaudit cannot open this." in screen_text(pilot))
        shown = " ".join(screen_text(pilot).split())
        assert "change review_folder in settings.toml" in shown
        assert ", changes the settings" in shown
        await press(pilot, "comma", *steps_to("review_folder"), "enter", "ctrl+u", *str(file.parent))
        await press(pilot, "enter", "escape", "ctrl+r")
        await judged(pilot)
        assert "cannot open" not in screen_text(pilot)


async def test_the_field_of_a_setting_says_which_and_how_it_ends(scene: Scene, file: Path) -> None:
    async with scene.app().run_test(size=SIZE) as pilot:
        await judged(pilot)
        await press(pilot, "comma", *steps_to("author"), "enter")
        assert "│ author =  Tess" in screen_text(pilot)
        assert "enter keeps   esc leaves it" in screen_text(pilot)
        await press(pilot, "escape")
        assert "author = " not in screen_text(pilot)
        assert "enter change" in screen_text(pilot)
