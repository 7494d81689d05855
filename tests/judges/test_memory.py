"""An audit asked again is answered from memory, and only if nothing that it depends on has changed."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memaudit import fingerprint
from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Claim, Judgement
from memaudit.judges.memory import FILE
from memaudit.paths import repository_state
from memaudit.review.ledger import Ledger
from memaudit.review.ledger_schema import FILE as LEDGER

MEMORY = """\
# Desk

- Code lives in `src/app.py`.
- A loan lasts 14 days (`LOAN_DAYS`).
- `lend()` refuses members with an open fee.
- Reminders are sent by `src/remind.py`.
- The helper `forgotten_helper()` sorts them.
"""

APP = """\
LOAN_DAYS = 14


def lend(member):
    if member.fee:
        raise ValueError("open fee")
    return member
"""

MARK = "recalled: "

Judged = list[tuple[Claim, Judgement]]


@pytest.fixture
def repo(git_repo: Any) -> Any:
    git_repo.base = git_repo.commit(
        "start", {"CLAUDE.md": MEMORY, "src/app.py": APP, "src/remind.py": "def remind():\n    pass\n"}
    )
    git_repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    git_repo.commit("move", {"src/remind.py": None, "src/mail/remind.py": "def remind():\n    pass\n"})
    git_repo.commit("more", {"README.md": "# Desk\n"})
    return git_repo


def audit(root: Path, **options: Any) -> Judged:
    return list(Audit(AuditRequest(root, **options)).run())


def memory_file(root: Path) -> Path:
    return repository_state(root / ".git") / FILE


def mark(root: Path) -> None:
    """Write before every remembered reason that it was remembered, so that it shows."""
    with sqlite3.connect(memory_file(root)) as database:
        for key, kept in database.execute("SELECT key, value FROM kept").fetchall():
            missing, value = json.loads(kept)
            if isinstance(value, dict):
                for result in value["results"]:
                    result[3] = MARK + result[3]
                database.execute(
                    "UPDATE kept SET value = ? WHERE key = ?", (json.dumps([missing, value]), key)
                )
    database.close()


def is_recalled(judged: Judged) -> bool:
    marked = {judgement.why.startswith(MARK) for _, judgement in judged}
    assert len(marked) == 1, "all of them or none"
    return marked.pop()


def without_memory(root: Path, **options: Any) -> Judged:
    memory_file(root).unlink(missing_ok=True)
    return audit(root, **options)


def span(repo: Any) -> dict[str, str]:
    return {"range": f"{repo.base}..HEAD", "store_at": "HEAD"}


def test_the_same_audit_is_recalled_and_says_the_same(repo: Any) -> None:
    audit(repo.root)  # From then on claims start where the ledger has them.
    for options in ({}, {"range": f"{repo.base}.."}, span(repo)):
        first = without_memory(repo.root, **options)
        assert audit(repo.root, **options) == first
        mark(repo.root)
        assert is_recalled(audit(repo.root, **options))


def test_suggestions_and_evidence_are_recalled_too(repo: Any) -> None:
    first = audit(repo.root, **span(repo))
    assert any(judgement.suggestion for _, judgement in first)
    assert any(evidence.commit for _, judgement in first for evidence in judgement.evidence)
    assert audit(repo.root, **span(repo)) == first


def test_what_is_recalled_loads_nothing_that_judges(repo: Any) -> None:
    code = (
        "import sys; from pathlib import Path; from memaudit.audit import Audit;"
        " from memaudit.domain import AuditRequest;"
        f" list(Audit(AuditRequest(Path({str(repo.root)!r}), range='HEAD~2..')).run());"
        " print('memaudit.grounding.kinds' in sys.modules)"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
        for _ in range(2)
    ]
    assert printed == ["True", "False"]


def edit_a_file(repo: Any) -> None:
    repo.write({"src/app.py": APP})


def add_a_file(repo: Any) -> None:
    repo.write({"src/remind.py": "def remind():\n    pass\n"})


def delete_a_file(repo: Any) -> None:
    repo.write({"src/app.py": None})


def edit_the_memory(repo: Any) -> None:
    repo.write({"CLAUDE.md": MEMORY.replace("14 days", "15 days")})


def edit_another_claim(repo: Any) -> None:
    repo.write({"CLAUDE.md": MEMORY + "- There is no `Dockerfile` here.\n"})


def commit_a_change(repo: Any) -> None:
    repo.commit("back", {"src/app.py": APP})


def commit_nothing(repo: Any) -> None:
    repo.commit("nothing")


def make_a_branch(repo: Any) -> None:
    repo.git("branch", "other", repo.base)


def make_a_tag(repo: Any) -> None:
    repo.git("tag", "v1.0")


def pack_references_after_a_branch(repo: Any) -> None:
    repo.git("branch", "other")
    repo.git("pack-refs", "--all")


def check_another_branch_out(repo: Any) -> None:
    repo.git("checkout", "-q", "-b", "other")


def leave_files_out(repo: Any) -> None:
    repo.write({".gitignore": "src/mail/\n"})


@pytest.mark.parametrize(
    "change",
    [
        edit_a_file,
        add_a_file,
        delete_a_file,
        edit_the_memory,
        edit_another_claim,
        commit_a_change,
        commit_nothing,
        make_a_branch,
        make_a_tag,
        pack_references_after_a_branch,
        check_another_branch_out,
        leave_files_out,
    ],
)
def test_any_change_is_judged_anew(repo: Any, change: Callable[[Any], None]) -> None:
    options = {"range": f"{repo.base}.."}
    audit(repo.root, **options)
    change(repo)
    mark(repo.root)
    judged = audit(repo.root, **options)
    assert not is_recalled(judged)
    assert judged == without_memory(repo.root, **options)


def test_a_verdict_follows_the_working_tree_there_and_back(repo: Any) -> None:
    def verdict() -> str:
        judged = audit(repo.root, range=f"{repo.base}..")
        return next(one.verdict.value for claim, one in judged if "14 days" in claim.text)

    seen = []
    for text in (APP.replace("14", "21"), APP, APP.replace("14", "30"), APP):
        repo.write({"src/app.py": text})
        seen.append(verdict())
    assert seen == ["stale", "held", "stale", "held"]


def test_another_base_or_head_or_store_is_judged_anew(repo: Any) -> None:
    audit(repo.root, **span(repo))
    mark(repo.root)
    assert is_recalled(audit(repo.root, **span(repo)))
    assert not is_recalled(audit(repo.root, range=f"{repo.base}..HEAD~1", store_at="HEAD"))
    assert not is_recalled(audit(repo.root, range=f"{repo.base}~0..HEAD~2", store_at="HEAD"))
    assert not is_recalled(audit(repo.root, range="HEAD~1..HEAD", store_at="HEAD"))
    repo.commit("other words", {"CLAUDE.md": MEMORY.replace("Reminders", "Letters")})
    assert not is_recalled(audit(repo.root, range=f"{repo.base}..HEAD~1", store_at="HEAD"))


def test_the_working_tree_does_not_matter_to_an_audit_of_commits(repo: Any) -> None:
    audit(repo.root, **span(repo))
    mark(repo.root)
    repo.write({"src/app.py": "", "new.py": ""})
    assert is_recalled(audit(repo.root, **span(repo)))


def test_other_code_judges_anew(repo: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    audit(repo.root, **span(repo))
    mark(repo.root)
    monkeypatch.setattr(fingerprint, "PROGRAM", "another")
    assert not is_recalled(audit(repo.root, **span(repo)))


def test_the_program_is_known_by_its_files(tmp_path: Path) -> None:
    """A copy of the package is another program, and a touched file of it yet another."""
    package = Path(fingerprint.__file__).parent
    copy = tmp_path / "memaudit"
    copy.mkdir()
    for name in ("__init__.py", "fingerprint.py"):
        (copy / name).write_bytes((package / name).read_bytes())
    code = "from memaudit import fingerprint; print(fingerprint.PROGRAM, fingerprint.is_as_started())"

    def told() -> list[str]:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
        run = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
        )
        return run.stdout.split()

    first = told()
    assert first == told()
    assert first[0] != fingerprint.PROGRAM
    assert first[1] == "True"
    (copy / "more.py").write_text("")
    assert told() != first


def test_what_changes_during_an_audit_is_not_remembered(repo: Any) -> None:
    options = {"range": f"{repo.base}.."}
    running = Audit(AuditRequest(repo.root, **options)).run()
    next(running)
    repo.write({"src/app.py": APP})
    list(running)
    repo.write({"src/app.py": APP.replace("14", "21")})
    if memory_file(repo.root).exists():
        mark(repo.root)
    assert not is_recalled(audit(repo.root, **options))


def test_an_audit_that_was_given_up_is_not_remembered(repo: Any) -> None:
    running = Audit(AuditRequest(repo.root, **span(repo))).run()
    next(running)
    running.close()  # type: ignore[attr-defined]
    assert not memory_file(repo.root).exists()


def test_an_object_that_came_since_is_looked_at(repo: Any) -> None:
    blob = repo.git("rev-parse", "HEAD:src/app.py")
    loose = repo.root / ".git" / "objects" / blob[:2] / blob[2:]
    aside = repo.root.parent / "aside"
    loose.rename(aside)
    lacking = audit(repo.root, **span(repo))
    mark(repo.root)
    assert is_recalled(audit(repo.root, **span(repo)))
    aside.rename(loose)
    judged = audit(repo.root, **span(repo))
    assert not is_recalled(judged)
    assert judged != lacking


def test_a_deepened_clone_is_judged_anew(repo: Any, tmp_path: Path) -> None:
    root = tmp_path / "shallow"
    repo.git("clone", "-q", "--depth=2", f"file://{repo.root}", str(root))
    options = {"range": "HEAD~1..HEAD"}
    audit(root, **options)
    mark(root)
    assert is_recalled(audit(root, **options))
    repo.git("-C", str(root), "fetch", "-q", "--unshallow")
    judged = audit(root, **options)
    assert not is_recalled(judged)
    assert judged == without_memory(root, **options)


@pytest.mark.parametrize("damage", [b"", b"no database at all, but text", b"SQLite format 3\0" + bytes(4000)])
def test_a_damaged_file_is_begun_anew(repo: Any, damage: bytes) -> None:
    first = audit(repo.root, **span(repo))
    memory_file(repo.root).write_bytes(damage)
    assert audit(repo.root, **span(repo)) == first
    audit(repo.root, **span(repo))
    mark(repo.root)
    assert is_recalled(audit(repo.root, **span(repo)))


@pytest.mark.parametrize(
    "value",
    ["", "null", "[]", "[[], {}]", '[[], {"results": [1, 2, 3, 4, 5], "suggestions": {}}]', "[[1], []]"],
)
def test_rows_of_another_shape_are_no_answer(repo: Any, value: str) -> None:
    first = audit(repo.root, **span(repo))
    with sqlite3.connect(memory_file(repo.root)) as database:
        database.execute("UPDATE kept SET value = ?", (value,))
    database.close()
    assert audit(repo.root, **span(repo)) == first


def test_another_version_of_the_file_is_begun_anew(repo: Any) -> None:
    first = audit(repo.root, **span(repo))
    with sqlite3.connect(memory_file(repo.root)) as database:
        database.execute("PRAGMA user_version = 99")
    database.close()
    assert audit(repo.root, **span(repo)) == first


def test_a_locked_file_is_done_without(repo: Any) -> None:
    first = audit(repo.root, **span(repo))
    mark(repo.root)
    database = sqlite3.connect(memory_file(repo.root), isolation_level=None)
    database.execute("PRAGMA journal_mode = DELETE")
    database.execute("BEGIN EXCLUSIVE")
    assert audit(repo.root, **span(repo)) == first
    database.execute("ROLLBACK")
    database.close()
    assert is_recalled(audit(repo.root, **span(repo)))


def test_the_ledger_is_told_the_same(repo: Any) -> None:
    ledger_file = repository_state(repo.root / ".git") / LEDGER

    def told() -> dict[str, list[tuple[Any, ...]]]:
        with Ledger(ledger_file.parent) as ledger:
            tables = ("facts", "states", "sightings", "claims", "links", "verdicts", "commits")
            return {table: [tuple(row) for row in ledger.query(f"SELECT * FROM {table}")] for table in tables}

    audit(repo.root, **span(repo))
    first = told()
    assert all(first.values())
    ledger_file.unlink()
    assert audit(repo.root, **span(repo))
    assert told() == first
