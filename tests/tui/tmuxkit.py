"""A terminal multiplexer of the test's own: the program in it sees a real terminal, keys are typed."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

_SECONDS = 90.0

needs_tmux = pytest.mark.skipif(
    shutil.which("tmux") is None,
    reason="tmux is missing: run.py test installs it where it may, else do it by hand",
)


class Tmux:
    """A server of its own with one shell in one window."""

    def __init__(self, folder: Path, width: int, height: int) -> None:
        self._socket = str(folder / "tmux")
        # A shell that exports the size it once had must not hide what the size is now.
        shell = "env LC_ALL=C.UTF-8 COLUMNS=80 LINES=24 PS1='$ ' sh"
        self("new-session", "-d", "-x", str(width), "-y", str(height), shell)

    def __call__(self, *arguments: str) -> str:
        command = ["tmux", "-S", self._socket, "-f", "/dev/null", *arguments]
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_SECONDS)
        assert run.returncode == 0, run.stderr
        return run.stdout

    def type(self, text: str) -> None:
        self("send-keys", "-l", text)

    def press(self, *keys: str) -> None:
        self("send-keys", *keys)

    def wait(self, condition: Callable[[str], bool]) -> str:
        """The screen as soon as it is as wanted."""
        end = time.monotonic() + _SECONDS
        while not condition(screen := self("capture-pane", "-p")):
            assert time.monotonic() < end, screen
            time.sleep(0.05)
        return screen

    def wait_for(self, words: str) -> str:
        return self.wait(lambda screen: words in screen)
