"""What differs between two snapshots, and where things went."""

from __future__ import annotations

import pytest

from memaudit.domain import WORKTREE
from memaudit.repo.changes import Changes
from memaudit.repo.repository import open_repository
from memaudit.repo.snapshot import snapshot


def changes_of(repo, base: str = "HEAD~1", head: str = "HEAD") -> Changes:
    """The changes between two revisions."""
    repository = open_repository(repo.root)
    return Changes(snapshot(repository, base), snapshot(repository, head))


def module(words: str, lines: int = 30) -> str:
    """A file of some length about a subject."""
    return "".join(f"def {words}_{number}(value):\n    return value + {number}\n" for number in range(lines))


def test_added_deleted_and_modified(git_repo):
    git_repo.commit("one", {"same.txt": "s\n", "changed.txt": "a\n", "gone.txt": "g\n"})
    git_repo.commit("two", {"changed.txt": "b\n", "gone.txt": None, "new/file.txt": "n\n"})

    changes = changes_of(git_repo)

    assert (changes.added, changes.deleted, changes.modified) == (
        {"new/file.txt"},
        {"gone.txt"},
        {"changed.txt"},
    )


def test_swapping_base_and_head_swaps_the_answer(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.commit("two", {"a.txt": None, "b.txt": "b\n"})

    changes = changes_of(git_repo, "HEAD", "HEAD~1")

    assert (changes.added, changes.deleted) == ({"a.txt"}, {"b.txt"})


def test_a_file_turned_into_a_link_is_modified(git_repo):
    git_repo.commit("one", {"a.txt": "b.txt", "b.txt": "b\n"})
    (git_repo.root / "a.txt").unlink()
    (git_repo.root / "a.txt").symlink_to("b.txt")
    git_repo.commit("two")

    assert changes_of(git_repo).modified == {"a.txt"}


def test_a_pure_rename(git_repo):
    git_repo.commit("one", {"src/a.py": module("alpha")})
    git_repo.git("mv", "src/a.py", "src/b.py")
    git_repo.commit("two")

    rename = changes_of(git_repo).renamed("src/a.py")

    assert rename is not None
    assert (rename.old, rename.new, rename.similarity) == ("src/a.py", "src/b.py", 1.0)


def test_of_several_copies_the_nearest_counts(git_repo):
    text = module("alpha")
    git_repo.commit("one", {"src/core/a.py": text})
    git_repo.commit("two", {"src/core/a.py": None, "backup/x.py": text, "src/engine/a.py": text})

    rename = changes_of(git_repo).renamed("src/core/a.py")

    assert rename is not None
    assert rename.new == "src/engine/a.py"


def test_a_moved_file_that_was_edited(git_repo):
    git_repo.commit("one", {"src/a.py": module("alpha"), "src/other.py": module("other")})
    git_repo.commit(
        "two", {"src/a.py": None, "lib/a.py": module("alpha") + "# more\n", "x/a.py": module("beta")}
    )

    rename = changes_of(git_repo).renamed("src/a.py")

    assert rename is not None
    assert rename.new == "lib/a.py"
    assert 0.9 < rename.similarity < 1


@pytest.mark.parametrize("new", ["src/renamed.py", "src/a.pyi"])
def test_a_renamed_file_that_was_edited(git_repo, new):
    git_repo.commit("one", {"src/a.py": module("alpha")})
    git_repo.commit("two", {"src/a.py": None, new: "# header\n" + module("alpha")})

    rename = changes_of(git_repo).renamed("src/a.py")

    assert rename is not None
    assert rename.new == new


def test_a_file_replaced_by_something_else_was_not_renamed(git_repo):
    git_repo.commit("one", {"src/a.py": module("alpha")})
    git_repo.commit("two", {"src/a.py": None, "src/b.py": "import os\n\nprint(os.getcwd())\n" * 20})

    assert changes_of(git_repo).renamed("src/a.py") is None


def test_empty_files_are_renames_only_under_their_name(git_repo):
    git_repo.commit("one", {"a/__init__.py": "", "x.txt": "x\n", "c/empty.txt": ""})
    git_repo.commit("two", {"a/__init__.py": None, "b/__init__.py": "", "c/empty.txt": None})

    changes = changes_of(git_repo)

    renamed = changes.renamed("a/__init__.py")
    assert renamed is not None
    assert renamed.new == "b/__init__.py"
    assert changes.renamed("c/empty.txt") is None


@pytest.mark.parametrize("path", ["kept.txt", "never.txt", "", "/abs", "../up"])
def test_what_was_not_deleted_was_not_renamed(git_repo, path):
    git_repo.commit("one", {"kept.txt": "k\n"})
    git_repo.commit("two", {"new.txt": "k\n"})

    assert changes_of(git_repo).renamed(path) is None


def test_binary_files_are_renamed_when_equal(git_repo):
    git_repo.commit("one", {"a.bin": b"\0\1\2", "b.bin": b"\0\1\3"})
    git_repo.commit("two", {"a.bin": None, "b.bin": None, "c.bin": b"\0\1\2", "d.bin": b"\0\1\4"})

    changes = changes_of(git_repo)

    renamed = changes.renamed("a.bin")
    assert renamed is not None
    assert renamed.new == "c.bin"
    assert changes.renamed("b.bin") is None


def test_a_moved_folder(git_repo):
    files = {f"src/core/{name}.py": module(name) for name in ("alpha", "beta", "gamma")}
    git_repo.commit("one", files | {"src/core/sub/delta.py": module("delta")})
    git_repo.git("mv", "src/core", "src/engine")
    git_repo.commit("two", {"src/engine/beta.py": module("beta") + "# edited\n"})

    changes = changes_of(git_repo)

    assert changes.moved_folder("src/core") == changes.moved_folder("src/core/") == "src/engine"
    assert changes.moved_folder("src/core/sub") == "src/engine/sub"


def test_a_folder_moved_to_the_top(git_repo):
    git_repo.commit("one", {"app/web/a.py": module("alpha"), "app/web/b.py": module("beta")})
    git_repo.git("mv", "app/web", "web")
    git_repo.commit("two")

    assert changes_of(git_repo).moved_folder("app/web") == "web"


def test_a_folder_whose_files_went_apart_did_not_move(git_repo):
    git_repo.commit("one", {f"old/{name}.py": module(name) for name in ("alpha", "beta", "gamma", "delta")})
    git_repo.commit(
        "two",
        {f"old/{name}.py": None for name in ("alpha", "beta", "gamma", "delta")}
        | {"one/alpha.py": module("alpha"), "two/beta.py": module("beta"), "three/gamma.py": module("gamma")},
    )

    assert changes_of(git_repo).moved_folder("old") is None


def test_equal_names_alone_do_not_make_a_move(git_repo):
    git_repo.commit("one", {"old/index.py": module("alpha")})
    git_repo.commit("two", {"old/index.py": None, "new/index.py": "import os\n\nprint(os.getcwd())\n" * 20})

    assert changes_of(git_repo).moved_folder("old") is None


@pytest.mark.parametrize("path", ["kept", "never", ""])
def test_a_folder_that_is_still_there_or_never_was_did_not_move(git_repo, path):
    git_repo.commit("one", {"kept/a.py": module("alpha"), "kept/b.py": module("beta")})
    git_repo.git("mv", "kept/a.py", "b.py")
    git_repo.commit("two")

    assert changes_of(git_repo).moved_folder(path) is None


def test_renames_into_the_working_tree(git_repo):
    git_repo.commit("one", {"src/a.py": module("alpha")})
    (git_repo.root / "src" / "a.py").rename(git_repo.root / "moved.py")

    rename = changes_of(git_repo, "HEAD", WORKTREE).renamed("src/a.py")

    assert rename is not None
    assert (rename.new, rename.similarity) == ("moved.py", 1.0)
