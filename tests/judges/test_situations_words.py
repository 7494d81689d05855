"""Situations decided by language, time or place: denial, the past, plans, preferences, other branches."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from quickrepo import Revision, build
from situationkit import HELD, PREFERENCE, Situation, check, rows, stale

from memaudit.audit import Audit
from memaudit.domain import AuditRequest

RELAY = "The mail relay (`jobs/relay.py`) was dropped on purpose; leave it out."
JOBS = {"jobs/run.py": "x = 1\n"}
WIZARD = {"src/sign_up/form.ts": "export const signUpForm = 1\n"}
CHAT = {"src/sign_up/talk.ts": "export const signUpSteps = 9\n"}
MERGE = "Merge pull request #31 from ada/quick-fix"

SITUATIONS = (
    # Absence.
    Situation("fp-documented-removal", RELAY, HELD, JOBS, {"jobs/run.py": "x = 2\n"}),
    Situation(
        "fp-documented-removal/inverse", RELAY, stale("absence-undone"), JOBS, {"jobs/relay.py": "x = 2\n"}
    ),
    Situation("neg-still-absent", "There is no `Vagrantfile`.", HELD),
    Situation(
        "neg-still-absent/inverse",
        "There is no `Vagrantfile`.",
        stale("absence-undone"),
        {},
        {"Vagrantfile": "Vagrant.configure('2')\n"},
    ),
    # The past.
    Situation(
        "fp-legacy-mention",
        "The new reader stands in for the older `/import/csv_reader.py`.",
        HELD,
        {"import/csv_reader.py": "x = 1\n", "import/reader.py": "y = 1\n"},
        {"import/csv_reader.py": None},
    ),
    Situation(
        "fp-legacy-mention/inverse",
        "The new reader is built on `/import/csv_reader.py`.",
        stale("path-gone"),
        {"import/csv_reader.py": "x = 1\n", "import/reader.py": "y = 1\n"},
        {"import/csv_reader.py": None},
    ),
    Situation(
        "fp-history-doc",
        "The bridge stays in `src/bridge/soap.ts`.",
        ("unknown",),
        {"src/bridge/soap.ts": "x\n", "src/a.ts": "y\n"},
        {"src/bridge/soap.ts": None},
        heading="Decision record 2024-06",
    ),
    Situation(
        "fp-history-doc/inverse",
        "The bridge stays in `src/bridge/soap.ts`.",
        stale("path-gone"),
        {"src/bridge/soap.ts": "x\n", "src/a.ts": "y\n"},
        {"src/bridge/soap.ts": None},
        heading="Layout",
    ),
    # Rules for a time.
    Situation(
        "temporary-rule-no-evidence",
        "Leave `billing.py` alone until the move to the new ledger is over.",
        ("unknown",),
        {"billing.py": "a = 1\n"},
        {"billing.py": "a = 2\n"},
    ),
    Situation(
        "temporary-rule-no-evidence/inverse",
        "Leave `billing.py` alone as long as `LEDGER_MOVE` is in it.",
        stale("symbol-gone"),
        {"billing.py": "LEDGER_MOVE = True\nBOOKS = 1\n"},
        {"billing.py": "BOOKS = 1\n"},
    ),
    Situation(
        "pr-state",
        "PR 31 is still open; until then restart the worker by hand.",
        stale("pull-request-merged"),
        {"worker.py": "x = 1\n"},
        {"worker.py": "x = 2\n"},
        message=MERGE,
    ),
    Situation(
        "pr-state/inverse",
        "PR 31 is still open; until then restart the worker by hand.",
        ("unknown",),
        {"worker.py": "x = 1\n"},
        {"worker.py": "x = 2\n"},
        message=MERGE.replace("31", "310"),
    ),
    # Norms.
    Situation(
        "opinion",
        "Short modules are better than long ones.",
        PREFERENCE,
        {f"lib/m{number}.py": "x = 1\n" for number in range(40)},
        {f"lib/m{number}.py": "x = 2\n" for number in range(40)},
    ),
    Situation(
        "opinion/inverse",
        "Short modules, as `lib/tiny.py` is one, are better than long ones.",
        stale("path-gone"),
        {"lib/tiny.py": "x = 1\n", "lib/b.py": "y = 1\n"},
        {"lib/tiny.py": None},
    ),
    Situation("old-preference", "(noted 2019-01-20) She wants answers without a preamble.", PREFERENCE),
    Situation(
        "old-preference/inverse",
        "(noted 2019-01-20) She wants answers checked with `tools/proof.sh`.",
        stale("path-gone"),
        {"tools/proof.sh": "true\n", "tools/b.sh": "true\n"},
        {"tools/proof.sh": None},
    ),
    # Other branches.
    Situation(
        "branch-scoped",
        "Signing up is a talk of 9 steps.",
        PREFERENCE,
        WIZARD,
        {"src/sign_up/form.ts": "export const signUpForm = 2\n"},
        elsewhere={"feature/talk": CHAT},
    ),
    Situation(
        "branch-scoped, naming a file of the other branch",
        "Signing up is a talk of 9 steps, see `src/sign_up/talk.ts`.",
        ("unknown",),
        WIZARD,
        {"src/sign_up/form.ts": "export const signUpForm = 2\n"},
        elsewhere={"feature/talk": CHAT},
    ),
    Situation(
        "branch-scoped/inverse",
        "Signing up is a talk of 9 steps, see `src/sign_up/talk.ts`.",
        stale("path-gone"),
        {**WIZARD, **CHAT},
        {"src/sign_up/talk.ts": None},
    ),
)


@rows(SITUATIONS)
def test_words(tmp_path: Path, situation: Situation) -> None:
    check(tmp_path / "project", situation)


RULE = "Two people look at every change, however small, and `CODEOWNERS` names them."
HERE = "CLAUDE.md"
THERE = "AGENTS.md"


@pytest.mark.parametrize(
    ("after", "verdict"),
    [
        pytest.param({"CODEOWNERS": "* @grace\n"}, "held", id="dup-across-stores"),
        pytest.param({"CODEOWNERS": None}, "stale", id="dup-across-stores/inverse"),
    ],
)
def test_the_same_claim_in_two_stores_gets_the_same_verdict(
    tmp_path: Path, after: dict[str, str | None], verdict: str
) -> None:
    before = {HERE: f"# Rules\n\n- {RULE}\n", THERE: f"# How we work\n\n{RULE}\n", "CODEOWNERS": "* @ada\n"}
    commits = build(tmp_path / "project", [Revision(before), Revision(after)])
    audit = Audit(AuditRequest(tmp_path / "project", range=f"{commits[0]}..{commits[1]}"))
    found = {claim.document: judgement.verdict.value for claim, judgement in audit.run()}
    assert found == {HERE: verdict, THERE: verdict}


@pytest.mark.parametrize(
    ("then", "verdict"),
    [
        pytest.param("BATCH = 250\nPAUSE = 4\n", "held", id="rebase-stamp"),
        pytest.param("BATCH = 300\nPAUSE = 3\n", "stale", id="rebase-stamp/inverse"),
    ],
)
def test_a_stamp_on_a_commit_that_is_gone_decides_nothing(git_repo: Any, then: str, verdict: str) -> None:
    first = git_repo.commit("start", {"README.md": "A project.\n"})
    work = {
        "CLAUDE.md": "# Notes\n\nRows are sent 250 at a time (`BATCH`).\n",
        "send.py": "BATCH = 250\nPAUSE = 3\n",
    }
    stamp = git_repo.commit("send rows", work)
    assert [judgement.verdict.value for _, judgement in Audit(AuditRequest(git_repo.root)).run()] == ["held"]
    git_repo.git("reset", "-q", "--hard", first)
    git_repo.commit("send rows, told in other words", work)
    git_repo.commit("later", {"send.py": then})
    (git_repo.root / ".git" / "ORIG_HEAD").unlink()
    git_repo.git("reflog", "expire", "--expire=now", "--all")
    git_repo.git("prune", "--expire=now")
    assert stamp not in git_repo.git("rev-list", "--all")
    (judgement,) = (judgement for _, judgement in Audit(AuditRequest(git_repo.root)).run())
    assert judgement.verdict.value == verdict, judgement.why
    assert (judgement.origin.value if judgement.origin else None) == ("range" if verdict == "stale" else None)
