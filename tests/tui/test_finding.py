"""Search: as written before near, what counts as near, and what is highlighted."""

from __future__ import annotations

import pytest
from scenes import plain_claims, store

from memaudit.domain import Decision, DecisionKind, Judgement, Verdict
from memaudit.tui.board import Board, Filter
from memaudit.tui.finding import Terms, spans

MEMORY = """\
# Notes

- Retries are counted in `src/net/retry_policy.py`.
- The retry limit is 5.
- Weights are parsed by `parse_weight`.
- The limit of a retry is read from the environment.
- Zürich is the default region.
- Mail goes out through `src/mail/outgoing_queue.py`.
"""


@pytest.fixture
def board() -> Board:
    return Board(list(store("docs/network.md", MEMORY).claims))


def found(board: Board, query: str) -> list[str]:
    board.select(Filter(query=query))
    return [board.claims[board[row]].text for row in range(len(board))]


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("retry", 3),
        ("RETRY LIMIT", 2),
        ("limit retry", 2),
        ("network.md", 6),
        ("zürich", 1),
        ("ZÜRICH", 1),
        ("src/net", 1),
        ("   ", 6),
        ("", 6),
    ],
)
def test_words_are_found_as_written_in_any_order_and_case(board: Board, query: str, count: int) -> None:
    assert len(found(board, query)) == count
    assert not board.near


def test_new_words_are_found_as_written_until_the_decision_is_undone(board: Board) -> None:
    claim = board.claims[1]
    assert found(board, "zeppelin") == []
    board.decide({claim.id: Decision(claim.id, DecisionKind.REWRITE, "Tess", "", "The Zeppelin limit is 5.")})
    assert found(board, "zeppelin") == [claim.text]
    assert not board.near
    board.decide({})
    assert found(board, "zeppelin") == []


def test_the_phrase_goes_before_its_words_and_own_words_before_the_file(board: Board) -> None:
    assert found(board, "retry limit") == [
        "The retry limit is 5.",
        "The limit of a retry is read from the environment.",
    ]
    many = Board([*board.claims, *store("weights.md", "- Apples are sorted.\n").claims])
    many.select(Filter(query="weight"))
    assert [many.claims[many[row]].text for row in range(len(many))] == [
        "Weights are parsed by `parse_weight`.",
        "Apples are sorted.",
    ]


@pytest.mark.parametrize(
    ("query", "part"),
    [
        ("pasre_weight", "parse_weight"),
        ("wieghts", "Weights"),
        ("enviroment", "environment"),
        ("retry enviroment", "environment"),
        ("outqueue", "outgoing_queue"),
        ("srcmailque", "outgoing_queue"),
        ("prswght", "parse_weight"),
    ],
)
def test_where_nothing_is_as_written_near_names_are_found(board: Board, query: str, part: str) -> None:
    texts = found(board, query)
    assert board.near
    assert part in texts[0]


@pytest.mark.parametrize("query", ["xyz", "zzzzzzzz", "rtr", "wieghts nowhere", "q" * 200])
def test_what_is_like_nothing_finds_nothing(board: Board, query: str) -> None:
    assert found(board, query) == []


def test_near_matches_are_never_mixed_with_those_as_written(board: Board) -> None:
    assert found(board, "weight") == ["Weights are parsed by `parse_weight`."]
    assert not board.near


def test_the_reason_of_a_verdict_is_searched_as_soon_as_it_is_there(board: Board) -> None:
    assert found(board, "path-gone") == []
    claim = board.claims[1]
    board.judge([Judgement(claim.id, Verdict.STALE, "path-gone", "", "grounded", 0.9)])
    assert found(board, "path-gone") == [claim.text]
    other = board.claims[2]
    board.judge([Judgement(other.id, Verdict.STALE, "path-gone", "", "grounded", 0.9)])
    assert [board.claims[board[row]].id for row in range(len(board))] == [claim.id, other.id]
    board.judge([Judgement(claim.id, Verdict.HELD, "supported", "", "grounded", 0.9)])
    assert [board.claims[board[row]].id for row in range(len(board))] == [other.id]


def marked(text: str, query: str, *, near: bool = False) -> list[str]:
    words = tuple(query.casefold().split())
    return [text[start:end] for start, end in spans(text, Terms(words, near))]


def test_every_place_of_every_word_is_highlighted_and_overlaps_are_one() -> None:
    assert marked("Retry the retry policy", "retry policy") == ["Retry", "retry", "policy"]
    assert marked("abcabc", "abc bca") == ["abcabc"]
    assert marked("a.b (c", "( .") == [".", "("]


def test_near_matches_are_highlighted_where_they_stand() -> None:
    assert marked("parsed by `parse_weight`", "wieght", near=True) == ["weight"]
    assert marked("see src/mail/queue.py", "smq", near=True) == []
    assert "".join(marked("see src/mail/queue.py", "srmlqu", near=True)) == "srmlqu"
    assert marked("nothing of it", "wieght", near=True) == []


def test_a_search_stops_for_breath_and_changes_nothing_before_its_end() -> None:
    board = Board(plain_claims(9_000))
    steps = board.arranging(Filter(query="numbr 8"))
    next(steps)
    assert len(board) == 9_000
    later = board.arranging(Filter(query="number n8999"))
    for _ in later:
        pass
    assert len(board) == 1
    for _ in steps:
        pass
    assert board.filter.query == "number n8999"
    assert len(board) == 1


def test_verdicts_that_come_during_a_search_are_not_lost() -> None:
    board = Board(plain_claims(9_000))
    steps = board.arranging(Filter(query="path-gone"))
    next(steps)
    next(steps)
    board.judge([Judgement(board.claims[5].id, Verdict.STALE, "path-gone", "", "grounded", 0.9)])
    for _ in steps:
        pass
    assert [board[row] for row in range(len(board))] == [5]
    assert board.matched == 1


def test_a_text_without_an_end_is_searched_like_any_other() -> None:
    """A search that tried every way to place the letters would not come back from these."""
    text = "a" * 20_000
    board = Board(list(store("a.md", f"- {text}\n- {'a/' * 10_000}\n").claims))
    for query in ("a" * 60 + "b", "abababab", "xaaaax", "a b c d e f g h"):
        assert len(found(board, query)) <= 1
        assert len(marked(text, query, near=True)) <= 1
