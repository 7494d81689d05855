"""The program in a real terminal, with real keys, from start to exit."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

_SECONDS = 90.0

MEMORY = """\
# Kiosk

- Tickets are printed by `src/printer.py`.
- Prices come from `price_of` in `src/prices.py`.
- Keep answers short.
"""
PRINTER = "\n".join(f"line_{number} = {number}" for number in range(40)) + "\n"


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


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    server = Tmux(tmp_path, 120, 40)
    yield server
    server("kill-server")


@pytest.mark.skipif(
    shutil.which("tmux") is None,
    reason="tmux is missing: run.py test installs it where it may, else do it by hand",
)
def test_start_move_decide_resize_quit(tmux: Tmux, git_repo: Any) -> None:
    base = git_repo.commit(
        "Start",
        {"CLAUDE.md": MEMORY, "src/printer.py": PRINTER, "src/prices.py": "def price_of(x):\n    return x\n"},
    )
    git_repo.commit(
        "Move the printer",
        {
            "src/printer.py": None,
            "src/output/printer.py": PRINTER,
            "src/prices.py": "def price_for(x):\n    return x\n",
        },
    )
    tmux.type(
        f"{sys.executable} -m memaudit {git_repo.root} --since {base}; echo LEFT=$?; stty -a | tr ';' '\\n'"
    )
    tmux.press("Enter")
    tmux.wait_for("0 of 2 stale decided")

    tmux.press("j")
    tmux.wait(lambda screen: any(line.startswith("▌") and "price_of" in line for line in screen.splitlines()))
    tmux.press("k", "t")
    tmux.wait_for("1 of 2 stale decided")
    assert git_repo.git("status", "--porcelain") == ""

    tmux("resize-window", "-x", "80", "-y", "24")
    narrow = tmux.wait(lambda screen: len(screen.splitlines()) == 24 and "q quit" in screen.splitlines()[-1])
    assert "» rewritten" in narrow
    tmux("resize-window", "-x", "30", "-y", "8")
    tmux.wait_for("memaudit needs")
    tmux("resize-window", "-x", "110", "-y", "40")
    # The terminal puts back what it showed before: two panes under an own first line are drawn anew.
    tmux.wait(lambda screen: screen.startswith(" memaudit") and "│" in screen.splitlines()[2])
    tmux.press("s")
    tmux.wait_for("Save 1 decision to 1 file?")
    tmux.press("Enter")
    tmux.wait_for("Saved CLAUDE.md")
    assert "src/output/printer.py" in (git_repo.root / "CLAUDE.md").read_text()

    tmux.press("q")
    restored = tmux.wait(lambda screen: "LEFT=" in screen.replace("LEFT=$", "") and " icanon" in screen)
    assert "LEFT=0" in restored
    assert "-m memaudit" in restored.splitlines()[0], "what stood on the terminal before is not back"
    flags = "#{alternate_on} #{mouse_any_flag} #{cursor_flag} #{pane_dead}"
    assert tmux("display-message", "-p", flags).split() == ["0", "0", "1", "0"]
    settings = tmux("capture-pane", "-p").split()
    assert {"icanon", "echo", "isig"} <= set(settings)
