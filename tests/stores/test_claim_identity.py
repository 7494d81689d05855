"""Ids that survive what does not change a claim, and finding a claim again after what does."""

from __future__ import annotations

import pytest
from storekit import claims

from memaudit.stores.identity import claim_id, normalise, rematch


def _id(text: str) -> str:
    return claim_id("markdown", "NOTES.md", ("Part",), text)


@pytest.mark.parametrize(
    "other",
    [
        "Use  `x`\n in tests",
        "Use `x` in tests.",
        "- Use `x` in tests",
        "12. Use `x` in tests",
        "- [x] Use `x` in tests",
        "**Use** `x` in *tests*",
    ],
)
def test_id_ignores_what_changes_no_meaning(other: str) -> None:
    assert _id(other) == _id("Use `x` in tests")


@pytest.mark.parametrize(
    "other", ["Use `X` in tests", "Use `x` in test", "Use `x_` in tests", "use `x` in tests"]
)
def test_id_tells_different_words_apart(other: str) -> None:
    assert _id(other) != _id("Use `x` in tests")


def test_id_depends_on_format_path_heading_and_occurrence() -> None:
    ids = {
        claim_id("markdown", "NOTES.md", ("Part",), "x"),
        claim_id("agents-md", "NOTES.md", ("Part",), "x"),
        claim_id("markdown", "OTHER.md", ("Part",), "x"),
        claim_id("markdown", "NOTES.md", ("Part", "Sub"), "x"),
        claim_id("markdown", "NOTES.md", ("Part",), "x", 1),
    }
    assert len(ids) == 5


def test_composed_and_decomposed_letters_are_one() -> None:
    assert normalise("cafe\u0301") == normalise("caf\u00e9")


def test_underscores_and_stars_inside_words_stay() -> None:
    assert normalise("`src/*.py` and __init__ and a_b and 2 * 3") == "`src/*.py` and init and a_b and 2 * 3"


def test_duplicates_are_told_apart_by_order() -> None:
    first, second = claims("# A\n\n- same\n- same\n")
    assert first.id != second.id
    again, _ = claims("# A\n\nNew on top.\n\n- same\n- same\n")[1:]
    assert again.id == first.id


def test_rematch_prefers_the_same_heading() -> None:
    old = claims("# A\n\n- The cache lives for 15 minutes in Redis\n\n# B\n\n- gone for good\n")
    new = claims(
        "# B\n\n- The cache lives for 15 minutes in Redis.io\n\n"
        "# A\n\n- The cache lives for 20 minutes in Redis\n"
    )
    found = rematch(old, new)
    assert found[old[0].id] == new[1]
    assert found[old[1].id] is None


def test_rematch_finds_a_claim_under_a_renamed_heading() -> None:
    old = claims("# Old name\n\n- The importer accepts NOAA feeds\n")
    new = claims("# New name\n\n- The importer accepts NOAA feeds\n")
    assert rematch(old, new) == {old[0].id: new[0]}


def test_rematch_gives_no_claim_away_twice() -> None:
    old = claims("- The port of the service is 8080\n- The port of the service is 8081\n")
    new = claims("- The port of the service is 8082\n")
    found = list(rematch(old, new).values())
    assert sorted(found, key=str) == sorted([new[0], None], key=str)
