"""A review to be handed on: what was found, what was decided and by whom, with the lines that decide.

Plain values; :mod:`memaudit.review.account_markdown` and :mod:`memaudit.review.account_html` write them
down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from memaudit.domain import (
    Claim,
    CommitInfo,
    Decision,
    DecisionKind,
    Evidence,
    Judgement,
    Location,
    Range,
    Summary,
    Verdict,
    summarise,
)

_AROUND = 2
"""Lines shown before and after the one that decides."""

_LONGEST_LINE = 240

Content = Callable[[str, str, str], "str | None"]
"""The text of a file, asked for by claim id, side (``base`` or ``head``) and path."""


@dataclass(frozen=True, slots=True)
class Line:
    """A numbered line; ``deciding`` is whether the verdict rests on it."""

    number: int
    text: str
    deciding: bool


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Some lines of a file around the one that decides."""

    path: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Proof:
    """One piece of evidence: the lines before and after, and the commit between them."""

    reference: str
    before: Excerpt | None
    after: Excerpt | None
    commit: CommitInfo | None
    note: str


@dataclass(frozen=True, slots=True)
class Item:
    """One claim with all that is known of it; several ``decisions`` are contested."""

    claim: Claim
    judgement: Judgement | None
    decisions: tuple[Decision, ...]
    saved: bool
    proofs: tuple[Proof, ...]

    @property
    def needs_words(self) -> bool:
        """Whether it is told in full: what is stale, and what was decided but for plain acceptances."""
        stale = self.judgement is not None and self.judgement.verdict is Verdict.STALE
        return stale or any(one.kind is not DecisionKind.ACCEPT for one in self.decisions)


@dataclass(frozen=True, slots=True)
class Account:
    """A whole review. ``people`` counts the decisions in effect by name and kind."""

    repo: str
    range: Range
    items: tuple[Item, ...]
    summary: Summary
    people: Mapping[str, Mapping[DecisionKind, int]]

    @property
    def decided(self) -> tuple[Item, ...]:
        """Claims told in full that were decided."""
        return tuple(item for item in self.items if item.needs_words and item.decisions)

    @property
    def stale(self) -> tuple[Item, ...]:
        """Stale claims that nobody decided."""
        return tuple(item for item in self.items if item.needs_words and not item.decisions)

    @property
    def accepted(self) -> tuple[Item, ...]:
        """Claims that were accepted and are not stale."""
        return tuple(item for item in self.items if not item.needs_words and item.decisions)

    @property
    def unknown(self) -> tuple[Item, ...]:
        """Undecided claims whose verdict is unknown."""
        return self._left(Verdict.UNKNOWN)

    @property
    def held(self) -> tuple[Item, ...]:
        """Undecided claims that hold."""
        return self._left(Verdict.HELD)

    def _left(self, verdict: Verdict) -> tuple[Item, ...]:
        return tuple(
            item
            for item in self.items
            if not item.decisions and item.judgement is not None and item.judgement.verdict is verdict
        )


def account(
    repo: str,
    range_: Range,
    claims: Iterable[Claim],
    judgements: Mapping[str, Judgement],
    decisions: Mapping[str, Decision],
    contested: Mapping[str, tuple[Decision, ...]],
    is_saved: Callable[[str], bool],
    content: Content,
) -> Account:
    """The account of a review; ``content`` is asked for the files that evidence lies in."""
    items = []
    for claim in claims:
        judgement = judgements.get(claim.id)
        decided = contested.get(claim.id) or ((decisions[claim.id],) if claim.id in decisions else ())
        item = Item(claim, judgement, decided, is_saved(claim.id), ())
        if item.needs_words and judgement is not None:
            proofs = tuple(_proof(claim, one, judgement.why, content) for one in judgement.evidence)
            item = Item(claim, judgement, decided, item.saved, proofs)
        items.append(item)
    people: dict[str, Counter[DecisionKind]] = {}
    for item in items:
        for decision in item.decisions:
            people.setdefault(decision.by, Counter())[decision.kind] += 1
    return Account(repo, range_, tuple(items), summarise(judgements.values()), people)


def wanted_contents(items: Iterable[tuple[Claim, Judgement | None, bool]]) -> list[tuple[str, str, str]]:
    """What :func:`account` will ask ``content`` for, given claims, verdicts and whether each is retired
    or rewritten.
    """
    wanted: dict[tuple[str, str, str], None] = {}
    for claim, judgement, edited in items:
        if judgement is None or not (edited or judgement.verdict is Verdict.STALE):
            continue
        for evidence in judgement.evidence:
            for side, place in (("base", evidence.base), ("head", evidence.head)):
                if place is not None:
                    wanted[claim.id, side, place.path] = None
    return list(wanted)


def _proof(claim: Claim, evidence: Evidence, why: str, content: Content) -> Proof:
    return Proof(
        evidence.reference,
        _excerpt(claim, "base", evidence.base, content),
        _excerpt(claim, "head", evidence.head, content),
        evidence.commit,
        "" if evidence.note == why else evidence.note,
    )


def _excerpt(claim: Claim, side: str, place: Location | None, content: Content) -> Excerpt | None:
    """The lines around a place; the one line that the verdict names where the file cannot be read."""
    if place is None:
        return None
    alone = Excerpt(place.path, (Line(place.line, _cut(place.text), True),))
    text = content(claim.id, side, place.path)
    if text is None:
        return alone
    lines = text.splitlines()
    if not 1 <= place.line <= len(lines) or place.text.strip() not in lines[place.line - 1]:
        return alone
    first, last = max(place.line - _AROUND, 1), min(place.line + _AROUND, len(lines))
    return Excerpt(
        place.path,
        tuple(
            Line(number, _cut(lines[number - 1]), number == place.line) for number in range(first, last + 1)
        ),
    )


def _cut(line: str) -> str:
    return line if len(line) <= _LONGEST_LINE else f"{line[: _LONGEST_LINE - 1]}…"
