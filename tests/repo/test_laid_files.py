"""A snapshot in which some files hold other contents than on disk."""

from __future__ import annotations

from typing import Any

from memaudit.domain import WORKTREE
from memaudit.repo.repository import open_repository
from memaudit.repo.snapshot import snapshot


def test_given_contents_stand_for_those_on_disk(git_repo: Any) -> None:
    git_repo.commit("one", {"a.md": "old\n", "b.md": "same\n"})
    git_repo.write({"c.md": "new on disk\n"})
    before = snapshot(open_repository(git_repo.root), WORKTREE)
    after = before.with_files({"a.md": b"other\n"})
    assert after.text("a.md") == "other\n"
    assert after.text("b.md") == "same\n"
    assert after.text("c.md") == "new on disk\n"
    assert after.files() == before.files()
    assert after.differing(before) == {"a.md"}
    assert after.blob_id("a.md") != before.blob_id("a.md")
    assert after.with_files({"c.md": b"x"}).text("a.md") == "other\n"
    assert after.read_once("a.md", 3) is None
    assert before.text("a.md") == "old\n"
    assert (git_repo.root / "a.md").read_text() == "old\n"
