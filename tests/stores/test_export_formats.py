"""Exports: the store after the decisions, in each format."""

from __future__ import annotations

import json
import tomllib

import pytest
from storekit import accept, load, retire

from memaudit.domain import Store
from memaudit.errors import UsageError
from memaudit.stores.export import FORMATS, export

FIRST = load("# Tide\r\n\r\n- a is „set“\r\n- b is set\r\n", "CLAUDE.md")
SECOND = load("\ufeffText is here. Text is there.\n", "docs/more.md")
STORES = [Store("claude", "claude", "project", (FIRST, SECOND))]
DECISIONS = retire(FIRST.claims[1]) | accept([SECOND.claims[0]])


def test_one_document_as_markdown_is_its_bytes() -> None:
    store = Store("claude", "claude", "project", (FIRST,))
    assert export([store], DECISIONS, "markdown") == "# Tide\r\n\r\n- a is „set“\r\n".encode()


def test_several_documents_as_markdown_follow_each_other() -> None:
    text = export(STORES, {}, "markdown").decode()
    assert text == (
        "# CLAUDE.md\n\n# Tide\r\n\r\n- a is „set“\r\n- b is set\n\n"
        "# docs/more.md\n\nText is here. Text is there.\n"
    )


def test_json_jsonl_and_toml_hold_the_same_claims() -> None:
    whole = json.loads(export(STORES, DECISIONS, "json"))
    lines = [json.loads(line) for line in export(STORES, DECISIONS, "jsonl").decode().splitlines()]
    table = tomllib.loads(export(STORES, DECISIONS, "toml").decode())
    assert whole["claims"] == lines == table["claims"]
    assert [(entry["text"], entry.get("accepted")) for entry in lines] == [
        ("a is „set“", None),
        ("Text is here.", True),
        ("Text is there.", None),
    ]
    assert lines[0]["id"] == FIRST.claims[0].id
    assert (lines[0]["file"], lines[0]["line"], lines[0]["heading"]) == ("CLAUDE.md", 3, ["Tide"])


def test_mcp_memory_file() -> None:
    raw = export(STORES, DECISIONS, "mcp")
    assert not raw.endswith(b"\n")
    assert [json.loads(line) for line in raw.decode().split("\n")] == [
        {"type": "entity", "name": "CLAUDE.md", "entityType": "markdown", "observations": ["a is „set“"]},
        {
            "type": "entity",
            "name": "docs/more.md",
            "entityType": "markdown",
            "observations": ["Text is here.", "Text is there."],
        },
    ]


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_no_stores_give_an_empty_but_valid_file(name: str) -> None:
    assert isinstance(export([], {}, name), bytes)


def test_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(UsageError, match="json, jsonl, markdown, mcp, toml"):
        export(STORES, {}, "yaml")
