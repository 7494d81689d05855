"""Whatever was done in a review, a new start at any point goes on with the same outcome."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reviewing import PULLED, Desk, accept, claim, decide_rule, outcome, retire

from memaudit.domain import Range

RULES = 4
MEMORY = "# Rules\n\n" + "".join(
    f"- Rule number {number} stands as it was written.\n" for number in range(RULES)
)
RANGES = (PULLED, Range("b" * 40, "c" * 40, "given"))

decisions = st.tuples(
    st.just("decide"), st.integers(0, RULES - 1), st.sampled_from(["accept", "retire", "one", "two"])
)
operations = st.one_of(
    decisions,
    decisions,
    st.tuples(st.sampled_from(["undo", "redo", "save", "restart", "restart after a pull"])),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(operations, max_size=14))
def test_a_new_start_goes_on_where_the_last_one_ended(steps: list[tuple[str, int, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder), MEMORY)
        ranges = 0
        review = desk.review(RANGES[0])
        for operation, *arguments in steps:
            match operation:
                case "decide":
                    decide_rule(review, *arguments)
                case "undo":
                    review.undo()
                case "redo":
                    review.redo()
                case "save":
                    wanted = outcome(desk, review)
                    report = review.save()
                    assert (report.conflicts, report.failed, review.unsaved) == ((), (), 0)
                    assert desk.file.read_text() == wanted
                case _:
                    ranges += operation == "restart after a pull"
                    before = (outcome(desk, review), review.unsaved, desk.file.read_text())
                    review = desk.review(RANGES[ranges % 2])
                    assert (outcome(desk, review), review.unsaved, desk.file.read_text()) == before
                    assert review.unmatched == ()
        desk.close()


@pytest.mark.parametrize("between", [(), ("restart",), ("save",)])
def test_a_saved_step_undone_and_done_again_leaves_no_ghost(desk: Desk, between: tuple[str, ...]) -> None:
    review = desk.review()
    retire(review, "port 8080")
    review.save()
    text = desk.file.read_text()
    review = desk.review()
    listed = [one.text for store in review.stores for one in store.claims]
    review.undo()
    if "restart" in between:
        review = desk.review()
        assert review.unsaved == 1
        assert claim(review, "port 8080"), "an undone save shows what it would bring back"
    review.redo()
    if "save" in between:
        assert review.save().written == ()
    again = desk.review()
    assert desk.file.read_text() == text
    assert [one.text for store in again.stores for one in store.claims] == listed
    assert (again.unsaved, again.preview(), again.unmatched) == (0, [], ())
    again.undo()
    assert again.unsaved == 1
    assert claim(again, "port 8080"), "the step can still be undone"


def test_what_was_decided_on_the_text_before_a_save_keeps_it_open(desk: Desk) -> None:
    review = desk.review()
    retire(review, "port 8080")
    review.save()
    review = desk.review()
    review.undo()
    review.redo()
    accept(review, "make test")
    again = desk.review()
    assert (again.unsaved, again.preview(), again.unmatched) == (1, [], ())
    again.undo()
    again.undo()
    assert "8080" in outcome(desk, again)


def test_a_saved_step_undone_and_saved_and_done_again_is_open(desk: Desk) -> None:
    review = desk.review()
    retire(review, "port 8080")
    review.save()
    review.undo()
    review.save()
    review.redo()
    again = desk.review()
    assert again.unsaved == 1
    again.save()
    assert "8080" not in desk.file.read_text()
    assert desk.review().unsaved == 0
