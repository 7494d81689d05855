"""A repository with one claim, and the trial of the check that the claim carries."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Judgement
from memaudit.oracle.cage import Cage
from memaudit.oracle.checks import find_check
from memaudit.oracle.plan import Plan, plan
from memaudit.oracle.running import Limits
from memaudit.oracle.trial import Trial

SUMS = "def half(n):\n    return (n + 1) // 2\n"
CLAIM = "- Halves are rounded up: `tests/test_sums.py::test_half`.\n"
TEST = "from app.sums import half\n\n\ndef test_half():\n    assert half(3) == 2\n"
_PLUGINS = sorted(entry.name for entry in entry_points(group="pytest11"))
QUICK = "-p no:" + " -p no:".join(_PLUGINS) if _PLUGINS else ""
"""Options that keep pytest from loading plugins that are installed here: they take most of a run's time."""

PROJECT = {
    "pytest.ini": f"[pytest]\naddopts = {QUICK}\n",
    "app/__init__.py": "",
    "app/sums.py": SUMS,
    "tests/test_sums.py": TEST,
    "CLAUDE.md": CLAIM,
}


@dataclass
class Court:
    """Commits two states of a project and tries the claim on ``line`` of its CLAUDE.md."""

    repo: Any
    heard: list[str] = field(default_factory=list)

    def states(self, base: dict[str, Any], head: dict[str, Any]) -> Court:
        self.repo.commit("base", {**PROJECT, **base})
        self.repo.commit("head", head)
        return self

    def planned(self, line: int = 1, head: str = "HEAD") -> tuple[Audit, Any, Plan]:
        audit = Audit(AuditRequest(path=self.repo.root, range=f"HEAD~1..{head}"))
        (claim,) = [one for one in audit.claims if one.line_start <= line <= one.line_end]
        check = find_check(claim, audit.stores[0].documents[0].raw)
        base, after = audit.sides(claim)
        return audit, claim, plan(claim, check, base, after, sys.executable)

    def judge(
        self,
        line: int = 1,
        *,
        head: str = "HEAD",
        limits: Limits | None = None,
        cage: Cage | None = None,
        hidden: bool = True,
    ) -> Judgement:
        trial = self.trial(line, head=head, limits=limits, cage=cage, hidden=hidden)
        try:
            return trial.judge(self.heard.append)
        finally:
            trial.close()

    def trial(
        self,
        line: int = 1,
        *,
        head: str = "HEAD",
        limits: Limits | None = None,
        cage: Cage | None = None,
        hidden: bool = True,
    ) -> Trial:
        audit, claim, planned = self.planned(line, head)
        base, after = audit.sides(claim)
        root = audit.root if hidden else None
        return Trial(claim, planned, base, after, limits=limits or Limits(), hidden=root, cage=cage)


def fingerprint(folder: Path) -> dict[str, str]:
    """Every file below a folder, with what it holds and when it was changed."""
    return {
        str(path.relative_to(folder)): f"{path.lstat().st_mtime_ns} "
        + (hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "")
        for path in sorted(folder.rglob("*"))
    }
