"""Themes as TOML files: those shipped with memaudit and those of the user, checked before use.

A theme file has a ``name``, ``dark`` and ``ansi`` flags, ``extends`` with the name of a shipped
theme for all it leaves out, and the tables ``[colors]``, ``[syntax]`` and ``[styles]``.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from textual.color import Color, ColorParseError
from textual.theme import BUILTIN_THEMES, Theme

from memaudit import paths
from memaudit.errors import SettingsError
from memaudit.patterns import lazy_regex

BASE: Final = (
    "primary",
    "secondary",
    "accent",
    "success",
    "warning",
    "error",
    "foreground",
    "background",
    "surface",
    "panel",
)
ROLES: Final[Mapping[str, str]] = {
    "muted": "second-rank text: file names, headings, hints",
    "faint": "line numbers, rules, fillers",
    "cursor": "background of the selected row while its list has the focus",
    "cursor-blurred": "the same without the focus",
    "added": "plus signs and line numbers of added lines",
    "added-line": "background of added lines",
    "added-word": "background of added words",
    "removed": "minus signs and line numbers of removed lines",
    "removed-line": "background of removed lines",
    "removed-word": "background of removed words",
    "deciding": "the mark on lines that decide a verdict",
}
SYNTAX: Final = ("keyword", "string", "comment", "number", "name", "type")
STYLES: Final = ("word", "cursor", "cursor-blurred", "added", "removed")
_ATTRIBUTES: Final = frozenset({"bold", "dim", "italic", "underline", "reverse", "strike"})
_TABLES: Final[Mapping[str, tuple[str, ...]]] = {
    "colors": (*BASE, *ROLES),
    "syntax": SYNTAX,
    "styles": STYLES,
}
_NAME: Final = lazy_regex(r"[A-Za-z0-9_-]{1,40}")
DEFAULT: Final = "dark"
ANSI: Final = "ansi-16"


@dataclass(frozen=True)
class ThemeFile:
    """A theme that passed the checks, and the file it came from."""

    name: str
    path: Path
    theme: Theme


def user_folder() -> Path:
    """Where the user's own theme files are looked for."""
    return paths.settings_folder() / "themes"


def load_themes() -> tuple[dict[str, ThemeFile], list[SettingsError]]:
    """All usable themes by name, shipped ones first, and what is wrong with the others.

    A user theme of the same name replaces a shipped one.
    """
    found: dict[str, ThemeFile] = {}
    shipped: dict[str, dict[str, Any]] = {}
    faults: list[SettingsError] = []
    for path in _files(paths.shipped("themes")):
        values = _read(path)
        shipped[str(values["name"])] = values
        theme_file = _checked(path, values, {})
        found[theme_file.name] = theme_file
    found = {DEFAULT: found[DEFAULT], **found}
    for path in _files(user_folder()):
        try:
            theme_file = _checked(path, _read(path), shipped)
        except SettingsError as fault:
            faults.append(fault)
        else:
            found[theme_file.name] = theme_file
    return found, faults


def user_files_state() -> tuple[tuple[str, int], ...]:
    """Names and modification times of the user's theme files: changes when one of them does."""
    state = []
    for path in _files(user_folder()):
        try:
            state.append((path.name, path.stat().st_mtime_ns))
        except OSError:
            continue
    return tuple(state)


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    except OSError:
        return []


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(error.strerror or "cannot be read", str(path)) from error
    except UnicodeDecodeError as error:
        raise SettingsError("the file is not UTF-8", str(path), "save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"not valid TOML: {error}", str(path)) from error


def _checked(path: Path, values: dict[str, Any], shipped: Mapping[str, dict[str, Any]]) -> ThemeFile:
    where = str(path)
    for key in values:
        if key not in ("name", "dark", "ansi", "extends", *_TABLES):
            raise _unknown(key, ("name", "dark", "ansi", "extends", *_TABLES), where)
    name = values.get("name", path.stem)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SettingsError(f"{name!r} is no name for a theme", where, "letters, digits, - and _")
    extends = values.get("extends", DEFAULT if shipped else None)
    parent = shipped.get(extends, {}) if isinstance(extends, str) else {}
    if shipped and not parent:
        raise SettingsError(
            f"extends names no shipped theme: {extends!r}", where, f"one of {', '.join(shipped)}"
        )
    tables = {table: {**parent.get(table, {}), **_table(values, table, where)} for table in _TABLES}
    flags = {flag: values.get(flag, parent.get(flag, False)) for flag in ("dark", "ansi")}
    for flag, value in flags.items():
        if not isinstance(value, bool):
            raise SettingsError(f"{flag} is true or false, not {value!r}", where)
    return ThemeFile(name, path, _theme(name, tables, dark=flags["dark"], ansi=flags["ansi"]))


def _table(values: dict[str, Any], table: str, where: str) -> dict[str, str]:
    entries = values.get(table, {})
    if not isinstance(entries, dict):
        raise SettingsError(f"[{table}] is a table of texts", where)
    for key, value in entries.items():
        if key not in _TABLES[table]:
            raise _unknown(key, _TABLES[table], f"{where} [{table}]")
        if not isinstance(value, str):
            raise SettingsError(f"{key} is a text, not {value!r}", f"{where} [{table}]")
        if table == "styles":
            wrong = [word for word in value.split() if word not in _ATTRIBUTES]
            if wrong:
                raise _unknown(wrong[0], tuple(sorted(_ATTRIBUTES)), f"{where} [{table}] {key}")
        else:
            try:
                colour = Color.parse(value)
            except ColorParseError as error:
                raise SettingsError(
                    f"{value!r} is not a colour", f"{where} [{table}] {key}", "like #84b4e8 or ansi_blue"
                ) from error
            if colour.a < 1:
                raise SettingsError(
                    f"{value!r} is see-through", f"{where} [{table}] {key}", "leave out the alpha"
                )
    return entries


def _unknown(key: str, known: tuple[str, ...], where: str) -> SettingsError:
    import difflib

    near = difflib.get_close_matches(key, known, n=1)
    fix = f"did you mean {near[0]}?" if near else f"one of {', '.join(known)}"
    return SettingsError(f"unknown entry {key!r}", where, fix)


def _theme(name: str, tables: dict[str, dict[str, str]], *, dark: bool, ansi: bool) -> Theme:
    colors = tables["colors"]
    # Textual's own style sheets use variables that it makes up for every theme but those of 16 colours.
    variables = dict(BUILTIN_THEMES["ansi-dark" if dark else "ansi-light"].variables) if ansi else {}
    variables |= {role: colors[role] for role in ROLES}
    variables |= {f"syntax-{kind}": tables["syntax"][kind] for kind in SYNTAX}
    variables |= {f"{style}-style": tables["styles"].get(style) or "none" for style in STYLES}
    variables |= {
        "active-style": f"bold {tables['styles'].get('cursor', '').replace('bold', '')}".strip(),
        "block-cursor-background": colors["cursor"],
        "block-cursor-foreground": colors["foreground"],
        "block-cursor-text-style": variables["cursor-style"],
        "block-cursor-blurred-background": colors["cursor-blurred"],
        "block-cursor-blurred-foreground": colors["foreground"],
        "border": colors["primary"],
        "border-blurred": colors["faint"],
        "scrollbar": colors["faint"],
        "scrollbar-hover": colors["muted"],
        "scrollbar-active": colors["primary"],
        "scrollbar-background": colors["background"],
        "scrollbar-background-hover": colors["background"],
        "scrollbar-background-active": colors["background"],
        "scrollbar-corner-color": colors["background"],
    }
    return Theme(
        name=name,
        dark=dark,
        ansi=ansi,
        variables=variables,
        primary=colors["primary"],
        secondary=colors["secondary"],
        accent=colors["accent"],
        success=colors["success"],
        warning=colors["warning"],
        error=colors["error"],
        foreground=colors["foreground"],
        background=colors["background"],
        surface=colors["surface"],
        panel=colors["panel"],
    )
