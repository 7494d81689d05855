"""What must not change a verdict does not, on real repositories."""

from __future__ import annotations

from typing import Any

import pytest

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Claim, Judgement, Origin, Verdict

MEMORY = """# Notes

- `fetch_user()` asks the service in `src/api.py`.
- Tokens live 900 seconds (`TOKEN_TTL`).
- Run `make lint` before a commit.
- Requires Python 3.11+.
- Keep functions short.
"""
FILES = {
    "CLAUDE.md": MEMORY,
    "src/api.py": "TOKEN_TTL = 900\n\n\ndef fetch_user(name):\n    return call(name)\n\n\n"
    "def other():\n    return 1\n",
    "src/far.py": "FAR = 1\n",
    "Makefile": "lint:\n\truff check\n",
    "pyproject.toml": "[project]\nname = 'x'\nrequires-python = '>=3.11'\n",
}


def verdicts(repo: Any, range_: str = "HEAD~1..HEAD") -> dict[str, str]:
    audit = Audit(AuditRequest(repo.root, range=range_))
    return {claim.text: judgement.verdict.value for claim, judgement in audit.run()}


@pytest.fixture
def repo(git_repo: Any) -> Any:
    git_repo.commit("start", FILES)
    return git_repo


HELD = {
    "`fetch_user()` asks the service in `src/api.py`.": "held",
    "Tokens live 900 seconds (`TOKEN_TTL`).": "held",
    "Run `make lint` before a commit.": "held",
    "Requires Python 3.11+.": "held",
    "Keep functions short.": "unknown",
}


def test_an_unrelated_change_makes_nothing_stale(repo: Any) -> None:
    repo.commit("far away", {"src/far.py": "FAR = 2\n", "src/new.py": "NEW = 1\n"})
    assert verdicts(repo) == HELD


def test_other_lines_of_the_same_files_change_nothing(repo: Any) -> None:
    repo.commit(
        "near",
        {
            "src/api.py": FILES["src/api.py"].replace("return 1", "return 2") + "\n\nEXTRA = 5\n",
            "Makefile": FILES["Makefile"] + "\ntest:\n\tpytest\n",
            "pyproject.toml": FILES["pyproject.toml"] + "version = '1'\n",
        },
    )
    assert verdicts(repo) == HELD


def test_a_pure_rename_touches_only_the_claim_that_names_it(repo: Any) -> None:
    repo.commit("rename", {"src/api.py": FILES["src/api.py"].replace("fetch_user", "get_user")})
    expected = {**HELD, "`fetch_user()` asks the service in `src/api.py`.": "stale"}
    assert verdicts(repo) == expected


def test_order_and_place_of_claims_do_not_matter(repo: Any) -> None:
    lines = MEMORY.splitlines()
    repo.write({"CLAUDE.md": "# Notes\n\nintro words\n\n" + "\n".join(reversed(lines[2:])) + "\n"})
    repo.commit("shuffled", {"src/api.py": FILES["src/api.py"].replace("= 900", "= 60")})
    found = verdicts(repo)
    assert {text: found[text] for text in HELD} == {**HELD, "Tokens live 900 seconds (`TOKEN_TTL`).": "stale"}


def test_rewording_keeps_the_verdict(repo: Any) -> None:
    reworded = "- The lifetime of tokens is 900 seconds (`TOKEN_TTL`).\n- `TOKEN_TTL` is 15 minutes.\n"
    repo.write({"CLAUDE.md": reworded})
    repo.commit("change", {"src/api.py": FILES["src/api.py"].replace("= 900", "= 60")})
    assert set(verdicts(repo).values()) == {"stale"}


def test_a_reverted_change_is_held_again(repo: Any) -> None:
    repo.commit("break", {"src/api.py": FILES["src/api.py"].replace("= 900", "= 60")})
    repo.commit("mend", {"src/api.py": FILES["src/api.py"]})
    assert verdicts(repo, "HEAD~2..HEAD") == HELD


def test_equal_ends_and_swapped_ends(repo: Any) -> None:
    repo.commit("break", {"src/api.py": FILES["src/api.py"].replace("= 900", "= 60")})
    same = Audit(AuditRequest(repo.root, range="HEAD..HEAD"))
    assert not [
        judgement for _, judgement in same.run() if judgement.origin and judgement.origin.value == "range"
    ]
    assert verdicts(repo, "HEAD..HEAD~1").keys() == HELD.keys()


def test_other_words_for_a_tree_entry_name_another_path(git_repo: Any) -> None:
    tree = "```text\nsrc/\n└── old.py   # start\n```\n"
    git_repo.commit("one", {"CLAUDE.md": tree, "src/old.py": "A = 1\n", "src/keep.py": "B = 1\n"})
    git_repo.commit("two", {"src/old.py": None})
    audit = Audit(AuditRequest(git_repo.root, range="HEAD~1..HEAD"))
    entry = next(claim for claim, judgement in audit.run() if judgement.verdict.value == "stale")
    assert audit.rejudge(entry, "keep.py   # start").verdict.value == "held"


NEWER = """# Notes

- The service is one package: `src/api.py` is all there is.
- It does not use the old `src/far.py`.
- The workspace of `src/far.py` is kept out of `src/api.py`.
"""


def test_what_changed_before_a_claim_was_written_does_not_make_it_stale(repo: Any) -> None:
    repo.commit("drop", {"src/far.py": None, "pyproject.toml": None})
    repo.commit("write it down", {"CLAUDE.md": NEWER + "- Requires Python 3.11+ from `pyproject.toml`.\n"})
    assert not [one for _, one in _judged(repo, "HEAD~2..HEAD") if one.origin is Origin.RANGE]


def test_what_changed_after_a_claim_was_written_in_the_range_makes_it_stale(repo: Any) -> None:
    repo.commit("write it down", {"CLAUDE.md": "# Notes\n\n- Far things are in `src/far.py`.\n"})
    repo.commit("drop", {"src/far.py": None})
    (judgement,) = (judgement for _, judgement in _judged(repo, "HEAD~2..HEAD"))
    assert (judgement.verdict, judgement.origin) == (Verdict.STALE, Origin.RANGE)


def test_a_claim_that_was_only_moved_in_the_range_counts_as_old(repo: Any) -> None:
    repo.commit("say it", {"CLAUDE.md": "# Notes\n\n- Far things are in `src/far.py`.\n"})
    repo.commit("drop", {"src/far.py": None})
    repo.commit("indent", {"CLAUDE.md": "# Notes\n\n- Places\n    - Far things are in `src/far.py`.\n"})
    stale = [
        judgement for _, judgement in _judged(repo, "HEAD~2..HEAD") if judgement.verdict is Verdict.STALE
    ]
    assert [one.origin for one in stale] == [Origin.RANGE]


def _judged(repo: Any, range_: str) -> list[tuple[Claim, Judgement]]:
    return list(Audit(AuditRequest(repo.root, range=range_)).run())
