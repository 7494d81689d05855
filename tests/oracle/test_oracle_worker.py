"""The process that tries checks for the screen: nothing before a yes, nothing left behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from oraclekit import Court

WAITS = "import signal\n\n\ndef half(n):\n    signal.pause()\n"


@contextmanager
def worker(court: Court, folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The process, told to try the check of the claim; its throw-away copies lie in ``folder``."""
    audit, claim, _ = court.planned()
    base, head = audit.sides(claim)
    request = {
        "do": "check",
        "path": str(court.repo.root),
        "claim": asdict(claim),
        "kind": "test",
        "words": ["tests/test_sums.py::test_half"],
        "base": base.rev,
        "head": head.rev,
    }
    folder.mkdir()
    with subprocess.Popen(
        [sys.executable, "-P", "-m", "memaudit.oracle_worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(folder), "VIRTUAL_ENV": sys.prefix},
    ) as process:
        say(process, **request)
        yield process


def say(process: subprocess.Popen[str], **request: Any) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(request) + "\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    return dict(json.loads(process.stdout.readline()))


@pytest.mark.parametrize("how", ["end of input", "stop", "signal"])
def test_a_run_ends_with_whoever_asked_for_it(git_repo: Any, tmp_path: Path, how: str) -> None:
    court = Court(git_repo).states({"app/sums.py": WAITS}, {"notes.txt": "x"})
    folder = tmp_path / "copies"
    with worker(court, folder) as process:
        asked = hear(process)
        assert (asked["event"], asked["entries"][1][0]) == ("asked", "command")
        say(process, do="yes")
        assert hear(process)["event"] == "running"
        if how == "end of input":
            process.stdin.close()  # type: ignore[union-attr]
        elif how == "stop":
            say(process, do="stop")
        else:
            process.send_signal(signal.SIGTERM)
        last = hear(process)
        assert (last["event"], last["what"]) == (
            "failed",
            "the check was stopped, with all that it had started",
        )
        assert process.wait() == 2
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("answer", ["no", ""])
def test_nothing_runs_without_a_yes(git_repo: Any, tmp_path: Path, answer: str) -> None:
    court = Court(git_repo).states({}, {"notes.txt": "x"})
    folder = tmp_path / "copies"
    with worker(court, folder) as process:
        assert hear(process)["event"] == "asked"
        if answer:
            say(process, do=answer)
        out, _ = process.communicate()
        assert (out, process.returncode) == ("", 2)
    assert list(folder.iterdir()) == []
