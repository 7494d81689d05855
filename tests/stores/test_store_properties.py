"""What must hold for every text, found by trying many."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from storekit import accept, claims, load, retire, rewrite

from memaudit.domain import Block, Decision, Document
from memaudit.errors import StoreError
from memaudit.stores.document import load_document
from memaudit.stores.writer import edit, nested_claims, verify

quick = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])

# Texts that are Markdown by accident: every character that means something, and some that trip parsers.
_SNIPPETS = st.sampled_from(
    [
        *["- ", "* ", "1. ", "2) ", "> ", "# ", "## ", "```\n", "```bash\n", "~~~\n"],
        *["| a | b |\n", "|---|---|\n", "---\n", "===\n", "<!-- ", " -->", "<details>\n", "</details>\n"],
        *["    ", "\t", "\n", "\n\n", "\r\n", "\r", "word ", "Use `x`. ", "Never do it. ", "**b** "],
        *["[a](b.md) ", "@docs/a.md ", ": ", "├── a\n", "$ make\n", "[ ] ", "[x] ", "Why: ", "<<EOF\n", "'"],
        *["\ufeff", "\0", "\u2028", "\u00a0", "\u3000", "。", "é", "🔑", "\\\n"],
    ]
)
rough_markdown = st.lists(st.one_of(_SNIPPETS, st.text(max_size=6)), max_size=40).map("".join)

_SUBJECTS = ["The server", "`lib/tide.py`", "Each handler", "The cache", "**The queue**", "CI"]
_PREDICATES = [
    "reads `config/app.toml`",
    "must stay small",
    "is built by `make all`",
    "never blocks",
    "has 3 parts",
]


@st.composite
def sentences(draw: st.DrawFn) -> str:
    subject = draw(st.sampled_from(_SUBJECTS))
    # A bare number at the end could come to stand at the start of a line, where it begins a list.
    return f"{subject} {draw(st.sampled_from(_PREDICATES))} {draw(st.integers(0, 999))} times."


@st.composite
def items(draw: st.DrawFn, depth: int = 0, ordered: bool = False) -> str:
    lines = []
    for number in range(draw(st.integers(1, 3))):
        marker = f"{number + 1}. " if ordered else "- "
        indent = " " * (depth * 3)
        lines.append(f"{indent}{marker}{draw(sentences())}\n")
        if draw(st.booleans()):
            lines.append(f"{indent}{' ' * len(marker)}{draw(sentences())}\n")
        if depth < 2 and draw(st.integers(0, 3)) == 0:
            lines.append(draw(items(depth + 1, ordered=draw(st.booleans()))))
    return "".join(lines)


@st.composite
def blocks(draw: st.DrawFn) -> str:
    shape = draw(st.integers(0, 6))
    if shape == 0:
        return f"{'#' * draw(st.integers(1, 4))} Part {draw(st.integers(0, 99))}\n"
    if shape == 1:
        return (
            draw(st.sampled_from(["\n", " "])).join(draw(st.lists(sentences(), min_size=1, max_size=4)))
            + "\n"
        )
    if shape == 2:
        return draw(items(ordered=draw(st.booleans())))
    if shape == 3:
        rows = draw(st.lists(sentences(), min_size=1, max_size=3))
        return "| Part | Says |\n| --- | --- |\n" + "".join(
            f"| `p{at}` | {row} |\n" for at, row in enumerate(rows)
        )
    if shape == 4:
        commands = draw(
            st.lists(st.sampled_from(["make all", "npm test", "go vet ./..."]), min_size=1, max_size=3)
        )
        return "```bash\n" + "".join(f"{command} {at}\n" for at, command in enumerate(commands)) + "```\n"
    if shape == 5:
        return "> " + draw(sentences()) + "\n"
    return "<!-- a note -->\n"


documents = st.lists(blocks(), min_size=1, max_size=7).map("\n".join)


def _choose(data: st.DataObject, document: Document) -> dict[str, Decision]:
    """Decisions on any part of the claims; who goes takes along what is below."""
    chosen = data.draw(
        st.lists(st.sampled_from(document.claims), max_size=6, unique_by=lambda claim: claim.id)
    )
    decisions: dict[str, Decision] = {}
    for claim in chosen:
        if data.draw(st.booleans()):
            decisions |= retire(claim, *nested_claims(document, claim))
        elif claim.id not in decisions:
            decisions |= rewrite(
                claim, "make other" if claim.block is Block.COMMAND else "It says something new 7."
            )
    return decisions


@given(st.binary(max_size=300))
@quick
def test_any_bytes_give_a_document_or_an_error_of_ours(raw: bytes) -> None:
    try:
        document = load(raw)
    except StoreError as error:
        assert "NOTES.md" in error.line()
    else:
        assert document.raw == raw


@given(rough_markdown)
@quick
def test_spans_lie_in_order_and_hold_the_words(text: str) -> None:
    assume("\ud800" not in text)
    document = load(text.encode("utf-8", "ignore"))
    raw, end = document.raw, 0
    lines = raw.count(b"\n") + 1
    for claim in document.claims:
        assert end <= claim.span.start < claim.span.end <= len(raw)
        assert claim.item_span.start <= claim.span.start and claim.span.end <= claim.item_span.end
        assert 1 <= claim.line_start <= claim.line_end <= lines
        assert claim.line_start == raw.count(b"\n", 0, claim.span.start) + 1
        words = raw[claim.span.start : claim.span.end].decode()
        assert claim.text.split()[0] in words and claim.text.split()[-1] in words
        end = claim.span.end
    assert len({claim.id for claim in document.claims}) == len(document.claims)


@given(rough_markdown)
@quick
def test_accepting_everything_changes_no_byte(text: str) -> None:
    document = load(text.encode("utf-8", "ignore"))
    assert edit(document, accept(document.claims)) == document.raw


@given(rough_markdown, st.data())
@quick
def test_edits_of_rough_text_are_proved_or_refused(text: str, data: st.DataObject) -> None:
    document = load(text.encode("utf-8", "ignore"))
    assume(document.claims)
    decisions = _choose(data, document)
    try:
        after = edit(document, decisions)
    except StoreError:
        return
    verify(document, decisions, after)


@given(documents, st.sampled_from(["\n", "\r\n"]), st.booleans(), st.booleans(), st.data())
@quick
def test_edits_change_the_decided_claims_and_nothing_else(
    text: str, eol: str, bom: bool, final: bool, data: st.DataObject
) -> None:
    text = text if final else text.rstrip("\n")
    document = load(b"\xef\xbb\xbf" * bom + text.replace("\n", eol).encode())
    assume(document.claims)
    decisions = _choose(data, document)
    after = edit(document, decisions)
    verify(document, decisions, after)
    kept = [claim for claim in document.claims if claim.id not in decisions]
    left = [
        claim for claim in load(after).claims if claim.text not in ("make other", "It says something new 7.")
    ]
    assert [(claim.text, claim.heading) for claim in left] == [(claim.text, claim.heading) for claim in kept]
    assert after.startswith(b"\xef\xbb\xbf") == bom
    if after.strip(b"\xef\xbb\xbf\r\n"):
        assert after.endswith(b"\n") == document.raw.endswith(b"\n")
    assert (b"\n" in after.replace(b"\r\n", b"")) == (eol == "\n" and b"\n" in after)


@given(documents)
@quick
def test_ids_survive_moved_lines(text: str) -> None:
    moved = "<!-- new on top -->\n\n\n" + text.replace("\n", "\r\n")
    assert [claim.id for claim in claims(moved)] == [claim.id for claim in claims(text)]


@given(documents)
@quick
def test_ids_survive_renumbering(text: str) -> None:
    renumbered = re.sub(r"(?m)^( *)\d+\. ", r"\g<1>1. ", text)
    assert [claim.id for claim in claims(renumbered)] == [claim.id for claim in claims(text)]


@given(st.lists(sentences(), min_size=1, max_size=6), st.integers(20, 120))
@quick
def test_ids_survive_a_paragraph_flowed_anew(parts: list[str], width: int) -> None:
    lines, line = [], ""
    for word in " ".join(parts).split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}".strip()
    flowed = "\n".join([*lines, line])
    # An author who wraps at twenty columns cannot be told from one who writes a statement a line.
    assume(width >= 60)
    assert [claim.id for claim in claims(flowed)] == [claim.id for claim in claims(" ".join(parts))]


@pytest.mark.parametrize("size", [1, 7])
def test_store_and_format_of_a_document_are_those_given(size: int) -> None:
    document = load_document("a/b.md", b"Word.\n" * size, store="s", format="f", scope=("a/**",))
    assert (document.path, document.format, document.scope) == ("a/b.md", "f", ("a/**",))
    assert {(claim.store, claim.document, claim.scope) for claim in document.claims} == {
        ("s", "a/b.md", ("a/**",))
    }
