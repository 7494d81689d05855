"""Changing one value in the settings file: comments, order and everything else stay as they are."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import stat
import tomllib
from pathlib import Path
from typing import Any

from memaudit.errors import SettingsError
from memaudit.paths import private_folder

Value = str | bool | tuple[str, ...]

_TABLE = re.compile(r"\s*\[")


def change(file: Path, name: str, value: Value | None, *, table: str = "") -> None:
    """Set ``name`` at the top of the file or in a table of it; None takes the key out.

    The edit is made on the lines, then read again: it reaches the disk only if it changed this one
    value and nothing else. Raises SettingsError, and then the file is as it was.
    """
    text = _read(file)
    wanted = _parsed(text, file)
    inner = wanted.setdefault(table, {}) if table else wanted
    if value is None:
        inner.pop(name, None)
    else:
        inner[name] = list(value) if isinstance(value, tuple) else value
    edited = _edited(text, name, value, table)
    shown = f"{table}.{name}" if table else name
    if _without_empty(_parsed(edited, file, shown)) != _without_empty(wanted):
        raise _by_hand(file, shown)
    if edited != text:
        _replace(file, edited)


def _read(file: Path) -> str:
    try:
        return file.read_bytes().decode()
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise SettingsError(error.strerror or str(error), str(file)) from error
    except UnicodeDecodeError as error:
        raise SettingsError("not UTF-8", str(file), "save the file as UTF-8") from error


def _parsed(text: str, file: Path, edited: str = "") -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        if edited:
            raise _by_hand(file, edited) from error
        raise SettingsError(f"not valid TOML: {error}", str(file)) from error


def _by_hand(file: Path, name: str) -> SettingsError:
    return SettingsError(
        f"{name} is written in a way that is not changed from here", str(file), "edit it there"
    )


def _without_empty(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value != {}}


def _edited(text: str, name: str, value: Value | None, table: str) -> str:
    lines = text.splitlines(keepends=True)
    end_of_line = "\r\n" if lines and lines[0].endswith("\r\n") else "\n"
    start, end = _region(lines, table)
    found = _lines_of(lines, start, end, name)
    if found is not None:
        first, last, comment = found
        new = [] if value is None else [f"{name} = {_toml(value)}{comment}{end_of_line}"]
        left = "".join([*lines[start:first], *lines[last:end]]).strip()
        about = lines[start - 2].strip() if start > 1 else ""
        if not new and table and not left and not about.startswith("#"):
            # Nothing is left of the table, not even a comment: neither should its heading be.
            first, last = start - 1, end
            while first and not lines[first - 1].strip():
                first -= 1
            new = [end_of_line] if first and last < len(lines) else []
        return "".join([*lines[:first], *new, *lines[last:]])
    if value is None:
        return text
    new = [f"{name} = {_toml(value)}{end_of_line}"]
    if table and start == end == len(lines) and not _has_table(lines, table):
        new = [*([end_of_line] if lines else []), f"[{table}]{end_of_line}", *new]
    at = end
    if end < len(lines):
        # A comment right above the next table is about that table.
        while at > start and lines[at - 1].lstrip().startswith("#"):
            at -= 1
    while at > start and not lines[at - 1].strip():
        at -= 1
    if at and not lines[at - 1].endswith("\n"):
        lines[at - 1] += end_of_line
    if at < len(lines) and lines[at].strip():
        new.append(end_of_line)
    return "".join([*lines[:at], *new, *lines[at:]])


def _region(lines: list[str], table: str) -> tuple[int, int]:
    """The lines in which keys of a table stand: first, and the one after the last."""
    heads = [number for number, line in enumerate(lines) if _TABLE.match(line)]
    if not table:
        return 0, heads[0] if heads else len(lines)
    for head in heads:
        if _is_head(lines[head], table):
            return head + 1, next((other for other in heads if other > head), len(lines))
    return len(lines), len(lines)


def _has_table(lines: list[str], table: str) -> bool:
    return any(_is_head(line, table) for line in lines)


def _is_head(line: str, table: str) -> bool:
    return re.fullmatch(rf"\s*\[\s*{re.escape(table)}\s*\]\s*(#.*)?", line.rstrip("\r\n")) is not None


def _lines_of(lines: list[str], start: int, end: int, name: str) -> tuple[int, int, str] | None:
    """The lines of a key (first, after the last), and the comment behind its value."""
    begins = re.compile(rf"""\s*(?:{name}|"{name}"|'{name}')\s*=""")
    for first in range(start, end):
        if not begins.match(lines[first]):
            continue
        for last in range(first + 1, end + 1):
            whole = "".join(lines[first:last])
            with contextlib.suppress(tomllib.TOMLDecodeError):
                return first, last, _comment(whole, tomllib.loads(whole))
    return None


def _comment(whole: str, values: dict[str, Any]) -> str:
    line = whole.rstrip("\r\n")
    for number, char in enumerate(line):
        if char != "#":
            continue
        with contextlib.suppress(tomllib.TOMLDecodeError):
            if tomllib.loads(line[:number]) == values and "\n" not in line[number:]:
                return line[len(line[:number].rstrip()) :]
    return ""


def _toml(value: Value) -> str:
    import tomli_w

    if isinstance(value, tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return tomli_w.dumps({"x": value}).removeprefix("x = ").rstrip("\n")


def _replace(file: Path, text: str) -> None:
    """Put the text in place in one step; a link to the file stays one."""
    real = Path(os.path.realpath(file))
    temporary = real.with_name(f".{real.name}.{secrets.token_hex(6)}.tmp")
    try:
        private_folder(real.parent)
        with temporary.open("xb") as stream:
            stream.write(text.encode())
            stream.flush()
            os.fsync(stream.fileno())
        if real.exists():
            temporary.chmod(stat.S_IMODE(real.stat().st_mode))
        temporary.replace(real)
    except OSError as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        what = f"cannot be written: {error.strerror or error}"
        raise SettingsError(what, str(file), "the settings are as they were") from error
