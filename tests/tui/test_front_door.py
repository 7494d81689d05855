"""What the command line says where there is no screen, and what the demo says when it is left."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from typing import Any

import pytest
from terminal import Terminal


@pytest.fixture
def repo(git_repo: Any) -> Any:
    git_repo.commit("Start", {"CLAUDE.md": "- Code lives in `src/a.py`.\n", "src/a.py": "A = 1\n"})
    git_repo.commit("Drop it", {"src/a.py": None})
    return git_repo


def test_without_a_terminal_it_says_so_and_reports(repo: Any) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "memaudit", "--since", "HEAD~1"],
        cwd=repo.root,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    what = "memaudit: standard input is no terminal: no screen, the report of memaudit check instead\n"
    assert run.stderr == what
    assert "1 stale, 0 held" in run.stdout


def test_a_screen_ends_with_its_terminal_whoever_started_it(repo: Any) -> None:
    deaf = "import signal, runpy; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    start = f"{deaf}; runpy.run_module('memaudit', run_name='__main__')"
    terminal = Terminal(["-c", start, str(repo.root), "--since", "HEAD~1"], (100, 30))
    terminal.wait_for(lambda output: b"1 stale" in output)
    os.close(terminal.descriptor)
    ended = os.pidfd_open(terminal.pid)
    assert select.select([ended], [], [], 30)[0]
    os.close(ended)
    _, status = os.waitpid(terminal.pid, 0)
    assert os.waitstatus_to_exitcode(status) == -signal.SIGHUP


def test_a_dumb_terminal_gets_the_report(repo: Any) -> None:
    terminal = Terminal(["-m", "memaudit", str(repo.root), "--since", "HEAD~1"], (100, 30), term="dumb")
    terminal.wait_for(lambda output: b"1 stale" in output and b"by reason" in output)
    assert terminal.exit_code() == 1
    assert b"memaudit: TERM is dumb: no screen" in terminal.written
    assert b"\x1b" not in terminal.written


def test_settings_that_cannot_be_end_with_2_and_one_line(repo: Any, tmp_path: Any) -> None:
    config = tmp_path / "mine.toml"
    config.write_text('[keys]\naccept = "r"\n')
    terminal = Terminal(["-m", "memaudit", str(repo.root), "--config", str(config)], (200, 30))
    terminal.wait_for(lambda output: b"retire" in output)
    assert terminal.exit_code() == 2
    assert b"keys.accept cannot be r, which is retire" in terminal.written
    assert terminal.written.count(b"\n") == 1


@pytest.mark.parametrize("saves", [True, False])
def test_the_demo_says_that_its_copy_is_removed(saves: bool) -> None:
    terminal = Terminal(["-m", "memaudit", "demo"], (120, 40))
    terminal.wait_for(lambda output: b"0 of 28 stale decided" in output)
    if saves:
        for keys, sign in (("r", b"1 of 28"), ("s", b"Save 1 decision"), ("\r", b"Saved CLAUDE.md")):
            terminal.keys(keys)
            terminal.wait_for(lambda output, sign=sign: sign in output)
    terminal.keys("q")
    assert terminal.exit_code() == 0
    last = terminal.written.decode().rsplit("memaudit: ", 1)[1].strip()
    ending = ", and with it what you saved in CLAUDE.md" if saves else ""
    assert last == f"the demo's copy of the sample project is removed{ending}"


def test_without_colours_none_is_sent(repo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = Terminal(["-m", "memaudit", str(repo.root), "--since", "HEAD~1"], (100, 30))
    terminal.wait_for(lambda output: b"0 of 1 stale decided" in output)
    written = terminal.written
    terminal.keys("q")
    assert terminal.exit_code() == 0
    assert b"stale" in written
    sent = {code for style in re.findall(rb"\x1b\[([0-9;]+)m", written) for code in style.split(b";")}
    assert sent <= {b"0", b"1", b"3", b"4", b"7", b"39", b"49"}
