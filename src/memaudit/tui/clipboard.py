"""Copying to the clipboard: a local tool where there is one, else a request to the terminal."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

_TOOLS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("pbcopy", (), ""),
    ("wl-copy", (), "WAYLAND_DISPLAY"),
    ("xclip", ("-selection", "clipboard"), "DISPLAY"),
    ("xsel", ("--clipboard", "--input"), "DISPLAY"),
    ("clip.exe", (), ""),
)
_SECONDS = 2.0

MOST_BYTES = 74_000
"""Bytes of text that common terminals take through OSC 52; more of it they drop without a word."""


def local_tool(environment: Mapping[str, str]) -> tuple[str, ...] | None:
    """The command of a clipboard tool that works on this machine's own screen; none over ssh."""
    if environment.get("SSH_CONNECTION"):
        return None
    for name, arguments, needed in _TOOLS:
        if (not needed or environment.get(needed)) and (
            found := shutil.which(name, path=environment.get("PATH"))
        ):
            return (found, *arguments)
    return None


def passthrough(text: str, environment: Mapping[str, str]) -> str:
    """The request to copy (OSC 52) wrapped so that tmux or screen hands it on; empty where neither runs."""
    code = f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\a"
    if environment.get("TMUX"):
        return "\x1bPtmux;" + code.replace("\x1b", "\x1b\x1b") + "\x1b\\"
    if environment.get("STY"):
        return f"\x1bP{code}\x1b\\"
    return ""


async def copy(text: str, to_terminal: Callable[[str], None]) -> str:
    """Copy ``text`` and return how it was done, in a few words.

    ``to_terminal`` asks the terminal to. Inside tmux its own buffer takes the text as well, and tmux hands
    it on to the terminal where it may.
    """
    environment = os.environ
    command = local_tool(environment)
    if command is not None and await _fed(command, text):
        return f"with {Path(command[0]).name}"
    tmux = shutil.which("tmux") if environment.get("TMUX") else None
    in_tmux = tmux is not None and (
        await _fed((tmux, "load-buffer", "-w", "-"), text) or await _fed((tmux, "load-buffer", "-"), text)
    )
    short = len(text.encode()) <= MOST_BYTES
    if short:
        to_terminal(text)
    if in_tmux:
        return "into the buffer of tmux" + (", and to the terminal if it allows that" if short else "")
    if not short:
        return "nowhere: it is too long for the terminal, and there is no clipboard tool"
    return "through the terminal (OSC 52), if it allows that"


async def _fed(command: tuple[str, ...], text: str) -> bool:
    """Whether a tool took the text."""
    with contextlib.suppress(OSError, TimeoutError):
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        await asyncio.wait_for(process.communicate(text.encode()), _SECONDS)
        return process.returncode == 0
    return False
