"""Which range is chosen: as asked for, else from what git remembers of the last pull."""

from __future__ import annotations

import pytest

from memaudit.domain import WORKTREE, Range
from memaudit.errors import RangeError
from memaudit.repo.range import RangeRequest, resolve_range
from memaudit.repo.repository import open_repository


def resolved(root, memory=(), **asked) -> Range:
    """The range for a request."""
    return resolve_range(open_repository(root), RangeRequest(**asked), memory)


@pytest.fixture
def line(git_repo):
    """Four commits in a row; ids oldest first."""
    return git_repo, [git_repo.commit(f"change {number}", {"a.txt": f"{number}\n"}) for number in range(4)]


@pytest.fixture
def upstream_and_clone(make_repo, run_git, tmp_path):
    """A repository with one commit, and a clone of it."""
    upstream = make_repo("upstream")
    upstream.commit("start", {"CLAUDE.md": "- a\n", "a.txt": "a\n"})
    run_git(tmp_path, "clone", "-q", str(upstream.root), "clone")
    return upstream, tmp_path / "clone"


def test_two_dots(line):
    repo, ids = line

    found = resolved(repo.root, range=f"{ids[0]}..{ids[2][:10]}")

    assert (found.base, found.head, found.per_claim) == (ids[0], ids[2], False)
    assert found.chosen_by == f"--range {ids[0]}..{ids[2][:10]}"


def test_an_open_end_is_the_working_tree_and_an_open_start_is_head(line):
    repo, ids = line

    assert resolved(repo.root, range="HEAD~2..").head == WORKTREE
    assert resolved(repo.root, range="..HEAD~1").base == ids[3]
    assert resolved(repo.root, range="HEAD~1..WORKTREE") == Range(
        ids[2], WORKTREE, "--range HEAD~1..WORKTREE"
    )
    assert resolved(repo.root, range="HEAD~2..", head="HEAD~1").head == ids[2]


def test_three_dots_start_where_the_branches_parted(git_repo):
    fork = git_repo.commit("fork", {"a.txt": "a\n"})
    git_repo.git("checkout", "-q", "-b", "side")
    side = git_repo.commit("side", {"b.txt": "b\n"})
    git_repo.git("checkout", "-q", "main")
    git_repo.commit("main", {"c.txt": "c\n"})

    assert resolved(git_repo.root, range="main...side") == Range(fork, side, "--range main...side")
    assert resolved(git_repo.root, range="side...").base == fork


def test_three_dots_without_common_history(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.git("checkout", "-q", "--orphan", "other")
    git_repo.commit("two", {"b.txt": "b\n"})

    with pytest.raises(RangeError, match="no common history"):
        resolved(git_repo.root, range="main...other")


def test_since_and_head(line):
    repo, ids = line

    assert resolved(repo.root, since="HEAD~3") == Range(ids[0], WORKTREE, "--since HEAD~3")
    assert resolved(repo.root, since="HEAD~3", head="HEAD~1").head == ids[2]
    assert resolved(repo.root, since="HEAD~3", head=WORKTREE).head == WORKTREE


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"range": "HEAD~1"}, "not a range"),
        ({"range": ".."}, "not a range"),
        ({"range": "..."}, "not a range"),
        ({"range": "a..b..c"}, "not a range"),
        ({"range": "nowhere..HEAD"}, "no such revision"),
        ({"range": "HEAD..nowhere"}, "no such revision"),
        ({"range": "HEAD~1..HEAD", "since": "HEAD~1"}, "both given"),
        ({"range": "HEAD~1..HEAD", "head": "HEAD"}, "given twice"),
        ({"since": "nowhere"}, "no such revision"),
        ({"head": "nowhere"}, "no such revision"),
        ({"range": "a..b"}, "no such revision"),
    ],
)
def test_requests_that_make_no_sense(line, asked, message):
    with pytest.raises(RangeError, match=message) as failure:
        resolved(line[0].root, **asked)
    assert failure.value.fix


def test_a_bare_repository_ends_at_head(line, run_git, tmp_path):
    repo, ids = line
    run_git(tmp_path, "clone", "-q", "--bare", str(repo.root), "bare.git")

    assert resolved(tmp_path / "bare.git", range="HEAD~1..").head == ids[3]
    with pytest.raises(RangeError, match="bare"):
        resolved(tmp_path / "bare.git", range="HEAD~1..WORKTREE")


def test_a_pull_that_moves_forward(upstream_and_clone, run_git):
    upstream, clone = upstream_and_clone
    before = run_git(clone, "rev-parse", "HEAD")
    upstream.commit("news", {"a.txt": "b\n"})
    upstream.commit("more news", {"a.txt": "c\n"})
    run_git(clone, "pull", "-q", "--ff-only")

    found = resolved(clone)

    assert (found.base, found.head) == (before, WORKTREE)
    assert found.chosen_by == "last pull (reflog: HEAD@{0})"


def test_a_pull_that_merges(upstream_and_clone, run_git):
    upstream, clone = upstream_and_clone
    upstream.commit("news", {"a.txt": "b\n"})
    (clone / "mine.txt").write_text("m\n")
    run_git(clone, "add", "mine.txt")
    run_git(clone, "commit", "-q", "-m", "mine")
    before = run_git(clone, "rev-parse", "HEAD")
    run_git(clone, "pull", "-q", "--no-rebase", "--no-edit")

    assert resolved(clone).base == before


def test_a_pull_that_rebases(upstream_and_clone, run_git):
    upstream, clone = upstream_and_clone
    upstream.commit("news", {"a.txt": "b\n"})
    for name in ("mine", "mine too"):
        (clone / "mine.txt").write_text(name)
        run_git(clone, "add", "mine.txt")
        run_git(clone, "commit", "-q", "-m", name)
    before = run_git(clone, "rev-parse", "HEAD")
    run_git(clone, "pull", "-q", "--rebase")
    assert run_git(clone, "rev-parse", "HEAD") != before

    assert resolved(clone).base == before


def test_a_pull_that_rebases_without_anything_of_ones_own(upstream_and_clone, run_git):
    upstream, clone = upstream_and_clone
    before = run_git(clone, "rev-parse", "HEAD")
    upstream.commit("news", {"a.txt": "b\n"})
    run_git(clone, "pull", "-q", "--rebase")

    assert resolved(clone).base == before


def test_a_fetch_followed_by_a_rebase(upstream_and_clone, run_git):
    upstream, clone = upstream_and_clone
    upstream.commit("news", {"a.txt": "b\n"})
    (clone / "mine.txt").write_text("m\n")
    run_git(clone, "add", "mine.txt")
    run_git(clone, "commit", "-q", "-m", "mine")
    before = run_git(clone, "rev-parse", "HEAD")
    run_git(clone, "fetch", "-q")
    run_git(clone, "rebase", "-q", "origin/main")

    found = resolved(clone)

    assert (found.base, found.chosen_by) == (before, "last rebase (reflog: HEAD@{0})")


def test_rearranging_ones_own_commits_brings_nothing(line):
    repo, _ = line
    repo.git("rebase", "-q", "--no-ff", "HEAD~2")

    assert resolved(repo.root, ["a.txt"]).per_claim


def test_a_pull_with_conflicts_is_found_after_the_merge_is_committed(upstream_and_clone, run_git):
    upstream, clone = upstream_and_clone
    upstream.commit("news", {"a.txt": "b\n"})
    (clone / "a.txt").write_text("mine\n")
    run_git(clone, "commit", "-q", "-a", "-m", "mine")
    before = run_git(clone, "rev-parse", "HEAD")
    with pytest.raises(AssertionError):
        run_git(clone, "pull", "-q", "--no-rebase")
    (clone / "a.txt").write_text("both\n")
    run_git(clone, "commit", "-q", "-a", "-m", "merged")

    assert resolved(clone).base == before


def test_a_merge_of_a_branch(git_repo):
    git_repo.commit("start", {"a.txt": "a\n"})
    git_repo.git("checkout", "-q", "-b", "side")
    git_repo.commit("side", {"b.txt": "b\n"})
    git_repo.git("checkout", "-q", "main")
    before = git_repo.commit("main", {"c.txt": "c\n"})
    git_repo.git("merge", "-q", "--no-edit", "side")

    found = resolved(git_repo.root)

    assert (found.base, found.chosen_by) == (before, "last merge (reflog: HEAD@{0})")


def test_work_after_a_pull_still_counts_from_the_pull(upstream_and_clone, run_git):
    upstream, clone = upstream_and_clone
    before = run_git(clone, "rev-parse", "HEAD")
    upstream.commit("news", {"a.txt": "b\n"})
    run_git(clone, "pull", "-q")
    (clone / "mine.txt").write_text("m\n")
    run_git(clone, "add", "mine.txt")
    run_git(clone, "commit", "-q", "-m", "mine")

    found = resolved(clone)

    assert (found.base, found.chosen_by) == (before, "last pull or merge (ORIG_HEAD)")


def test_a_branch_left_behind_by_the_pull_does_not_count(upstream_and_clone, run_git):
    upstream, clone = upstream_and_clone
    start = run_git(clone, "rev-parse", "HEAD")
    upstream.commit("news", {"a.txt": "b\n"})
    run_git(clone, "pull", "-q")
    run_git(clone, "checkout", "-q", "-b", "old", start)

    assert resolved(clone, ["CLAUDE.md"]).per_claim


def test_going_back_is_no_pull(line):
    repo, ids = line
    repo.git("reset", "-q", "--hard", "HEAD~1")

    found = resolved(repo.root, ["a.txt"])

    assert found.per_claim
    assert found.base == ids[2]


def test_a_fresh_clone_starts_where_the_oldest_memory_line_was_written(git_repo, run_git, tmp_path):
    git_repo.commit("start", {"a.txt": "a\n"})
    written = git_repo.commit("memory", {"CLAUDE.md": "- one\n"})
    git_repo.commit("code", {"a.txt": "b\n"})
    git_repo.commit("more memory", {"CLAUDE.md": "- one\n- two\n"})
    run_git(tmp_path, "clone", "-q", str(git_repo.root), "clone")

    found = resolved(tmp_path / "clone", ["CLAUDE.md"])

    assert found == Range(written, WORKTREE, "for each claim, since its line was written", per_claim=True)


def test_memory_that_was_never_committed_starts_at_head(line):
    repo, ids = line
    repo.write({"CLAUDE.local.md": "- mine\n"})

    found = resolved(repo.root, ["CLAUDE.local.md"])

    assert (found.base, found.per_claim) == (ids[3], True)


def test_another_head_is_not_what_was_pulled(upstream_and_clone, run_git):
    upstream, clone = upstream_and_clone
    upstream.commit("news", {"a.txt": "b\n"})
    run_git(clone, "pull", "-q")

    assert resolved(clone, ["CLAUDE.md"], head="HEAD~1").per_claim


def test_a_pull_in_a_linked_worktree(upstream_and_clone, run_git, tmp_path):
    upstream, clone = upstream_and_clone
    run_git(clone, "worktree", "add", "-q", "-b", "side", str(tmp_path / "side"), "--track", "origin/main")
    before = run_git(clone, "rev-parse", "HEAD")
    upstream.commit("news", {"a.txt": "b\n"})
    run_git(tmp_path / "side", "pull", "-q")

    assert resolved(tmp_path / "side").base == before


def test_how_the_range_was_chosen_does_not_depend_on_the_clock(upstream_and_clone, run_git, monkeypatch):
    upstream, clone = upstream_and_clone
    upstream.commit("news", {"a.txt": "b\n"})
    run_git(clone, "pull", "-q")
    first = resolved(clone)
    monkeypatch.setattr("time.time", lambda: 4_000_000_000.0)

    assert resolved(clone) == first
