"""Parts of sentences taken out: lists keep their conjunction, sentences are never torn."""

from __future__ import annotations

import pytest

from memaudit.grounding.reference import Replacement
from memaudit.review.edits import rewritten, without


@pytest.mark.parametrize(
    ("text", "part", "left"),
    [
        ("Keys: `A_KEY`, `B_KEY`, optional `C_KEY` for sign-in.", "C_KEY", "Keys: `A_KEY`, `B_KEY`."),
        ("Run `make all` (needs uv, node, and deno)", "deno", "Run `make all` (needs uv and node)"),
        ("Run `make all` (needs uv, node, and deno)", "node", "Run `make all` (needs uv and deno)"),
        ("Uses red, green, blue and grey.", "blue", "Uses red, green and grey."),
        ("Uses red, green, blue and grey.", "grey", "Uses red, green and blue."),
        ("Run `a`, `b`, or `c` first", "`b`", "Run `a` or `c` first"),
        ("Try `npm test` or `npm run old`.", "npm run old", "Try `npm test`."),
        ("Try `npm run old` or `npm test`.", "npm run old", "Try `npm test`."),
        ("Gate: `j test` or `j check` for both sides.", "j check", "Gate: `j test` for both sides."),
        ("(lint/format/some tests + smoke)", "tests", "(lint/format + smoke)"),
        ("Test: `go test ./...` (one: `go test -run TestOld`)", "TestOld", "Test: `go test ./...`"),
        ("See [a](d/a.md), [b](d/b.md) and [c](d/c.md)", "d/c.md", "See [a](d/a.md) and [b](d/b.md)"),
        ("Core (`pkg/a/`, `pkg/b/`) | `docs/x.md`", "pkg/a/", "Core (`pkg/b/`) | `docs/x.md`"),
    ],
)  # fmt: skip
def test_a_part_goes_with_its_punctuation(text: str, part: str, left: str) -> None:
    start = text.rindex(part)
    assert without(text, start, start + len(part)) == left


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("`x.py` reads `y.py`.", "y.py"),
        ("Read `y.py`.", "y.py"),
        ("Code: `src/a.py`, tests: `src/t.py`.", "src/a.py"),
        ("Start with `a`, then run `b`.", "b"),
        ("`a` and `b` are used.", "a"),
        ("Fix it, run `old` and write a note.", "old"),
    ],
    ids=["object", "only thing", "labels", "clauses", "plural", "clause in the middle"],
)
def test_a_sentence_that_would_be_torn_is_left_alone(text: str, part: str) -> None:
    start = text.index(f"`{part}`") + 1
    assert without(text, start, start + len(part)) is None


def test_parentheses_stay_where_nothing_else_is_left() -> None:
    text = "Strict mode (`base.json`)"
    start = text.index("base")
    assert without(text, start, start + 9, alone=False) is None
    assert without(text, start, start + 9) == "Strict mode"


@pytest.mark.parametrize(
    ("text", "old", "new", "done"),
    [
        ("`a.py` and `data.py`", "a.py", "b.py", "`b.py` and `data.py`"),
        ("Run `fmt ./core/x/C.toml`", "core/x/C.toml", "x/C.toml", "Run `fmt ./x/C.toml`"),
        ("In `lib/core/x`", "core/x", "x", None),
        ("In `../core/x`", "core/x", "x", None),
        ("yarn is a tool; run `yarn test`", "yarn", "npm", "yarn is a tool; run `npm test`"),
    ],
    ids=["whole names", "dot slash", "inside a longer path", "out of the folder", "code only"],
)  # fmt: skip
def test_names_are_replaced_where_they_stand_whole(text: str, old: str, new: str, done: str | None) -> None:
    assert rewritten(text, [(Replacement(old, new, True), "`" in text)]) == done
