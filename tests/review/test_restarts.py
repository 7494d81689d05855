"""Whatever was done in a review, a new start at any point goes on with the same outcome."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from reviewing import PULLED, Desk, decide_rule, outcome

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
