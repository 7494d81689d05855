"""One document under review: what is shown, what its file holds, and what of that was decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from memaudit.domain import Claim, Decision, Document
from memaudit.errors import StoreError
from memaudit.stores.atomic import Written
from memaudit.stores.document import load_document


@dataclass(frozen=True, slots=True)
class Unmatched:
    """A decision whose claim is no longer in the file, with the words the claim had.

    ``decision`` is None where a saved decision was undone and the file then changed elsewhere:
    the old text cannot be put back and is in the backup only.
    """

    claim: Claim
    decision: Decision | None


@dataclass(frozen=True, slots=True)
class Before:
    """What a sheet was before its file was last written, and the write."""

    disk: bytes
    saved: dict[str, Decision]
    save: int
    as_saved: bool
    written: Written


@dataclass(slots=True)
class Sheet:
    """One document under review.

    ``disk`` is what its file was last seen to hold and ``saved`` the decisions contained in that;
    ``carried`` hold from earlier sittings, whose steps are ``closed``; ``base`` is
    the newest write whose outcome is in the document as it is shown. ``save`` is the newest write
    that was taken notice of, ``as_saved`` whether the
    file is as that left it. ``applied`` remembers the last outcome of applying decisions, ``kept``
    the name of the document in the journal; ``before`` is there while the last save can be taken back.
    """

    document: Document
    disk: bytes
    sitting: str
    saved: dict[str, Decision]
    carried: dict[str, Decision]
    closed: frozenset[int]
    base: int = 0
    save: int = 0
    as_saved: bool = False
    lost: tuple[Unmatched, ...] = ()
    kept: str | None = None
    applied: tuple[dict[str, Decision], bytes] | None = None
    before: Before | None = None
    claims: dict[str, Claim] = field(init=False)

    def __post_init__(self) -> None:
        self.claims = {claim.id: claim for claim in self.document.claims}

    def own(self, decisions: Mapping[str, Decision]) -> dict[str, Decision]:
        """Those of ``decisions`` that are about this document."""
        return {claim: decision for claim, decision in decisions.items() if claim in self.claims}


def parsed_like(document: Document, raw: bytes) -> Document:
    """``raw`` loaded as the same document: same place, format and scope. Raises StoreError."""
    store = document.claims[0].store if document.claims else document.path
    return load_document(
        document.path,
        raw,
        store=store,
        format=document.format,
        scope=document.scope,
        aliases=document.aliases,
        shadows=document.shadows,
        present=document.imports,
    )


def reread(document: Document, raw: bytes) -> Document:
    """As :func:`parsed_like`, without claims where the bytes cannot be read as a document."""
    try:
        return parsed_like(document, raw)
    except StoreError:
        return replace(document, raw=raw, claims=())
