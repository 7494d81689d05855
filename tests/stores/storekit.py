"""Short ways to say what the tests of the stores mean."""

from __future__ import annotations

from collections.abc import Iterable

from memaudit.domain import Claim, Decision, DecisionKind, Document
from memaudit.stores.document import load_document


def load(text: str | bytes, path: str = "NOTES.md") -> Document:
    raw = text.encode() if isinstance(text, str) else text
    return load_document(path, raw, store="notes", format="markdown")


def claims(text: str | bytes) -> tuple[Claim, ...]:
    return load(text).claims


def texts(text: str | bytes) -> list[str]:
    return [claim.text for claim in claims(text)]


def claim_of(document: Document, text: str) -> Claim:
    (found,) = [claim for claim in document.claims if claim.text == text]
    return found


def retire(*targets: Claim) -> dict[str, Decision]:
    return {claim.id: _decision(claim, DecisionKind.RETIRE) for claim in targets}


def rewrite(claim: Claim, text: str) -> dict[str, Decision]:
    return {claim.id: _decision(claim, DecisionKind.REWRITE, text)}


def accept(targets: Iterable[Claim]) -> dict[str, Decision]:
    return {claim.id: _decision(claim, DecisionKind.ACCEPT) for claim in targets}


def _decision(claim: Claim, kind: DecisionKind, text: str | None = None) -> Decision:
    return Decision(claim.id, kind, "ada", "2026-01-05T10:00:00Z", text)
