"""The words of memaudit as types: store, document, claim, reference, evidence, verdict, decision.

Plain values without behaviour of their own; everything else in the package produces or consumes
them. Byte offsets are offsets into the document's raw bytes, line numbers count from 1.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

WORKTREE = "WORKTREE"
"""The name of the head revision when it is the working tree and no commit."""


class Verdict(enum.StrEnum):
    """What a judge says of a claim at head."""

    STALE = "stale"
    HELD = "held"
    UNKNOWN = "unknown"


class Origin(enum.StrEnum):
    """When a stale claim went wrong: inside the range, or already before its base."""

    RANGE = "range"
    EARLIER = "earlier"


class ClaimKind(enum.StrEnum):
    """What sort of statement a claim is."""

    FACT = "fact"
    COMMAND = "command"
    RULE = "rule"
    PREFERENCE = "preference"
    POINTER = "pointer"
    OTHER = "other"


class Block(enum.StrEnum):
    """The syntax a claim was cut from; it decides how the claim is taken out again."""

    ITEM = "item"
    SENTENCE = "sentence"
    ROW = "row"
    COMMAND = "command"
    TREE = "tree"
    FENCE = "fence"


class DecisionKind(enum.StrEnum):
    """What a person does with a claim."""

    ACCEPT = "accept"
    RETIRE = "retire"
    REWRITE = "rewrite"


class Tier(enum.StrEnum):
    """How far a suggestion may be trusted: proved, to be asked, or not to be made."""

    APPLY = "apply"
    ASK = "ask"
    REFUSE = "refuse"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of bytes ``[start, end)`` in one document."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Claim:
    """The smallest part of a document that can be true or false alone.

    ``text`` is the claim's own words: no list marker, continuation lines joined by one space; only
    code blocks and commands of several lines keep their line feeds.
    ``span`` holds exactly the bytes a rewrite replaces, ``item_span`` those that retiring removes
    (marker, own line end, nested continuation included). ``context`` is what the claim hangs under,
    outermost first: lead-in sentences and parent items. ``path`` is the full path that an entry of
    a directory tree stands for. ``locked`` says why the claim may not be edited, or is empty.
    """

    id: str
    store: str
    document: str
    text: str
    kind: ClaimKind
    block: Block
    span: Span
    item_span: Span
    line_start: int
    line_end: int
    heading: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    path: str | None = None
    task: bool | None = None
    children: int = 0
    locked: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """One file of a store, with its raw bytes and the claims cut from them.

    ``path`` is relative to the repository root with ``/`` between parts, or absolute for a
    document outside it. ``aliases`` are other names of the same file (symbolic links, one-line
    pointer files). ``warnings`` tell of regions that could not be split; of a document that is ``unread``
    they say why nothing in it could be.
    """

    path: str
    format: str
    raw: bytes
    claims: tuple[Claim, ...]
    aliases: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    shadows: str | None = None
    warnings: tuple[str, ...] = ()
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Store:
    """The memory of one agent: a file, a folder or a record file, made of documents."""

    name: str
    format: str
    scope: str
    documents: tuple[Document, ...]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All claims in document order."""
        return tuple(claim for document in self.documents for claim in document.claims)

    @property
    def unread(self) -> list[Document]:
        """The documents that nothing could be read of."""
        return [document for document in self.documents if document.unread]


class Folder(Protocol):
    """A read-only tree of files: the working folder, or a snapshot of a revision.

    Paths are relative, ``/`` between parts, without a leading ``./``; none leads outside.
    """

    def files(self) -> Iterable[str]:
        """Every file and symbolic link below the folder that a store may be looked for in."""
        ...

    def read(self, path: str) -> bytes | None:
        """The bytes of a file (links inside the folder followed), or None where there is none."""
        ...

    def link(self, path: str) -> str | None:
        """Where a symbolic link leads, relative to the folder; None if it is no link or leads out."""
        ...


@dataclass(frozen=True, slots=True)
class Location:
    """A line that can be looked up: a path of the repository, its line and that line's text."""

    path: str
    line: int
    text: str

    @property
    def place(self) -> str:
        """Path and line as people write them; a folder has no lines."""
        return self.path if self.path.endswith("/") else f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class CommitInfo:
    """A commit as it is named in evidence; ``date`` is ISO 8601 with offset."""

    sha: str
    summary: str
    author: str
    date: str


@dataclass(frozen=True, slots=True)
class Reference:
    """Something in the repository that a claim names, and what it resolved to on either side.

    ``base`` and ``head`` are short renderings of the fact found there, None where there is none.
    """

    kind: str
    text: str
    base: str | None = None
    head: str | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fact at base beside the same fact at head, and the commit that changed it."""

    reference: str
    base: Location | None = None
    head: Location | None = None
    commit: CommitInfo | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A proposed rewrite of the claim's text; ``text`` None proposes to retire it.

    ``source`` tells who proposes it: the ``grounded`` judge or a ``model``.
    """

    tier: Tier
    text: str | None
    note: str = ""
    source: str = "grounded"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A verdict on one claim with all that is needed to check it by hand.

    ``reason`` is a short stable token (``path-gone``, ``no-reference`` …), ``why`` the same in a
    sentence for people. ``confidence`` runs from 0 to 1.
    """

    claim_id: str
    verdict: Verdict
    reason: str
    why: str
    judge: str
    confidence: float
    origin: Origin | None = None
    references: tuple[Reference, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    suggestion: Suggestion | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """The change that claims are judged against.

    ``base`` and ``head`` are commit ids, ``head`` may be :data:`WORKTREE`; ``head_commit`` is the commit
    it stands on, empty where that is not known. ``chosen_by`` tells how the range was found. With
    ``per_claim`` each claim starts from the commit at which it was last known to be true, else from the
    one that last wrote its line; ``base`` is then the oldest of them.
    """

    base: str
    head: str
    chosen_by: str
    per_claim: bool = False
    head_commit: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """What the user asked for: a repository, its stores, and the change to judge them against.

    ``review_folder`` is the folder that the review is shared with others in, empty for none. What is
    reviewed is ``throw_away`` when it is removed with its journal afterwards, as the demo is.
    """

    path: Path
    stores: tuple[str, ...] = ()
    store_at: str | None = None
    range: str | None = None
    since: str | None = None
    head: str | None = None
    judge: str = "local"
    review_folder: str = ""
    throw_away: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decided about one claim: ``text`` is the new wording of a rewrite.

    ``at`` is ISO 8601 in UTC.
    """

    claim_id: str
    kind: DecisionKind
    by: str
    at: str
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Cost:
    """What an audit spent on a model, so far: calls made and US dollars."""

    model_calls: int = 0
    usd: float = 0.0


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over one audit; ``by_reason`` counts every verdict's reason."""

    claims: int
    stale: int
    held: int
    unknown: int
    by_reason: dict[str, int] = field(default_factory=dict)


def summarise(judgements: Iterable[Judgement]) -> Summary:
    """Count verdicts and reasons."""
    verdicts = dict.fromkeys(Verdict, 0)
    reasons: dict[str, int] = {}
    for judgement in judgements:
        verdicts[judgement.verdict] += 1
        reasons[judgement.reason] = reasons.get(judgement.reason, 0) + 1
    return Summary(
        claims=sum(verdicts.values()),
        stale=verdicts[Verdict.STALE],
        held=verdicts[Verdict.HELD],
        unknown=verdicts[Verdict.UNKNOWN],
        by_reason=dict(sorted(reasons.items())),
    )
