"""What a claim names, and what came of looking it up: the types every kind of reference shares."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypedDict, Unpack

from memaudit.domain import CommitInfo, Evidence, Location, Origin
from memaudit.grounding.language import Polarity
from memaudit.grounding.words import ClaimText, Form

if TYPE_CHECKING:
    from memaudit.grounding.ground import Ground


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found in a claim's text: characters ``[start, end)``, read as ``target``.

    ``extra`` carries what the kind needs further (the arguments of a signature, a claimed value).
    """

    kind: str
    text: str
    target: str
    start: int
    end: int
    form: Form
    polarity: Polarity
    extra: tuple[str, ...] = ()


class Status(enum.Enum):
    """What came of comparing a mention with the repository."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    TOUCHED = "touched"
    UNSETTLED = "unsettled"
    OUTSIDE = "outside"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Replacement:
    """What could stand in a claim in place of ``old``; ``proved`` when only one reading is left.

    An empty ``new`` says that what the claim lists as ``old`` is to be taken out.
    """

    old: str
    new: str
    proved: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result for one mention. ``base`` and ``head`` are short renderings of the facts found."""

    mention: Mention
    status: Status
    reason: str
    why: str
    origin: Origin | None = None
    base: str | None = None
    head: str | None = None
    base_at: Location | None = None
    head_at: Location | None = None
    commit: CommitInfo | None = None
    confidence: float = 0.9
    replacements: tuple[Replacement, ...] = field(default=())

    def evidence(self) -> Evidence:
        """The outcome as it is shown to people."""
        return Evidence(self.mention.text, self.base_at, self.head_at, self.commit, self.why)


class Kind(Protocol):
    """One kind of reference: how it is recognised in words, and how it is checked."""

    name: str

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """The references of this kind in a claim."""
        ...

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Look up together, in one pass each, what the checks of all these mentions will ask for."""
        ...

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Compare the mention at base and at head; None where the kind has nothing to say."""
        ...


class Facts(TypedDict, total=False):
    """The optional fields of an :class:`Outcome`, by the same names."""

    base: str | None
    head: str | None
    base_at: Location | None
    head_at: Location | None
    commit: CommitInfo | None
    confidence: float
    replacements: tuple[Replacement, ...]


def supported(mention: Mention, why: str, **facts: Unpack[Facts]) -> Outcome:
    """What the claim says of the mention is found at head."""
    return Outcome(mention, Status.SUPPORTED, "supported", why, **facts)


def broken(mention: Mention, reason: str, why: str, **facts: Unpack[Facts]) -> Outcome:
    """What was so at base is contradicted at head: the range did it."""
    return Outcome(mention, Status.CONTRADICTED, reason, why, origin=Origin.RANGE, **facts)


def wrong_before(mention: Mention, reason: str, why: str, **facts: Unpack[Facts]) -> Outcome:
    """What is contradicted at head was so at base already."""
    return Outcome(mention, Status.CONTRADICTED, reason, why, origin=Origin.EARLIER, **facts)


def undecided(mention: Mention, why: str, *, outside: bool = False) -> Outcome:
    """An outcome that proves nothing."""
    status = Status.OUTSIDE if outside else Status.OPEN
    return Outcome(mention, status, "outside" if outside else "ambiguous", why, confidence=0.5)
