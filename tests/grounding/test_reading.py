"""Each kind's table of examples is its contract: what is read from words, and what is not."""

from __future__ import annotations

import importlib

import pytest

from memaudit.domain import Block, Claim, ClaimKind, Span
from memaudit.grounding import elsewhere, excused, language, manager, personal, sample, tense
from memaudit.grounding.kinds import KINDS
from memaudit.grounding.language import Polarity
from memaudit.grounding.words import ClaimText, Form, is_placeholder


def claim(text: str, block: Block = Block.ITEM, **fields: object) -> Claim:
    values: dict[str, object] = {"kind": ClaimKind.FACT, "line_start": 1, "line_end": 1, **fields}
    span = Span(0, len(text.encode()))
    return Claim("id", "store", "CLAUDE.md", text, block=block, span=span, item_span=span, **values)  # type: ignore[arg-type]


def _examples() -> list[tuple[str, str, tuple[str, ...]]]:
    rows = []
    for kind in KINDS:
        module = importlib.import_module(type(kind).__module__)
        rows += [(kind.name, text, expected) for text, expected in module.EXAMPLES]
    return rows


@pytest.mark.parametrize(("name", "text", "expected"), _examples())
def test_kind_reads_its_examples(name: str, text: str, expected: tuple[str, ...]) -> None:
    kind = next(kind for kind in KINDS if kind.name == name)
    found = tuple(mention.target for mention in kind.mentions(ClaimText(claim(text))))
    if name == "dependency":
        assert set(expected) <= set(found)
    else:
        assert found == expected


@pytest.mark.parametrize(("text", "name", "expected"), language.EXAMPLES)
def test_polarity_of_examples(text: str, name: str, expected: Polarity) -> None:
    start = text.index(name) if f"`{name}`" not in text else text.index(f"`{name}`") + 1
    assert language.polarity(ClaimText(claim(text)), start, start + len(name)) is expected


def _around(text: str, name: str) -> tuple[str, str]:
    """The words of the clause on both sides of a name, without the marks around it."""
    start = text.index(f"`{name}`") + 1 if f"`{name}`" in text else text.index(name)
    before, after = language.clause(text, start, start + len(name))
    return before.rstrip("`"), after.lstrip("`")


@pytest.mark.parametrize(("text", "name", "expected"), tense.EXAMPLES)
def test_the_past_is_told_from_the_present(text: str, name: str, expected: bool) -> None:
    before, after = _around(text, name)
    assert tense.told_as_past(before, name, after) is expected


@pytest.mark.parametrize(("text", "name", "expected"), elsewhere.EXAMPLES)
def test_other_repositories_and_branches_are_told(text: str, name: str, expected: bool) -> None:
    before, after = _around(text, name)
    assert elsewhere.is_elsewhere(before, name, after) is expected


@pytest.mark.parametrize(("text", "name", "expected"), elsewhere.LATER_EXAMPLES)
def test_what_comes_later_is_told(text: str, name: str, expected: bool) -> None:
    assert elsewhere.comes_later(*_around(text, name)) is expected


@pytest.mark.parametrize(("text", "expected"), excused.LINK_EXAMPLES)
def test_linked_repositories_are_read(text: str, expected: tuple[str, ...]) -> None:
    assert excused.repositories(text) == expected


@pytest.mark.parametrize(("text", "expected"), manager.FOR_OTHERS_EXAMPLES)
def test_managers_of_others_are_told(text: str, expected: bool) -> None:
    assert manager.for_others(text) is expected


@pytest.mark.parametrize(("text", "path", "expected"), personal.EXAMPLES)
def test_files_of_whoever_runs_a_program_are_told(text: str, path: str, expected: bool) -> None:
    assert personal.is_personal(path, ClaimText(claim(text))) is expected


@pytest.mark.parametrize(("name", "expected"), sample.FILE_EXAMPLES)
def test_file_names_that_say_what_is_to_be_named_are_told(name: str, expected: bool) -> None:
    assert sample.is_file_to_be_named(name) is expected


@pytest.mark.parametrize(("name", "expected"), sample.NAME_EXAMPLES)
def test_names_that_say_what_is_to_be_named_are_told(name: str, expected: bool) -> None:
    assert sample.is_to_be_named(name) is expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("TestYourFunction", True),
        ("tests/test_specific_case.py", True),
        ("ui/EventNameHere.py", True),
        ("name_goes_here", True),
        ("tests/test_cases.py", False),
        ("where.py", False),
        ("Specification", False),
        ("src/here/now.py", False),
    ],
)
def test_names_that_stand_for_any_are_told(name: str, expected: bool) -> None:
    assert is_placeholder(name) is expected


def test_a_repository_called_as_the_document_is_this_one() -> None:
    before, after = _around("In the depot repo it is `src/ui.ts`.", "src/ui.ts")
    assert elsewhere.is_elsewhere(before, "src/ui.ts", after, {"shop"})
    assert not elsewhere.is_elsewhere(before, "src/ui.ts", after, {"depot"})


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_mentions_lie_within_the_text(kind: object) -> None:
    module = importlib.import_module(type(kind).__module__)
    for text, _ in module.EXAMPLES:
        for mention in kind.mentions(ClaimText(claim(text))):  # type: ignore[attr-defined]
            assert 0 <= mention.start <= mention.end <= len(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`" * 3000, []),
        ("Use `" + "`" * 2990, []),
        ("``a, `b`", ["b"]),
        ("``a `b` c`` and `d`", ["a `b` c", "d"]),
    ],
)
def test_code_stands_between_signs_as_many_as_opened_it(text: str, expected: list[str]) -> None:
    words = ClaimText(claim(text)).words
    assert [word.text for word in words if word.form is Form.CODE] == expected
