"""Claims and judgements as JSON values: the shape ``check --format json`` promises, both ways.

One table of names serves the report, the stream between the audit process and the screen, and the
caches, so that no two of them can drift apart.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from memaudit.domain import (
    Block,
    Claim,
    ClaimKind,
    CommitInfo,
    Cost,
    Document,
    Evidence,
    Judgement,
    Location,
    Origin,
    Range,
    Reference,
    Span,
    Store,
    Suggestion,
    Tier,
    Verdict,
    summarise,
)
from memaudit.patterns import lazy_regex

SCHEMA = 1
"""The version of the JSON shape; raised when a field changes its meaning or goes."""

_ACTING = lazy_regex("[\\x7f-\\x9f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]")

Json = dict[str, Any]


def printable(text: str) -> str:
    """JSON text in which no character of a string can act on a terminal: those are written as escapes."""
    return _ACTING.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def claim_to_json(claim: Claim, judgement: Judgement) -> Json:
    """One entry of ``claims`` in the report."""
    return {
        "id": claim.id,
        "store": claim.store,
        "file": claim.document,
        "line_start": claim.line_start,
        "line_end": claim.line_end,
        "heading": list(claim.heading),
        "text": claim.text,
        "kind": claim.kind.value,
        **judgement_to_json(judgement),
    }


def judgement_to_json(judgement: Judgement) -> Json:
    """The fields of a judgement, without the claim's own."""
    return {
        "verdict": judgement.verdict.value,
        "reason": judgement.reason,
        "why": judgement.why,
        "origin": judgement.origin.value if judgement.origin else None,
        "confidence": round(judgement.confidence, 3),
        "judge": judgement.judge,
        "references": [asdict(reference) for reference in judgement.references],
        "evidence": [asdict(evidence) for evidence in judgement.evidence],
        "suggestion": _suggestion_to_json(judgement.suggestion),
    }


def _suggestion_to_json(suggestion: Suggestion | None) -> Json | None:
    if suggestion is None:
        return None
    return {
        "tier": suggestion.tier.value,
        "text": suggestion.text,
        "note": suggestion.note,
        "source": suggestion.source,
    }


def judgement_from_json(claim_id: str, value: Json) -> Judgement:
    """The judgement that :func:`judgement_to_json` wrote.

    Raises KeyError, TypeError or ValueError when the value is of another shape.
    """
    suggestion = dict(value["suggestion"] or {})
    return Judgement(
        claim_id=claim_id,
        verdict=Verdict(value["verdict"]),
        reason=value["reason"],
        why=value["why"],
        judge=value["judge"],
        confidence=float(value["confidence"]),
        origin=Origin(value["origin"]) if value["origin"] else None,
        references=tuple(Reference(**reference) for reference in value["references"]),
        evidence=tuple(_evidence_from_json(evidence) for evidence in value["evidence"]),
        suggestion=Suggestion(Tier(suggestion.pop("tier")), **suggestion) if suggestion else None,
    )


def _evidence_from_json(value: Json) -> Evidence:
    return Evidence(
        reference=value["reference"],
        base=Location(**value["base"]) if value["base"] else None,
        head=Location(**value["head"]) if value["head"] else None,
        commit=CommitInfo(**value["commit"]) if value["commit"] else None,
        note=value["note"],
    )


def range_to_json(range_: Range) -> Json:
    """The ``range`` object of the report."""
    return {
        "base": range_.base,
        "head": range_.head,
        "chosen_by": range_.chosen_by,
        "per_claim": range_.per_claim,
        "head_commit": range_.head_commit,
    }


def store_to_json(store: Store) -> Json:
    """One entry of ``stores``: what was found, not the claims themselves."""
    return {
        "name": store.name,
        "format": store.format,
        "scope": store.scope,
        "claims": len(store.claims),
        "documents": [
            {
                "file": document.path,
                "format": document.format,
                "claims": len(document.claims),
                "aliases": list(document.aliases),
                "imports": list(document.imports),
                "scope": list(document.scope),
                "shadows": document.shadows,
                "warnings": list(document.warnings),
                "unread": document.unread,
            }
            for document in store.documents
        ],
    }


def report_to_json(
    repo: str,
    range_: Range,
    stores: Iterable[Store],
    judged: Iterable[tuple[Claim, Judgement]],
    cost: Cost,
) -> Json:
    """The whole report of ``check --format json``."""
    pairs = list(judged)
    return {
        "schema": SCHEMA,
        "repo": repo,
        "range": range_to_json(range_),
        "stores": [store_to_json(store) for store in stores],
        "claims": [claim_to_json(claim, judgement) for claim, judgement in pairs],
        "summary": asdict(summarise(judgement for _, judgement in pairs)),
        "cost": asdict(cost),
    }


def store_to_wire(store: Store) -> Json:
    """The whole store, bytes and spans included, for the stream between our own processes."""
    value = asdict(store)
    for document in value["documents"]:
        document["raw"] = base64.b64encode(document["raw"]).decode("ascii")
    return value


def store_from_wire(value: Json) -> Store:
    """The store that :func:`store_to_wire` wrote."""
    return Store(
        name=value["name"],
        format=value["format"],
        scope=value["scope"],
        documents=tuple(_document_from_wire(document) for document in value["documents"]),
    )


def _document_from_wire(value: Json) -> Document:
    return Document(
        path=value["path"],
        format=value["format"],
        raw=base64.b64decode(value["raw"]),
        claims=tuple(claim_from_wire(claim) for claim in value["claims"]),
        aliases=tuple(value["aliases"]),
        imports=tuple(value["imports"]),
        scope=tuple(value["scope"]),
        shadows=value["shadows"],
        warnings=tuple(value["warnings"]),
        unread=bool(value.get("unread")),
    )


def claim_from_wire(value: Json) -> Claim:
    """One claim of a store that :func:`store_to_wire` wrote."""
    fields = dict(value)
    for name in ("heading", "context", "columns", "scope"):
        fields[name] = tuple(fields[name])
    for name in ("span", "item_span"):
        fields[name] = Span(**fields[name])
    fields["kind"] = ClaimKind(fields["kind"])
    fields["block"] = Block(fields["block"])
    return Claim(**fields)
