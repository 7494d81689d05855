"""Decisions written into bytes: only what was decided changes."""

from __future__ import annotations

import pytest
from storekit import accept, claim_of, load, retire, rewrite

from memaudit.errors import StoreError, WriteError
from memaudit.stores.writer import edit, nested_claims, verify


def _retired(text: str, *gone: str) -> str:
    document = load(text)
    decisions = retire(*(claim_of(document, one) for one in gone))
    after = edit(document, decisions)
    verify(document, decisions, after)
    return after.decode()


def _rewritten(text: str, old: str, new: str) -> str:
    document = load(text)
    decisions = rewrite(claim_of(document, old), new)
    after = edit(document, decisions)
    verify(document, decisions, after)
    return after.decode()


def test_nothing_decided_changes_nothing() -> None:
    document = load("\ufeff- a is set  \r\n-\tb is set\n\n\n")
    assert edit(document, {}) == edit(document, accept(document.claims)) == document.raw


@pytest.mark.parametrize(
    ("text", "gone", "left"),
    [
        ("- a is\n- b is\n- c is\n", ["b is"], "- a is\n- c is\n"),
        ("- a is\n\n- b is\n\n- c is\n", ["b is"], "- a is\n\n- c is\n"),
        ("1. a is\n2. b is\n3. c is\n", ["b is"], "1. a is\n3. c is\n"),
        ("- a is\n  on two lines\n\n  and more.\n- c is\n", ["a is on two lines and more."], "- c is\n"),
        ("# H\n\n- a is\n", ["a is"], "# H\n"),
        ("One is. Two is. Three is.\n", ["Two is."], "One is. Three is.\n"),
        ("One is. Two is. Three is.\n", ["One is."], "Two is. Three is.\n"),
        ("One is. Two is. Three is.\n", ["Three is."], "One is. Two is.\n"),
        ("One is. Two is. Three is.\n", ["Two is.", "Three is."], "One is.\n"),
        ("Top.\n\nOne is. Two is.\n\nEnd.\n", ["One is.", "Two is."], "Top.\n\nEnd.\n"),
        ("One is.\nTwo is.\nThree is.\n", ["Two is."], "One is.\nThree is.\n"),
        ("Keep it. Allowed fakes:\n\n- x is\n", ["Keep it."], "Allowed fakes:\n\n- x is\n"),
        ("| A | B |\n|---|---|\n| x | 1 |\n| y | 2 |\n", ["x | 1"], "| A | B |\n|---|---|\n| y | 2 |\n"),
        ("```sh\nmake a\nmake b \\\n  -x\nmake c\n```\n", ["make b -x"], "```sh\nmake a\nmake c\n```\n"),
        ("Text.\n\n```py\nx = 1\n```\n\nMore.\n", ["x = 1"], "Text.\n\nMore.\n"),
        ("> One is. Two is.\n\nEnd.\n", ["One is.", "Two is."], "End.\n"),
        ("> - a is\n> - b is\n", ["a is"], "> - b is\n"),
        ("- a is\r\n- b is\r\n", ["a is"], "- b is\r\n"),
        ("- a is\n- b is", ["b is"], "- a is"),
        ("- a is\n- b is", ["a is"], "- b is"),
        ("\ufeff- a is\n- b is\n", ["a is"], "\ufeff- b is\n"),
        ("- - a is\n  - b is\n", ["a is"], "-\n  - b is\n"),
        ("- a is\n  - Why: it is so.\n- b is\n", ["a is"], "- b is\n"),
        ("```\ntop/\n├── a.py\n└── b.py\n```\n", ["a.py"], "```\ntop/\n└── b.py\n```\n"),
        ("- only\n", ["only"], ""),
    ],
)
def test_retiring(text: str, gone: list[str], left: str) -> None:
    assert _retired(text, *gone) == left


@pytest.mark.parametrize(
    ("text", "old", "new", "left"),
    [
        ("- [x] a  is  \n- b is\n", "a  is", "it was", "- [x] it was  \n- b is\n"),
        ("* a is\n  on two\r\n  lines\n", "a is on two lines", "it\nwas", "* it was\n"),
        ("One is. Two is. Three is.\n", "Two is.", "It was.", "One is. It was. Three is.\n"),
        ("One is. Two is. Three is.\n", "Two is.", "It was", "One is. It was. Three is.\n"),
        ("| x   | 1 |\n|---|---|\n| y   |   2 |\n", "y | 2", "z | 3", "| x   | 1 |\n|---|---|\n| z | 3 |\n"),
        ("```sh\n$ make a \\\n    -x\n```\n", "make a -x", "make b", "```sh\n$ make b\n```\n"),
        (
            "```\n├── a.py  # old\n└── b.py\n```\n",
            "a.py  # old",
            "c.py  # new",
            "```\n├── c.py  # new\n└── b.py\n```\n",
        ),
        (
            "> ```py\r\n> x = 1\r\n> y = 2\r\n> ```\r\n",
            "x = 1\ny = 2",
            "a = 1\n\nb = 2",
            "> ```py\r\n> a = 1\r\n>\r\n> b = 2\r\n> ```\r\n",
        ),
        ("- first\n  - second\n", "first", "other", "- other\n  - second\n"),
        ("# A\n\n- `x` is\n\n# B\n\n- y is\n", "`x` is", "`z` is", "# A\n\n- `z` is\n\n# B\n\n- y is\n"),
        ("- same\n- words\n", "same", " same ", "- same\n- words\n"),
    ],
)
def test_rewriting(text: str, old: str, new: str, left: str) -> None:
    assert _rewritten(text, old, new) == left


def test_retiring_the_end_of_a_file_without_line_end() -> None:
    document = load("| A |\n|---|\n| x |\n| y |\n\n> end is")
    row, gone, quote = document.claims
    decisions = rewrite(row, "z") | retire(gone, quote)
    after = edit(document, decisions)
    verify(document, decisions, after)
    assert after == b"| A |\n|---|\n| z |"


def test_two_paragraphs_do_not_run_together_when_what_parted_them_goes() -> None:
    assert _retired("it has no stop\n```py\nx = 1\n```\nnor has that one\n", "x = 1") == (
        "it has no stop\n\nnor has that one\n"
    )


def test_a_rule_does_not_make_a_heading_of_the_text_above_it() -> None:
    assert _retired("It holds this\n- a is\n---\n", "a is") == "It holds this\n\n---\n"


def test_parent_is_not_retired_while_children_are_kept() -> None:
    document = load("- a is\n  - b is\n    - c is\n- d is\n")
    parent, child, grandchild, _ = document.claims
    assert nested_claims(document, parent) == [child, grandchild]
    with pytest.raises(StoreError, match="would take 2 kept below it along") as caught:
        edit(document, retire(parent))
    assert caught.value.where == "NOTES.md:1"
    with pytest.raises(StoreError, match="would take 1 kept"):
        edit(document, retire(parent, child))
    assert edit(document, retire(parent, child, grandchild)) == b"- d is\n"


def test_folder_of_a_tree_is_not_retired_while_its_entries_are_kept() -> None:
    document = load("```\ntop/\n├── a/\n│   └── b.py\n└── c.py\n```\n")
    folder = claim_of(document, "a/")
    with pytest.raises(StoreError, match="kept below it"):
        edit(document, retire(folder))
    after = edit(document, retire(folder, *nested_claims(document, folder)))
    assert after.decode() == "```\ntop/\n└── c.py\n```\n"


def test_locked_claims_stay() -> None:
    document = load("<!-- BEGIN KIT -->\n- a is\n<!-- END KIT -->\n")
    for decisions in (retire(document.claims[0]), rewrite(document.claims[0], "b is")):
        with pytest.raises(StoreError, match=r"generated \(KIT\)"):
            edit(document, decisions)
    assert edit(document, accept(document.claims)) == document.raw


@pytest.mark.parametrize(
    ("text", "new", "says"),
    [
        ("- a is\n- b is\n", " \n ", "empty"),
        ("- a is\n- b is\n", "half a \ud83d", "not valid text"),
        ("- a is\n- b is\n", "# heading", "not be read as one claim"),
        ("- a is\n- b is\n", "- deeper - ```", "not be read as one claim"),
        ("a is\n\n- b is\n", "```", "no longer stand"),
        ("a is\n\n- b is\n", "| x |", None),
        ("a is\n\nb is\n", "<!-- gone", "no longer stand"),
    ],
)
def test_a_wording_that_would_break_the_page_is_refused(text: str, new: str, says: str | None) -> None:
    document = load(text)
    decisions = rewrite(document.claims[0], new)
    if says is None:
        verify(document, decisions, edit(document, decisions))
        return
    with pytest.raises(StoreError, match=says):
        edit(document, decisions)


def test_decisions_about_other_documents_are_left_alone() -> None:
    other = load("- z is\n", "OTHER.md")
    document = load("- a is\n")
    assert edit(document, retire(*other.claims)) == document.raw


@pytest.mark.parametrize(
    "after",
    [
        b"- b is\n- c is",
        b"- a is\n- c is\n",
        b"- b is\n- C is\n",
        b"- b is\n",
        b"",
        b"- b is\n- c is\n\n",
        b"\xff",
    ],
)
def test_verify_finds_every_other_result(after: bytes) -> None:
    document = load("- a is\n- b is\n- c is\n")
    decisions = retire(document.claims[0])
    verify(document, decisions, b"- b is\n- c is\n")
    with pytest.raises(WriteError):
        verify(document, decisions, after)


def test_verify_wants_no_change_where_nothing_was_decided() -> None:
    document = load("- a is\n")
    verify(document, {}, document.raw)
    with pytest.raises(WriteError, match="nothing was decided"):
        verify(document, {}, b"- b is\n")
