"""The cleaned store in other shapes: what is left once the decisions are carried out."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memaudit.domain import Claim, Decision, DecisionKind, Document, Store
from memaudit.errors import UsageError
from memaudit.stores.document import load_document
from memaudit.stores.writer import edit
from memaudit.text import visible

Cleaned = Sequence[tuple[Store, Document]]
"""Stores and their documents as they are after the decisions."""


def export(stores: Sequence[Store], decisions: Mapping[str, Decision], format: str) -> bytes:
    """The stores with the decisions carried out, as one file of the given format.

    ``markdown`` gives the bytes of a single document unchanged, several under a heading each;
    ``json``, ``jsonl`` and ``toml`` list the claims that are left; ``mcp`` is the memory file of the
    MCP reference server, an entity for each document with its claims as observations.

    Raises UsageError for another format, StoreError where a decision cannot be carried out.
    """
    write = FORMATS.get(format)
    if write is None:
        raise UsageError(
            f"there is no export format {format!r}", "--format", f"one of {', '.join(sorted(FORMATS))}"
        )
    accepted = frozenset(key for key, one in decisions.items() if one.kind is DecisionKind.ACCEPT)
    cleaned = [(store, _after(document, decisions)) for store in stores for document in store.documents]
    return write(cleaned, accepted)


def _after(document: Document, decisions: Mapping[str, Decision]) -> Document:
    raw = edit(document, decisions)
    if raw == document.raw:
        return document
    store = document.claims[0].store if document.claims else ""
    return load_document(
        document.path,
        raw,
        store=store,
        format=document.format,
        scope=document.scope,
        aliases=document.aliases,
    )


def _markdown(cleaned: Cleaned, accepted: frozenset[str]) -> bytes:
    del accepted
    if len(cleaned) == 1:
        return cleaned[0][1].raw
    parts = []
    for _, document in cleaned:
        body = document.raw.removeprefix(b"\xef\xbb\xbf").strip(b"\r\n")
        parts.append(_encode(f"# {visible(document.path)}\n\n") + body + b"\n")
    return b"\n".join(parts)


def _entry(store: Store, document: Document, claim: Claim, accepted: frozenset[str]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": claim.id,
        "store": store.name,
        "file": document.path,
        "line": claim.line_start,
        "heading": list(claim.heading),
        "kind": claim.kind.value,
        "text": claim.text,
    }
    if claim.context:
        entry["context"] = list(claim.context)
    if claim.scope:
        entry["scope"] = list(claim.scope)
    if claim.id in accepted:
        entry["accepted"] = True
    return entry


def _entries(cleaned: Cleaned, accepted: frozenset[str]) -> list[dict[str, Any]]:
    return [
        _entry(store, document, claim, accepted) for store, document in cleaned for claim in document.claims
    ]


def _json(cleaned: Cleaned, accepted: frozenset[str]) -> bytes:
    value = {"schema": 1, "claims": _entries(cleaned, accepted)}
    return _encode(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def _jsonl(cleaned: Cleaned, accepted: frozenset[str]) -> bytes:
    return _lines(_entries(cleaned, accepted))


def _toml(cleaned: Cleaned, accepted: frozenset[str]) -> bytes:
    import tomli_w

    return _encode(tomli_w.dumps({"schema": 1, "claims": _entries(cleaned, accepted)}))


def _mcp(cleaned: Cleaned, accepted: frozenset[str]) -> bytes:
    del accepted
    entities = [
        {
            "type": "entity",
            "name": document.path,
            "entityType": document.format,
            # The server keeps each observation of an entity once.
            "observations": list(dict.fromkeys(claim.text for claim in document.claims)),
        }
        for _, document in cleaned
    ]
    # This file has no line end after its last line: the server writes none.
    return _lines(entities).removesuffix(b"\n")


def _lines(values: Sequence[Mapping[str, Any]]) -> bytes:
    return _encode(
        "".join(json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n" for value in values)
    )


def _encode(text: str) -> bytes:
    # Only file names can hold what is not Unicode.
    return text.encode("utf-8", "replace")


FORMATS: dict[str, Callable[[Cleaned, frozenset[str]], bytes]] = {
    "markdown": _markdown,
    "json": _json,
    "jsonl": _jsonl,
    "toml": _toml,
    "mcp": _mcp,
}
"""Every export format and what writes it."""
