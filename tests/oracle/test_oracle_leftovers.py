"""Throw-away copies of runs that were ended from outside: removed at once, or by the next run."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from oraclekit import Court

from memaudit.oracle.leftovers import Folder, remove_leftovers

WAITS = "import signal\n\nsignal.pause()\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for temporary files."""
    folder = tmp_path / "copies"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGKILL, -signal.SIGKILL)]
)
def test_a_run_that_is_ended_leaves_nothing_for_long(
    git_repo: Any, place: Path, number: signal.Signals, code: int
) -> None:
    court = Court(git_repo).states(
        {"CLAUDE.md": f"- `{sys.executable} -S wait.py` works.\n", "wait.py": WAITS}, {"notes.txt": "x"}
    )
    with subprocess.Popen(
        [sys.executable, "-m", "memaudit", "oracle", "CLAUDE.md:1", "--range", "HEAD~1..HEAD", "--yes"],
        cwd=court.repo.root,
        env={**os.environ, "TMPDIR": str(place)},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr is not None
        assert any(line.startswith("running") for line in process.stderr)
        (copies,) = place.iterdir()
        remove_leftovers()
        assert copies.exists(), "its owner lives"
        process.send_signal(number)
        assert process.stderr.read() == ""
        assert process.wait() == code
    assert copies.exists() == (number == signal.SIGKILL)
    court.trial().close()
    assert list(place.iterdir()) == []


def test_only_what_has_lost_its_owner_is_removed(place: Path) -> None:
    lives, dead = Folder(), Folder()
    os.close(dead._lock)
    (dead.path / "run-1").mkdir()
    unknown = place / "memaudit-oracle-unknown"
    unknown.mkdir()
    (place / "memaudit-oracle-link").symlink_to(lives.path)
    remove_leftovers()
    assert sorted(place.iterdir()) == sorted([lives.path, unknown, place / "memaudit-oracle-link"])
    assert lives.close() == ""
    assert not lives.path.exists()
