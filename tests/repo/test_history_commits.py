"""Which commit did it."""

from __future__ import annotations

import pytest

from memaudit.domain import WORKTREE, Range
from memaudit.errors import RepositoryError
from memaudit.repo.history import History
from memaudit.repo.repository import open_repository
from memaudit.repo.snapshot import snapshot


def history(repo, base: str, head: str = "HEAD") -> History:
    """The history of a range, with the working tree where that is its head."""
    repository = open_repository(repo.root)
    tip = head if head == WORKTREE else repository.resolve(head)
    on_disk = snapshot(repository, WORKTREE) if head == WORKTREE else None
    return History(repository, Range(repository.resolve(base), tip, "test"), on_disk)


def test_a_commit_is_named_for_evidence(git_repo):
    sha = git_repo.commit("Add the thing\n\nBecause.", {"a.txt": "a\n"})

    info = history(git_repo, "HEAD").commit_info(sha)

    assert (info.sha, info.summary, info.author) == (sha, "Add the thing", "Ada Author")
    assert info.date == "2023-11-14T22:14:20+00:00"


def test_a_commit_with_an_offset_and_foreign_letters(git_repo, run_git):
    git_repo.commit("start", {"a.txt": "a\n"})
    run_git(
        git_repo.root,
        "-c",
        "i18n.commitEncoding=ISO-8859-1",
        "commit",
        "--allow-empty",
        "-q",
        "-m",
        "caf\xe9".encode("latin-1").decode("utf-8", "surrogateescape"),
        GIT_AUTHOR_NAME="Zoë",
        GIT_AUTHOR_DATE="1700000000 +0530",
        GIT_COMMITTER_DATE="1700000000 -0300",
    )

    info = history(git_repo, "HEAD").commit_info(open_repository(git_repo.root).resolve("HEAD"))

    assert (info.summary, info.author) == ("café", "Zoë")
    assert info.date == "2023-11-15T03:43:20+05:30"


def test_a_commit_that_is_not_there(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})

    with pytest.raises(RepositoryError):
        history(git_repo, "HEAD").commit_info("f" * 40)


def test_the_last_change_of_each_path(git_repo):
    git_repo.commit("start", {"a.txt": "1\n", "b.txt": "1\n", "dir/c.txt": "1\n", "still.txt": "s\n"})
    git_repo.commit("edit a", {"a.txt": "2\n"})
    edited = git_repo.commit("edit a again", {"a.txt": "3\n"})
    deleted = git_repo.commit("delete b", {"b.txt": None})
    git_repo.commit("change dir", {"dir/c.txt": "2\n"})
    removed = git_repo.commit("remove dir", {"dir/c.txt": None})
    added = git_repo.commit("add", {"new/d.txt": "d\n"})

    found = history(git_repo, "HEAD~6").last_change(
        ["a.txt", "b.txt", "dir", "dir/c.txt", "./new/", "still.txt", "never.txt", ""]
    )

    assert {path: commit.sha for path, commit in found.items()} == {
        "a.txt": edited,
        "b.txt": deleted,
        "dir": removed,
        "dir/c.txt": removed,
        "./new/": added,
    }


def test_changes_before_the_range_do_not_count(git_repo):
    git_repo.commit("start", {"a.txt": "1\n"})
    git_repo.commit("edit", {"a.txt": "2\n"})
    git_repo.commit("other", {"b.txt": "b\n"})

    assert history(git_repo, "HEAD~1").last_change(["a.txt"]) == {}


def test_a_change_on_a_merged_branch_is_named_itself(git_repo):
    git_repo.commit("start", {"a.txt": "1\n", "gone.txt": "g\n", "m.txt": "1\n"})
    git_repo.git("checkout", "-q", "-b", "side")
    edited = git_repo.commit("edit on the side", {"a.txt": "2\n", "gone.txt": None})
    git_repo.git("checkout", "-q", "main")
    git_repo.commit("main goes on", {"m.txt": "2\n"})
    git_repo.git("merge", "-q", "--no-ff", "--no-edit", "side")

    found = history(git_repo, "HEAD~2").last_change(["a.txt", "gone.txt"])

    assert {commit.sha for commit in found.values()} == {edited}


def test_a_branch_that_lost_the_merge_is_not_blamed(git_repo):
    git_repo.commit("start", {"a.txt": "1\n"})
    git_repo.git("checkout", "-q", "-b", "side")
    git_repo.commit("side", {"a.txt": "side\n"})
    git_repo.git("checkout", "-q", "main")
    kept = git_repo.commit("main", {"a.txt": "main\n"})
    git_repo.git("merge", "-q", "--no-edit", "-s", "ours", "side")

    assert history(git_repo, "HEAD~2").last_change(["a.txt"])["a.txt"].sha == kept


def test_nor_is_a_later_commit_on_a_branch_that_lost_the_merge(git_repo):
    git_repo.commit("start", {"a.txt": "1\n"})
    kept = git_repo.commit("main", {"a.txt": "main\n"})
    git_repo.git("checkout", "-q", "-b", "side", "HEAD~1")
    git_repo.commit("side", {"a.txt": "side\n"})
    git_repo.git("checkout", "-q", "main")
    git_repo.git("merge", "-q", "--no-edit", "-s", "ours", "side")

    assert history(git_repo, "HEAD~2").last_change(["a.txt"])["a.txt"].sha == kept


def test_a_conflict_resolved_in_the_merge_is_the_merge(git_repo):
    git_repo.commit("start", {"a.txt": "1\n"})
    git_repo.git("checkout", "-q", "-b", "side")
    git_repo.commit("side", {"a.txt": "side\n"})
    git_repo.git("checkout", "-q", "main")
    git_repo.commit("main", {"a.txt": "main\n"})
    git_repo.git("merge", "-q", "--no-commit", "-s", "ours", "side")
    merge = git_repo.commit("merge", {"a.txt": "both\n"})

    assert history(git_repo, "HEAD~2").last_change(["a.txt"])["a.txt"].sha == merge


def test_a_path_changed_and_changed_back(git_repo):
    git_repo.commit("start", {"a.txt": "1\n"})
    git_repo.commit("away", {"a.txt": "2\n"})
    back = git_repo.commit("back", {"a.txt": "1\n"})

    assert history(git_repo, "HEAD~2").last_change(["a.txt"])["a.txt"].sha == back


def test_what_is_changed_on_disk_only_has_no_commit(git_repo):
    git_repo.commit("start", {"a.txt": "1\n", "b.txt": "1\n", "c.txt": "1\n", "d.txt": "1\n"})
    edited = git_repo.commit("edit", dict.fromkeys(("a.txt", "b.txt", "c.txt"), "2\n"))
    git_repo.write({"a.txt": "3\n", "b.txt": None, "new.txt": "n\n"})

    found = history(git_repo, "HEAD~1", WORKTREE).last_change(["a.txt", "b.txt", "c.txt", "d.txt", "new.txt"])

    assert {path: commit.sha for path, commit in found.items()} == {"c.txt": edited}


def test_a_base_that_is_no_ancestor(git_repo):
    git_repo.commit("start", {"a.txt": "1\n"})
    git_repo.git("checkout", "-q", "-b", "side")
    git_repo.commit("side", {"b.txt": "b\n"})
    git_repo.git("checkout", "-q", "main")
    edited = git_repo.commit("main", {"a.txt": "2\n"})

    assert history(git_repo, "side").last_change(["a.txt"])["a.txt"].sha == edited


def test_the_commit_at_which_a_line_left_or_came(git_repo):
    git_repo.commit("start", {"conf.toml": "port = 1\nname = 'x'\n"})
    git_repo.commit("unrelated", {"conf.toml": "port = 1\nname = 'y'\n"})
    changed = git_repo.commit("new port", {"conf.toml": "port = 2\nname = 'y'\n"})
    git_repo.commit("later", {"conf.toml": "port = 2\nname = 'z'\n"})
    found = history(git_repo, "HEAD~3")

    gone = found.line_change("conf.toml", "port = 1", vanished=True)
    come = found.line_change("conf.toml", "port = 2", vanished=False)

    assert gone is not None and come is not None
    assert gone.sha == come.sha == changed
    assert found.line_change("conf.toml", "port = 1", vanished=False) is None
    assert found.line_change("conf.toml", "never", vanished=True) is None
    assert found.line_change("other.toml", "port", vanished=True) is None
    assert found.line_change("conf.toml", "", vanished=True) is None


def test_a_line_leaves_with_its_file(git_repo):
    git_repo.commit("start", {"a.py": "def run(): ...\n"})
    deleted = git_repo.commit("delete", {"a.py": None})
    git_repo.commit("later", {"b.py": "x\n"})

    gone = history(git_repo, "HEAD~2").line_change("a.py", "def run", vanished=True)

    assert gone is not None
    assert gone.sha == deleted


def test_one_of_several_lines_leaves(git_repo):
    git_repo.commit("start", {"a.txt": "x 1\nx 2\n"})
    one_less = git_repo.commit("one less", {"a.txt": "x 1\n"})
    git_repo.commit("reworded", {"a.txt": "x one\n"})

    gone = history(git_repo, "HEAD~2").line_change("a.txt", "x ", vanished=True)

    assert gone is not None
    assert gone.sha == one_less


def test_where_a_path_went_before_the_range(git_repo):
    git_repo.commit("start", {"old/a.py": "a\n", "b.py": "b\n"})
    deleted = git_repo.commit("delete", {"old/a.py": None})
    for number in range(3):
        git_repo.commit(f"later {number}", {"b.py": f"{number}\n"})
    found = history(git_repo, "HEAD~1")

    origin = found.origin_commit("old/a.py")

    assert origin is not None
    assert origin.sha == deleted
    assert found.origin_commit("old") == origin
    assert found.origin_commit("b.py") is None
    assert found.origin_commit("never.py") is None
    assert found.origin_commit("") is None
    assert found.origin_commits(["old/a.py", "never.py"]) == {"old/a.py": origin}


@pytest.mark.parametrize("position", [0, 1, 15, 16, 17, 31, 32, 33, 39])
def test_a_deletion_at_any_depth_is_found(git_repo, position):
    git_repo.commit("start", {"old.py": "a\n"})
    ids = [
        git_repo.commit(f"change {number}", {"old.py": None} if number == position else None)
        for number in range(40)
    ]

    origin = history(git_repo, "HEAD").origin_commit("old.py")

    assert origin is not None
    assert origin.sha == ids[position]


def test_a_deletion_on_a_merged_branch_before_the_range(git_repo):
    git_repo.commit("start", {"old.py": "a\n", "b.py": "b\n"})
    git_repo.git("checkout", "-q", "-b", "side")
    deleted = git_repo.commit("delete", {"old.py": None})
    git_repo.commit("more", {"c.py": "c\n"})
    git_repo.git("checkout", "-q", "main")
    git_repo.commit("main", {"b.py": "c\n"})
    git_repo.git("merge", "-q", "--no-ff", "--no-edit", "side")

    origin = history(git_repo, "HEAD").origin_commit("old.py")

    assert origin is not None
    assert origin.sha == deleted


def test_a_base_off_the_main_line(git_repo):
    git_repo.commit("start", {"old.py": "a\n", "b.py": "b\n"})
    git_repo.git("checkout", "-q", "-b", "side")
    deleted = git_repo.commit("delete", {"old.py": None})
    git_repo.git("checkout", "-q", "main")
    git_repo.commit("main", {"b.py": "c\n"})

    origin = history(git_repo, "side").origin_commit("old.py")

    assert origin is not None
    assert origin.sha == deleted


def test_a_shallow_history_ends_quietly(git_repo, run_git, tmp_path):
    git_repo.commit("start", {"a.txt": "a\n", "old.txt": "o\n"})
    git_repo.commit("delete", {"old.txt": None})
    for number in range(4):
        git_repo.commit(f"later {number}", {"a.txt": f"{number}\n"})
    run_git(tmp_path, "clone", "-q", "--depth=3", f"file://{git_repo.root}", "shallow")
    repository = open_repository(tmp_path / "shallow")
    found = History(repository, Range(repository.resolve("HEAD~1"), repository.resolve("HEAD"), "test"))

    assert found.origin_commit("old.txt") is None
    assert "a.txt" in found.last_change(["a.txt"])


def test_the_edge_of_a_shallow_history_did_not_add_every_file(git_repo, run_git, tmp_path):
    git_repo.commit("start", {"a.txt": "1\n", "b.txt": "1\n"})
    git_repo.git("checkout", "-q", "-b", "side")
    git_repo.commit("cut off", {"a.txt": "2\n"})
    git_repo.commit("edge", {"c.txt": "c\n"})
    last = git_repo.commit("side", {"d.txt": "d\n"})
    git_repo.git("checkout", "-q", "main")
    git_repo.commit("main", {"b.txt": "2\n"})
    git_repo.git("merge", "-q", "--no-ff", "--no-edit", "side")
    run_git(tmp_path, "clone", "-q", "--depth=3", f"file://{git_repo.root}", "shallow")
    repository = open_repository(tmp_path / "shallow")
    found = History(repository, Range(repository.resolve("HEAD~1"), repository.resolve("HEAD"), "test"))

    changes = found.last_change(["a.txt", "d.txt"])

    assert {path: commit.sha for path, commit in changes.items()} == {"d.txt": last}


def test_numbers_of_merged_requests(git_repo):
    base = git_repo.commit("start (#1)", {"a.txt": "a\n"})
    squashed = git_repo.commit("Add login (#12)", {"a.txt": "b\n"})
    merged = git_repo.commit("Merge pull request #34 from ada/fix\n\nRefs #99", {"a.txt": "c\n"})
    git_repo.commit("Mention #56 in passing", {"a.txt": "d\n"})
    found = history(git_repo, base)

    numbers = found.merged_numbers(base, WORKTREE)

    assert {number: commit.sha for number, commit in numbers.items()} == {12: squashed, 34: merged}
    assert found.merged_numbers(base, squashed).keys() == {12}


def test_paths_are_asked_for_in_one_walk_or_one_by_one(git_repo):
    git_repo.commit("start", {f"f{number}.txt": "0\n" for number in range(5)})
    for number in range(5):
        git_repo.commit(f"edit {number}", {f"f{number}.txt": "1\n"})
    paths = [f"f{number}.txt" for number in range(5)]
    together = history(git_repo, "HEAD~5").last_change(paths)
    one_by_one = history(git_repo, "HEAD~5")

    assert {path: one_by_one.last_change([path])[path] for path in paths} == together
