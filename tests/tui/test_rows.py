"""Sorted rows: moving many at once ends where sorting anew would."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memaudit.tui.rows import Rows

TOTAL = 300

keys = st.one_of(st.none(), st.integers(0, 5))
moves = st.dictionaries(st.integers(0, TOTAL - 1), keys, max_size=200)


def unique(index: int, key: int | None) -> int | None:
    return None if key is None else key * TOTAL + index


def check(rows: Rows, expected: dict[int, int]) -> None:
    assert list(rows) == sorted(expected, key=expected.__getitem__)
    assert len(rows) == len(expected)
    for row, index in enumerate(rows):
        assert rows.find(index) == row
        assert index in rows


@given(st.lists(moves, max_size=6))
@settings(max_examples=60, deadline=None)
def test_moved_rows_are_those_sorted_anew(batches: list[dict[int, int | None]]) -> None:
    rows = Rows(range(TOTAL), range(TOTAL, 2 * TOTAL))
    expected = {index: TOTAL + index for index in range(TOTAL)}
    for batch in batches:
        changes = {index: unique(index, key) for index, key in batch.items()}
        before = list(rows)
        moved = rows.move(changes)
        for index, key in changes.items():
            if key is None:
                expected.pop(index, None)
            else:
                expected[index] = key
        check(rows, expected)
        assert moved or list(rows) == before


def test_what_is_no_member_has_no_row() -> None:
    rows = Rows([3, 1], [-1, 40, -1, 30, -1])
    assert list(rows) == [3, 1]
    assert rows.find(2) is None
    assert 4 not in rows
    assert not rows.move({2: None, 3: 30})
