"""The evidence for a flag is that of the program which is called with it."""

from __future__ import annotations

from typing import Any

import pytest

from memaudit.audit import Audit
from memaudit.domain import AuditRequest

WORD = "DEPTH = ['full', 'brief']\n"
FLAG = "parser.add_argument('-b', '--brief')\n"
NO_FLAG = "parser.add_argument('-f', '--full')\n"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({"a_depth.py": WORD, "tools/sweep.py": FLAG}, "tools/sweep.py declares --brief"),
        ({"a_depth.py": WORD, "tools/sweep.py": NO_FLAG}, "a_depth.py declares --brief"),
        ({"a_depth.py": WORD, "b.py": FLAG, "tools/sweep.py": NO_FLAG}, "b.py declares --brief"),
        ({"a_other.py": FLAG, "tools/sweep.py": FLAG}, "tools/sweep.py declares --brief"),
    ],
)
def test_the_called_program_goes_first(git_repo: Any, files: dict[str, Any], told: str) -> None:
    git_repo.commit("one", {"CLAUDE.md": "- Run `python tools/sweep.py --brief` often.\n", **files})
    git_repo.commit("two", {"notes.txt": "x\n"})
    ((_, judgement),) = Audit(AuditRequest(git_repo.root, range="HEAD~1..HEAD")).run()
    assert judgement.verdict.value == "held"
    assert told in judgement.why


def test_a_program_that_is_called_like_a_test_declares_flags_too(git_repo: Any) -> None:
    memory = "- Run `python sweep_test.py --brief` often.\n"
    git_repo.commit("one", {"CLAUDE.md": memory, "a_depth.py": WORD, "sweep_test.py": FLAG})
    git_repo.commit("two", {"notes.txt": "x\n"})
    ((_, judgement),) = Audit(AuditRequest(git_repo.root, range="HEAD~1..HEAD")).run()
    assert "sweep_test.py declares --brief" in judgement.why
