"""Memory that cannot be read is told of, and nothing passes because of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

STALE = "# x\n\n- The file `src/old.py` holds it.\n- The port is set.\n"

CASES = {
    "latin-1": (lambda file: file.write_bytes(STALE.encode() + b"\xff\xfe\n"), "is not valid UTF-8"),
    "utf-16": (lambda file: file.write_bytes(STALE.encode("utf-16")), "is UTF-16"),
    "utf-16 without a mark": (
        lambda file: file.write_bytes(STALE.encode("utf-16-be")),
        "is UTF-16 or binary",
    ),
    "too large": (lambda file: file.write_bytes(b"- a is set\n" * 400_000), "is larger than 4 MiB"),
    "carriage returns": (
        lambda file: file.write_bytes(STALE.replace("\n", "\r").encode()),
        "carriage returns",
    ),
    "conflict": (
        lambda file: file.write_text("<<<<<<< HEAD\n- a\n=======\n- b\n>>>>>>> other\n"),
        "holds merge conflict markers",
    ),
    "pipe": (os.mkfifo, "is no regular file"),
    "dangling": (lambda file: file.symlink_to("nowhere.md"), "is a link to nothing"),
    "outside": (lambda file: file.symlink_to("/etc/hostname"), "is a link out of the repository"),
    "folder": (lambda file: file.mkdir(), "is a folder, not a file"),
}


def memaudit(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "memaudit", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        errors="surrogateescape",
        check=False,
    )


@pytest.fixture(params=CASES)
def bad(request: pytest.FixtureRequest, git_repo: Any) -> tuple[Any, str]:
    """A repository whose CLAUDE.md cannot be read, and how that is told."""
    git_repo.commit("one", {"src/old.py": "OLD = 1\n", "src/app.py": "APP = 1\n"})
    git_repo.commit("two", {"src/old.py": None})
    make: Callable[[Path], object]
    make, says = CASES[request.param]
    make(git_repo.root / "CLAUDE.md")
    return git_repo, says


def test_what_could_not_be_read_beside_other_memory_is_a_line_of_warning(bad: tuple[Any, str]) -> None:
    repo, says = bad
    repo.write({"AGENTS.md": "- Code lives in `src/app.py`.\n"})
    run = memaudit("check", "--format", "json", cwd=repo.root)
    assert (run.returncode, len(run.stderr.splitlines())) == (0, 1)
    assert run.stderr.startswith("memaudit: not audited: CLAUDE.md ")
    assert says in run.stderr
    report = json.loads(run.stdout)
    (told,) = [one for store in report["stores"] for one in store["documents"] if one["unread"]]
    assert (told["file"], told["claims"]) == ("CLAUDE.md", 0)
    assert says in told["warnings"][0]
    assert len(report["claims"]) == 1
    assert says in memaudit("stores", cwd=repo.root).stdout
    exported = memaudit("export", "--to", "-", cwd=repo.root)
    assert says in exported.stderr
    assert "src/app.py" in exported.stdout


@pytest.mark.parametrize("how", ["found", "named", "named beside another"])
def test_no_gate_passes_with_nothing_read(bad: tuple[Any, str], how: str) -> None:
    repo, says = bad
    named: tuple[str, ...] = () if how == "found" else ("--store", "CLAUDE.md")
    if how == "named beside another":
        repo.write({"AGENTS.md": "- Code lives in `src/app.py`.\n"})
        named += ("--store", "AGENTS.md")
    run = memaudit("check", *named, cwd=repo.root)
    assert (run.returncode, run.stdout, len(run.stderr.splitlines())) == (2, "", 1)
    if (how, says) != ("named", "is a folder, not a file"):
        assert says in run.stderr or "no such memory file" in run.stderr


@pytest.mark.parametrize("text", ["", "one line\r", "a\rb\n", "caf\u00e9 \0 here\n"])
def test_odd_text_that_can_be_read_is_no_warning(git_repo: Any, text: str) -> None:
    git_repo.commit("one", {"CLAUDE.md": text, "a.py": "A = 1\n"})
    run = memaudit("check", cwd=git_repo.root)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_not_utf_8_is_told_and_stops_nothing(git_repo: Any, tmp_path: Path) -> None:
    git_repo.commit("one", {"CLAUDE.md": STALE, "src/old.py": "OLD = 1\n"})
    git_repo.commit("two", {"src/old.py": None})
    rules = git_repo.root / ".claude" / "rules"
    rules.mkdir(parents=True)
    (rules / os.fsdecode(b"\xff\xfe.md")).write_text(STALE)
    memory = git_repo.root / "memory" / os.fsdecode(b"\xe9")
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text(STALE)
    git_repo.git("add", "-A")
    told = "\\udcff\\udcfe.md has a name that is not UTF-8: rename it"
    for twice in range(2):
        run = memaudit("check", "--range", "HEAD~1..WORKTREE", cwd=git_repo.root)
        assert (run.returncode, told in run.stderr, "CLAUDE.md:3" in run.stdout) == (1, True, True), twice
    for command in (
        ["stores"],
        ["export", "--to", "-"],
        ["export", "--format", "html", "--to", "-"],
        ["log"],
    ):
        run = memaudit(*command, cwd=git_repo.root)
        assert (run.returncode, "report it" in run.stderr) == (0, False), (command, run.stderr)
    outside = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.md"))
    outside.write_text(STALE)
    for store in (os.fsdecode(b".claude/rules/\xff\xfe.md"), str(outside)):
        run = memaudit("check", "--store", store, cwd=git_repo.root)
        assert (run.returncode, "is not UTF-8" in run.stderr, run.stderr.count("\n")) == (2, True, 1)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_repository_whose_own_name_is_not_utf_8_is_audited(make_repo: Any, tmp_path: Path) -> None:
    repo = make_repo(os.fsdecode(b"r\xff"))
    repo.commit("one", {"CLAUDE.md": STALE, "src/old.py": "OLD = 1\n"})
    repo.commit("two", {"src/old.py": None})
    for command in (
        ["check", "--range", "HEAD~1..HEAD", "--fail-on", "never"],
        ["export", "--to", "-"],
        ["log"],
    ):
        run = memaudit(*command, cwd=repo.root)
        assert (run.returncode, run.stderr) == (0, ""), command
