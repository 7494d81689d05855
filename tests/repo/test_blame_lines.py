"""Which commit wrote each line."""

from __future__ import annotations

import random

from memaudit.domain import WORKTREE, Range
from memaudit.repo.history import History
from memaudit.repo.repository import open_repository


def authors(root, path: str, rev: str = "HEAD") -> list[str]:
    """The commit of each line of a file."""
    repository = open_repository(root)
    head = repository.resolve("HEAD")
    return History(repository, Range(head, head, "test")).line_authors(path, rev)


def git_blame(repo, path: str) -> list[str]:
    """The same from git."""
    porcelain = repo.git("blame", "--line-porcelain", "HEAD", "--", path).splitlines()
    fresh = [line for line in porcelain if not line.startswith("\t")]
    return [line.split()[0] for line in fresh if len(line.split()[0]) == 40 and len(line.split()) >= 3]


def test_lines_keep_their_commits_while_others_come_and_go(git_repo):
    first = git_repo.commit("one", {"M.md": "- a\n- b\n- c\n"})
    second = git_repo.commit("two", {"M.md": "- a\n- new\n- b\n- c\n"})
    third = git_repo.commit("three", {"M.md": "- a\n- new\n- b\n- changed\nlast"})

    assert authors(git_repo.root, "M.md") == [first, second, first, third, third]
    assert authors(git_repo.root, "M.md", second) == [first, second, first, first]


def test_a_line_that_only_got_its_full_stop_was_written_when_its_words_were(git_repo):
    first = git_repo.commit("one", {"M.md": "- a\n- b\n- c \n"})
    second = git_repo.commit("two", {"M.md": "- a.\n- b or d\n- c;\n"})

    assert authors(git_repo.root, "M.md") == [first, second, first]

    (git_repo.root / "M.md").write_bytes(b"- a!\n- b or e\n- new\n- c\r\n")
    assert authors(git_repo.root, "M.md", WORKTREE) == [first, second, second, first]


def test_lines_from_two_branches(git_repo):
    base = git_repo.commit("base", {"M.md": "- a\n- b\n- c\n- d\n- e\n"})
    git_repo.git("checkout", "-q", "-b", "side")
    side = git_repo.commit("side", {"M.md": "- side\n- b\n- c\n- d\n- e\n"})
    git_repo.git("checkout", "-q", "main")
    main = git_repo.commit("main", {"M.md": "- a\n- b\n- c\n- d\n- main\n"})
    git_repo.git("merge", "-q", "--no-edit", "side")

    assert authors(git_repo.root, "M.md") == [side, base, base, base, main]


def test_a_renamed_file_keeps_its_lines(git_repo):
    first = git_repo.commit("one", {"CLAUDE.md": "".join(f"- line {number}\n" for number in range(9))})
    git_repo.git("mv", "CLAUDE.md", "AGENTS.md")
    second = git_repo.commit("two", {})
    third = git_repo.commit(
        "three", {"AGENTS.md": None, "docs/AGENTS.md": "".join(f"- line {n}\n" for n in range(8)) + "- new\n"}
    )

    assert second not in authors(git_repo.root, "docs/AGENTS.md")
    assert authors(git_repo.root, "docs/AGENTS.md") == [first] * 8 + [third]


def test_lines_that_are_not_committed_count_as_heads(git_repo):
    first = git_repo.commit("one", {"M.md": "- a\n- b\n"})
    head = git_repo.commit("two", {"x.txt": "x\n"})
    git_repo.write({"M.md": "- a\n- mine\n- b\n", "new.md": "- n\n"})

    assert authors(git_repo.root, "M.md", WORKTREE) == [first, head, first]
    assert authors(git_repo.root, "new.md", WORKTREE) == [head]


def test_a_working_tree_with_other_line_ends(git_repo):
    first = git_repo.commit("one", {"M.md": "- a\n- b\n"})
    head = git_repo.commit("two", {"x.txt": "x\n"})
    git_repo.write({"M.md": b"- a\r\n- b\r\n- c\r\n"})

    assert authors(git_repo.root, "M.md", WORKTREE) == [first, first, head]


def test_files_that_are_not_there(git_repo):
    git_repo.commit("one", {"dir/a.md": "- a\n", "empty.md": ""})

    assert authors(git_repo.root, "nothing.md") == []
    assert authors(git_repo.root, "dir") == []
    assert authors(git_repo.root, "empty.md") == []
    assert authors(git_repo.root, "nothing.md", WORKTREE) == []
    assert authors(git_repo.root, "", WORKTREE) == []


def test_a_shallow_history_blames_its_oldest_commit(git_repo, run_git, tmp_path):
    for number in range(4):
        git_repo.commit(f"{number}", {"M.md": "".join(f"- {line}\n" for line in range(number + 1))})
    run_git(tmp_path, "clone", "-q", "--depth=2", f"file://{git_repo.root}", "shallow")
    root = tmp_path / "shallow"
    ids = run_git(root, "rev-list", "HEAD").split()

    assert authors(root, "M.md") == [ids[1]] * 3 + [ids[0]]


def test_the_same_answer_as_git_over_many_edits(git_repo):
    chance = random.Random(7)
    lines = [f"- statement number {number}\n" for number in range(20)]
    git_repo.commit("start", {"M.md": "".join(lines)})
    for step in range(40):
        place = chance.randrange(len(lines))
        match chance.randrange(3):
            case 0:
                lines.insert(place, f"- added in step {step}\n")
            case 1:
                lines[place] = f"- reworded in step {step}\n"
            case _:
                del lines[place]
        git_repo.commit(f"step {step}", {"M.md": "".join(lines)})

    assert authors(git_repo.root, "M.md") == git_blame(git_repo, "M.md")
