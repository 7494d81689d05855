"""Copying to the clipboard: a local tool where there is one, else a request to the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

_TOOLS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("pbcopy", (), ""),
    ("wl-copy", (), "WAYLAND_DISPLAY"),
    ("xclip", ("-selection", "clipboard"), "DISPLAY"),
    ("clip.exe", (), ""),
)
_SECONDS = 2.0


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


async def copy(text: str, to_terminal: Callable[[str], None]) -> str:
    """Copy ``text`` and return how it was done, in a few words."""
    command = local_tool(os.environ)
    if command is not None:
        with contextlib.suppress(OSError, TimeoutError):
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
            await asyncio.wait_for(process.communicate(text.encode()), _SECONDS)
            if process.returncode == 0:
                return f"with {Path(command[0]).name}"
    to_terminal(text)
    return "through the terminal (OSC 52), if it allows that"
