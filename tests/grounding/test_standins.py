"""Names that stand for others are told from names by the examples that their modules give."""

from __future__ import annotations

import pytest

from memaudit.domain import Block, Claim, ClaimKind, Span
from memaudit.grounding import sample, standins
from memaudit.grounding.language import Polarity
from memaudit.grounding.reference import Mention
from memaudit.grounding.words import ClaimText, Form


@pytest.mark.parametrize(("name", "expected"), sample.STAND_IN_EXAMPLES)
def test_files_that_stand_for_any_are_told(name: str, expected: bool) -> None:
    assert sample.stands_for_file(name) is expected


@pytest.mark.parametrize(("text", "name", "expected"), standins.STYLE_EXAMPLES)
def test_examples_of_how_names_are_formed_are_told(text: str, name: str, expected: bool) -> None:
    span = Span(0, len(text))
    words = ClaimText(Claim("1", "claude", "CLAUDE.md", text, ClaimKind.OTHER, Block.ITEM, span, span, 1, 1))
    start = text.index(name)
    mention = Mention("path", name, name, start, start + len(name), Form.CODE, Polarity.ASSERTED)
    assert standins.shows_style(mention, words) is expected
