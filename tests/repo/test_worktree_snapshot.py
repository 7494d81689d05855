"""The working tree as git would commit it."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

from memaudit.domain import WORKTREE
from memaudit.repo.changes import Changes
from memaudit.repo.repository import open_repository
from memaudit.repo.snapshot import snapshot


def worktree(root: Path):
    """The snapshot of the working tree at a folder."""
    return snapshot(open_repository(root), WORKTREE)


def listed_by_git(repo) -> list[str]:
    """What git would list as there: tracked or untracked, not ignored, not deleted."""
    known = repo.git("-c", "core.quotePath=off", "ls-files", "-co", "--exclude-standard", "-z").split("\0")
    return sorted({name for name in known if name and os.path.lexists(repo.root / name)})


def test_a_clean_tree_equals_head(git_repo):
    git_repo.commit("one", {"a.txt": "a\n", "dir/b.txt": "b\n"})
    repository = open_repository(git_repo.root)
    head, found = snapshot(repository, "HEAD"), snapshot(repository, WORKTREE)

    changes = Changes(head, found)

    assert found.rev == WORKTREE
    assert list(found.files()) == list(head.files())
    assert not (changes.added or changes.deleted or changes.modified)


def test_changed_deleted_new_and_ignored_files(git_repo):
    git_repo.commit(
        "one", {"kept.txt": "k\n", "changed.txt": "old\n", "gone.txt": "g\n", ".gitignore": "*.log\nbuild/\n"}
    )
    git_repo.write({"changed.txt": "new text\n", "gone.txt": None, "new/deep/file.txt": "n\n"})
    git_repo.write({"debug.log": "l\n", "build/out.txt": "o\n", "staged.txt": "s\n"})
    git_repo.git("add", "staged.txt")
    repository = open_repository(git_repo.root)
    head, found = snapshot(repository, "HEAD"), snapshot(repository, WORKTREE)

    changes = Changes(head, found)

    assert changes.added == {"new/deep/file.txt", "staged.txt"}
    assert changes.deleted == {"gone.txt"}
    assert changes.modified == {"changed.txt"}
    assert found.text("changed.txt") == "new text\n"
    assert found.kind("new/deep") == "folder"
    assert not found.exists("build")
    assert list(found.files()) == listed_by_git(git_repo)


def test_object_ids_of_files_on_disk_are_those_git_would_give(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.write({"a.txt": "changed\n", "b.txt": "new\n"})

    found = worktree(git_repo.root)

    assert found.blob_id("a.txt") == git_repo.git("hash-object", "a.txt")
    assert found.blob_id("b.txt") == git_repo.git("hash-object", "b.txt")


def test_a_change_of_the_same_size_in_the_same_instant_is_seen(git_repo):
    git_repo.commit("one", {"a.txt": "aaaa\n"})
    path = git_repo.root / "a.txt"
    before = path.stat()
    path.write_text("bbbb\n")
    index = git_repo.root / ".git" / "index"
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    os.utime(index, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert worktree(git_repo.root).text("a.txt") == "bbbb\n"


def test_touching_a_file_does_not_change_it(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    os.utime(git_repo.root / "a.txt", (1, 1))
    repository = open_repository(git_repo.root)

    assert not Changes(snapshot(repository, "HEAD"), snapshot(repository, WORKTREE)).modified


def test_line_ends_converted_on_checkout_are_no_change(git_repo, run_git, tmp_path):
    git_repo.commit("one", {"a.txt": "one\ntwo\n"})
    run_git(tmp_path, "-c", "core.autocrlf=true", "clone", "-q", str(git_repo.root), "windows")
    root = tmp_path / "windows"
    run_git(root, "config", "core.autocrlf", "true")
    assert (root / "a.txt").read_bytes() == b"one\r\ntwo\r\n"
    os.utime(root / "a.txt", (1, 1))
    repository = open_repository(root)
    head, found = snapshot(repository, "HEAD"), snapshot(repository, WORKTREE)

    assert not Changes(head, found).modified
    assert found.blob_id("a.txt") == head.blob_id("a.txt")

    (root / "a.txt").write_bytes(b"one\r\nthree\r\n")
    assert worktree(root).text("a.txt") == "one\nthree\n"


def test_unmerged_paths_are_read_from_disk(git_repo):
    git_repo.commit("base", {"a.txt": "base\n"})
    git_repo.git("checkout", "-q", "-b", "side")
    git_repo.commit("side", {"a.txt": "side\n"})
    git_repo.git("checkout", "-q", "main")
    git_repo.commit("main", {"a.txt": "main\n"})
    with pytest.raises(AssertionError):
        git_repo.git("merge", "-q", "side")

    found = worktree(git_repo.root)

    assert list(found.files()) == ["a.txt"]
    assert "<<<<<<<" in (found.text("a.txt") or "")


def test_a_path_only_announced_is_read_from_disk(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.write({"b.txt": "b\n"})
    git_repo.git("add", "-N", "b.txt")

    assert worktree(git_repo.root).text("b.txt") == "b\n"


def test_files_removed_from_the_index_but_kept_are_still_there(git_repo):
    git_repo.commit("one", {"a.txt": "a\n", "b.txt": "b\n"})
    git_repo.git("rm", "-q", "--cached", "a.txt")

    assert list(worktree(git_repo.root).files()) == ["a.txt", "b.txt"]


@pytest.mark.parametrize("sparse_index", [False, True])
def test_files_outside_a_sparse_checkout_are_not_deleted(git_repo, sparse_index):
    git_repo.commit("one", {"in/a.txt": "a\n", "out/deep/b.txt": "b\n", "top.txt": "t\n"})
    git_repo.git("sparse-checkout", "init", "--cone", *(["--sparse-index"] if sparse_index else []))
    git_repo.git("sparse-checkout", "set", "in")
    assert not (git_repo.root / "out").exists()

    found = worktree(git_repo.root)

    assert list(found.files()) == ["in/a.txt", "out/deep/b.txt", "top.txt"]
    assert found.text("out/deep/b.txt") == "b\n"
    assert open_repository(git_repo.root).tracked() == list(found.files())


@pytest.mark.parametrize("version", ["2", "3", "4"])
def test_every_version_of_the_index(git_repo, version):
    git_repo.commit("one", {f"folder/sub{number}/file{number}.txt": "x\n" for number in range(30)})
    git_repo.git("update-index", "--index-version", version)
    git_repo.write({"folder/new.txt": "n\n"})
    git_repo.git("add", "-N", "folder/new.txt")

    assert list(worktree(git_repo.root).files()) == listed_by_git(git_repo)


@pytest.mark.parametrize("harm", ["split", "garbage", "absent", "short"])
def test_an_index_that_cannot_be_read_is_done_without(git_repo, harm):
    git_repo.commit("one", {"a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n"})
    git_repo.write({"a.txt": "changed\n", "b.txt": None, "new.txt": "n\n"})
    index = git_repo.root / ".git" / "index"
    if harm == "split":
        git_repo.git("update-index", "--split-index")
    elif harm == "garbage":
        index.write_bytes(b"DIRC but not really")
    elif harm == "short":
        index.write_bytes(index.read_bytes()[:60])
    else:
        index.unlink()
    repository = open_repository(git_repo.root)

    found = snapshot(repository, WORKTREE)
    changes = Changes(snapshot(repository, "HEAD"), found)

    assert list(found.files()) == ["a.txt", "c.txt", "new.txt"]
    assert (changes.modified, changes.deleted) == ({"a.txt"}, {"b.txt"})
    assert repository.tracked() == ["a.txt", "b.txt", "c.txt"]


def test_a_folder_replaced_by_a_link_is_not_read_through(git_repo, tmp_path):
    git_repo.commit("one", {"dir/secret.txt": "mine\n", "b.txt": "b\n"})
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "secret.txt").write_text("not mine\n")
    shutil.rmtree(git_repo.root / "dir")
    (git_repo.root / "dir").symlink_to(elsewhere)

    found = worktree(git_repo.root)

    assert found.kind("dir") == "link"
    assert found.read("dir/secret.txt") is None
    assert list(found.files()) == ["b.txt", "dir"]


def test_a_file_swapped_for_a_link_after_the_listing_is_not_read_through(git_repo, tmp_path):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.write({"sub/new.txt": "n\n"})
    secret = tmp_path / "secret.txt"
    secret.write_text("secret\n")
    found = worktree(git_repo.root)
    (git_repo.root / "sub" / "new.txt").unlink()
    (git_repo.root / "sub" / "new.txt").symlink_to(secret)

    assert found.read("sub/new.txt") != b"secret\n"

    shutil.rmtree(git_repo.root / "sub")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "new.txt").write_text("secret\n")
    (git_repo.root / "sub").symlink_to(tmp_path / "other")

    assert found.read("sub/new.txt") is None


def test_a_file_replaced_by_a_folder_and_a_folder_by_a_file(git_repo):
    git_repo.commit("one", {"a": "a\n", "dir/b.txt": "b\n"})
    git_repo.write({"a": None, "dir/b.txt": None})
    (git_repo.root / "dir").rmdir()
    git_repo.write({"a/inner.txt": "i\n", "dir": "d\n"})

    found = worktree(git_repo.root)

    assert list(found.files()) == ["a/inner.txt", "dir"]
    assert (found.kind("a"), found.kind("dir")) == ("folder", "file")


def test_a_folder_that_may_not_be_read_is_not_deleted(git_repo):
    git_repo.commit("one", {"closed/a.txt": "a\n", "b.txt": "b\n"})
    closed = git_repo.root / "closed"
    closed.chmod(0)
    try:
        if os.access(closed, os.R_OK):
            pytest.skip("this user reads every folder")
        assert list(worktree(git_repo.root).files()) == ["b.txt", "closed/a.txt"]
    finally:
        closed.chmod(0o755)


def test_links_in_the_working_tree(git_repo):
    git_repo.commit("one", {"docs/a.md": "a\n"})
    (git_repo.root / "A.md").symlink_to("docs/a.md")
    (git_repo.root / "dangling").symlink_to("nowhere")

    found = worktree(git_repo.root)

    assert found.link("A.md") == "docs/a.md"
    assert found.text("A.md") == "a\n"
    assert found.kind("dangling") == "link"
    assert found.read("dangling") is None


def test_pipes_and_sockets_are_no_files(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    os.mkfifo(git_repo.root / "pipe")

    assert list(worktree(git_repo.root).files()) == ["a.txt"]


def test_nested_repositories_count_as_submodules(git_repo, make_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    inner = make_repo("project/inner")
    inner.commit("inner", {"x.txt": "x\n"})

    found = worktree(git_repo.root)

    assert found.kind("inner") == "submodule"
    assert found.in_submodule("inner/x.txt")
    assert list(found.files()) == ["a.txt"]


@pytest.mark.parametrize("checked_out", [True, False])
def test_submodules_stay_submodules(git_repo, make_repo, checked_out):
    library = make_repo("library")
    library.commit("lib", {"lib.c": "int x;\n"})
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.git(
        "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.root), "vendor/lib"
    )
    git_repo.commit("add submodule")
    if not checked_out:
        git_repo.git("submodule", "deinit", "-q", "-f", "vendor/lib")

    found = worktree(git_repo.root)

    assert found.kind("vendor/lib") == "submodule"
    assert not found.exists("vendor/lib/lib.c")
    assert ".gitmodules" in found.files()


def test_what_this_clone_excludes_is_left_out(git_repo, isolated_home):
    git_repo.commit("one", {"a.txt": "a\n"})
    (git_repo.root / ".git" / "info").mkdir(exist_ok=True)
    (git_repo.root / ".git" / "info" / "exclude").write_text("scratch/\n")
    (isolated_home / ".config" / "git").mkdir(parents=True)
    (isolated_home / ".config" / "git" / "ignore").write_text(".editor\n")
    git_repo.write({"scratch/x.txt": "x\n", ".editor": "e\n"})

    found = worktree(git_repo.root)

    assert list(found.files()) == ["a.txt"]
    assert not found.ignored("scratch/x.txt")
    assert not found.ignored(".editor")


def test_force_added_files_in_an_ignored_folder(git_repo):
    git_repo.commit("one", {".gitignore": "out/\n"})
    git_repo.write({"out/kept.txt": "k\n", "out/noise.txt": "n\n"})
    git_repo.git("add", "-f", "out/kept.txt")

    assert list(worktree(git_repo.root).files()) == listed_by_git(git_repo) == [".gitignore", "out/kept.txt"]


def test_a_linked_worktree_shows_its_own_files(git_repo, tmp_path):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    (tmp_path / "side" / "a.txt").write_text("side\n")
    (tmp_path / "side" / "new.txt").write_text("new\n")

    assert worktree(tmp_path / "side").text("a.txt") == "side\n"
    assert worktree(git_repo.root).text("a.txt") == "a\n"


def test_a_worktree_inside_the_repository_is_not_part_of_it(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.git("worktree", "add", "-q", "-b", "side", str(git_repo.root / "trees" / "side"))

    assert list(worktree(git_repo.root).files()) == ["a.txt"]


def test_a_large_file_on_disk_need_not_be_hashed(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.write({"data.bin": "x" * 5000})

    found = worktree(git_repo.root)

    assert found.blob_id("data.bin", limit=4999) is None
    assert found.blob_id("data.bin", limit=5000) == git_repo.git("hash-object", "data.bin")
    assert found.blob_id("a.txt", limit=0) == git_repo.git("rev-parse", "HEAD:a.txt")


@pytest.mark.parametrize("seed", range(6))
def test_the_same_files_as_git_after_any_mix_of_changes(git_repo, seed):
    chance = random.Random(seed)
    names = ["a", "b.log", "c.tmp", "build", "x y", "é", "keep.log"]
    folders = ["", "src/", "src/build/", "lib/deep/er/", "build/", "out.tmp/"]
    paths = [folder + name for folder in folders for name in names if folder + name != "build"]
    rules = ["*.log", "!keep.log", "build/", "/lib/*/er", "*.tmp", "src/**/c.tmp", "!src/"]
    git_repo.write({".gitignore": "\n".join(chance.sample(rules, 4)) + "\n"})
    git_repo.write({path: path for path in chance.sample(paths, 20) if path != "src/build"})
    git_repo.git("add", "-A")
    git_repo.git(
        "add", "-f", *[path for path in paths[:12] if (git_repo.root / path).is_file()], ".gitignore"
    )
    git_repo.git("commit", "-q", "-m", "start")
    for path in chance.sample(paths, 15):
        on_disk = git_repo.root / path
        if on_disk.is_file() and chance.random() < 0.5:
            on_disk.unlink()
        elif not on_disk.is_dir() and not any(parent.is_file() for parent in on_disk.parents):
            git_repo.write({path: chance.choice(["changed", path])})
    git_repo.write({"lib/.gitignore": chance.choice(rules) + "\n"})
    repository = open_repository(git_repo.root)
    found = snapshot(repository, WORKTREE)

    assert list(found.files()) == listed_by_git(git_repo)
    assert {path: found.blob_id(path) for path in found.files()} == {
        path: git_repo.git("hash-object", path) for path in listed_by_git(git_repo)
    }


def test_an_unborn_branch_shows_what_is_on_disk(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.git("checkout", "-q", "--orphan", "fresh")
    git_repo.git("rm", "-q", "--cached", "-r", ".")

    assert list(worktree(git_repo.root).files()) == ["a.txt"]


def test_settings_of_the_repository_are_not_run(git_repo, tmp_path):
    marker = tmp_path / "ran"
    hook = tmp_path / "hook.sh"
    hook.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n")
    hook.chmod(0o755)
    git_repo.commit("one", {"a.txt": "a\n", ".gitattributes": "*.txt filter=evil diff=evil\n"})
    for name, value in {
        "core.fsmonitor": hook,
        "filter.evil.clean": hook,
        "filter.evil.smudge": hook,
        "diff.evil.textconv": hook,
        "core.hooksPath": tmp_path,
    }.items():
        git_repo.git("config", name, str(value))
    git_repo.write({"a.txt": "changed\n"})
    marker.unlink(missing_ok=True)

    found = worktree(git_repo.root)

    assert found.text("a.txt") == "changed\n"
    assert not marker.exists()
