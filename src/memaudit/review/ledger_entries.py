"""What the ledger keeps, as plain values: sightings of facts, findings of audits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from memaudit.domain import Claim, CommitInfo, Judgement


@dataclass(frozen=True, slots=True, order=True)
class State:
    """What was found for a fact at one commit: an object and its place; ``object`` None: it is not there.

    ``instead`` is what came in the place of something that is gone, then or later, where that is known.
    """

    object: str | None
    path: str = ""
    line: int = 0
    text: str = ""
    instead: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """What a fact is about: one object holds for it at a time."""

    subject: str
    relation: str


@dataclass(frozen=True, slots=True)
class Sighting:
    """A fact as it was found at one commit; ``turned`` when that commit itself made it so."""

    key: Key
    kind: str
    commit: str
    state: State
    turned: bool = False

    def merged(self, other: Sighting) -> Sighting:
        """One sighting in place of two of the same key and commit, whichever came first.

        What was found beats what was not: another claim looked in the right place.
        """
        best = min(self.state, other.state, key=lambda state: (state.object is None, _plain(state)))
        return Sighting(self.key, min(self.kind, other.kind), self.commit, best, self.turned or other.turned)


def _plain(state: State) -> tuple[str, str, int, str, str]:
    return state.object or "", state.path, state.line, state.text, state.instead


class Finding(NamedTuple):
    """One claim as an audit judged it.

    ``keys`` says of each fact it reduces to whether that contradicts it; ``since`` is the commit that made
    it false; ``known`` that it held, judged from no later than when it was known to be true before.
    ``uncommitted`` that the working tree, not a commit, was seen.
    """

    claim: Claim
    judgement: Judgement
    base: str
    keys: Mapping[Key, bool]
    since: str | None
    known: bool
    uncommitted: bool


class Record(NamedTuple):
    """All that one complete audit adds to the ledger; ``at`` is ISO 8601 in UTC, ``head`` a commit."""

    at: str
    place: str
    head: str
    uncommitted: bool
    base: str
    chosen_by: str
    commits: Sequence[CommitInfo]
    sightings: Sequence[Sighting]
    findings: Sequence[Finding]
