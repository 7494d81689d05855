"""The check of a claim on the review screen: asked for, run aside, its verdict taken in."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memaudit.domain import Cost, Judgement, Verdict
from memaudit.errors import MemauditError, UsageError
from memaudit.tui import trial_process
from memaudit.tui.deciding import DecidingScreen
from memaudit.wire import judgement_to_json

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

    from memaudit.domain import AuditRequest, Claim
    from memaudit.oracle.checks import Check
    from memaudit.settings import Settings


class TryingScreen(DecidingScreen):
    """The part of the review screen that has checks run."""

    trial_command: tuple[str, ...] = trial_process.COMMAND
    """The process that tries checks."""
    settings: Settings
    _request: AuditRequest

    @property
    def why_no_check(self) -> str:
        """Why the check of the selected claim cannot be run, or empty."""
        claim = self.sitting.claim(self.claims.cursor)
        if claim is None:
            return "no claim is selected"
        try:
            self._check_of(claim)
        except UsageError as error:
            return f"{error.what} ({error.fix})"
        return ""

    @property
    def why_no_draft(self) -> str:
        """Why no check of the selected claim can be drafted, or empty."""
        claim, opened = self.sitting.claim(self.claims.cursor), self.sitting.opened
        if claim is None or opened is None:
            return "no claim is selected"
        if not self.why_no_check:
            return "this claim carries a check of its own"
        from memaudit.judges.model.consent import require_consent
        from memaudit.paths import repository_state

        try:
            require_consent(repository_state(Path(opened.common_dir)), self.settings.model)
        except MemauditError as error:
            return error.line()
        return ""

    def do_try_check(self) -> None:
        """Show how the check of the selected claim would be run; run it once a person has agreed."""
        claim = self.sitting.claim(self.claims.cursor)
        if claim is not None:
            self.run_worker(self._try(claim), group="trial", exclusive=True, exit_on_error=False)

    def do_draft_check(self) -> None:
        """Show what a model would be told to write a check of the selected claim; then as for any check."""
        claim = self.sitting.claim(self.claims.cursor)
        if claim is not None:
            self.run_worker(self._try(claim, drafts=True), group="trial", exclusive=True, exit_on_error=False)

    async def _try(self, claim: Claim, *, drafts: bool = False) -> None:
        from memaudit.tui.dialogs.trial import TrialDialog

        try:
            base, head = await self.engine.sides(claim.id)
            request = self._draft_request(claim) if drafts else self._check_request(claim)
        except MemauditError as error:
            self.tell(error.line(), "error")
            return
        request |= {"path": os.fspath(self._request.path), "base": base, "head": head}
        process = trial_process.TrialProcess(claim.id, request, self.trial_command)

        def answered(judgement: Judgement | None) -> None:
            if judgement is not None:
                self._take_trial(judgement)
            self.run_worker(self._trial_over(process), group="settle", exit_on_error=False)

        self.app.push_screen(TrialDialog(process), answered)

    async def _trial_over(self, process: trial_process.TrialProcess) -> None:
        """Count what a trial has cost, and say what it has left, once its process is at its end."""
        await process.close()
        spent, cost = self.sitting.cost, process.cost
        self.sitting.cost = Cost(spent.model_calls + cost.model_calls, spent.usd + cost.usd)
        if process.left:
            self.tell(f"{process.left}.", "warning")

    def _check_request(self, claim: Claim) -> dict[str, Any]:
        check = self._check_of(claim)
        return {"do": "check", "claim": asdict(claim), "kind": check.kind.value, "words": check.words}

    def _draft_request(self, claim: Claim) -> dict[str, Any]:
        judgement = self.sitting.audited(claim.id)
        assert judgement is not None
        return {
            "do": "draft",
            "claim": asdict(claim),
            "judgement": judgement_to_json(judgement),
            "model": asdict(self.settings.model),
            "stores": self._request.stores,
            "store_at": self._request.store_at,
        }

    def _check_of(self, claim: Claim) -> Check:
        from memaudit.oracle.checks import find_check

        document = self.sitting.document(claim)
        return find_check(claim, document.raw if document is not None else b"")

    def _take_trial(self, tried: Judgement) -> None:
        """Show the verdict in the claim's row, and say what it is."""
        self.sitting.take_trial(tried)
        self.refresh_now()
        severity: SeverityLevel = "warning" if tried.verdict is Verdict.STALE else "information"
        decided = self.sitting.decision(tried.claim_id) is not None
        kept = " What was decided on it stays decided." if decided else ""
        self.tell(f"Its check says {tried.verdict.value} ({tried.reason}): {tried.why}.{kept}", severity)
