"""What earlier reviews came to, told when the next one opens. Counted, never composed.

Who decided how much comes from the journal that the review has read anyway; what came back and what was
left stale comes from the ledger, which is read aside.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memaudit.domain import Claim, Decision, DecisionKind
from memaudit.errors import LedgerError
from memaudit.review.journal import Log
from memaudit.review.ledger import Ledger, heading_of
from memaudit.review.ledger_schema import FILE
from memaudit.review.replay import Played
from memaudit.stores.identity import normalise

_SITTING = timedelta(hours=8)
"""Decisions further apart than this belong to different sittings."""

_WITHOUT_OWN = timedelta(days=30)
"""How far back others are counted for somebody who has not decided anything yet."""


@dataclass(frozen=True, slots=True)
class Recap:
    """What happened ``since`` a moment (ISO 8601), by person and kind of decision.

    ``came_back`` are claims that were retired and are in the memory again, ``left`` the number that the
    last audit found stale and that no decision is about.
    """

    since: str = ""
    people: Mapping[str, Mapping[DecisionKind, int]] = field(default_factory=dict)
    came_back: tuple[Claim, ...] = ()
    left: int = 0

    def __bool__(self) -> bool:
        return bool(self.people or self.came_back)


def recap(
    log: Log,
    played: Played,
    author: str,
    state: Path,
    claims: Sequence[Claim],
    settled: Collection[str] = (),
) -> Recap:
    """What earlier reviews came to for ``author``; ``state`` is the folder of the ledger.

    ``claims`` are those that the files hold, ``settled`` the ids of claims with a decision in effect.
    """
    came_back, left = remembered(state, claims, settled)
    return replace(decided(log, played, author), came_back=came_back, left=left)


def decided(log: Log, played: Played, author: str, now: datetime | None = None) -> Recap:
    """Who decided how much since ``author``'s last sitting began, undone steps left out.

    One claim counts once for each person, by what they decided last.
    """
    steps = [
        (log.authors[effect.step], entry)
        for effect in played.done
        for entry in log.entries.get(effect.step, ())
    ]
    since = _last_sitting([entry.decision for by, entry in steps if by == author])
    if not since:
        moment = (now or datetime.now(UTC)) - _WITHOUT_OWN
        since = min(
            (entry.decision.at for _, entry in steps if _moment(entry.decision.at) >= moment), default=""
        )
    latest: dict[tuple[str, str, str], DecisionKind] = {}
    for by, entry in steps:
        if since and _moment(entry.decision.at) >= _moment(since):
            latest[by, entry.path, entry.decision.claim_id] = entry.decision.kind
    people: dict[str, Counter[DecisionKind]] = {}
    for (by, _, _), kind in latest.items():
        people.setdefault(by, Counter())[kind] += 1
    return Recap(since, people)


def _last_sitting(own: Sequence[Decision]) -> str:
    """When the last run of decisions without a long pause began, or empty."""
    began = ""
    for decision in sorted(own, key=lambda one: _moment(one.at), reverse=True):
        if began and _moment(began) - _moment(decision.at) > _SITTING:
            break
        began = decision.at
    return began


def _moment(at: str) -> datetime:
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def remembered(
    state: Path, claims: Sequence[Claim], settled: Collection[str] = ()
) -> tuple[tuple[Claim, ...], int]:
    """From the ledger in ``state``: which of these claims had been retired, and how many were left stale.

    Those that are ``settled``, by id, are not left. Nothing where there is no ledger, or it cannot be used.
    """
    if not (state / FILE).exists():
        return (), 0
    try:
        with Ledger(state) as ledger:
            return _came_back(ledger, claims), _left(ledger, settled)
    except (LedgerError, sqlite3.Error):
        return (), 0


def _came_back(ledger: Ledger, claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """Claims with words that a save took out, as far as there are more of them than it left."""
    known: Counter[tuple[str, ...]] = Counter()
    retired: Counter[tuple[str, ...]] = Counter()
    for document, heading, text, gone in ledger.query(
        "SELECT c.document, c.heading, c.text, EXISTS (SELECT 1 FROM decisions d WHERE d.claim = c.id"
        " AND d.kind = 'retire' AND d.withdrawn IS NULL) FROM claims c WHERE (c.document, c.text) IN"
        " (SELECT r.document, r.text FROM claims r JOIN decisions d ON d.claim = r.id"
        " WHERE d.kind = 'retire' AND d.withdrawn IS NULL)"
    ):
        words = _words(document, heading_of(heading), text)
        known[words] += 1
        retired[words] += gone
    here: dict[tuple[str, ...], list[Claim]] = {}
    for claim in claims:
        words = _words(claim.document, claim.heading, claim.text)
        if words in retired:
            here.setdefault(words, []).append(claim)
    return tuple(
        claim
        for words, found in here.items()
        for claim in found[: max(len(found) - (known[words] - retired[words]), 0)]
    )


def _words(document: str, heading: Iterable[str], text: str) -> tuple[str, ...]:
    return document, *map(normalise, heading), normalise(text)


def _left(ledger: Ledger, settled: Collection[str]) -> int:
    """How many claims the last audit found stale that no decision is about, saved or in ``settled``."""
    rows = ledger.query(
        "SELECT c.claim FROM verdicts v JOIN claims c ON c.id = v.claim WHERE v.verdict = 'stale'"
        " AND v.audit = (SELECT max(id) FROM audits) AND c.audit = v.audit AND NOT EXISTS"
        " (SELECT 1 FROM decisions d WHERE d.claim = c.id AND d.withdrawn IS NULL)"
    )
    return sum(claim not in settled for (claim,) in rows)


def sentence(recap: Recap, author: str, named: Callable[[str], str], day: Callable[[str], str]) -> str:
    """The recap on one line: ``Since 3 Mar: 12 decided by you, 4 by Mara; 2 retired claims came back.``"""
    parts = []
    ordered = sorted(recap.people, key=lambda name: (name != author, name.casefold()))
    totals = [(named(name), sum(recap.people[name].values())) for name in ordered]
    if totals:
        first, *rest = totals
        counts = [f"{first[1]:,} decided by {first[0]}", *(f"{count:,} by {name}" for name, count in rest)]
        parts.append(", ".join(counts))
    if recap.came_back:
        count = len(recap.came_back)
        parts.append(f"{count:,} retired {'claim' if count == 1 else 'claims'} came back")
    if recap.left:
        parts.append(f"{recap.left:,} stale left")
    return f"Since {day(recap.since)}: {'; '.join(parts)}" if recap.since else "; ".join(parts)


def day_words(at: str) -> str:
    """A day as people write it: ``3 Mar``, with the year unless it is this one."""
    moment = _moment(at)
    months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    day = f"{moment.day} {months[moment.month - 1]}"
    return day if moment.year == datetime.now(UTC).year else f"{day} {moment.year}"
