"""Order, filter, fold and counts of the list, without a screen."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scenes import AGENTS, MEMORY, store, verdict

from memaudit.domain import (
    Claim,
    ClaimKind,
    CommitInfo,
    Decision,
    DecisionKind,
    Evidence,
    Judgement,
    Origin,
    Verdict,
)
from memaudit.tui.board import FOLD, Board, Filter, Group, Rank, Sort
from memaudit.tui.filters import Decided


@pytest.fixture
def claims() -> list[Claim]:
    return [*store("CLAUDE.md", MEMORY).claims, *store("AGENTS.md", AGENTS).claims]


@pytest.fixture
def board(claims: list[Claim]) -> Board:
    board = Board(claims)
    board.judge(verdict(claim) for claim in claims)
    return board


def texts(board: Board) -> list[str]:
    return ["…" if board[row] == FOLD else board.claims[board[row]].text for row in range(len(board))]


def decide(board: Board, *parts: str) -> None:
    ids = [claim.id for claim in board.claims if any(part in claim.text for part in parts)]
    new = {one: Decision(one, DecisionKind.ACCEPT, "Tess", "2024-03-04T00:00:00+00:00") for one in ids}
    board.decide({**board.decisions, **new})


def index_of(board: Board, part: str) -> int:
    (found,) = [number for number, claim in enumerate(board.claims) if part in claim.text]
    return found


def test_before_any_verdict_claims_stand_in_reading_order(claims: list[Claim]) -> None:
    assert texts(Board(claims)) == [claim.text for claim in claims]


def test_stale_claims_come_first_and_news_before_old_faults(board: Board) -> None:
    assert [board.rank(board[row]) for row in range(4)] == [Rank.BROKEN] * 3 + [Rank.WRONG]


def test_claims_that_nothing_can_decide_are_one_row(board: Board) -> None:
    assert texts(board)[-1] == "…"
    assert board.folded_count == 2
    board.fold(False)
    assert texts(board)[-2:] == ["Answer in plain words.", "Never push to `main` directly."]


def test_a_search_looks_into_the_fold(board: Board) -> None:
    board.select(Filter(query="PUSH main"))
    assert texts(board) == ["Never push to `main` directly."]


@pytest.mark.parametrize(
    ("filter_", "count"),
    [
        (Filter(groups=frozenset({Group.STALE})), 4),
        (Filter(groups=frozenset({Group.UNKNOWN, Group.NORM})), 3),
        (Filter(kinds=frozenset({ClaimKind.COMMAND})), 3),
        (Filter(files=frozenset({"AGENTS.md"})), 2),
        (Filter(query="path-gone"), 1),
        (Filter(query="agents.md:3"), 1),
        (Filter(query="nothing like this"), 0),
    ],
)
def test_filters(board: Board, filter_: Filter, count: int) -> None:
    board.select(filter_)
    assert len(board) == count


def test_a_filter_by_decision_follows_it_when_it_is_applied(board: Board) -> None:
    decide(board, "importer")
    board.select(Filter(decisions=frozenset({Decided.NOT}), groups=frozenset({Group.STALE})))
    assert len(board) == 3
    board.select(Filter(decisions=frozenset({Decided.ACCEPTED})))
    assert texts(board) == ["The importer lives in `src/importer.py`."]


def test_filters_say_what_they_are() -> None:
    filter_ = Filter(
        "npm ", frozenset({Group.STALE}), files=frozenset({"A.md"}), decisions=frozenset({Decided.NOT})
    )
    assert filter_.describe() == "stale · undecided · A.md · “npm”"


def test_next_undecided_goes_down_then_round_and_leaves_held_ones_for_last(board: Board) -> None:
    first, last = board[0], board[4]
    assert board.next_undecided(first) == board[1]
    assert board.next_undecided(last) == first
    decide(board, "npm test", "importer", "parse_weight", "3.10", "make dist")
    following = board.next_undecided(last)
    assert following is not None
    assert board.rank(following) is Rank.HELD


def test_next_undecided_never_stops_at_folded_rules(board: Board) -> None:
    decide(board, *(claim.text for claim in board.claims if "plain words" not in claim.text))
    assert board.next_undecided(0) is None


def test_counts_and_progress(board: Board) -> None:
    assert board.counts() == {
        Group.STALE: 4,
        Group.UNKNOWN: 1,
        Group.PENDING: 0,
        Group.HELD: 5,
        Group.NORM: 2,
    }
    decide(board, "importer", "make dist")
    assert board.decided((Rank.BROKEN, Rank.WRONG)) == (1, 4)


def test_changes_are_reported_once(board: Board) -> None:
    assert board.take_changes()[0]
    assert board.take_changes() == (False, set())
    decide(board, "importer")
    assert board.take_changes() == (False, {index_of(board, "importer")})


ranks = st.sampled_from(
    [
        (Verdict.STALE, Origin.RANGE, "path-gone"),
        (Verdict.STALE, Origin.EARLIER, "path-gone"),
        (Verdict.HELD, None, "supported"),
        (Verdict.UNKNOWN, None, "touched"),
        (Verdict.UNKNOWN, None, "no-reference"),
    ]
)


FILTERS = [
    Filter(),
    Filter(files=frozenset({"CLAUDE.md"})),
    Filter(groups=frozenset({Group.STALE, Group.NORM})),
    Filter(origins=frozenset({Origin.RANGE})),
    Filter(query="the"),
    Filter(query="path-gone"),
    Filter(query="src", groups=frozenset({Group.STALE})),
    Filter(decisions=frozenset({Decided.NOT})),
]


def in_order(board: Board) -> list[int]:
    """What a board with the same verdicts lists that is sorted once, at the end."""
    other = Board(board.claims)
    other.judge(one for one in board.judgements if one is not None)
    other.decide(board.decisions)
    other.folded = board.folded
    for _ in other.arranging(board.filter, board.sort):
        pass
    return [other[row] for row in range(len(other))]


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 11), ranks), max_size=8), max_size=6),
    st.sampled_from(FILTERS),
    st.sampled_from(list(Sort)),
    st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_streamed_verdicts_lead_to_the_same_rows_as_one_sort(
    batches: list[list[tuple[int, tuple[Verdict, Origin | None, str]]]],
    filter_: Filter,
    sort: Sort,
    folded: bool,
) -> None:
    claims = [*store("CLAUDE.md", MEMORY).claims, *store("AGENTS.md", AGENTS).claims]
    board = Board(claims)
    decide(board, "importer", "3.10", "plain words")
    board.fold(folded)
    for _ in board.arranging(filter_, sort):
        pass
    for batch in batches:
        board.judge(
            Judgement(claims[number].id, verdict_, reason, "", "grounded", number / 12, origin)
            for number, (verdict_, origin, reason) in batch
        )
    expected = in_order(board)
    assert [board[row] for row in range(len(board))] == expected
    assert all(board.row(index) == row for row, index in enumerate(expected))
    listed = board.listed()
    assert board.matched == len(listed)
    for rank in Rank:
        undecided = [i for i in listed if board.rank(i) is rank and board.decision(i) is None]
        assert board.undecided_count((rank,)) == len(undecided)
        assert board.undecided((rank,)) == undecided
        everywhere = [i for i in range(len(claims)) if board.rank(i) is rank]
        decided = sum(1 for i in everywhere if board.decision(i) is not None)
        assert board.decided((rank,)) == (decided, len(everywhere))


def commit(sha: str, author: str, date: str) -> CommitInfo:
    return CommitInfo(sha * 40, f"Change {sha}", author, date)


OLD = commit("a", "Ada Author", "2024-01-02T10:00:00+00:00")
NEW = commit("b", "Ben Builder", "2024-05-02T10:00:00+02:00")
UNDATED = commit("c", "Ada Author", "not a date")


@pytest.fixture
def broken(board: Board) -> Board:
    """The claims that the script calls stale, with a commit each that made them so."""
    commits = {"npm test": OLD, "importer": NEW, "parse_weight": UNDATED}
    for part, one in commits.items():
        judgement = board.judgements[index_of(board, part)]
        assert judgement is not None
        evidence = (Evidence(part, commit=one),)
        board.judge([replace(judgement, evidence=evidence, confidence=0.5 if one is OLD else 0.7)])
    return board


def parts(board: Board) -> list[str]:
    """The words that tell the first four rows apart."""
    names = ("npm test", "importer", "parse_weight", "3.10")
    return [next((name for name in names if name in text), "") for text in texts(board)[:4]]


@pytest.mark.parametrize(
    ("sort", "first"),
    [
        (Sort.VERDICT, ["npm test", "importer", "parse_weight", "3.10"]),
        (Sort.PLACE, ["", "npm test", "", ""]),
        (Sort.FILE, ["3.10", "", "npm test", "importer"]),
        (Sort.NEWEST, ["importer", "npm test", "parse_weight", "3.10"]),
        (Sort.OLDEST, ["parse_weight", "npm test", "importer", "3.10"]),
        (Sort.SUREST, ["importer", "parse_weight", "npm test", "3.10"]),
        (Sort.UNSUREST, ["npm test", "importer", "parse_weight", "3.10"]),
    ],
)
def test_orders(broken: Board, sort: Sort, first: list[str]) -> None:
    broken.sort_by(sort)
    assert parts(broken) == first
    assert texts(broken)[-1] == "…"
    assert len(broken) == 11


@pytest.mark.parametrize(
    ("filter_", "count"),
    [
        (Filter(commits=frozenset({OLD.sha})), 1),
        (Filter(commits=frozenset({OLD.sha, NEW.sha})), 2),
        (Filter(authors=frozenset({"Ada Author"})), 2),
        (Filter(authors=frozenset({"Nobody"})), 0),
        (Filter(origins=frozenset({Origin.EARLIER})), 1),
        (Filter(origins=frozenset({Origin.RANGE}), authors=frozenset({"Ben Builder"})), 1),
        (Filter(decisions=frozenset({Decided.RETIRED})), 0),
    ],
)
def test_filters_by_what_made_a_claim_stale(broken: Board, filter_: Filter, count: int) -> None:
    broken.select(filter_)
    assert len(broken) == count


def test_the_commit_of_a_claim_that_is_not_stale_made_nothing_stale(broken: Board) -> None:
    index = index_of(broken, "importer")
    judgement = broken.judgements[index]
    assert judgement is not None
    broken.judge([replace(judgement, verdict=Verdict.HELD, origin=None)])
    broken.select(Filter(commits=frozenset({NEW.sha})))
    assert len(broken) == 0


def test_proved_suggestions_can_be_taken_until_they_are_decided_or_filtered_out(board: Board) -> None:
    assert [board.claims[index].text for index in board.takeable()] == [
        "Run the tests with `npm test`.",
        "The importer lives in `src/importer.py`.",
    ]
    decide(board, "npm test")
    assert len(board.takeable()) == 1
    board.select(Filter(query="python"))
    assert board.takeable() == []


def test_scene_files_are_there(tmp_path: Path) -> None:
    from scenes import Scene

    assert Scene(tmp_path).text() == MEMORY


def test_what_files_hold_by_now_is_listed_by_that(board: Board) -> None:
    board.select(Filter(groups=frozenset({Group.STALE})))
    assert board.matched == 4
    first, second = (board.claims[board[row]] for row in (0, 1))
    made = {
        one.id: Decision(one.id, DecisionKind.REWRITE, "Tess", "2024-03-04T00:00:00+00:00", "It is so.")
        for one in (first, second)
    }
    board.decide(made, written={first.id: None, second.id: Rank.HELD})
    assert board.matched == board.counts()[Group.STALE] == 2
    assert board.undecided_count((Rank.BROKEN, Rank.WRONG)) == 2
    board.select(Filter(groups=frozenset({Group.HELD})))
    assert board.matched == board.counts()[Group.HELD]
    board.select(Filter(origins=frozenset(Origin)))
    assert board.matched == 2
    board.decide({})
    assert board.matched == board.counts()[Group.STALE] == 4
