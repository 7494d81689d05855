"""What earlier reviews came to: counted from what was written down, nothing made up."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from reviewing import Desk, accept, claim, retire, rewrite

from memaudit.audit import Audit
from memaudit.domain import AuditRequest, DecisionKind
from memaudit.paths import repository_state
from memaudit.review.recap import Recap, day_words, decided, recap, remembered, sentence
from memaudit.review.session import Review, open_review

LATER = datetime(2026, 1, 20, tzinfo=UTC)


def words(told: Recap) -> str:
    return sentence(told, "ada", lambda name: "you" if name == "ada" else name, day_words)


def test_nothing_is_recalled_where_nothing_was_decided(desk: Desk) -> None:
    review = desk.review()
    told = recap(*review.past, "ada", desk.journal_path.parent, [])
    assert not told


def test_it_counts_since_ones_last_sitting_began(desk: Desk) -> None:
    clock = ["2026-01-02T09:00:00+00:00"]
    ada = desk.review(now=lambda: clock[0])
    mara = desk.review(author="Mara", now=lambda: clock[0])
    accept(ada, "port 8080")
    clock[0] = "2026-01-05T09:00:00+00:00"
    accept(mara, "make test")
    clock[0] = "2026-01-10T09:00:00+00:00"
    retire(ada, "Ask Ada")
    clock[0] = "2026-01-10T12:00:00+00:00"
    rewrite(ada, "config/app.toml", "Settings live in `config/app.yaml`.")
    rewrite(ada, "config/app.toml", "Settings live in `app.yaml`.")
    accept(ada, "reports/daily.py")
    ada.undo()
    clock[0] = "2026-01-12T09:00:00+00:00"
    accept(mara, "Ask Ada")
    told = decided(*desk.review().past, "ada", LATER)
    assert told.since == "2026-01-10T09:00:00+00:00"
    assert {name: dict(counts) for name, counts in told.people.items()} == {
        "ada": {DecisionKind.RETIRE: 1, DecisionKind.REWRITE: 1},
        "Mara": {DecisionKind.ACCEPT: 1},
    }
    assert words(told) == f"Since {day_words(told.since)}: 2 decided by you, 1 by Mara"
    newcomer = decided(*desk.review().past, "Jo", LATER)
    assert newcomer.since == "2026-01-02T09:00:00+00:00"
    assert sum(sum(counts.values()) for counts in newcomer.people.values()) == 5


@pytest.mark.parametrize(("at_", "day"), [("1999-03-03T10:00:00+00:00", "3 Mar 1999"), ("", "1 Jan 1")])
def test_days_are_written_as_people_do(at_: str, day: str) -> None:
    assert day_words(at_) == day


def test_retired_claims_that_came_back_and_stale_ones_left(git_repo: object, tmp_path: Path) -> None:
    repo = git_repo
    memory = "- Tickets are in `src/a.py`.\n- Prices are in `src/b.py`.\n- Be kind.\n- Be kind.\n"
    repo.commit("one", {"CLAUDE.md": memory, "src/a.py": "A = 1\n", "src/b.py": "B = 1\n"})  # type: ignore[attr-defined]
    repo.commit("two", {"src/a.py": None, "src/b.py": None, "src/c.py": "C = 1\n"})  # type: ignore[attr-defined]
    file = repo.root / "CLAUDE.md"  # type: ignore[attr-defined]

    def audited() -> Audit:
        audit = Audit(AuditRequest(path=repo.root, range="HEAD~1.."))  # type: ignore[attr-defined]
        list(audit.run())
        return audit

    def opened(audit: Audit) -> Review:
        return open_review(audit.stores, audit.root, audit.repository.common_dir, audit.range, author="ada")

    first = audited()
    review = opened(first)
    kind = [one for one in first.claims if one.text == "Be kind."]
    review.decide(
        [review.decision(one.id, DecisionKind.RETIRE) for one in (claim(review, "Tickets"), kind[0])]
    )
    review.save()
    review.close()
    state = repository_state(first.repository.common_dir)
    second = audited()
    assert remembered(state, second.claims) == ((), 1)
    file.write_text(memory)
    third = audited()
    came_back, left = remembered(state, third.claims)
    assert [one.text for one in came_back] == ["Tickets are in `src/a.py`.", "Be kind."]
    assert left == 1
    prices = next(one.id for one in third.claims if "Prices" in one.text)
    assert remembered(state, third.claims, {prices}) == (came_back, 0), "decided, though not saved yet"
    told = recap(*opened(third).past, "ada", state, third.claims)
    assert words(told).endswith("2 decided by you; 2 retired claims came back; 1 stale left")


def test_a_ledger_that_cannot_be_used_is_done_without(tmp_path: Path) -> None:
    (tmp_path / "ledger.sqlite").mkdir()
    assert remembered(tmp_path, []) == ((), 0)


def test_a_retired_claim_that_was_reworded_then_has_not_come_back(desk: Desk) -> None:
    review = desk.review()
    retire(review, "port 8080")
    review.save()
    review = desk.review()
    review.undo()
    rewrite(review, "port 8080", "The service listens on port 9090.")
    review.save()
    for one in (review, desk.review()):
        claims = [claim for store in one.stores for claim in store.claims]
        assert remembered(desk.journal_path.parent, claims) == ((), 0)
