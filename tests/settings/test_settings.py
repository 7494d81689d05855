"""Settings as a user meets them: a file on disk, read or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from memaudit.errors import SettingsError
from memaudit.settings import FILE, KEYS, Settings, load_settings


def written(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "mine.toml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def test_no_settings_file_means_the_defaults() -> None:
    assert load_settings() == Settings()


def test_the_file_of_the_settings_folder_is_read(isolated_home: Path) -> None:
    folder = isolated_home / ".config" / "memaudit"
    folder.mkdir(parents=True)
    (folder / FILE).write_text('theme = "light"\nwrap = false\n')
    settings = load_settings()
    assert (settings.theme, settings.wrap, settings.diff) == ("light", False, "auto")


def test_every_key_can_be_set(tmp_path: Path) -> None:
    lines = []
    for key in KEYS.values():
        if key.type is bool:
            lines.append(f"{key.name} = {str(not key.default).lower()}")
        else:
            lines.append(f'{key.name} = "{key.choices[-1] if key.choices else "other"}"')
    settings = load_settings(written(tmp_path, "\n".join(lines)))
    assert all(getattr(settings, key.name) != key.default for key in KEYS.values())


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ('theem = "dark"', "unknown key theem (did you mean theme?)"),
        (
            'zzz = "dark"',
            "unknown key zzz (the keys are theme, color, author, diff, wrap, review_folder, keys, model)",
        ),
        ("theme = 3", "theme must be a string in quotes"),
        ('wrap = "yes"', "wrap must be true or false"),
        ("wrap = 1", "wrap must be true or false"),
        ('diff = "unifed"', "diff cannot be unifed (did you mean unified?)"),
        ('color = "x"', "color cannot be x (one of auto, truecolor, 256, ansi, none)"),
        ("[screen]\ntheme = 'dark'", "unknown key screen"),
        ("theme =", "not valid TOML"),
        ("keys = 3", "keys must be a table"),
        ("[keys]\naccept = 3", "keys.accept must be a key in quotes, or several in brackets"),
        ("[keys]\naccept = []", "keys.accept must be"),
        ("[keys]\naccept = ['']", "keys.accept must be"),
        (b'theme = "\xff"', "byte 9 is not UTF-8"),
    ],
)
def test_a_bad_file_is_refused_with_its_name_and_the_key(
    tmp_path: Path, content: str | bytes, what: str
) -> None:
    path = written(tmp_path, content)
    with pytest.raises(SettingsError) as refusal:
        load_settings(path)
    assert what in refusal.value.line()
    assert str(path) in refusal.value.line()


def test_a_named_file_must_exist(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="there is no such file"):
        load_settings(tmp_path / "none.toml")


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=str(tmp_path)):
        load_settings(tmp_path)


def test_decisions_carry_the_author_else_the_login_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "ada")
    assert Settings().decided_by == "ada"
    assert load_settings(written(tmp_path, 'author = "Ada L."')).decided_by == "Ada L."
