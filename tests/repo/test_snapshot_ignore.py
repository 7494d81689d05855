"""Which paths a snapshot's own ignore files leave out: the same answers as git's."""

from __future__ import annotations

import subprocess

import pytest

from memaudit.domain import WORKTREE
from memaudit.repo.ignore import IgnoreRules
from memaudit.repo.repository import open_repository
from memaudit.repo.snapshot import snapshot

RULES = {
    ".gitignore": (
        "# comment\n*.log\n!keep.log\n/only-top\nbuild/\n**/cache/\ndocs/**/*.tmp\nsp\\ ace\n"
        "a?c.txt\n[0-9].num\ntrail   \n\\#hash\n\\!bang\nfoo/*\n!foo/bar/\nnode_modules\n"
    ),
    "sub/.gitignore": "!*.log\n/anchored\nlocal/\n",
    "sub/deep/.gitignore": "*\n!.gitignore\n!kept.txt\n",
}
PATHS = [
    "x.log",
    "keep.log",
    "a/b/x.log",
    "only-top",
    "a/only-top",
    "build/out.o",
    "a/build/out.o",
    "builds",
    "cache/x",
    "a/b/cache/x",
    "docs/a.tmp",
    "docs/a/b/c.tmp",
    "docs/a.md",
    "sp ace",
    "abc.txt",
    "abbc.txt",
    "1.num",
    "12.num",
    "trail",
    "#hash",
    "!bang",
    "foo/x",
    "foo/bar/x",
    "foo/bar/x.log",
    "foo/baz/x",
    "node_modules/pkg/index.js",
    "web/node_modules/pkg/index.js",
    "sub/x.log",
    "sub/anchored",
    "sub/a/anchored",
    "sub/local/x",
    "sub/deep/other.txt",
    "sub/deep/kept.txt",
    "sub/deep/er/kept.txt",
    "README.md",
]


@pytest.fixture
def project(git_repo):
    """A repository with nested ignore files and a file at every path."""
    git_repo.write(RULES)
    git_repo.git("add", "-f", *RULES)
    git_repo.git("commit", "-q", "-m", "rules")
    git_repo.write(dict.fromkeys(PATHS, "x\n"))
    return git_repo


def ignored_by_git(repo) -> set[str]:
    """The paths that git says are ignored."""
    done = subprocess.run(
        ["git", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=repo.root,
        input="\0".join(PATHS).encode(),
        capture_output=True,
        check=False,
    )
    return set(filter(None, done.stdout.decode().split("\0")))


@pytest.mark.parametrize("rev", ["HEAD", WORKTREE])
def test_the_same_answers_as_git(project, rev):
    found = snapshot(open_repository(project.root), rev)
    rules = IgnoreRules(lambda folder: found.text(f"{folder}/.gitignore" if folder else ".gitignore"))

    assert {path for path in PATHS if rules.ignored(path, is_folder=False)} == ignored_by_git(project)


def test_a_path_that_is_not_there_may_be_meant_as_a_folder(project):
    found = snapshot(open_repository(project.root), "HEAD")

    assert found.ignored("build")
    assert found.ignored("build/")
    assert found.ignored("./a/build/x/y")
    assert not found.ignored("src")
    assert not found.ignored("")


def test_files_only_rules_of_the_revision_count(git_repo):
    git_repo.commit("one", {"a.txt": "a\n"})
    git_repo.commit("two", {".gitignore": "*.log\n"})
    repository = open_repository(git_repo.root)

    assert snapshot(repository, "HEAD").ignored("x.log")
    assert not snapshot(repository, "HEAD~1").ignored("x.log")


def test_names_are_told_apart_by_case_on_every_machine(git_repo):
    git_repo.commit("one", {".gitignore": "Build/\n"})
    git_repo.git("config", "core.ignoreCase", "true")

    found = snapshot(open_repository(git_repo.root), "HEAD")

    assert found.ignored("Build/x")
    assert not found.ignored("build/x")


def test_rules_that_are_no_patterns_do_no_harm():
    hostile = "a" * 20 + "*a" * 40
    rules = IgnoreRules(lambda folder: f"!\n[\n///\n**\\\n{hostile}\n*.log\n\x00\n" if not folder else None)

    assert rules.ignored("x.log", is_folder=False)
    assert not rules.ignored("a" * 200 + "b", is_folder=False)
