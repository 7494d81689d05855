"""The files of one revision, read from the object database."""

from __future__ import annotations

import os
import subprocess

import pytest

from memaudit.domain import WORKTREE
from memaudit.errors import RepositoryError
from memaudit.repo.names import normal_path
from memaudit.repo.repository import open_repository
from memaudit.repo.snapshot import LONGEST_TEXT, snapshot


@pytest.fixture
def project(git_repo):
    """A commit with files, folders, links and a submodule entry."""
    inner = "1" * 40
    git_repo.write(
        {
            "README.md": "# Read me\n",
            "src/app/main.py": "def main():\n    pass\n",
            "src/app/util.py": "X = 1\n",
            "docs/guide.md": "text\n",
            "tests/app/main.py": "",
        }
    )
    (git_repo.root / "GUIDE.md").symlink_to("docs/guide.md")
    (git_repo.root / "sources").symlink_to("src")
    (git_repo.root / "outside").symlink_to("../../etc")
    (git_repo.root / "absolute").symlink_to("/etc/passwd")
    (git_repo.root / "loop").symlink_to("loop")
    (git_repo.root / "src" / "up").symlink_to("../docs/../docs/guide.md")
    git_repo.git("add", "-A")
    git_repo.git("update-index", "--add", "--cacheinfo", f"160000,{inner},vendor/lib")
    git_repo.git("commit", "-q", "-m", "one")
    return git_repo


@pytest.fixture
def found(project):
    """The snapshot of its HEAD."""
    return snapshot(open_repository(project.root), "HEAD")


def test_files_and_links_are_listed_in_order(found):
    assert list(found.files()) == [
        "GUIDE.md",
        "README.md",
        "absolute",
        "docs/guide.md",
        "loop",
        "outside",
        "sources",
        "src/app/main.py",
        "src/app/util.py",
        "src/up",
        "tests/app/main.py",
    ]


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("README.md", "file"),
        ("./README.md", "file"),
        ("src", "folder"),
        ("src/", "folder"),
        ("", "folder"),
        (".", "folder"),
        ("src/../docs", "folder"),
        ("GUIDE.md", "link"),
        ("outside", "link"),
        ("vendor/lib", "submodule"),
        ("vendor", "folder"),
        ("sources/app/main.py", "file"),
        ("sources/app", "folder"),
        ("readme.md", None),
        ("outside/passwd", None),
        ("loop/x", None),
        ("/etc/passwd", None),
        ("../project/README.md", None),
        ("vendor/lib/file.c", None),
        ("README.md/x", None),
    ],
)
def test_what_stands_at_a_path(found, path, kind):
    assert found.kind(path) == kind
    assert found.exists(path) == (kind is not None)


def test_paths_inside_a_submodule_are_known_to_be_elsewhere(found):
    assert found.in_submodule("vendor/lib/file.c")
    assert not found.in_submodule("vendor/lib")
    assert not found.in_submodule("src/app/nothing.py")


def test_links_are_followed_inside_the_repository_only(found):
    assert found.link("GUIDE.md") == "docs/guide.md"
    assert found.link("src/up") == "docs/guide.md"
    assert found.link("outside") is None
    assert found.link("absolute") is None
    assert found.link("README.md") is None
    assert found.read("GUIDE.md") == found.read("docs/guide.md") == b"text\n"
    assert found.read("sources/app/util.py") == b"X = 1\n"
    assert found.read("outside") is None
    assert found.read("loop") is None


def test_reading_what_is_not_a_file(found):
    assert found.read("src") is None
    assert found.read("vendor/lib") is None
    assert found.read("nothing") is None
    assert found.text("nothing") is None


def test_children_and_folders(found):
    assert found.children("src") == ["app", "up"]
    assert found.children("src/app/") == ["main.py", "util.py"]
    assert found.children("sources") == ["app", "up"]
    assert "README.md" in found.children("")
    assert found.children("nothing") == []
    assert found.folders() == {"src", "src/app", "docs", "tests", "tests/app", "vendor"}


def test_search_by_name_and_by_suffix(found):
    assert found.by_name("main.py") == ["src/app/main.py", "tests/app/main.py"]
    assert found.by_name("app") == ["src/app", "tests/app"]
    assert found.by_suffix("app/main.py") == ["src/app/main.py", "tests/app/main.py"]
    assert found.by_suffix("src/app/main.py") == ["src/app/main.py"]
    assert found.by_suffix("pp/main.py") == []
    assert found.by_suffix("") == []


def test_object_ids_are_those_of_git(project, found):
    assert found.blob_id("README.md") == project.git("rev-parse", "HEAD:README.md")
    assert found.blob_id("GUIDE.md") == project.git("rev-parse", "HEAD:GUIDE.md")
    assert found.blob_id("src") is None
    assert found.blob_id("vendor/lib") is None


def test_text_is_made_readable(git_repo):
    git_repo.commit(
        "one",
        {
            "crlf.txt": b"one\r\ntwo\r\n",
            "latin.txt": "café\n".encode("latin-1"),
            "bom.txt": b"\xef\xbb\xbfhello\n",
            "binary.dat": b"\x00\x01",
            "huge.txt": b"x" * (LONGEST_TEXT + 1),
            "empty.txt": b"",
        },
    )

    found = snapshot(open_repository(git_repo.root), "HEAD")

    assert found.text("crlf.txt") == "one\ntwo\n"
    assert found.text("latin.txt") == "caf\ufffd\n"
    assert found.text("bom.txt") == "hello\n"
    assert found.text("empty.txt") == ""
    assert found.text("binary.dat") is None
    assert found.text("huge.txt") is None
    assert found.read("crlf.txt") == b"one\r\ntwo\r\n"


def test_names_that_are_not_utf8_are_left_out(git_repo):
    git_repo.write({"ok.txt": "ok\n"})
    (git_repo.root / os.fsdecode(b"caf\xe9.txt")).write_text("x\n")
    git_repo.commit("one")

    repository = open_repository(git_repo.root)

    assert list(snapshot(repository, "HEAD").files()) == ["ok.txt"]
    assert list(snapshot(repository, WORKTREE).files()) == ["ok.txt"]
    assert repository.tracked() == ["ok.txt"]


def test_a_snapshot_of_an_older_revision(git_repo):
    first = git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.commit("two", {"a.txt": None, "b.txt": "b\n"})

    found = snapshot(open_repository(git_repo.root), "HEAD~1")

    assert found.rev == first
    assert list(found.files()) == ["a.txt"]


def test_a_bare_repository_has_no_working_tree(git_repo, run_git, tmp_path):
    git_repo.commit("one", {"a.txt": "a\n"})
    run_git(tmp_path, "clone", "-q", "--bare", str(git_repo.root), "bare.git")

    repository = open_repository(tmp_path / "bare.git")

    assert snapshot(repository, "HEAD").text("a.txt") == "a\n"
    with pytest.raises(RepositoryError, match="bare"):
        snapshot(repository, WORKTREE)


def test_a_partial_clone_names_the_files_it_misses(git_repo, run_git, tmp_path):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.git("config", "uploadpack.allowFilter", "true")
    run_git(tmp_path, "clone", "-q", "--bare", "--filter=blob:none", f"file://{git_repo.root}", "partial")

    found = snapshot(open_repository(tmp_path / "partial"), "HEAD")

    assert found.kind("a.txt") == "file"
    assert not found.lacking()
    assert [found.text("a.txt"), found.read("a.txt"), found.read_once("a.txt", 10)] == [None] * 3
    assert found.lacks("a.txt")
    assert found.lacking() == ["a.txt"]


def test_a_clone_without_trees_says_so(git_repo, run_git, tmp_path):
    git_repo.commit("one", {"sub/a.txt": "a\n"})
    git_repo.git("config", "uploadpack.allowFilter", "true")
    run_git(tmp_path, "clone", "-q", "--bare", "--filter=tree:0", f"file://{git_repo.root}", "partial")

    with pytest.raises(RepositoryError, match="missing or damaged"):
        snapshot(open_repository(tmp_path / "partial"), "HEAD")


def test_names_that_lead_elsewhere_are_left_out(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    blob = bytes.fromhex(git_repo.git("rev-parse", "HEAD:a.txt"))
    names = (b"..", b".git", b"a.txt", b"up/../../etc")
    tree = subprocess.run(
        ["git", "hash-object", "-t", "tree", "-w", "--literally", "--stdin"],
        cwd=git_repo.root,
        input=b"".join(b"100644 " + name + b"\0" + blob for name in names),
        capture_output=True,
        check=True,
    ).stdout.decode()
    commit = git_repo.git("commit-tree", tree.strip(), "-m", "hostile")

    assert list(snapshot(open_repository(git_repo.root), commit).files()) == ["a.txt"]


def test_a_tree_nested_beyond_reason_does_not_break_the_listing(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    blob = git_repo.git("rev-parse", "HEAD:a.txt")
    entry = f"100644 blob {blob}\ta.txt"
    for _ in range(1200):
        tree = subprocess.run(
            ["git", "mktree"],
            cwd=git_repo.root,
            input=entry + "\n",
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        entry = f"040000 tree {tree}\td"
    commit = git_repo.git("commit-tree", tree, "-m", "deep")

    assert list(snapshot(open_repository(git_repo.root), commit).files()) == []


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("a/b", "a/b"),
        ("./a//b/", "a/b"),
        ("a/../b", "b"),
        (".", ""),
        ("", ""),
        ("..", None),
        ("a/../../b", None),
        ("/a", None),
        ("a\0b", None),
        ("a\ud800", None),
        ("\udcff", None),
        ("ü/é", "ü/é"),
    ],
)
def test_paths_are_brought_into_one_form(path, normal):
    assert normal_path(path) == normal
