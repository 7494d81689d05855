"""Changing one setting in the user's file leaves the rest of it alone."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memaudit.errors import SettingsError
from memaudit.settings import load_settings
from memaudit.settings_file import change

OLD = """\
# Mine.
theme = "dark"  # at night
wrap = true

# The keys I am used to.
[keys]
accept = "y"
copy = [
  "c",  # like elsewhere
  "Y",
]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "settings.toml"
    path.write_text(OLD)
    return path


def test_a_value_is_replaced_and_its_comment_stays(file: Path) -> None:
    change(file, "theme", "light")
    assert file.read_text() == OLD.replace('"dark"', '"light"')


def test_a_new_key_goes_before_the_tables(file: Path) -> None:
    change(file, "author", 'Ada "the" \\ #1\x1b')
    assert load_settings(file).author == 'Ada "the" \\ #1\x1b'
    assert file.read_text().startswith('# Mine.\ntheme = "dark"  # at night\nwrap = true\nauthor = ')
    assert file.read_text().endswith(OLD[OLD.index("[keys]") :])


def test_a_key_is_taken_out(file: Path) -> None:
    change(file, "wrap", None)
    change(file, "diff", None)
    assert file.read_text() == OLD.replace("wrap = true\n", "")


def test_several_lines_of_a_table_are_replaced_as_one(file: Path) -> None:
    change(file, "copy", ("c", "f3"), table="keys")
    assert file.read_text() == OLD[: OLD.index("copy")] + 'copy = ["c", "f3"]\n'
    change(file, "retire", "x", table="keys")
    assert load_settings(file).keyboard == {"accept": ("y",), "copy": ("c", "f3"), "retire": ("x",)}


def test_a_file_and_its_folder_are_made(tmp_path: Path) -> None:
    file = tmp_path / "new" / "settings.toml"
    change(file, "accept", "y", table="keys")
    change(file, "theme", "light")
    assert file.read_text() == 'theme = "light"\n\n[keys]\naccept = "y"\n'


@pytest.mark.parametrize("after", ["", '\n[model]\nname = "m"\n'])
def test_a_table_that_becomes_empty_goes_with_its_last_key(tmp_path: Path, after: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('theme = "light"\n\n[keys]\naccept = "y"\nretire = "x"\n' + after)
    change(file, "retire", None, table="keys")
    assert file.read_text() == 'theme = "light"\n\n[keys]\naccept = "y"\n' + after
    change(file, "accept", None, table="keys")
    assert file.read_text() == 'theme = "light"\n' + after


def test_ends_of_lines_and_a_missing_last_one_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(b'theme = "dark"\r\nwrap = true')
    change(file, "author", "Ada")
    assert file.read_bytes() == b'theme = "dark"\r\nwrap = true\r\nauthor = "Ada"\r\n'


def test_a_link_to_the_file_and_its_mode_are_kept(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.toml"
    real.write_text("")
    real.chmod(0o640)
    link = tmp_path / "settings.toml"
    link.symlink_to(real)
    change(link, "theme", "light")
    assert link.is_symlink()
    assert real.read_text() == 'theme = "light"\n'
    assert real.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["dotfiles.toml", "settings.toml"]


@pytest.mark.parametrize(
    "text", ['keys = { accept = "y" }\n', 'keys.accept = "y"\n', '["keys"]\naccept = "y"\n']
)
def test_what_is_written_otherwise_is_left_to_its_owner(tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    with pytest.raises(SettingsError, match=r"keys.accept .* \(edit it there\)"):
        change(file, "accept", "b", table="keys")
    assert file.read_text() == text


def test_a_file_that_is_broken_is_not_made_worse(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("theme = \n")
    with pytest.raises(SettingsError, match="not valid TOML"):
        change(file, "theme", "light")
    assert file.read_text() == "theme = \n"


def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "in the way").write_text("")
    with pytest.raises(SettingsError, match="in the way"):
        change(tmp_path / "in the way" / "settings.toml", "theme", "light")


names = st.sampled_from(["theme", "author", "color", "diff"])
texts = st.text(max_size=12)
lines = st.one_of(
    st.just("# a comment = [keys]"),
    st.just(""),
    st.builds(lambda text: f'other{abs(hash(text))} = """\n[keys]\ntheme = 1 #{len(text)}\n"""', texts),
)


@given(st.lists(lines, max_size=5), names, texts, texts)
def test_nothing_but_the_one_value_ever_changes(
    tmp_path_factory: pytest.TempPathFactory, before: list[str], name: str, first: str, second: str
) -> None:
    file = tmp_path_factory.mktemp("settings") / "settings.toml"
    file.write_text("\n".join(before))
    try:
        old = tomllib.loads(file.read_text())
    except tomllib.TOMLDecodeError:
        return
    for value in (first, second):
        kept = file.read_text()
        try:
            change(file, name, value)
        except SettingsError:
            assert file.read_text() == kept
        else:
            assert tomllib.loads(file.read_text()) == {**old, name: value}
