"""Lists: nesting, several paragraphs, tasks, and lists that CommonMark does not take for lists."""

from __future__ import annotations

from storekit import claims, texts


def test_nested_items_are_claims_of_their_own_under_their_parent() -> None:
    text = "- `api/` serves JSON\n  - only `auth.py` may log in\n    - never twice\n- end\n"
    parent, child, grandchild, end = claims(text)
    assert child.context == (parent.text,)
    assert grandchild.context == (parent.text, child.text)
    assert (parent.children, child.children, end.children) == (2, 1, 0)
    assert (parent.line_start, parent.line_end) == (1, 1)
    assert parent.item_span.end == child.item_span.end == end.item_span.start


def test_item_of_several_paragraphs_is_one_claim() -> None:
    text = "- It reads `jobs.toml`.\n\n  It never writes it:\n  people do.\n\n- next\n"
    first, second = claims(text)
    assert first.text == "It reads `jobs.toml`. It never writes it: people do."
    assert (first.line_start, first.line_end) == (1, 4)
    assert second.text == "next"


def test_text_after_a_nested_list_is_a_claim_under_the_item() -> None:
    text = "- first part\n  - inner\n\n  Second part.\n"
    assert [(claim.text, claim.context) for claim in claims(text)] == [
        ("first part", ()),
        ("inner", ("first part",)),
        ("Second part.", ("first part",)),
    ]


def test_item_that_only_introduces_is_context() -> None:
    text = (
        "- Commands:\n  - `make a`\n- Says one thing. Then lists:\n  - x is set\n"
        "- **Storage**\n  - Postgres 16\n"
    )
    assert [(claim.text, claim.context) for claim in claims(text)] == [
        ("`make a`", ("Commands:",)),
        ("Says one thing.", ()),
        ("x is set", ("Says one thing. Then lists:",)),
        ("Postgres 16", ("**Storage**",)),
    ]


def test_last_item_introduces_an_unindented_block() -> None:
    (claim,) = claims("1. Build it with:\n```sh\nmake all\n```\n")
    assert (claim.text, claim.context) == ("make all", ("Build it with:",))


def test_tasks() -> None:
    done, planned = claims("- [x] Replace `a` with `b`\n- [ ] Drop `c`\n")
    assert (done.text, done.task, done.kind) == ("Replace `a` with `b`", True, "fact")
    assert (planned.text, planned.task, planned.kind) == ("Drop `c`", False, "other")


def test_every_marker_and_number_style() -> None:
    assert texts("* a one\n* a two\n+ b one\n- c one\n3) d one\n4) d two\n") == [
        "a one",
        "a two",
        "b one",
        "c one",
        "d one",
        "d two",
    ]


def test_tab_indented_bullets_below_a_paragraph_are_items() -> None:
    text = "The group holds\n\t- first thing\n\t- second thing\n"
    assert [(claim.text, claim.block) for claim in claims(text)] == [
        ("The group holds", "sentence"),
        ("first thing", "item"),
        ("second thing", "item"),
    ]


def test_a_list_that_starts_late_below_a_paragraph_is_a_list() -> None:
    assert texts("Go on like this\n2. second step\n3. third step\n") == [
        "Go on like this",
        "second step",
        "third step",
    ]


def test_a_list_indented_like_code_is_a_list() -> None:
    raw = b"Text.\n\n      - inner `a`\n        goes on\n      - other\n"
    _, first, second = claims(raw)
    assert (first.text, second.text) == ("inner `a` goes on", "other")
    assert raw[first.span.start : first.span.end] == b"inner `a`\n        goes on"
    assert (first.line_start, first.line_end, second.line_start) == (3, 4, 5)


def test_import_line_after_an_item_stands_for_itself() -> None:
    assert texts("- Copy the map page\n@tests/setup.ts\n") == ["Copy the map page", "@tests/setup.ts"]


def test_list_in_a_quote_and_code_in_a_list() -> None:
    text = "> - quoted item\n>   goes on\n\n1. Do it:\n\n   ```sh\n   make it\n   ```\n"
    raw = text.encode()
    quoted, command = claims(raw)
    assert quoted.text == "quoted item goes on"
    assert command.text == "make it"
    assert raw[command.item_span.start : command.item_span.end] == b"   make it\n"


def test_item_on_the_line_of_its_parent() -> None:
    raw = b"- - deep one\n  - deep two\n"
    one, two = claims(raw)
    assert (one.text, two.text) == ("deep one", "deep two")
    assert raw[one.item_span.start : one.item_span.end] == b"- deep one"


def test_nesting_beyond_all_reason_is_told() -> None:
    from storekit import load

    document = load("> " * 300 + "deep\n\nshallow\n")
    assert [claim.text for claim in document.claims] == ["shallow"]
    assert document.warnings == ("line 1 is nested too deep to be read",)
