"""Opening repositories of every shape, and the one clear line for those that cannot be opened."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from memaudit.errors import RangeError, RepositoryError
from memaudit.repo.repository import open_repository


def test_a_work_tree_opens_at_its_top(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})

    repository = open_repository(git_repo.root)

    assert repository.root == git_repo.root.resolve()
    assert repository.git_dir == git_repo.root.resolve() / ".git"
    assert repository.common_dir == repository.git_dir
    assert (repository.prefix, repository.is_bare) == ("", False)


def test_a_sub_folder_or_file_opens_the_whole_repository_and_remembers_where(git_repo):
    git_repo.commit("one", {"packages/core/a.txt": "a\n"})

    assert open_repository(git_repo.root / "packages" / "core").prefix == "packages/core"
    assert open_repository(git_repo.root / "packages" / "core" / "a.txt").prefix == "packages/core"


def test_the_git_folder_itself_opens_its_work_tree(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})

    repository = open_repository(git_repo.root / ".git")

    assert (repository.root, repository.prefix) == (git_repo.root.resolve(), "")


def test_a_bare_clone_has_no_root(git_repo, run_git, tmp_path):
    git_repo.commit("one", {"a.txt": "a\n"})
    run_git(tmp_path, "clone", "-q", "--bare", str(git_repo.root), "bare.git")

    repository = open_repository(tmp_path / "bare.git")

    assert (repository.root, repository.is_bare) == (None, True)
    assert repository.tracked() == ["a.txt"]


def test_a_git_folder_of_any_name_without_settings_counts_as_bare(git_repo, tmp_path):
    git_repo.commit("one", {"a.txt": "a\n"})
    store = tmp_path / "mirror" / "store"
    store.parent.mkdir()
    (git_repo.root / ".git").rename(store)
    (store / "config").unlink()

    assert open_repository(store).is_bare


def test_a_linked_worktree_shares_the_common_folder(git_repo, tmp_path):
    head = git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))

    repository = open_repository(tmp_path / "side")

    assert repository.root == (tmp_path / "side").resolve()
    assert repository.git_dir != repository.common_dir
    assert repository.common_dir == git_repo.root.resolve() / ".git"
    assert repository.resolve("HEAD") == head
    assert repository.tracked() == ["a.txt"]


def test_a_submodule_is_a_repository_of_its_own(make_repo):
    library, outer = make_repo("library"), make_repo("outer")
    head = library.commit("lib", {"src/lib.c": "int x;\n"})
    outer.commit("one", {"a.txt": "a\n"})
    outer.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.root), "vendor/lib")

    repository = open_repository(outer.root / "vendor" / "lib" / "src")

    assert repository.root == (outer.root / "vendor" / "lib").resolve()
    assert (repository.prefix, repository.resolve("HEAD")) == ("src", head)


def test_a_git_folder_kept_elsewhere(git_repo, run_git, tmp_path):
    git_repo.commit("one", {"a.txt": "a\n"})
    run_git(tmp_path, "clone", "-q", "--separate-git-dir=store", str(git_repo.root), "tree")

    repository = open_repository(tmp_path / "tree")

    assert repository.root == (tmp_path / "tree").resolve()
    assert repository.tracked() == ["a.txt"]


def test_a_path_through_a_symbolic_link_opens(git_repo, tmp_path):
    git_repo.commit("one", {"sub/a.txt": "a\n"})
    (tmp_path / "alias").symlink_to(git_repo.root)

    repository = open_repository(tmp_path / "alias" / "sub")

    assert (repository.root, repository.prefix) == (git_repo.root.resolve(), "sub")


def test_a_folder_that_is_no_repository(tmp_path):
    with pytest.raises(RepositoryError, match="not a git repository") as failure:
        open_repository(tmp_path)
    assert str(tmp_path) in failure.value.line()


def test_a_folder_that_does_not_exist(tmp_path):
    with pytest.raises(RepositoryError, match="no such folder"):
        open_repository(tmp_path / "nowhere")


def test_a_repository_without_any_commit(git_repo):
    with pytest.raises(RepositoryError, match="no commit yet"):
        open_repository(git_repo.root)


def test_an_unborn_branch_beside_a_branch_with_commits(git_repo):
    head = git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.git("checkout", "-q", "--orphan", "fresh")

    repository = open_repository(git_repo.root)

    assert repository.resolve("main") == head
    with pytest.raises(RangeError, match="without commits"):
        repository.resolve("HEAD")


@pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="needs root to give files away")
def test_a_repository_of_another_user_names_the_line_that_trusts_it(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    for path in (git_repo.root, git_repo.root / ".git"):
        os.chown(path, 12345, 12345)

    with pytest.raises(RepositoryError, match="another user") as failure:
        open_repository(git_repo.root)

    assert f"git config --global --add safe.directory {git_repo.root}" in failure.value.fix


def test_a_sha256_repository(run_git, tmp_path):
    root = tmp_path / "modern"
    root.mkdir()
    run_git(root, "init", "-q", "--object-format=sha256")
    (root / "a.txt").write_text("a\n")
    run_git(root, "add", "a.txt")
    run_git(root, "commit", "-q", "-m", "one")

    with pytest.raises(RepositoryError, match="sha256"):
        open_repository(root)


@pytest.mark.parametrize(
    ("extension", "value", "word"),
    [("refStorage", "reftable", "reftable"), ("somethingNew", "true", "somethingnew")],
)
def test_an_extension_that_cannot_be_read(git_repo, extension, value, word):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.git("config", "core.repositoryFormatVersion", "1")
    with (git_repo.root / ".git" / "config").open("a") as file:
        file.write(f"[extensions]\n\t{extension} = {value}\n")

    with pytest.raises(RepositoryError) as failure:
        open_repository(git_repo.root)

    assert word in failure.value.line().lower()


def test_a_damaged_head(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    (git_repo.root / ".git" / "HEAD").write_text("nonsense\n")

    repository = open_repository(git_repo.root)

    with pytest.raises(RangeError):
        repository.resolve("HEAD")
    assert repository.resolve("main")


def test_revisions_resolve_to_commits(git_repo):
    first = git_repo.commit("one", {"a.txt": "a\n"})
    second = git_repo.commit("two", {"a.txt": "b\n"})
    git_repo.git("tag", "-a", "v1", "-m", "annotated", first)

    repository = open_repository(git_repo.root)

    assert repository.resolve("HEAD~1") == repository.resolve("v1") == repository.resolve(first[:8]) == first
    assert repository.resolve("main") == repository.resolve("@") == second


@pytest.mark.parametrize(
    "rev", ["nowhere", "", "HEAD~9", "HEAD:a.txt", "a..b", "\0", "-x", "deadbeef" * 5, "ü"]
)
def test_what_is_no_revision(git_repo, rev):
    git_repo.commit("one", {"a.txt": "a\n"})

    with pytest.raises(RangeError) as failure:
        open_repository(git_repo.root).resolve(rev)

    assert failure.value.fix
    assert failure.value.line().isprintable()


def test_a_shallow_clone_says_why_a_revision_is_missing(git_repo, run_git, tmp_path):
    for number in range(4):
        git_repo.commit(f"change {number}", {"a.txt": f"{number}\n"})
    run_git(tmp_path, "clone", "-q", "--depth=2", f"file://{git_repo.root}", "shallow")

    repository = open_repository(tmp_path / "shallow")

    assert repository.is_shallow
    assert repository.resolve("HEAD~1")
    with pytest.raises(RangeError, match="shallow") as failure:
        repository.resolve("HEAD~3")
    assert "--unshallow" in failure.value.fix


def test_a_detached_head(git_repo):
    first = git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.commit("two", {"a.txt": "b\n"})
    git_repo.git("checkout", "-q", "--detach", first)

    assert open_repository(git_repo.root).resolve("HEAD") == first


def test_refs_are_named_the_way_people_name_them(git_repo, run_git, tmp_path):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.git("branch", "feature/login")
    git_repo.git("tag", "v1.2")
    run_git(tmp_path, "clone", "-q", str(git_repo.root), "clone")

    refs = open_repository(tmp_path / "clone").refs()

    assert {"main", "origin/main", "feature/login", "origin/feature/login", "v1.2"} <= refs
    assert "HEAD" not in refs


def test_tracked_paths_are_those_of_the_index(git_repo):
    git_repo.commit("one", {"a.txt": "a\n", "dir/b.txt": "b\n"})
    git_repo.write({"staged.txt": "s\n", "untracked.txt": "u\n", "dir/b.txt": None})
    git_repo.git("add", "staged.txt")

    assert open_repository(git_repo.root).tracked() == ["a.txt", "dir/b.txt", "staged.txt"]


def test_an_index_made_to_lead_elsewhere_is_not_followed(git_repo):
    git_repo.commit("one", {"ab/secret.txt": "s\n", "b.txt": "b\n"})
    index = git_repo.root / ".git" / "index"
    index.write_bytes(index.read_bytes().replace(b"ab/secret.txt", b"../secret.txt"))

    assert open_repository(git_repo.root).tracked() == ["b.txt"]


def test_nothing_is_written_into_the_repository(git_repo, run_git):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.write({"a.txt": "changed\n", "new.txt": "n\n"})
    before = _state(git_repo.root)

    from memaudit.domain import WORKTREE
    from memaudit.repo.snapshot import snapshot

    repository = open_repository(git_repo.root)
    for rev in ("HEAD", WORKTREE):
        found = snapshot(repository, rev)
        assert [found.read(path) for path in found.files()]

    assert _state(git_repo.root) == before


def _state(root: Path) -> dict[str, tuple[int, int]]:
    return {
        str(path.relative_to(root)): (path.stat().st_mtime_ns, path.stat().st_size)
        for path in root.rglob("*")
    }
