"""Validity intervals: worked out from sightings in any order, on lines of history that fork and meet."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ledgerkit import KEY, history, line, recorded, sighting

from memaudit.review.ledger_entries import Key, Sighting
from memaudit.review.ledger_time import Point, Row, Timeline

FORK = {"root": [], "a1": ["root"], "a2": ["a1"], "b1": ["root"], "b2": ["b1"], "merge": ["a2", "b2"]}


def rows(sightings: Sequence[Sighting], parents: dict[str, list[str]]) -> list[Row]:
    return Timeline(sightings, history(parents)).rows()


def spans(found: Sequence[Row]) -> list[tuple[str | None, str, str | None]]:
    return [(row.state.object, row.since.commit, row.until.commit if row.until else None) for row in found]


def object_at(sightings: Sequence[Sighting], parents: dict[str, list[str]], commit: str) -> str | None:
    row = Timeline(sightings, history(parents, commit)).row_at_tip()
    return row.state.object if row else None


def test_another_object_closes_the_row_and_opens_its_own() -> None:
    found = rows([sighting("c0", "5"), sighting("c2", "6", turned=True)], line(4))
    assert spans(found) == [("5", "c0", "c2"), ("6", "c2", None)]
    assert found[0].until == found[1].since == Point("c2", exact=True)
    assert found[0].since == Point("c0", exact=False)


def test_a_change_seen_only_at_head_is_not_exact() -> None:
    first, second = rows([sighting("c0", "5"), sighting("c3", "6")], line(4))
    assert first.until == second.since == Point("c3", exact=False)


def test_a_fact_that_is_gone_closes_its_row() -> None:
    found = rows([sighting("c0", "5"), sighting("c2", None, turned=True)], line(4))
    assert spans(found) == [("5", "c0", "c2")]


def test_seeing_the_same_again_moves_only_the_last_time_it_was_seen() -> None:
    (before,) = rows([sighting("c0", "5")], line(4))
    (after,) = rows([sighting("c0", "5"), sighting("c3", "5")], line(4))
    assert (before.since, before.until, before.seen) == (Point("c0", exact=False), None, "c0")
    assert (after.since, after.until, after.seen) == (Point("c0", exact=False), None, "c3")


def test_equality_alone_tells_objects_apart() -> None:
    found = rows([sighting("c0", "3.1"), sighting("c1", "3.10"), sighting("c2", "3.1")], line(3))
    assert spans(found) == [("3.1", "c0", "c1"), ("3.10", "c1", "c2"), ("3.1", "c2", None)]


def test_a_reverted_change_found_later_splits_the_row() -> None:
    seen = [sighting("c0", "5"), sighting("c6", "5"), sighting("c3", "6", turned=True)]
    assert spans(rows(seen, line(7))) == [("5", "c0", "c3"), ("6", "c3", "c6"), ("5", "c6", None)]


def test_an_audit_of_an_older_head_begins_the_row_earlier() -> None:
    assert spans(rows([sighting("c5", "5"), sighting("c1", "5")], line(6))) == [("5", "c1", None)]


def test_branches_that_parted_have_their_own_objects() -> None:
    seen = [sighting("root", "5"), sighting("a1", "6", turned=True)]
    assert [object_at(seen, FORK, commit) for commit in ("root", "a1", "a2", "b1", "b2")] == [
        "5",
        "6",
        "6",
        "5",
        "5",
    ]


def test_where_lines_that_differ_meet_nothing_is_told_until_it_is_seen() -> None:
    seen = [sighting("root", "5"), sighting("a1", "6", turned=True), sighting("b1", "7", turned=True)]
    assert object_at(seen, FORK, "merge") is None
    assert object_at([*seen, sighting("merge", "7")], FORK, "merge") == "7"


def test_a_row_ended_on_one_line_only_goes_on() -> None:
    seen = [sighting("root", "5"), sighting("a1", "6", turned=True), sighting("b2", "5")]
    five = next(row for row in rows(seen, FORK) if row.state.object == "5")
    assert five.until is None
    assert five.ends == (Point("a1", exact=True),)


def test_commits_that_the_history_does_not_have_are_left_out() -> None:
    assert spans(rows([sighting("c0", "5"), sighting("rebased away", "6")], line(2))) == [("5", "c0", None)]


# Properties

objects = st.sampled_from(["1", "2", None])


@st.composite
def histories(draw: st.DrawFn) -> dict[str, list[str]]:
    """Up to nine commits, each with one or two parents among those before it."""
    parents: dict[str, list[str]] = {"c0": []}
    for number in range(1, draw(st.integers(2, 9))):
        above = draw(st.lists(st.sampled_from(list(parents)), min_size=1, max_size=2, unique=True))
        parents[f"c{number}"] = above
    return parents


@st.composite
def observed(draw: st.DrawFn) -> tuple[dict[str, list[str]], list[Sighting]]:
    """A history, and what was seen at some of its commits."""
    parents = draw(histories())
    seen = draw(
        st.dictionaries(st.sampled_from(list(parents)), st.tuples(objects, st.booleans()), min_size=1)
    )
    return parents, [sighting(commit, found, turned=turned) for commit, (found, turned) in seen.items()]


@given(observed())
def test_what_was_seen_at_a_revision_is_what_is_told_of_it(
    seen: tuple[dict[str, list[str]], list[Sighting]],
) -> None:
    parents, sightings = seen
    for one in sightings:
        assert object_at(sightings, parents, one.commit) == one.state.object


@given(observed())
def test_a_revision_gets_one_object_at_most_and_only_one_seen_at_it_or_before(
    seen: tuple[dict[str, list[str]], list[Sighting]],
) -> None:
    parents, sightings = seen
    for commit in parents:
        inside = history(parents, commit)
        before = {one.state.object for one in sightings if inside.place(one.commit) is not None}
        assert object_at(sightings, parents, commit) in before | {None}


@given(st.integers(2, 9), st.data())
def test_rows_of_one_key_never_overlap_on_a_line(count: int, data: st.DataObject) -> None:
    parents = line(count)
    seen = data.draw(st.dictionaries(st.sampled_from(list(parents)), objects, min_size=1))
    places = list(parents)
    found = rows([sighting(commit, value) for commit, value in seen.items()], parents)
    intervals = sorted(
        (places.index(row.since.commit), places.index(row.until.commit) if row.until else count)
        for row in found
    )
    assert all(start < end for start, end in intervals)
    assert all(one[1] <= other[0] for one, other in pairwise(intervals))


@given(observed(), st.randoms(use_true_random=False))
def test_the_order_of_sightings_does_not_matter(
    seen: tuple[dict[str, list[str]], list[Sighting]], random: object
) -> None:
    parents, sightings = seen
    shuffled = list(sightings)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert rows(shuffled, parents) == rows(sightings, parents)


audits = st.lists(
    st.lists(
        st.builds(
            sighting,
            st.sampled_from(["c0", "c1", "c2", "c3"]),
            objects,
            turned=st.booleans(),
            key=st.sampled_from([KEY, Key("other in app.py", "value is")]),
        ),
        max_size=5,
    ),
    min_size=1,
    max_size=4,
)


@settings(max_examples=40, deadline=None)
@given(audits, st.randoms(use_true_random=False))
def test_recording_is_the_same_in_any_order_of_audits_and_claims_and_twice(
    recordings: list[list[Sighting]], random: object
) -> None:
    shuffled = [list(one) for one in recordings]
    for one in (shuffled, *shuffled):
        random.shuffle(one)  # type: ignore[attr-defined]
    with tempfile.TemporaryDirectory() as folder:
        once = recorded(Path(folder) / "once", recordings)
        assert recorded(Path(folder) / "twice", [*recordings, *recordings]) == once
        assert recorded(Path(folder) / "shuffled", shuffled) == once


@pytest.mark.parametrize("tip", list(FORK))
def test_a_history_seen_from_inside_agrees_with_the_whole(tip: str) -> None:
    seen = [sighting("root", "5"), sighting("a2", "6", turned=True), sighting("merge", "5")]
    whole = {row.since.commit: row for row in rows(seen, FORK)}
    inside = Timeline(seen, history(FORK, tip)).row_at_tip()
    assert inside is None or inside.since == whole[inside.since.commit].since
