"""The user's own editor: which command it is, how it is told a line, which files it may be given."""

from __future__ import annotations

import shlex
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath

from memaudit.domain import Document
from memaudit.errors import UsageError

_PLUS = frozenset("vi vim nvim view gvim vimx neovim nano pico emacs emacsclient kak ne joe jed mg".split())
"""Editors that take ``+LINE FILE``."""

_COLON = frozenset("hx helix zed zeditor subl sublime_text".split())
"""Editors that take ``FILE:LINE``."""

_GOTO = frozenset("code code-insiders codium vscodium cursor windsurf".split())
"""Editors that take ``--goto FILE:LINE``."""

_FALLBACKS = ("nano", "vim", "vi")


def editor_of(environment: Mapping[str, str]) -> list[str]:
    """The command of the user's editor: ``$VISUAL``, ``$EDITOR``, else a common one that is there.

    Raises UsageError when there is none, or when what the variable says is no command.
    """
    path = environment.get("PATH")
    for name in ("VISUAL", "EDITOR"):
        value = environment.get(name, "").strip()
        if not value:
            continue
        try:
            command = shlex.split(value)
        except ValueError as error:
            raise UsageError(f"${name} is no command ({error})", value, "correct it") from error
        if shutil.which(command[0], path=path) is None:
            raise UsageError("there is no such editor", f"${name} = {value}", "correct it")
        return command
    for name in _FALLBACKS:
        if found := shutil.which(name, path=path):
            return [found]
    raise UsageError("no editor is known", fix="set $EDITOR to one")


def at_line(command: Sequence[str], path: Path, line: int) -> list[str]:
    """The arguments that open an absolute path in an editor, at a line where it is known how."""
    name = PurePath(command[0]).name.lower().removesuffix(".exe")
    if name in _PLUS:
        return [*command, f"+{line}", str(path)]
    if name in _COLON:
        return [*command, f"{path}:{line}"]
    if name in _GOTO:
        return [*command, "--goto", f"{path}:{line}"]
    return [*command, str(path)]


def run_editor(arguments: Sequence[str], folder: Path) -> int:
    """Run an editor in the terminal until it ends; gives back its exit code. Raises UsageError.

    Ctrl+C belongs to the editor meanwhile.
    """
    try:
        process = subprocess.Popen(arguments, cwd=folder)
    except OSError as error:
        raise UsageError(f"the editor cannot be started: {error.strerror or error}", arguments[0]) from error
    before = signal.signal(signal.SIGINT, _leave_it)
    try:
        return process.wait()
    finally:
        signal.signal(signal.SIGINT, before)


def _leave_it(*_: object) -> None:
    """A signal that is for the child alone; a handler, unlike ignoring it, is not passed on to that."""


def file_inside(root: Path | None, path: str) -> Path:
    """A file of the repository by the path it has there, as an absolute path.

    Raises UsageError when there is no such file or it lies outside, by dots or by links.
    """
    if root is None:
        raise UsageError("there is no working tree to open a file of", fix="clone the repository")
    top = root.resolve()
    target = (top / path).resolve()
    if not target.is_relative_to(top):
        raise UsageError("that leads out of the repository", path)
    if not target.is_file():
        raise UsageError("there is no such file in the working tree", path)
    return target


def file_of(root: Path | None, document: Document) -> Path:
    """The file of a memory document; a store outside the repository was named by the user.

    Raises UsageError.
    """
    if not document.path.startswith("/"):
        return file_inside(root, document.path)
    target = Path(document.path)
    if not target.is_file():
        raise UsageError("there is no such file any more", document.path)
    return target


def nearest_line(path: Path, text: str, near: int) -> int:
    """The number of the line that reads ``text``, the nearest one to ``near`` where several do.

    Files change while they are reviewed; where no line reads so any more, ``near`` has to do.
    """
    try:
        lines = path.read_bytes().decode("utf-8", errors="replace").split("\n")
    except OSError:
        return near
    wanted = text.strip()
    found = [number for number, line in enumerate(lines, 1) if line.strip()[: len(wanted) or None] == wanted]
    return min(found, key=lambda number: abs(number - near)) if wanted and found else near


def state_of(paths: Sequence[Path]) -> dict[Path, bytes | None]:
    """What files hold, None where one cannot be read: for telling whether an editor changed them."""
    return {path: _bytes(path) for path in paths}


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None
