"""Words written in a claim's place are judged by what head has, on real repositories."""

from __future__ import annotations

from typing import Any

import pytest

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Claim, Judgement

MEMORY = """# Desk

- The service listens on port 8080.
- The pages are built with TypeScript 5.2.
- The tests need Python 3.11 or newer.
- There are two reports in `reports/`.
- `LOAN_DAYS` is 14.
- `draw_month` draws the calendar.
- Days of grace are set in `desk/config.py:2`.
- Build with `make dist`.
- There are two rules in `rules/`.
- `lend(book, reader, days)` lends a book.
"""
BASE = {
    "CLAUDE.md": MEMORY,
    "desk/config.py": "PORT = 8080\nLOAN_DAYS = 14\n",
    "desk/calendar.py": "def draw_month(month):\n    return month\n",
    "desk/lending.py": "def lend(book, reader, days):\n    return book, reader, days\n",
    "package.json": '{"devDependencies": {"typescript": "^5.2.0"}}\n',
    "pyproject.toml": "[project]\nname = 'desk'\nrequires-python = '>=3.11'\n",
    "reports/a.py": "A = 1\n",
    **{f"rules/{name}.py": "A = 1\n" for name in ("__init__", "late", "lost")},
    "reports/b.py": "B = 1\n",
    "Makefile": "dist:\n\tbuild\n",
}
HEAD = {
    "desk/config.py": "PORT = 8090\nLOAN_DAYS = 14\n",
    "desk/calendar.py": "def paint_month(month):\n    return month\n",
    "desk/lending.py": "def lend(book, reader_id, *, mark=1):\n    return book, reader_id\n",
    "package.json": '{"devDependencies": {"typescript": "^5.4.0"}}\n',
    "reports/c.py": "C = 1\n",
    "rules/kept.py": "C = 1\n",
    "Makefile": "dist:\n\tbuild --all\n",
}


@pytest.fixture
def audit(git_repo: Any) -> Audit:
    git_repo.commit("start", BASE)
    git_repo.commit("change", HEAD)
    return Audit(AuditRequest(git_repo.root, range="HEAD~1..HEAD"))


def claim(audit: Audit, part: str) -> Claim:
    (found,) = [one for one in audit.claims if part in one.text]
    return found


def judged(audit: Audit, part: str, text: str) -> Judgement:
    return audit.rejudge(claim(audit, part), text)


@pytest.mark.parametrize(
    ("part", "text", "why"),
    [
        ("on port", "The service listens on port 9999.", "PORT = 8090"),
        ("TypeScript", "The pages are built with TypeScript 5.99.", "^5.4.0"),
        ("Python", "The tests need Python 3.19 or newer.", ">=3.11"),
        ("two reports", "There are nine reports in `reports/`.", "3"),
        ("LOAN_DAYS", "`LOAN_DAYS` is 30.", "14"),
        ("draw_month", "`draw_nothing` draws the calendar.", "stands nowhere at head"),
        ("two rules", "There are four rules in `rules/`.", "rules/ holds 3 files at head"),
        ("two rules", "There are 4 rules in `rules/`.", "rules/ holds 3 files at head"),
        ("lends", "`lend(book, reader_id, days)` lends a book.", "lend takes no days"),
        ("lends", "`lend(book, reader_id, colour)` lends a book.", "lend takes no colour"),
        ("grace", "Days of grace are set in `desk/config.py:200`.", "desk/config.py has"),
    ],
)
def test_a_value_that_head_does_not_have_is_contradicted(
    audit: Audit, part: str, text: str, why: str
) -> None:
    judgement = judged(audit, part, text)
    assert judgement.verdict.value == "stale"
    assert why in judgement.why


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("on port", "The service listens on port 8090."),
        ("TypeScript", "The pages are built with TypeScript 5.4."),
        ("TypeScript", "The pages are built with TypeScript."),
        ("two reports", "There are three reports in `reports/`."),
        ("draw_month", "`paint_month` draws the calendar."),
        ("Build", "Build everything with `make dist`."),
        ("two rules", "There are three rules in `rules/`."),
        ("two rules", "There are several rules in `rules/`."),
        ("lends", "`lend(book, reader_id)` lends a book."),
        ("lends", "`lend(book, mark)` lends a book."),
    ],
)
def test_what_head_has_is_held(audit: Audit, part: str, text: str) -> None:
    assert judged(audit, part, text).verdict.value == "held"


@pytest.mark.parametrize(
    ("part", "text"),
    [
        ("on port", "The metrics of the workers are served on port 9999."),
        ("TypeScript", "The pages once began with TypeScript 4.1 in a far corner."),
        ("draw_month", "Calendars are drawn by hand."),
        ("two rules", "There are threez rules in `rules/`."),
        ("lends", "`lend(novel, person)` lends a book."),
    ],
)
def test_words_about_something_else_are_not_called_false(audit: Audit, part: str, text: str) -> None:
    assert judged(audit, part, text).verdict.value == "unknown"


def test_a_value_of_base_is_still_contradicted(audit: Audit) -> None:
    judgement = judged(audit, "on port", "The desk service listens on port 8080.")
    assert judgement.verdict.value == "stale"


def test_the_old_words_get_the_verdict_of_the_audit(audit: Audit) -> None:
    for one, judgement in audit.run():
        again = audit.rejudge(one, one.text)
        assert (again.verdict, again.reason) == (judgement.verdict, judgement.reason)


def test_new_words_were_not_broken_earlier(audit: Audit) -> None:
    assert judged(audit, "LOAN_DAYS", "`LOAN_DAYS` is 30.").origin is None
