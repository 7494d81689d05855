"""What audits write to the ledger, and where the next audit starts each claim."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, Claim, DecisionKind, Judgement
from memaudit.grounding.kinds import KINDS
from memaudit.paths import repository_state
from memaudit.review.ledger import Ledger
from memaudit.review.ledger_facts import RELATIONS
from memaudit.review.ledger_read import ClaimHistory, LedgerReader
from memaudit.review.ledger_schema import FILE
from memaudit.review.ledger_starts import MOST_STAMPS
from memaudit.review.session import Review, open_review

MEMORY = """\
# Desk

- Code lives in `src/app.py`.
- A loan lasts 14 days (`LOAN_DAYS`).
- `lend()` refuses members with an open fee.
"""

APP = """\
LOAN_DAYS = 14


def lend(member):
    if member.fee:
        raise ValueError("open fee")
    return member
"""


@dataclass
class Run:
    """One complete audit."""

    audit: Audit
    judged: list[tuple[Claim, Judgement]]

    def verdicts(self) -> dict[str, tuple[str, str, str | None]]:
        return {
            claim.text: (one.verdict.value, one.reason, one.origin.value if one.origin else None)
            for claim, one in self.judged
        }

    def of(self, words: str) -> str:
        return next(found[0] for text, found in self.verdicts().items() if words in text)

    def claim(self, words: str) -> Claim:
        return next(claim for claim, _ in self.judged if words in claim.text)

    def start(self, words: str) -> str:
        """The commit that a claim was judged from, as the ledger has it."""
        with ledger(self.audit) as opened:
            ((base,),) = opened.query(
                "SELECT b.sha FROM verdicts v JOIN claims c ON c.id = v.claim JOIN commits b ON b.id = v.base"
                " WHERE c.claim = ? ORDER BY v.audit DESC LIMIT 1",
                (self.claim(words).id,),
            )
        return str(base)


def run(root: Path, **options: Any) -> Run:
    audit = Audit(AuditRequest(path=root, **options))
    found = Run(audit, list(audit.run()))
    assert audit.warnings == []
    return found


def ledger(audit: Audit) -> Ledger:
    return Ledger(repository_state(audit.repository.common_dir))


def told(audit: Audit, words: str, rev: str = "HEAD") -> ClaimHistory:
    """The history of the one remembered claim with these words."""
    with ledger(audit) as opened:
        reader = LedgerReader(opened, audit.repository, rev)
        (claim,) = [one for one in reader.claims if words in one.text]
        return reader.claim(claim.id)


def valid(audit: Audit, rev: str) -> dict[tuple[str, str], str | None]:
    with ledger(audit) as opened:
        rows = LedgerReader(opened, audit.repository, rev).valid()
    return {(row.key.subject, row.key.relation): row.state.object for row in rows}


def review(audit: Audit) -> Review:
    return open_review(audit.stores, audit.root, audit.repository.common_dir, audit.range)


def accept(found: Run, words: str) -> None:
    one = review(found.audit)
    one.decide([one.decision(found.claim(words).id, DecisionKind.ACCEPT)])
    report = one.save()
    assert not report.failed and not report.conflicts
    one.close()


@pytest.fixture
def repo(git_repo: Any) -> Any:
    """A repository whose three claims hold."""
    git_repo.first = git_repo.commit("start", {"CLAUDE.md": MEMORY, "src/app.py": APP})
    return git_repo


def test_every_kind_of_reference_has_a_relation() -> None:
    assert {kind.name for kind in KINDS} <= RELATIONS.keys()


def test_every_relation_is_in_the_documentation() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ledger.md").read_text()
    assert [one.word for one in RELATIONS.values() if one.word not in page] == []


def test_a_changed_value_has_two_rows_that_meet_at_the_commit(repo: Any) -> None:
    changed = repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    repo.commit("later", {"README.md": "x\n"})
    found = run(repo.root)
    assert found.of("14 days") == "stale"
    history = told(found.audit, "14 days")
    assert history.since == changed
    (fact,) = [fact for fact in history.facts if fact.deciding]
    old, new = fact.rows
    assert (old.state.object, old.since.commit, old.state.path, old.state.line) == (
        "14",
        repo.first,
        "src/app.py",
        1,
    )
    assert (new.state.object, new.until) == ("21", None)
    assert old.until == new.since
    assert (new.since.commit, new.since.exact) == (changed, True)
    key = ("LOAN_DAYS in src/app.py", "value is")
    assert [valid(found.audit, rev)[key] for rev in (repo.first, changed, "HEAD")] == ["14", "21", "21"]


def test_of_two_changes_in_a_range_the_new_value_begins_no_earlier_than_seen(repo: Any) -> None:
    ended = repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    last = repo.commit("a month", {"src/app.py": APP.replace("14", "30")})
    found = run(repo.root)
    (fact,) = [fact for fact in told(found.audit, "14 days").facts if fact.deciding]
    assert [row.state.object for row in fact.rows] == ["14", "30"]
    assert (fact.rows[0].until.commit, fact.rows[0].until.exact) == (ended, True)
    assert (fact.rows[1].since.commit, fact.rows[1].since.exact) == (last, False)
    assert ("LOAN_DAYS in src/app.py", "value is") not in valid(found.audit, ended)


def test_audits_of_older_heads_and_of_a_reverted_change_fit_in(repo: Any) -> None:
    changed = repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    back = repo.commit("two weeks again", {"src/app.py": APP})
    key = ("LOAN_DAYS in src/app.py", "value is")
    assert run(repo.root, range=f"{repo.first}..{back}").of("14 days") == "held"
    found = run(repo.root, range=f"{repo.first}..{changed}")
    assert found.of("14 days") == "stale"
    assert [valid(found.audit, rev)[key] for rev in (repo.first, changed, back)] == ["14", "21", "14"]


def test_branches_are_kept_apart(repo: Any) -> None:
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("a month", {"src/app.py": APP.replace("14", "30")})
    run(repo.root)
    repo.git("checkout", "-q", "main")
    main = repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    found = run(repo.root)
    key = ("LOAN_DAYS in src/app.py", "value is")
    assert [valid(found.audit, rev)[key] for rev in (repo.first, side, main)] == ["14", "30", "21"]


def test_two_runs_give_the_same_and_the_second_starts_where_the_first_ended(repo: Any) -> None:
    repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    head = repo.commit("later", {"README.md": "x\n"})
    one, two, three = (run(repo.root) for _ in range(3))
    assert one.verdicts() == two.verdicts() == three.verdicts()
    assert one.audit.range.chosen_by == "for each claim, since its line was written"
    assert "last known to be true (2 of 3), else" in two.audit.range.chosen_by
    assert (two.start("Code lives"), two.start("14 days")) == (head, repo.first)


def test_a_stale_claim_stays_stale_whatever_comes_after(repo: Any) -> None:
    run(repo.root)
    before = repo.commit("nothing", {"README.md": "x\n"})
    assert run(repo.root).of("14 days") == "held"
    repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    for number in range(3):
        found = run(repo.root)
        assert found.verdicts()["A loan lasts 14 days (`LOAN_DAYS`)."] == ("stale", "value-changed", "range")
        assert found.start("14 days") == before
        repo.commit(f"work {number}", {"README.md": f"{number}\n"})


def test_losing_the_ledger_loses_no_verdict(repo: Any) -> None:
    run(repo.root)
    repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    run(repo.root)
    repo.commit("gone", {"src/app.py": None, "src/main.py": APP.replace("14", "21")})
    with_ledger = run(repo.root)
    (repository_state(repo.root / ".git") / FILE).unlink()
    without = run(repo.root)
    assert {text: found[0] for text, found in with_ledger.verdicts().items()} == {
        text: found[0] for text, found in without.verdicts().items()
    }
    assert "stale" in {found[0] for found in without.verdicts().values()}


def test_what_a_person_accepted_is_not_asked_again(repo: Any) -> None:
    repo.commit("another way", {"src/app.py": APP.replace("open fee", "unpaid")})
    found = run(repo.root)
    assert found.of("lend()") == "unknown"
    accept(found, "lend()")
    later = repo.commit("nothing", {"README.md": "x\n"})
    assert run(repo.root).of("lend()") == "held"
    repo.commit("no fees", {"src/app.py": APP.replace("member.fee", "member.debt")})
    again = run(repo.root)
    assert (again.of("lend()"), again.start("lend()")) == ("unknown", repo.first)
    assert later != repo.first


def test_a_stale_claim_that_was_accepted_is_stale_only_by_something_new(repo: Any) -> None:
    repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    found = run(repo.root)
    assert found.of("14 days") == "stale"
    accept(found, "14 days")
    for number in range(2):
        repo.commit(f"work {number}", {"README.md": f"{number}\n"})
        again = run(repo.root)
        text = "A loan lasts 14 days (`LOAN_DAYS`)."
        assert again.verdicts()[text] == ("held", "accepted", None)
    history = told(again.audit, "14 days")
    assert [decision.kind for decision in history.decisions] == ["accept"]


def test_what_was_accepted_after_a_pull_is_not_red_again_but_an_asked_range_is_judged_as_asked(
    repo: Any,
) -> None:
    repo.git("update-ref", "ORIG_HEAD", repo.first)
    pulled = repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    found = run(repo.root)
    assert found.audit.range.base == repo.first
    assert found.of("14 days") == "stale"
    accept(found, "14 days")
    assert run(repo.root).of("14 days") == "held"
    assert run(repo.root, range=f"{repo.first}..{pulled}").of("14 days") == "stale"
    repo.commit("four weeks", {"src/app.py": APP.replace("14", "28")})
    assert run(repo.root, since=repo.first).of("14 days") == "stale"


def test_a_path_that_was_accepted_is_held_though_another_branch_explains_it(repo: Any) -> None:
    repo.commit(
        "more memory", {"CLAUDE.md": MEMORY + "- `lib/old.py` has the rest.\n", "lib/old.py": "x = 1\n"}
    )
    repo.git("branch", "kept")
    repo.git("update-ref", "ORIG_HEAD", "HEAD")
    repo.git("rm", "-q", "lib/old.py")
    repo.git("commit", "-q", "-m", "tidy")
    found = run(repo.root)
    assert found.of("lib/old.py") == "stale"
    accept(found, "lib/old.py")
    assert run(repo.root).of("lib/old.py") == "held"


def test_an_acceptance_taken_back_does_not_count(repo: Any) -> None:
    repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    found = run(repo.root)
    one = review(found.audit)
    one.decide([one.decision(found.claim("14 days").id, DecisionKind.ACCEPT)])
    one.save()
    one.undo()
    one.save()
    one.close()
    repo.commit("nothing", {"README.md": "x\n"})
    again = run(repo.root)
    assert again.of("14 days") == "stale"
    (decision,) = told(again.audit, "14 days").decisions
    assert decision.withdrawn


def test_a_stamp_that_a_rebase_dropped_does_not_count(repo: Any) -> None:
    repo.commit("to be dropped", {"README.md": "x\n"})
    run(repo.root)
    repo.git("reset", "-q", "--hard", repo.first)
    (repo.root / ".git" / "ORIG_HEAD").unlink()
    repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    found = run(repo.root)
    assert (found.of("14 days"), found.start("14 days")) == ("stale", repo.first)


def test_a_range_that_was_given_is_the_range(repo: Any) -> None:
    head = repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    run(repo.root)
    found = run(repo.root, range=f"{repo.first}..{head}")
    assert found.audit.range.chosen_by == f"--range {repo.first}..{head}"
    assert {found.start(words) for words in ("Code lives", "14 days")} == {repo.first}


def test_holding_in_a_short_range_is_no_stamp(repo: Any) -> None:
    """A claim that names two things may hold by one while the other was gone before the range."""
    repo.commit(
        "more",
        {
            "CLAUDE.md": "- `src/app.py` has `helper_one()`.\n",
            "src/app.py": APP + "def helper_one():\n    pass\n",
        },
    )
    repo.commit("drop it", {"src/app.py": APP})
    repo.commit("later", {"README.md": "x\n"})
    run(repo.root, range="HEAD~1..HEAD")
    assert run(repo.root).of("helper_one") == "stale"


def test_a_claim_keeps_its_stamp_under_a_new_heading(repo: Any) -> None:
    run(repo.root)
    head = repo.commit("rename the heading", {"CLAUDE.md": MEMORY.replace("# Desk", "# The desk")})
    found = run(repo.root)
    assert found.start("Code lives") == repo.first
    assert run(repo.root).start("Code lives") == head


def test_a_reworded_claim_starts_anew_and_remembers_what_it_was(repo: Any) -> None:
    run(repo.root)
    written = repo.commit("reword", {"CLAUDE.md": MEMORY.replace("Code lives in", "All code lives in")})
    found = run(repo.root)
    assert found.start("All code lives") == written
    history = told(found.audit, "All code lives")
    assert [one.text for one in history.earlier] == ["Code lives in `src/app.py`."]


def test_a_rewrite_is_followed_however_different_its_words(repo: Any) -> None:
    found = run(repo.root)
    one = review(found.audit)
    text = "Everything that runs is kept in `src/app.py` and nowhere else."
    one.decide([one.decision(found.claim("Code lives").id, DecisionKind.REWRITE, text)])
    one.save()
    one.close()
    history = told(run(repo.root).audit, "Everything that runs")
    assert [earlier.text for earlier in history.earlier] == ["Code lives in `src/app.py`."]
    assert [(decision.kind, decision.text) for decision in history.decisions] == [("rewrite", text)]


def test_what_is_not_committed_is_not_told_of_a_commit(repo: Any) -> None:
    (repo.root / "src/app.py").write_text(APP.replace("14", "21"))
    found = run(repo.root)
    assert found.of("14 days") == "stale"
    key = ("LOAN_DAYS in src/app.py", "value is")
    assert valid(found.audit, "HEAD")[key] == "14"
    assert told(found.audit, "14 days").latest.uncommitted
    (repo.root / "src/app.py").write_text(APP)
    clean = run(repo.root)
    assert clean.of("14 days") == "held"
    assert not told(clean.audit, "14 days").latest.uncommitted


def test_a_change_elsewhere_on_disk_leaves_what_is_committed_told(repo: Any) -> None:
    (repo.root / "notes.txt").write_text("mine\n")
    found = run(repo.root)
    assert not told(found.audit, "14 days").latest.uncommitted
    assert run(repo.root).start("14 days") == repo.first


def test_an_uncommitted_removal_is_not_told_of_a_commit(repo: Any) -> None:
    (repo.root / "src/app.py").unlink()
    found = run(repo.root)
    assert found.of("Code lives") == "stale"
    assert valid(found.audit, "HEAD")["src/app.py", "is at"] == "src/app.py"


def test_holding_only_on_disk_is_no_stamp(git_repo: Any) -> None:
    memory = "- A loan lasts 21 days (`LOAN_DAYS`).\n"
    git_repo.commit("start", {"CLAUDE.md": memory, "src/app.py": APP})
    (git_repo.root / "src/app.py").write_text(APP.replace("14", "21"))
    assert run(git_repo.root).of("21 days") == "held"
    again = run(git_repo.root)
    assert again.audit.range.chosen_by == "for each claim, since its line was written"


def test_a_cited_line_is_always_counted_from_where_it_was_written(git_repo: Any) -> None:
    numbers = "".join(f"VALUE_{letter} = '{letter * 3}'\n" for letter in "abcdefgh")
    git_repo.commit("start", {"CLAUDE.md": "- The fee is set in `src/fees.py:3`.\n", "src/fees.py": numbers})
    git_repo.commit("moved down", {"src/fees.py": "# one\n# two\n" + numbers})
    assert run(git_repo.root).of("fees.py:3") == "held"
    git_repo.commit("other lines go", {"src/fees.py": "# one\n" + numbers.replace("VALUE_a = 'aaa'\n", "")})
    assert run(git_repo.root).of("fees.py:3") == "held"


def test_few_stamps_are_used_however_many_there_are(git_repo: Any) -> None:
    count = MOST_STAMPS + 4
    names = [f"src/part{number}.py" for number in range(count)]
    memory = "".join(f"- Part {number} is `{name}`.\n" for number, name in enumerate(names))
    first = git_repo.commit("start", {"CLAUDE.md": memory, **dict.fromkeys(names, "x = 1\n")})
    for name in names[: count - 1]:
        assert set(run(git_repo.root).verdicts().values())
        git_repo.commit(f"drop {name}", {name: None})
    found = run(git_repo.root)
    assert [found.of(name) for name in names] == ["stale"] * (count - 1) + ["held"]
    starts = {found.start(name) for name in names}
    assert len(starts - {first}) <= MOST_STAMPS


def test_a_store_outside_the_repository_starts_from_its_stamp(repo: Any, tmp_path: Path) -> None:
    notes = tmp_path / "notes.md"
    notes.write_text("- Code lives in `src/app.py`.\n")
    assert run(repo.root, stores=(str(notes),)).of("Code lives") == "held"
    repo.commit("gone", {"src/app.py": None, "other.py": "x = 1\n"})
    found = run(repo.root, stores=(str(notes),))
    assert found.verdicts()["Code lives in `src/app.py`."][::2] == ("stale", "range")
    assert run(repo.root, stores=(str(notes),)).verdicts() == found.verdicts()


def test_recording_the_same_audit_twice_changes_nothing(repo: Any) -> None:
    repo.commit("three weeks", {"src/app.py": APP.replace("14", "21")})
    audit = run(repo.root, range="HEAD~1..HEAD").audit

    def content() -> list[list[Any]]:
        with ledger(audit) as opened:
            return [
                opened.query("SELECT * FROM sightings ORDER BY fact, at"),
                opened.query("SELECT * FROM states ORDER BY id"),
                opened.query("SELECT * FROM links ORDER BY claim, fact"),
                opened.query(
                    "SELECT claim, head, uncommitted, base, verdict, reason, origin, since, known"
                    " FROM verdicts ORDER BY claim, head"
                ),
            ]

    before = content()
    run(repo.root, range="HEAD~1..HEAD")
    assert content() == before
