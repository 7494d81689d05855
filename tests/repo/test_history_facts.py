"""The commit that ended what held of a file: in the range, before it, and through moves."""

from __future__ import annotations

import pytest

from memaudit.domain import Range
from memaudit.grounding.causes import defines, has_lines_at, has_word, in_manifest
from memaudit.repo.history import History
from memaudit.repo.repository import open_repository


def history(repo, base: str, head: str = "HEAD") -> History:
    """The history of a range of commits."""
    repository = open_repository(repo.root)
    return History(repository, Range(repository.resolve(base), repository.resolve(head), "test"))


def sha(commit) -> str | None:
    """The id of a commit that was named, None where none was."""
    return commit.sha if commit else None


def test_a_definition_ends_where_it_goes_and_not_where_its_last_mention_does(git_repo):
    git_repo.commit("start", {"a.py": "# load_all is old\ndef load_all():\n    pass\n"})
    git_repo.commit("new parameter", {"a.py": "# load_all is old\ndef load_all(x):\n    pass\n"})
    ended = git_repo.commit("drop it", {"a.py": "# load_all is old\nx = 1\n"})
    mention = git_repo.commit("drop the comment", {"a.py": "x = 1\n"})

    found = history(git_repo, "HEAD~3")

    assert sha(found.broken_at("a.py", defines("load_all", "a.py"))) == ended
    assert sha(found.broken_at("a.py", has_word("load_all"))) == mention
    assert found.broken_at("a.py", has_word("load_some")) is None
    assert found.broken_at("none.py", has_word("load_all")) is None
    assert found.broken_at("", has_word("load_all")) is None


def test_a_dependency_ends_with_the_drop_and_not_with_an_upgrade(git_repo):
    def manifest(spec: str | None) -> str:
        deps = f'"left-hand": "{spec}"' if spec else '"other": "1"'
        return '{"dependencies": {' + deps + '}, "left-hand": {"a": 1}}'

    git_repo.commit("start", {"package.json": manifest("1.0")})
    git_repo.commit("upgrade", {"package.json": manifest("2.0")})
    ended = git_repo.commit("drop", {"package.json": manifest(None)})
    git_repo.commit("drop its settings", {"package.json": '{"dependencies": {"other": "1"}}'})
    told = in_manifest("package.json", "left-hand", lambda item: "left-hand" in item.dependencies)

    assert sha(history(git_repo, "HEAD~3").broken_at("package.json", told)) == ended


def test_what_came_back_and_went_again_ended_the_last_time(git_repo):
    git_repo.commit("start", {"a.ini": "port=1\n"})
    git_repo.commit("out", {"a.ini": "host=x\n"})
    git_repo.commit("in", {"a.ini": "port=1\n"})
    ended = git_repo.commit("out again", {"a.ini": "host=x\n"})

    assert sha(history(git_repo, "HEAD~3").broken_at("a.ini", has_word("port"))) == ended


def test_a_move_is_followed_only_when_asked(git_repo):
    body = "def work():\n    return 1\n"
    git_repo.commit("start", {"old.py": body, "b.py": "b = 1\n", "notes.md": "x\n"})
    moved = git_repo.commit("move", {"old.py": None, "pkg/new.py": body, "notes.md": "def work():\n"})
    merged = git_repo.commit("into b", {"pkg/new.py": None, "b.py": "b = 1\n" + body})
    ended = git_repo.commit("drop", {"b.py": "b = 1\n"})

    found = history(git_repo, "HEAD~3")

    assert sha(found.broken_at("old.py", defines("work", "a.py"), follow=True)) == ended
    assert sha(found.broken_at("old.py", defines("work", "a.py"))) == moved
    assert sha(found.broken_at("pkg/new.py", defines("work", "a.py"))) == merged
    still = history(git_repo, "HEAD~3", "HEAD~2")
    assert sha(still.broken_at("old.py", defines("work", "a.py"), follow=True)) == moved


@pytest.mark.parametrize("squashed", [True, False], ids=["squashed", "merged"])
def test_the_inner_commit_of_a_merge_is_named(git_repo, squashed):
    git_repo.commit("start", {"a.ini": "port=1\n", "b.ini": "x\n"})
    git_repo.git("checkout", "-q", "-b", "side")
    inner = git_repo.commit("drop the port", {"a.ini": "host=x\n"})
    git_repo.commit("more", {"c.ini": "c\n"})
    git_repo.git("checkout", "-q", "main")
    git_repo.commit("meanwhile", {"b.ini": "y\n"})
    if squashed:
        git_repo.git("merge", "-q", "--squash", "side")
        inner = git_repo.commit("all of it (#7)")
    else:
        git_repo.git("merge", "-q", "--no-ff", "-m", "Merge branch 'side'", "side")

    assert sha(history(git_repo, "HEAD~2").broken_at("a.ini", has_word("port"))) == inner


def test_a_cited_line_ends_where_it_moves(git_repo):
    git_repo.commit("start", {"a.toml": "[one]\nx = 1\n[two]\ny = 2\n"})
    git_repo.commit("same place", {"a.toml": "[one]\nx = 9\n[two]\ny = 2\n"})
    moved = git_repo.commit("a line more", {"a.toml": "[one]\nx = 9\nz = 3\n[two]\ny = 2\n"})
    git_repo.commit("later", {"a.toml": "[one]\nx = 8\nz = 3\n[two]\ny = 2\n"})

    assert sha(history(git_repo, "HEAD~3").broken_at("a.toml", has_lines_at(3, "[two]"))) == moved


def test_before_the_range_in_a_file_and_below_a_folder(git_repo):
    git_repo.commit(
        "start", {"src/a.py": "def old_name():\n    pass\n", "src/deep/b.py": "def deeper():\n    pass\n"}
    )
    ended = git_repo.commit("rename", {"src/a.py": "def new_name():\n    pass\n"})
    deep = git_repo.commit("drop", {"src/deep/b.py": "x = 1\n"})
    git_repo.commit("base", {"c.txt": "c\n"})
    git_repo.commit("head", {"c.txt": "d\n"})

    found = history(git_repo, "HEAD~1")

    assert sha(found.origin_of("src/a.py", has_word("old_name"))) == ended
    assert sha(found.origin_of("src", has_word("old_name"))) == ended
    assert sha(found.origin_of("src", has_word("deeper"))) == deep
    assert found.origin_of("src/a.py", has_word("new_name")) is None, "it still holds"
    assert found.origin_of("src", has_word("never")) is None
    assert found.origin_of("", has_word("old_name")) is None


def test_a_fact_that_held_for_one_commit_only_is_found(git_repo):
    git_repo.commit("start", {"a.ini": "x\n"})
    git_repo.commit("in", {"a.ini": "port\n"})
    ended = git_repo.commit("out", {"a.ini": "x\n"})
    for number in range(20):
        git_repo.commit(f"later {number}", {"b.txt": f"{number}\n"})

    assert sha(history(git_repo, "HEAD").origin_of("a.ini", has_word("port"))) == ended


def test_the_text_around_a_commit(git_repo):
    first = git_repo.commit("start", {"a.txt": "one\n"})
    second = git_repo.commit("change", {"a.txt": "two\n"})
    gone = git_repo.commit("delete", {"a.txt": None, "b.txt": "b\n"})

    found = history(git_repo, "HEAD")

    assert found.around(first, "a.txt") == (None, "one\n")
    assert found.around(second, "a.txt") == ("one\n", "two\n")
    assert found.around(gone, "a.txt") == ("two\n", None)
