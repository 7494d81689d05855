"""The sample store: the demo's repository, and the right verdict on each of its claims."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from memaudit.demo import build_demo
from memaudit.domain import ClaimKind, Origin, Verdict
from memaudit.errors import RepositoryError
from memaudit.paths import shipped

EXPECTED = tomllib.loads((shipped("sample_store") / "EXPECTED.toml").read_text(encoding="utf-8"))["claim"]


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_demo(tmp_path_factory.mktemp("sample") / "lendwell")


@pytest.fixture(scope="module")
def report(demo: Path) -> dict[str, Any]:
    """What the command line says of the demo, in a home of its own."""
    home = str(demo.parent)
    run = subprocess.run(
        [sys.executable, "-m", "memaudit", "check", str(demo), "--format", "json"],
        env={**os.environ, "HOME": home, "XDG_STATE_HOME": home, "XDG_CONFIG_HOME": home},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stderr
    return json.loads(run.stdout)


def test_the_demo_looks_like_a_repository_that_was_just_pulled(demo: Path) -> None:
    assert git(demo, "status", "--porcelain") == ""
    assert git(demo, "reflog", "-1", "--format=%gs").startswith("pull")
    assert git(demo, "rev-parse", "ORIG_HEAD") == git(demo, "rev-parse", "v1.3.0")
    assert git(demo, "rev-list", "--count", "ORIG_HEAD..HEAD") == "4"
    assert git(demo, "rev-parse", "--verify", "origin/release/2026.1")


def test_the_same_files_give_the_same_commits(demo: Path, tmp_path: Path) -> None:
    again = build_demo(tmp_path / "again")
    assert git(again, "rev-parse", "HEAD") == git(demo, "rev-parse", "HEAD")


def test_the_builder_ignores_the_settings_of_the_person_who_runs_it(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config").write_text("[core]\n\tautocrlf = true\n[commit]\n\tgpgsign = true\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "config"))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "nowhere"))
    again = build_demo(tmp_path / "again")
    monkeypatch.delenv("GIT_DIR")
    assert git(again, "rev-parse", "HEAD") == git(demo, "rev-parse", "HEAD")


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(RepositoryError, match="new folder only"):
        build_demo(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_without_git_the_demo_says_what_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RepositoryError, match="install git"):
        build_demo(tmp_path / "demo")


def test_the_default_range_is_what_the_pull_brought(report: dict[str, Any], demo: Path) -> None:
    assert report["range"]["base"] == git(demo, "rev-parse", "ORIG_HEAD")
    assert "pull" in report["range"]["chosen_by"]


def test_every_claim_and_no_other_is_found(report: dict[str, Any]) -> None:
    found = Counter((claim["file"], claim["text"]) for claim in report["claims"])
    assert found == Counter((claim["file"], claim["text"]) for claim in EXPECTED)


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda claim: f"{claim['file']}: {claim['text']}"[:70])
def test_a_claim_gets_the_right_verdict(report: dict[str, Any], expected: dict[str, str]) -> None:
    (claim,) = [
        claim
        for claim in report["claims"]
        if (claim["file"], claim["text"]) == (expected["file"], expected["text"])
    ]
    assert (claim["verdict"], claim["reason"], claim["origin"]) == (
        expected["verdict"],
        expected["reason"],
        expected.get("origin"),
    ), claim["why"]
    if "suggestion" in expected:
        assert (claim["suggestion"]["tier"], claim["suggestion"]["text"]) == ("apply", expected["suggestion"])


def test_the_sample_shows_every_verdict_origin_and_kind(report: dict[str, Any]) -> None:
    assert {claim["verdict"] for claim in EXPECTED} == {verdict.value for verdict in Verdict}
    assert {claim.get("origin") for claim in EXPECTED} == {None, *(origin.value for origin in Origin)}
    assert {claim["kind"] for claim in report["claims"]} == {kind.value for kind in ClaimKind}
