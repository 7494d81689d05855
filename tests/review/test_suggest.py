"""Suggestions: sure only where one reading is left, and never on what may not be edited."""

from __future__ import annotations

from typing import Any

import pytest

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Suggestion
from memaudit.grounding.reference import Replacement
from memaudit.review.edits import rewritten


def suggestion(repo: Any, claim: str, before: dict[str, Any], after: dict[str, Any]) -> Suggestion | None:
    repo.commit("one", {**before, "CLAUDE.md": claim + "\n"})
    repo.commit("two", after)
    audit = Audit(AuditRequest(repo.root, range="HEAD~1..HEAD"))
    return next(judgement.suggestion for _, judgement in audit.run() if judgement.verdict.value == "stale")


@pytest.mark.parametrize(
    ("claim", "before", "after", "tier", "text"),
    [
        ("- Code: `src/a.py`.", {"src/a.py": "def a():\n    return 1\n"}, {"src/a.py": None, "lib/a.py": "def a():\n    return 1\n"}, "apply", "Code: `lib/a.py`."),
        ("- Tokens live 15 minutes (`TTL_SECONDS`).", {"a.py": "TTL_SECONDS = 900\n"}, {"a.py": "TTL_SECONDS = 3600\n"}, "apply", "Tokens live 60 minutes (`TTL_SECONDS`)."),
        ("- Run `make type-check`.", {"Makefile": "type-check:\n\tmypy\n"}, {"Makefile": "typecheck:\n\tmypy\n"}, "apply", "Run `make typecheck`."),
        ("- Use `npm test` to test it.", {"package.json": '{"scripts": {\n"test": "vitest"}}'}, {"package.json": '{"scripts": {\n"check": "vitest"}}'}, "apply", "Use `npm run check` to test it."),
        ("- Needs Node 20.", {"package.json": '{"engines": {"node": ">=20"}}'}, {"package.json": '{"engines": {"node": ">=22"}}'}, "apply", "Needs Node 22."),
        ("- Code: `src/a.py`.", {"src/a.py": "x = 1\n", "b.txt": "b\n"}, {"src/a.py": None}, "ask", None),
        ("- Code: `src/a.py`, tests: `src/t.py`.", {"src/a.py": "x = 1\n", "src/t.py": "t = 2\n"}, {"src/a.py": None}, "ask", None),
        ("- Run `make lint-files`.", {"Makefile": "lint-files:\n\truff\n"}, {"Makefile": "lint-file:\n\tflake8\n"}, "ask", "Run `make lint-file`."),
    ],
    ids=["moved", "value in its unit", "task renamed", "npm test", "version", "gone", "one of two gone", "nearest name"],
)  # fmt: skip
def test_tier_and_text(
    git_repo: Any, claim: str, before: Any, after: Any, tier: str, text: str | None
) -> None:
    found = suggestion(git_repo, claim, before, after)
    assert found is not None
    assert (found.tier.value, found.text) == (tier, text)


def test_generated_regions_are_refused(git_repo: Any) -> None:
    claim = "<!-- BEGIN TOOL RULES -->\n- Code: `src/a.py`.\n<!-- END TOOL RULES -->"
    found = suggestion(git_repo, claim, {"src/a.py": "x = 1\n", "b.py": "y = 1\n"}, {"src/a.py": None})
    assert found is not None
    assert (found.tier.value, found.text) == ("refuse", None)


def test_only_whole_names_are_replaced() -> None:
    assert (
        rewritten("`a.py` and `data.py`", [(Replacement("a.py", "b.py", True), True)])
        == "`b.py` and `data.py`"
    )
    assert rewritten("nothing of it", [(Replacement("a.py", "b.py", True), True)]) is None
    assert rewritten("text", []) is None
