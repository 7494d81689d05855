"""Paragraphs: sentences, chosen line ends, lead-ins, labels, quotes, HTML around Markdown."""

from __future__ import annotations

import pytest
from storekit import claims, texts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One thing. Another thing.", ["One thing.", "Another thing."]),
        ("Is it? It is! Good.", ["Is it?", "It is!", "Good."]),
        ("Use e.g. Redis, i.e. a cache. Then stop.", ["Use e.g. Redis, i.e. a cache.", "Then stop."]),
        ("Needs Python 3.12. Not 3.10.", ["Needs Python 3.12.", "Not 3.10."]),
        ("Edit app.config.ts. Then build.", ["Edit app.config.ts.", "Then build."]),
        ("The file is `a. B`. `c` is not.", ["The file is `a. B`.", "`c` is not."]),
        ("It fails. pyproject.toml is wrong.", ["It fails.", "pyproject.toml is wrong."]),
        ("It logs errors, warnings etc. and stops.", ["It logs errors, warnings etc. and stops."]),
        ("Logs, traces, etc. Nothing else.", ["Logs, traces, etc.", "Nothing else."]),
        ("See (first a. Then b.) for it. Done.", ["See (first a. Then b.) for it.", "Done."]),
        ("**Never. Ever.** It breaks.", ["**Never. Ever.**", "It breaks."]),
        ("He is J. Smith. She is not.", ["He is J. Smith.", "She is not."]),
        ("Steps: 1. Build it 2. Ship it", ["Steps: 1. Build it 2. Ship it"]),
        ("请使用中文。不要用英文!好。", ["请使用中文。", "不要用英文!好。"]),
        ("It waits... Then it goes.", ["It waits...", "Then it goes."]),
        ('It says "stop." It stops.', ['It says "stop."', "It stops."]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert texts(text) == expected


def test_wrapped_sentence_is_one_claim_over_its_lines() -> None:
    text = (
        "The importer reads every feed from the queue and hands each record to\n"
        "Postgres, which keeps it for ninety days. A second worker removes what\n"
        "is older.\n"
    )
    first, second = claims(text)
    assert first.text == text.split(". ")[0].replace("\n", " ") + "."
    assert (first.line_start, first.line_end) == (1, 2)
    assert (second.line_start, second.line_end) == (2, 3)


@pytest.mark.parametrize(
    "text",
    [
        "Tests live beside the code\nFixtures are shared\n",
        "**Queue**: holds jobs until a worker is free, at most for two days in a row\n**Cache**: Redis\n",
        "Deploys run from the main branch only and take about an hour to finish\nNever deploy on Friday\n",
        "Two spaces end this line  \nand so the next stands alone\n",
    ],
)
def test_a_line_end_the_author_chose_ends_a_claim(text: str) -> None:
    assert texts(text) == [line.strip() for line in text.splitlines()]


def test_lead_in_is_context_and_no_claim() -> None:
    text = "Never mock the store. It hid a bug. Allowed fakes:\n\n- the clock\n- mail\n"
    assert texts(text) == ["Never mock the store.", "It hid a bug.", "the clock", "mail"]
    assert [claim.context for claim in claims(text)] == [(), (), ("Allowed fakes:",), ("Allowed fakes:",)]


def test_lead_in_speaks_for_all_blocks_up_to_the_next_paragraph() -> None:
    text = "Run these:\n\n```sh\nmake a\n```\n\n```sh\nmake b\n```\n\nDone here.\n\n- item\n"
    assert [(claim.text, claim.context) for claim in claims(text)] == [
        ("make a", ("Run these:",)),
        ("make b", ("Run these:",)),
        ("Done here.", ()),
        ("item", ()),
    ]


def test_bold_label_is_a_heading_in_all_but_name() -> None:
    text = "**Backend**\n\n- `api/` serves JSON\n\n**Frontend:**\n\n- `web/` is static\n"
    assert [(claim.text, claim.context) for claim in claims(text)] == [
        ("`api/` serves JSON", ("**Backend**",)),
        ("`web/` is static", ("**Frontend:**",)),
    ]


def test_bold_rule_is_a_claim() -> None:
    assert texts("**Never commit secrets**\n\n- not even once\n") == [
        "**Never commit secrets**",
        "not even once",
    ]


def test_headings_make_the_path() -> None:
    text = (
        "Before.\n\n# A #\n\nIn a.\n\n## B\n\nIn b.\n\nC\n---\n\nIn c.\n\n# D\n\nIn d.\n\n#Not a heading.\n"
    )
    assert [(claim.text, claim.heading) for claim in claims(text)] == [
        ("Before.", ()),
        ("In a.", ("A",)),
        ("In b.", ("A", "B")),
        ("In c.", ("A", "C")),
        ("In d.", ("D",)),
        ("#Not a heading.", ("D",)),
    ]


def test_text_right_above_a_rule_is_still_text() -> None:
    assert texts("The cache holds an hour. It is local.\n---\n\nMore.\n") == [
        "The cache holds an hour.",
        "It is local.",
        "More.",
    ]


def test_why_and_how_hang_under_what_they_explain() -> None:
    text = "Run against Postgres.\n\n**Why:** a fake hid a bug.\n**How to apply:** every query gets a test.\n"
    first, why, how = claims(text)
    assert (why.text, how.text) == (
        "**Why:** a fake hid a bug.",
        "**How to apply:** every query gets a test.",
    )
    assert why.context == how.context == (first.text,)


def test_quotes_are_claims_and_their_markers_are_not() -> None:
    text = "> [!WARNING]\n> The job runs at night.\n>\n> - never by day\n"
    assert [(claim.text, claim.line_start) for claim in claims(text)] == [
        ("The job runs at night.", 2),
        ("never by day", 4),
    ]


def test_comments_front_matter_rules_and_definitions_are_no_claims() -> None:
    text = (
        "---\nname: x\nglobs: **/*.sql\n---\n<!-- a note\n- not an item -->\n\nReal text.\n\n***\n\n"
        "[link]: https://example.invalid\n\n![badge](b.svg) [![ci](c.svg)](d)\n"
    )
    assert texts(text) == ["Real text."]


def test_front_matter_may_follow_a_byte_order_mark() -> None:
    raw = b"\xef\xbb\xbf---\r\nname: x\r\n---\r\nText stays.\r\n"
    (claim,) = claims(raw)
    assert (claim.text, claim.line_start) == ("Text stays.", 4)
    assert raw[claim.span.start : claim.span.end] == b"Text stays."


def test_a_rule_in_the_middle_is_no_front_matter() -> None:
    assert texts("Above stands.\n\n---\n\nkey: value stays\n\n---\n") == ["Above stands.", "key: value stays"]


def test_comment_at_the_edge_of_a_claim_is_left_out_of_it() -> None:
    raw = b"- The port is 80. <!-- checked in May -->\n"
    (claim,) = claims(raw)
    assert claim.text == "The port is 80."
    assert raw[claim.span.start : claim.span.end] == b"The port is 80."


def test_markdown_inside_html_blocks_is_read() -> None:
    text = (
        "<details>\n<summary>Build steps</summary>\nRun `make`.\n\n- then wait\n</details>\n\n"
        "<div>Shown too.</div>\n"
    )
    assert texts(text) == ["Run `make`.", "then wait", "Shown too."]


def test_tags_around_sections_do_not_hide_them() -> None:
    text = "<rules>\n- one rule holds\n</rules>\nThen text.\n"
    assert texts(text) == ["one rule holds", "Then text."]


def test_imports_are_pointers_and_listed() -> None:
    from storekit import load

    document = load(
        "See @docs/plan.md first.\n\n@./style.md\n\nMail a@b.example, not `@x.md`.\n", "sub/CLAUDE.md"
    )
    assert [claim.kind for claim in document.claims[:2]] == ["pointer", "pointer"]
    assert document.imports == ("sub/docs/plan.md", "sub/style.md")


def test_lines_end_at_line_feeds_only() -> None:
    (claim,) = claims("- one\u2028two\x0bthree\x85four\n")
    assert (claim.line_start, claim.line_end) == (1, 1)


def test_a_very_long_line_is_split_where_it_ends_sentences() -> None:
    text = "It holds a part. " * 2000
    found = claims(text)
    assert len(found) == 2000
    assert {claim.text for claim in found} == {"It holds a part."}
