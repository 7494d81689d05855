"""The grounds of one audit: each base beside the head, and the claims judged on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from memaudit.domain import Claim, Range
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.shelf import Shelf
from memaudit.grounding.words import ClaimText
from memaudit.judges import grounded
from memaudit.judges.result import Grounded
from memaudit.repo.branches import Branches
from memaudit.repo.changes import Changes
from memaudit.repo.history import History
from memaudit.repo.repository import Repository
from memaudit.repo.searchcache import SearchCache
from memaudit.repo.snapshot import Snapshot

_MOST_SIBLINGS = 300
"""How many claims of a section are read together: more only a made file has, and each would read them all."""


class Grounds:
    """Judges claims from any base against the head of ``range_``.

    ``at`` gives the snapshot of a revision, ``history`` the history of a range; ``claims`` are all of the
    audit, which are read together with their neighbours, and ``memory_paths`` the files they stand in.
    """

    def __init__(
        self,
        repository: Repository,
        range_: Range,
        claims: Sequence[Claim],
        memory_paths: Sequence[str],
        cache: SearchCache,
        at: Callable[[str], Snapshot],
        history: Callable[[Range], History],
    ) -> None:
        self._repository = repository
        self._range = range_
        self._memory_paths = memory_paths
        self._cache = cache
        self._at = at
        self._history = history
        self._siblings = _siblings(claims)
        self._documents = _by_document(claims)
        self._shelf = Shelf()
        self._sides: dict[str, Side] = {}
        self._grounds: dict[str, Ground] = {}

    def judge(self, claims: Sequence[Claim], base: str) -> Iterator[Grounded]:
        """Judge claims from ``base``, one after the other; what they ask for is looked up together."""
        ground = self.ground(base)
        readings = [self._reading(claim) for claim in claims]
        grounded.prepare(readings, ground)
        for reading in readings:
            yield grounded.judge(reading, ground)

    def judge_one(self, claim: Claim, base: str) -> Grounded:
        """Judge one claim, which need not be one of the audit's."""
        return grounded.judge(self._reading(claim), self.ground(base))

    def ground(self, base: str) -> Ground:
        """What claims judged from ``base`` stand on."""
        if base not in self._grounds:
            range_ = replace(self._range, base=base, per_claim=False)
            before, after = self._side(base), self._side(self._range.head)
            changes = Changes(before.snapshot, after.snapshot)
            self._grounds[base] = Ground(
                before, after, changes, self._history(range_), Branches(self._repository)
            )
        return self._grounds[base]

    def keep(self) -> None:
        """Write down what was found in files, for the next time."""
        self._cache.keep()

    def _side(self, rev: str) -> Side:
        if rev not in self._sides:
            self._sides[rev] = Side(self._at(rev), self._memory_paths, self._cache, self._shelf)
        return self._sides[rev]

    def _reading(self, claim: Claim) -> grounded.Reading:
        whole = self._documents.get((claim.store, claim.document), ())
        return grounded.Reading(ClaimText(claim, self._siblings.get(claim.id, ()), whole))


def _by_document(claims: Sequence[Claim]) -> dict[tuple[str, str], list[Claim]]:
    found: dict[tuple[str, str], list[Claim]] = {}
    for claim in claims:
        found.setdefault((claim.store, claim.document), []).append(claim)
    return found


def _siblings(claims: Sequence[Claim]) -> dict[str, list[Claim]]:
    """The claims under the same heading of the same document, for each claim."""
    sections: dict[tuple[str, tuple[str, ...]], list[Claim]] = {}
    for claim in claims:
        sections.setdefault((claim.document, claim.heading), []).append(claim)
    return {
        claim.id: near
        for section in sections.values()
        for start in range(0, len(section), _MOST_SIBLINGS)
        for near in [section[start : start + _MOST_SIBLINGS]]
        for claim in near
    }
