"""Control-C while the program starts, at moments that are given, in real processes."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HOOK = """\
import os, signal, sys

class Hook:
    def find_spec(self, name, path=None, target=None):
        if name == os.environ["INTERRUPT_AT"] and "memaudit.interrupts" in sys.modules:
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Hook())
"""


@pytest.fixture
def environment(git_repo: Any, tmp_path: Path) -> dict[str, str]:
    git_repo.commit("one", {"CLAUDE.md": "- Code lives in `a.py`.\n", "a.py": "a = 1\n"})
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(HOOK)
    path = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), str(tmp_path / "hook"))))
    return {**os.environ, "PYTHONPATH": path, "TERM": "xterm-256color"}


@pytest.mark.parametrize("module", ["memaudit.collecting", "memaudit.cli", "memaudit.audit", "pygit2"])
def test_a_command_that_is_interrupted_says_nothing(
    git_repo: Any, environment: dict[str, str], module: str
) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "memaudit", "check"],
        cwd=git_repo.root,
        env={**environment, "INTERRUPT_AT": module},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout, run.stderr) == (130, "", "")


@pytest.mark.parametrize("module", ["textual.app", "memaudit.tui.review_screen", "textual.widgets._input"])
def test_the_screen_that_is_interrupted_gives_the_terminal_back(
    git_repo: Any, environment: dict[str, str], module: str
) -> None:
    pid, descriptor = pty.fork()
    if pid == 0:
        os.chdir(git_repo.root)
        arguments = [sys.executable, "-m", "memaudit"]
        os.execve(sys.executable, arguments, {**environment, "INTERRUPT_AT": module})
    written = b""
    while data := _read(descriptor):
        written += data
    os.close(descriptor)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 130, written[-2000:]
    assert written.count(b"\x1b[?1049h") == written.count(b"\x1b[?1049l")
    assert b"Traceback" not in written
    assert b"Error" not in written


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1 << 16)
    except OSError:
        return b""


def test_inside_the_import_machinery_it_waits_until_it_can_be_caught() -> None:
    program = """
import os, signal
from memaudit import interrupts
interrupts.raise_where_caught()
lock = "os.kill(os.getpid(), signal.SIGINT)\\nfor _ in range(100): passed = _"
try:
    exec(compile(lock, "<frozen importlib._bootstrap>", "exec"))
    signal.pause()
except KeyboardInterrupt:
    print("caught", passed)
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("caught 99\n", "")


def test_help_has_a_line_for_each_command() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "memaudit", "--help"], capture_output=True, text=True, check=False
    )
    for command in ("check", "export", "stores", "log", "oracle", "key", "model", "demo"):
        assert f"\n  {command:<8} " in run.stdout
