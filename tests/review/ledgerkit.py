"""Histories made up of parents, and ledgers that record sightings in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from memaudit.domain import CommitInfo
from memaudit.repo.lineage import Lineage
from memaudit.review.ledger import Ledger, state_of
from memaudit.review.ledger_entries import Key, Record, Sighting, State

KEY = Key("limit in app.py", "value is")


def sighting(commit: str, found: str | None, *, turned: bool = False, key: Key = KEY) -> Sighting:
    """The value found at a commit, None where there was none."""
    return Sighting(key, "value", commit, State(found, "app.py", 1, f"limit = {found}"), turned)


def record(sightings: Sequence[Sighting], head: str = "head") -> Record:
    """An audit that saw nothing but these."""
    return Record(
        at="2026-01-01T00:00:00+00:00",
        place="/somewhere",
        head=head,
        uncommitted=False,
        base=head,
        chosen_by="given",
        commits=[CommitInfo(head, "a commit", "ada", "2026-01-01T00:00:00+00:00")],
        sightings=sightings,
        findings=(),
    )


def recorded(folder: Path, audits: Iterable[Sequence[Sighting]]) -> dict[Key, list[Sighting]]:
    """What a new ledger holds after some audits, by fact."""
    with Ledger(folder) as ledger:
        for audit in audits:
            ledger.record(record(audit))
        return held(ledger)


def held(ledger: Ledger) -> dict[Key, list[Sighting]]:
    """Every sighting of a ledger, by fact, ordered by commit."""
    found: dict[Key, list[Sighting]] = {}
    for subject, relation, kind, sha, turned, *state in ledger.query(
        "SELECT f.subject, f.relation, f.kind, c.sha, g.turned, s.present, s.object, s.path, s.line, s.text,"
        " s.instead FROM sightings g JOIN facts f ON f.id = g.fact JOIN commits c ON c.id = g.at"
        " JOIN states s ON s.id = g.state ORDER BY f.subject, f.relation, c.sha"
    ):
        key = Key(subject, relation)
        found.setdefault(key, []).append(Sighting(key, kind, sha, state_of(state), bool(turned)))
    return found


def history(parents: Mapping[str, Sequence[str]], tip: str | None = None) -> Lineage:
    """The lineage of every commit of a history, or of one commit and its ancestors."""
    if tip is None:
        return Lineage(parents, parents)
    inside = {tip}
    for commit in reversed(parents):
        if commit in inside:
            inside.update(parents[commit])
    return Lineage({commit: above for commit, above in parents.items() if commit in inside}, inside)


def line(count: int) -> dict[str, list[str]]:
    """A history without branches: c0, c1, …"""
    return {f"c{number}": [f"c{number - 1}"] if number else [] for number in range(count)}
