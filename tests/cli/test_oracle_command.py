"""``memaudit oracle``: what is shown before anything runs, consent, the report and exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

from memaudit import cli


@pytest.fixture
def repo(git_repo: Any) -> Any:
    claim = "- Halves are rounded up: `test_sums.py::test_half`.\n- Keep it short.\n"
    test = "from sums import half\n\n\ndef test_half():\n    assert half(3) == 2\n"
    # Plugins that are installed here take most of a run's time.
    options = " ".join(f"-p no:{entry.name}" for entry in entry_points(group="pytest11"))
    git_repo.commit("settings", {"pytest.ini": f"[pytest]\naddopts = {options}\n"})
    git_repo.commit(
        "one",
        {"CLAUDE.md": claim, "sums.py": "def half(n):\n    return (n + 1) // 2\n", "test_sums.py": test},
    )
    git_repo.commit("two", {"sums.py": "def half(n):\n    return n // 2\n"})
    return git_repo


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def oracle(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Run]:
    """Runs ``memaudit oracle`` in a folder; nobody is at the keyboard."""
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)

        def run(repo: Any, *arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
            monkeypatch.chdir(cwd or repo.root)
            code = cli.run(["oracle", *arguments])
            out, err = capfd.readouterr()
            return subprocess.CompletedProcess(arguments, code, out, err)

        yield run


PYTHON = ("--python", sys.executable, "--range", "HEAD~1..HEAD")


def test_nothing_runs_without_consent(oracle: Run, repo: Any) -> None:
    run = oracle(repo, "CLAUDE.md:1", *PYTHON)
    assert run.returncode == 2
    assert run.stdout == ""
    assert "-m pytest" in run.stderr
    assert "test_sums.py::test_half" in run.stderr
    assert "network" in run.stderr
    assert "files" in run.stderr
    assert ", each up to twice\n" in run.stderr
    assert "running" not in run.stderr
    assert "--yes" in run.stderr.splitlines()[-1]


def test_a_stale_claim_ends_with_1(oracle: Run, repo: Any) -> None:
    run = oracle(repo, "CLAUDE.md:1", *PYTHON, "--yes")
    assert run.returncode == 1, run.stderr
    assert run.stdout.startswith("✗ stale  CLAUDE.md:1  [fails-at-head]")


def test_a_held_one_with_0_and_json_has_the_shape_of_a_report(oracle: Run, repo: Any) -> None:
    repo.commit("three", {"notes.txt": "x", "sums.py": "def half(n):\n    return (n + 1) // 2\n"})
    run = oracle(
        repo,
        "CLAUDE.md:1",
        str(repo.root),
        "--range",
        "HEAD~2..HEAD",
        "--python",
        sys.executable,
        "--yes",
        "--format",
        "json",
        cwd=repo.root.parent,
    )
    assert run.returncode == 0, run.stderr
    value = json.loads(run.stdout)
    assert (value["verdict"], value["reason"], value["judge"]) == ("held", "passes-at-head", "oracle")
    assert value["line_start"] == 1


@pytest.mark.parametrize(
    ("place", "says"),
    [
        ("CLAUDE.md:2", "carries no check"),
        ("CLAUDE.md:9", "no claim stands there"),
        ("CLAUDE.md", "not a line"),
        ("OTHER.md:1", "no claim stands there"),
    ],
)
def test_what_cannot_be_run_is_said_in_one_line(oracle: Run, repo: Any, place: str, says: str) -> None:
    run = oracle(repo, place, *PYTHON, "--yes")
    assert run.returncode == 2
    assert says in run.stderr
    assert "Traceback" not in run.stderr
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize("arguments", [("--yes",), (), ("--timeout", "0")], ids=["runs", "asks", "refused"])
def test_what_ends_a_process_does_afterwards_what_it_did_before(
    oracle: Run, repo: Any, arguments: tuple[str, ...]
) -> None:
    def mine(*_: object) -> None:
        raise AssertionError("nobody sent a signal")

    ends = (signal.SIGTERM, signal.SIGHUP)
    before = [
        signal.signal(number, handler) for number, handler in zip(ends, (mine, signal.SIG_DFL), strict=True)
    ]
    try:
        oracle(repo, "CLAUDE.md:1", *PYTHON, *arguments)
        assert [signal.getsignal(number) for number in ends] == [mine, signal.SIG_DFL]
    finally:
        for number, handler in zip(ends, before, strict=True):
            signal.signal(number, handler)


def test_hostile_words_are_shown_written_out(oracle: Run, repo: Any) -> None:
    repo.commit("evil", {"CLAUDE.md": "- \x1b[31mRed\x1b[0m: `test_sums.py::test_half`.\n"})
    run = oracle(repo, "CLAUDE.md:1", *PYTHON)
    assert "\x1b" not in run.stderr
    assert "\\x1b" in run.stderr


@pytest.mark.parametrize(("answer", "code"), [(b"y\n", 1), (b"n\n", 2), (b"\n", 2)])
def test_consent_is_given_at_the_terminal(repo: Any, answer: bytes, code: int) -> None:
    ours, theirs = os.openpty()
    try:
        os.write(ours, answer)
        run = subprocess.run(
            [sys.executable, "-m", "memaudit", "oracle", "CLAUDE.md:1", *PYTHON],
            cwd=repo.root,
            stdin=theirs,
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        os.close(ours)
        os.close(theirs)
    assert run.returncode == code, run.stderr
    assert "Run it? [y/N]" in run.stderr
    assert ("running" in run.stderr) == (code == 1)
