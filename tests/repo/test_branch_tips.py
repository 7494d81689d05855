"""Which branch has a file: the tips of all branches but the one that is checked out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from memaudit.repo.branches import Branches
from memaudit.repo.repository import open_repository


@pytest.fixture
def branches(tmp_path: Path) -> Branches:
    root = tmp_path / "project"
    root.mkdir()

    def git(*arguments: str) -> None:
        person = ("-c", "user.name=Ada", "-c", "user.email=ada@example.invalid")
        subprocess.run(["git", "-C", str(root), *person, *arguments], check=True, capture_output=True)

    def commit(path: str) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x\n", encoding="utf-8")
        git("add", "--all")
        git("commit", "-m", "add")

    git("init", "--initial-branch", "main")
    commit("start.py")
    git("switch", "-c", "feature/talk")
    commit("src/talk.py")
    git("switch", "main")
    commit("src/here.py")
    return Branches(open_repository(root))


@pytest.mark.parametrize(
    ("path", "branch"),
    [
        ("src/talk.py", "feature/talk"),
        ("./src/talk.py", "feature/talk"),
        ("src", "feature/talk"),
        ("src/here.py", None),
        ("src/none.py", None),
        ("src/talk.py/deeper", None),
        ("../src/talk.py", None),
        ("", None),
    ],
)
def test_the_branch_that_has_a_path(branches: Branches, path: str, branch: str | None) -> None:
    assert branches.holding(path) == branch


def test_names_are_those_of_all_branches(branches: Branches) -> None:
    assert branches.names == {"main", "feature/talk"}
