"""The ledger beside an audit: where its claims start, and what is written down when it is complete.

An audit never fails for the ledger's sake: one that cannot be used is done without, and
:attr:`Keeper.warning` says why.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from memaudit.domain import Claim, Judgement, Origin, Range, Verdict
from memaudit.errors import LedgerError
from memaudit.grounding.reference import Outcome
from memaudit.paths import repository_state
from memaudit.repo.repository import Repository
from memaudit.repo.snapshot import Snapshot
from memaudit.review.ledger import Ledger
from memaudit.review.ledger_record import Recorder, Seen
from memaudit.review.ledger_schema import FILE
from memaudit.review.ledger_starts import Starts

ACCEPTED = "accepted"
"""The reason of a claim that holds because a person said so when all that speaks against it was there."""


class Keeper:
    """The ledger of ``repository`` as one audit of ``claims`` uses it."""

    def __init__(self, repository: Repository, claims: Sequence[Claim]) -> None:
        self.warning = ""
        """Why the ledger is not used, or that it had to be begun anew; else empty."""
        self._repository = repository
        self._claims = claims
        self._folder = repository_state(repository.common_dir)
        self._starts: Starts | None = None
        self._seen: list[Seen] = []

    def stamps(self, head: str) -> dict[str, str]:
        """The commit that each claim is to be judged from, by claim id, as far as it is remembered."""
        try:
            if not (self._folder / FILE).exists():
                return {}
            with Ledger(self._folder) as ledger:
                self.warning = ledger.warning
                self._starts = Starts(ledger, self._repository, head, self._claims)
        except LedgerError as error:
            self._do_without(error)
            return {}
        return self._starts.stamps

    def acceptances(self, head: str) -> dict[str, str]:
        """Those of the :meth:`stamps` at which a person accepted the claim."""
        stamps = self.stamps(head)
        accepted = (claim for claim in self._claims if self._starts and self._starts.accepted_by(claim))
        return {claim.id: stamps[claim.id] for claim in accepted}

    def confirms(self, claim: Claim, judgement: Judgement) -> bool:
        """Whether a verdict given from a claim's stamp may stand: it fits what is known of the stamp."""
        if self._starts is not None and self._starts.accepted_by(claim) is not None:
            return True
        news = judgement.verdict is Verdict.STALE and judgement.origin is Origin.RANGE
        return news or judgement.verdict is Verdict.HELD

    def settled(self, claim: Claim, judgement: Judgement, base: str) -> Judgement:
        """The verdict from an accepted claim's stamp: what spoke against it then does not any more."""
        if self._starts is None or self._starts.stamps.get(claim.id) != base:
            return judgement
        author = self._starts.accepted_by(claim)
        undecided = judgement.verdict is Verdict.UNKNOWN and judgement.reason == "ambiguous"
        if author is None or not (undecided or judgement.origin is Origin.EARLIER):
            return judgement
        return replace(
            judgement,
            verdict=Verdict.HELD,
            reason=ACCEPTED,
            why=f"{author} accepted it at {base[:10]}; what speaks against it was so then already",
            origin=None,
            suggestion=None,
        )

    def see(self, claim: Claim, judgement: Judgement, outcomes: tuple[Outcome, ...], base: str) -> None:
        """Take note of a verdict."""
        self._seen.append(Seen(claim, judgement, outcomes, base))

    def finish(
        self,
        range_: Range,
        memory_paths: Collection[str],
        at_revision: Callable[[str], Snapshot],
        start_of: Callable[[Claim], str],
    ) -> None:
        """Write down what was seen; ``start_of`` gives the commit a claim starts from, from which it counts
        as known that a claim holds.
        """
        seen, self._seen = self._seen, []
        try:
            with Ledger(self._folder) as ledger:
                self.warning = self.warning or ledger.warning
                starts = self._starts or Starts(ledger, self._repository, range_.head_commit, self._claims)

                def known_true(claim: Claim, base: str) -> bool:
                    by_range = range_.per_claim and base == start_of(claim)
                    return by_range or starts.is_known_from(claim, base)

                recorder = Recorder(self._repository, range_, memory_paths, at_revision, known_true)
                ledger.record(recorder.record(seen))
        except LedgerError as error:
            self._do_without(error)

    def _do_without(self, error: LedgerError) -> None:
        self.warning = f"the ledger is not used: {error.line()}"


def history_lines(repository: Repository, claim_id: str, rev: str) -> list[tuple[str, str]]:
    """What the ledger tells of one claim, seen from a revision; nothing when it knows none.

    Raises LedgerError when the ledger cannot be used.
    """
    from memaudit.review.ledger_read import LedgerReader
    from memaudit.review.ledger_words import claim_lines

    folder = repository_state(repository.common_dir)
    if not (folder / FILE).exists():
        return []
    with Ledger(folder) as ledger:
        reader = LedgerReader(ledger, repository, rev)
        if all(claim.id != claim_id for claim in reader.claims):
            return []
        return list(claim_lines(reader.claim(claim_id), reader))
