"""A run for rewrites: as for questions, with another reading of what comes back."""

from __future__ import annotations

from memaudit.judges.model.client import Attempt, Client
from memaudit.judges.model.plan import Planned
from memaudit.judges.model.reply import read_draft
from memaudit.judges.model.run import Run
from memaudit.judges.model.verdict import Answered


class DraftRun(Run):
    """Asks for the rewrites of a plan; ``answer`` is then a text, and the judgement stays as it was."""

    async def _ask(self, client: Client, planned: Planned) -> Attempt:
        return await client.ask(planned.sent, read_draft)

    def _verdict(
        self, planned: Planned, answer: str | None, fault: str, usd: float, *, kept: bool
    ) -> Answered:
        return Answered(planned.before, answer, fault, usd, kept)
