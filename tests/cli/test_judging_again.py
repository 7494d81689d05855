"""The audit judges a store again as it reads once its files are written."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Verdict
from memaudit.wire import claim_from_wire

MEMORY = """\
# Notes

- Code is in `src/a.py`.
- Its limit is set by `LIMIT` in `src/a.py`.
- These notes are in `docs/NOTES.md` too.
"""


@pytest.fixture
def repo(git_repo: Any) -> Any:
    git_repo.commit("one", {"CLAUDE.md": MEMORY, "src/a.py": "LIMIT = 1\n", "docs/NOTES.md": "x\n"})
    git_repo.commit("two", {"src/b.py": "B = 1\n"})
    return git_repo


def opened(repo: Any, **options: Any) -> Audit:
    return Audit(AuditRequest(path=repo.root, range="HEAD~1..", **options))


def verdicts(judged: Any) -> dict[str, str]:
    return {claim.text: judgement.verdict.value for claim, judgement in judged}


def test_the_same_files_get_the_same_verdicts(repo: Any) -> None:
    audit = opened(repo)
    first = verdicts(audit.run())
    assert set(first.values()) == {"held"}
    assert verdicts(audit.judge_again({})) == first
    assert verdicts(audit.judge_again({"CLAUDE.md": MEMORY.encode()})) == first


def test_other_bytes_are_read_anew(repo: Any) -> None:
    audit = opened(repo)
    list(audit.run())
    after = MEMORY.replace("- Code is in `src/a.py`.\n", "").replace("by `LIMIT` in `src/a", "in `src/gone")
    found = verdicts(audit.judge_again({"CLAUDE.md": after.encode()}))
    assert len(found) == 2
    assert found["These notes are in `docs/NOTES.md` too."] == "held"
    assert found["Its limit is set in `src/gone.py`."] != "held"


def test_what_changed_in_the_code_meanwhile_is_not_laid_at_the_save(repo: Any) -> None:
    audit = opened(repo)
    list(audit.run())
    (repo.root / "src" / "a.py").unlink()
    repo.commit("three", {"src/b.py": None})
    assert set(verdicts(audit.judge_again({"CLAUDE.md": MEMORY.encode()})).values()) == {"held"}


def test_bytes_that_are_no_text_have_no_claims(repo: Any) -> None:
    audit = opened(repo)
    list(audit.run())
    assert audit.judge_again({"CLAUDE.md": b"\xff\xfe- no\n"}) == []


def test_a_store_outside_the_repository_is_judged_again_too(repo: Any, tmp_path: Path) -> None:
    outside = tmp_path / "memory.md"
    outside.write_text(MEMORY)
    audit = opened(repo, stores=(str(outside),))
    first = verdicts(audit.run())
    path = audit.stores[0].documents[0].path
    assert verdicts(audit.judge_again({path: MEMORY.encode()})) == first


def test_the_audit_process_answers_it(repo: Any) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "memaudit.worker"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin
    assert process.stdout
    requests = [
        {"do": "audit", "path": str(repo.root), "range": "HEAD~1.."},
        {"do": "again", "token": 7, "files": {"CLAUDE.md": base64.b64encode(MEMORY.encode()).decode()}},
    ]
    process.stdin.write("".join(json.dumps(one) + "\n" for one in requests))
    process.stdin.flush()
    answer = next(event for line in process.stdout if (event := json.loads(line))["event"] == "again")
    process.stdin.close()
    process.stdout.read()
    assert process.wait() == 0
    assert answer["token"] == 7
    assert [claim_from_wire(item["claim"]).line_start for item in answer["judged"]] == [3, 4, 5]
    assert {Verdict(item["verdict"]) for item in answer["judged"]} == {Verdict.HELD}
