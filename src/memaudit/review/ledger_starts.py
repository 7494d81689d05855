"""Where each claim starts: the commit at which it was last known to be true, as the ledger remembers it.

A claim is known to be true where an audit found that it holds, judged from no later than a commit at
which that was known before (at first the one that wrote it), and where a person accepted it in a review
that was saved. Such stamps only shorten the way: a claim that its stamp does not confirm is judged from
the commit that wrote it, as if there were no ledger.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from memaudit.domain import Claim
from memaudit.repo.repository import Repository
from memaudit.review.ledger import Ledger
from memaudit.review.ledger_record import moment
from memaudit.stores.identity import normalise

MOST_STAMPS = 6
"""From how many different stamps claims are judged at most: each costs a snapshot and what is asked of it."""

_MOST_LOOKED_AT = 32
"""How many stamps are asked whether they lie before head, newest first."""


class Starts:
    """The stamps of ``claims`` that lie at or before the commit ``head``.

    A stamp that a rebase dropped, or of a branch that is not part of head, does not count. Raises
    LedgerError.
    """

    def __init__(self, ledger: Ledger, repository: Repository, head: str, claims: Sequence[Claim]) -> None:
        self._repository = repository
        self._accepted: dict[tuple[str, str], str] = {}
        self._known: dict[tuple[str, str], bool] = {}
        self._held: dict[str, set[str]] = {}
        """By stamp, newest first, the claims that are known to be true there."""
        audited = ledger.query(
            "SELECT DISTINCT c.id, c.sha, c.date FROM audits a JOIN commits c ON c.id = a.head"
        )
        audited.sort(key=lambda row: (moment(row[2]), row[1]), reverse=True)
        owners = self._owners(ledger, claims)
        for row, sha, _ in audited[:_MOST_LOOKED_AT]:
            if sha == head or repository.is_ancestor(sha, head):
                self._read(ledger, row, sha, owners)
        self.stamps = self._chosen()
        """The stamp to start from for each claim that has one, by claim id."""

    def _read(self, ledger: Ledger, commit: int, sha: str, owners: Mapping[int, str]) -> None:
        """Take in the claims that are known to be true at one commit."""
        held = {
            owners[row]
            for (row,) in ledger.query(
                "SELECT claim FROM verdicts WHERE head = ? AND verdict = 'held' AND known = 1"
                " AND uncommitted = 0",
                (commit,),
            )
            if row in owners
        }
        for row, author in ledger.query(
            "SELECT d.claim, d.author FROM decisions d JOIN verdicts v ON v.claim = d.claim"
            " AND v.head = d.head AND v.uncommitted = 0"
            " WHERE d.head = ? AND d.kind = 'accept' AND d.withdrawn IS NULL ORDER BY d.id",
            (commit,),
        ):
            if row in owners:
                held.add(owners[row])
                self._accepted[owners[row], sha] = author
        if held:
            self._held[sha] = held

    def _owners(self, ledger: Ledger, claims: Sequence[Claim]) -> dict[int, str]:
        """The claims by row: their own rows, and those of earlier ids under which they read the same."""
        known = {
            claim: (row, text, before)
            for row, claim, text, before in ledger.query("SELECT id, claim, text, before FROM claims")
        }
        by_row = {row: (text, before) for row, text, before in known.values()}
        predecessors = ledger.predecessors(claims)
        found: dict[int, str] = {}
        for claim in claims:
            row = known[claim.id][0] if claim.id in known else predecessors.get(claim.id)
            while row is not None and normalise(by_row[row][0]) == normalise(claim.text):
                found.setdefault(row, claim.id)
                row = by_row[row][1]
        return found

    def _chosen(self) -> dict[str, str]:
        """The newest stamp of each claim; those that few share are put together at the oldest of them."""
        newest: dict[str, str] = {}
        for sha, claims in self._held.items():
            for claim in claims:
                newest.setdefault(claim, sha)
        used = [sha for sha in self._held if sha in set(newest.values())]
        if len(used) <= MOST_STAMPS:
            return newest
        kept, oldest = frozenset(used[: MOST_STAMPS - 1]), used[-1]
        # A claim that was not there yet, or not known to be true, starts where it was written.
        return {
            claim: sha if sha in kept else oldest
            for claim, sha in newest.items()
            if sha in kept or claim in self._held[oldest]
        }

    def accepted_by(self, claim: Claim) -> str | None:
        """Who accepted the claim at the commit it starts from; None where an audit found that it holds."""
        return self._accepted.get((claim.id, self.stamps.get(claim.id, "")))

    def is_known_from(self, claim: Claim, base: str) -> bool:
        """Whether a claim that holds at head, judged from ``base``, was judged from no later than a stamp."""
        return any(
            claim.id in claims and (base == sha or self._precedes(base, sha))
            for sha, claims in self._held.items()
        )

    def _precedes(self, base: str, sha: str) -> bool:
        if (base, sha) not in self._known:
            self._known[base, sha] = self._repository.is_ancestor(base, sha)
        return self._known[base, sha]


def how_chosen(stamps: Mapping[str, str], claims: Iterable[Claim]) -> str:
    """How a range was chosen in which some claims start from their stamp, for people."""
    total = [claim.id for claim in claims]
    count = sum(claim in stamps for claim in total)
    rest = "" if count == len(total) else f" ({count} of {len(total)}), else since its line was written"
    return f"for each claim, since it was last known to be true{rest}"
