"""The user's settings: one TOML file, every key declared once below with its type, default and help.

Beside these keys the file may have a table ``[keys]``: the keys of the keyboard by action. What
actions there are is for the screen to know; here only the form of that table is checked. A table
``[model]`` has what the model judge goes by, see :mod:`memaudit.settings_model`.
"""

from __future__ import annotations

import difflib
import getpass
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from memaudit.errors import SettingsError
from memaudit.paths import settings_folder
from memaudit.settings_model import TABLE, ModelSettings, read_model

FILE = "settings.toml"
KEYBOARD = "keys"
"""The name of the table that gives actions other keys."""


def _setting(default: Any, text: str, *choices: str) -> Any:
    return field(default=default, metadata={"help": text, "choices": choices})


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings in effect. Each field with a help text is one key of the file, with the same name."""

    theme: str = _setting(
        "dark", "The theme of the screen: the name of a shipped theme or of one of your own."
    )
    color: str = _setting(
        "auto",
        "How many colours the terminal is trusted with.",
        "auto",
        "truecolor",
        "256",
        "ansi",
        "none",
    )
    author: str = _setting("", "The name your decisions carry; empty means your login name.")
    diff: str = _setting(
        "auto",
        "How changes are laid out; auto goes by the width of the terminal.",
        "auto",
        "side-by-side",
        "unified",
    )
    wrap: bool = _setting(True, "Whether long lines of memory files are wrapped rather than scrolled.")
    review_folder: str = _setting(
        "", "A folder that reviews are kept in together with others; empty keeps them on this machine."
    )

    keyboard: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The table ``[keys]``: keys as the user wrote them, by the id of the action."""
    model: ModelSettings = field(default_factory=ModelSettings)
    """The table ``[model]``."""
    file: Path | None = field(default=None, compare=False)
    """The file they were read from, or would have been; what is changed on the screen goes there."""

    @property
    def decided_by(self) -> str:
        """The name to put on a decision: ``author``, or the login name. Git is not asked."""
        return self.author or _login_name()


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the settings file, as the documentation and the refusals name it."""

    name: str
    type: type
    default: str | bool
    choices: tuple[str, ...]
    help: str


KEYS: dict[str, Key] = {
    one.name: Key(
        one.name,
        type(getattr(Settings(), one.name)),
        getattr(Settings(), one.name),
        one.metadata["choices"],
        one.metadata["help"],
    )
    for one in fields(Settings)
    if one.metadata
}
"""Every key there is, by name."""


_MOST_BYTES = 1 << 20
"""A file of settings that is larger is none."""


def _bytes_of(file: Path) -> bytes:
    """Raises SettingsError for what is no file, or too large: some devices never end."""
    if file.exists() and not file.is_file():
        raise SettingsError("is not a file", str(file))
    if file.stat().st_size > _MOST_BYTES:
        raise SettingsError("is too large for a file of settings", str(file))
    return file.read_bytes()


def load_settings(path: Path | None = None) -> Settings:
    """Read the settings from ``path``, or from the user's settings folder if there are any.

    A file that was named must exist; that of the settings folder need not. Raises SettingsError
    naming the file and the key.
    """
    file = settings_folder() / FILE if path is None else path
    try:
        raw = _bytes_of(file)
    except FileNotFoundError:
        if path is None:
            return Settings(file=file)
        raise SettingsError("there is no such file", str(file)) from None
    except OSError as error:
        raise SettingsError(error.strerror or str(error), str(file)) from error
    try:
        values = tomllib.loads(raw.decode())
    except UnicodeDecodeError as error:
        raise SettingsError(
            f"byte {error.start} is not UTF-8", str(file), "save the file as UTF-8"
        ) from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(f"not valid TOML: {error}", str(file)) from error
    keyboard = _keyboard(values.pop(KEYBOARD, {}), file)
    model = read_model(values.pop(TABLE, {}), file)
    for name, value in values.items():
        check(name, value, file)
    return Settings(**values, keyboard=keyboard, model=model, file=file)


def _keyboard(table: object, file: Path) -> dict[str, tuple[str, ...]]:
    """The table ``[keys]``: a key or an array of keys for each action."""
    if not isinstance(table, dict):
        raise SettingsError(f"{KEYBOARD} must be a table", str(file), f'[{KEYBOARD}] and then accept = "a"')
    keyboard: dict[str, tuple[str, ...]] = {}
    for action, value in table.items():
        keys = tuple(value) if isinstance(value, list) else (value,)
        if not keys or not all(isinstance(key, str) and key for key in keys):
            what = f"{KEYBOARD}.{action} must be a key in quotes, or several in brackets"
            raise SettingsError(what, str(file), f'like {action} = "a" or {action} = ["a", "f2"]')
        keyboard[action] = keys
    return keyboard


def check(name: str, value: object, file: Path) -> None:
    """Raise SettingsError, naming the file, unless the key exists and may have this value."""
    key = KEYS.get(name)
    if key is None:
        known = (*KEYS, KEYBOARD, TABLE)
        near = difflib.get_close_matches(name, known, n=1)
        fix = f"did you mean {near[0]}?" if near else f"the keys are {', '.join(known)}"
        raise SettingsError(f"unknown key {name}", str(file), fix)
    if type(value) is not key.type:
        wanted = "true or false" if key.type is bool else "a string in quotes"
        raise SettingsError(f"{name} must be {wanted}", str(file))
    if key.choices and value not in key.choices:
        near = difflib.get_close_matches(str(value), key.choices, n=1)
        fix = f"did you mean {near[0]}?" if near else f"one of {', '.join(key.choices)}"
        raise SettingsError(f"{name} cannot be {value}", str(file), fix)


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return "unknown"
