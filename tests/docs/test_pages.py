"""The documentation says what the program does."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from memaudit.paths import shipped
from memaudit.settings import KEYS, load_settings
from memaudit.tui.actions import keys_table
from memaudit.tui.keymap import Keymap
from memaudit.tui.themes import load_themes, user_folder

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_page_of_keys_is_made_from_the_table_of_actions() -> None:
    assert page("docs/keys.md").endswith(keys_table().rstrip("\n") + "\n"), "run python docs/make.py keys"


@pytest.mark.parametrize("key", KEYS.values(), ids=lambda key: key.name)
def test_every_setting_is_described_with_its_default(key) -> None:
    default = f'"{key.default}"' if isinstance(key.default, str) else str(key.default).lower()
    choices = f" ({', '.join(f'`{choice}`' for choice in key.choices)})" if key.choices else ""
    assert f"| `{key.name}` | `{default}` | {key.help}{choices} |" in page("docs/settings.md")


def test_every_reason_of_the_sample_store_is_described() -> None:
    expected = (shipped("sample_store") / "EXPECTED.toml").read_text(encoding="utf-8")
    described = page("docs/verdicts.md")
    missing = {
        one for one in re.findall(r'^reason = "(.+)"$', expected, re.M) if f"| `{one}` |" not in described
    }
    assert missing == set()


def test_every_option_of_check_is_described(capsys: pytest.CaptureFixture[str]) -> None:
    from memaudit.cli import run

    options: set[str] = set()
    for command in ("check", "export"):
        with pytest.raises(SystemExit):
            run([command, "--help"])
        options |= set(re.findall(r"--[a-z][a-z-]+", capsys.readouterr().out))
    described = page("docs/command-line.md")
    assert {option for option in options - {"--help"} if option not in described} == set()


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), target


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads(page("pyproject.toml"))["project"]
    names = {re.split(r"[<>=]", one)[0] for one in project["dependencies"]}
    decisions = page("docs/decisions.md")
    unexplained = {
        name for name in names if not name.startswith("tree-sitter-") and f"**{name}**" not in decisions
    }
    assert unexplained == set()


@pytest.mark.parametrize("name", ["docs/settings.md", "docs/keys.md"])
def test_the_settings_that_are_shown_are_taken(name: str, tmp_path: Path) -> None:
    shown = [text for text in re.findall(r"```toml\n(.*?)```", page(name), re.S) if "[keys]" in text]
    assert shown
    for number, text in enumerate(shown):
        file = tmp_path / f"{number}.toml"
        file.write_text(text, encoding="utf-8")
        assert Keymap.of(load_settings(file)).key("accept") == "b"


def test_the_theme_that_is_shown_is_taken() -> None:
    shown = re.findall(r"```toml\n(.*?)```", page("docs/settings.md"), re.S)
    (text,) = [text for text in shown if "[colors]" in text]
    user_folder().mkdir(parents=True)
    (user_folder() / "mine.toml").write_text(text, encoding="utf-8")
    themes, faults = load_themes()
    assert (faults, "mine" in themes) == ([], True)
