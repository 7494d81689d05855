"""The working folder: what is listed and read, and that nothing outside is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from memaudit.errors import StoreError
from memaudit.stores.folder import WorkingFolder


@pytest.fixture
def make(tmp_path: Path) -> Callable[[dict[str, str]], Path]:
    def build(files: dict[str, str]) -> Path:
        for name, text in files.items():
            path = tmp_path / "repo" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return tmp_path / "repo"

    return build


def test_tracked_files_that_are_gone_are_not_listed(make: Callable[[dict[str, str]], Path]) -> None:
    root = make({"a.py": "x"})
    assert list(WorkingFolder(root, ["a.py", "gone.py"]).files()) == ["a.py"]


def test_untracked_memory_files_beside_tracked_ones_are_found(make: Callable[[dict[str, str]], Path]) -> None:
    root = make(
        {
            "pkg/a.py": "x",
            "CLAUDE.local.md": "x",
            "pkg/CLAUDE.md": "x",
            "AGENTS.md": "x",
            ".claude/rules/deep/go.md": "x",
            ".claude/agent-memory/rev/MEMORY.md": "x",
            ".claude/worktrees/w/CLAUDE.md": "x",
            "elsewhere/CLAUDE.md": "x",
            "notes.md": "x",
        }
    )
    assert list(WorkingFolder(root, ["pkg/a.py"]).files()) == [
        ".claude/agent-memory/rev/MEMORY.md",
        ".claude/rules/deep/go.md",
        "AGENTS.md",
        "CLAUDE.local.md",
        "pkg/CLAUDE.md",
        "pkg/a.py",
    ]


def test_without_git_everything_is_walked_but_tools_folders(make: Callable[[dict[str, str]], Path]) -> None:
    root = make(
        {"CLAUDE.md": "x", "a/b/AGENTS.md": "x", "node_modules/p/CLAUDE.md": "x", ".git/CLAUDE.md": "x"}
    )
    assert list(WorkingFolder(root).files()) == ["CLAUDE.md", "a/b/AGENTS.md"]


def test_links_inside_are_followed_and_named(make: Callable[[dict[str, str]], Path]) -> None:
    root = make({"docs/real.md": "text"})
    (root / "CLAUDE.md").symlink_to("docs/real.md")
    (root / "linked").symlink_to("docs")
    folder = WorkingFolder(root)
    assert folder.link("CLAUDE.md") == "docs/real.md"
    assert folder.read("CLAUDE.md") == folder.read("linked/real.md") == b"text"
    assert folder.link("docs/real.md") is None


def test_nothing_outside_is_read(make: Callable[[dict[str, str]], Path], tmp_path: Path) -> None:
    root = make({"a.md": "x"})
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "repo-two").mkdir()
    (tmp_path / "repo-two" / "near.md").write_text("secret")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (root / "near").symlink_to(tmp_path / "repo-two")
    (root / "round.md").symlink_to("round.md")
    folder = WorkingFolder(root)
    for path in [
        "out.md",
        "near/near.md",
        "../secret.md",
        str(tmp_path / "secret.md"),
        "a/../../secret.md",
        "a\0.md",
    ]:
        assert folder.read(path) is None
        assert folder.link(path) is None
    assert folder.read("round.md") is None
    with pytest.raises(StoreError, match="leads outside"):
        folder.disk_path("out.md")
    assert folder.disk_path("a.md") == root / "a.md"


def test_only_regular_files_are_read(make: Callable[[dict[str, str]], Path]) -> None:
    root = make({"dir/a.md": "x"})
    os.mkfifo(root / "pipe.md")
    folder = WorkingFolder(root)
    assert folder.read("dir") is None
    assert folder.read("pipe.md") is None
    assert folder.read("missing.md") is None
