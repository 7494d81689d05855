"""The results file, which a check can put anything in the place of, and what is taken from it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from oraclekit import SUMS, TEST, Court

from memaudit.domain import Verdict
from memaudit.oracle import junit
from memaudit.oracle.junit import read_results

ONE = "<testsuites><testsuite><testcase classname='a' name='b'/></testsuite></testsuites>"


def _link(place: Path) -> None:
    other = place.with_name("other.xml")
    other.write_text(ONE)
    place.symlink_to(other)


def _socket(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.relpath(place))


@pytest.mark.parametrize("put", [os.mkfifo, Path.mkdir, _link, _socket, lambda _: None])
def test_what_is_no_plain_file_has_no_results(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, put: Callable[[Path], None]
) -> None:
    monkeypatch.chdir(tmp_path)
    place = tmp_path / "results.xml"
    put(place)
    assert read_results(place) is None


def test_a_file_that_is_too_large_has_no_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "results.xml"
    place.write_text(ONE)
    assert [case.name for case in read_results(place) or ()] == ["a::b"]
    monkeypatch.setattr(junit, "_LARGEST", len(ONE) - 1)
    assert read_results(place) is None


def test_a_check_that_puts_a_pipe_there_gives_no_verdict(git_repo: Any) -> None:
    pipes = (
        'import os\n\n\ndef test_half():\n    os.mkfifo(os.path.abspath("../results.xml"))\n    os._exit(0)\n'
    )
    judgement = Court(git_repo).states({"tests/test_sums.py": pipes}, {"notes.txt": "x"}).judge()
    assert (judgement.verdict, judgement.reason) == (Verdict.UNKNOWN, "no-result")


def test_what_a_check_says_is_cut_before_it_is_told(git_repo: Any) -> None:
    long = f"{TEST}    assert half(4) == 2, 'x' * 500_000\n"
    up = SUMS.replace("+ 1", "+ 2")
    judgement = Court(git_repo).states({"tests/test_sums.py": long}, {"app/sums.py": up}).judge()
    assert (judgement.verdict, judgement.reason) == (Verdict.STALE, "fails-at-head")
    assert "AssertionError: xxx" in judgement.why
    assert len(judgement.why) < 3_000
    assert len(repr(judgement.evidence)) < 3_000


def test_a_test_that_is_not_in_its_file_is_named(git_repo: Any) -> None:
    claim = "- Halves are rounded up: `tests/test_sums.py::test_gone`.\n"
    judgement = Court(git_repo).states({"CLAUDE.md": claim}, {"notes.txt": "x"}).judge()
    assert judgement.reason == "no-result"
    assert judgement.why == "at base test_gone is not among the tests of tests/test_sums.py"


def test_what_cannot_be_collected_says_why(git_repo: Any) -> None:
    court = Court(git_repo).states({}, {"app/sums.py": "def halve(n):\n    return n // 2\n"})
    why = court.judge().why
    assert "====" not in why
    assert "test_sums.py" in why
