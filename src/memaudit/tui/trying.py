"""The check of a claim on the review screen: asked for, run aside, its verdict taken in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memaudit.domain import Judgement, Verdict
from memaudit.errors import MemauditError, UsageError
from memaudit.tui import trial_process
from memaudit.tui.deciding import DecidingScreen

if TYPE_CHECKING:
    from textual.notifications import SeverityLevel

    from memaudit.domain import AuditRequest, Claim
    from memaudit.oracle.checks import Check


class TryingScreen(DecidingScreen):
    """The part of the review screen that has checks run."""

    trial_command: tuple[str, ...] = trial_process.COMMAND
    """The process that tries checks."""
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

    def do_try_check(self) -> None:
        """Show how the check of the selected claim would be run; run it once a person has agreed."""
        claim = self.sitting.claim(self.claims.cursor)
        if claim is not None:
            self.run_worker(self._try(claim), group="trial", exclusive=True, exit_on_error=False)

    async def _try(self, claim: Claim) -> None:
        from memaudit.tui.dialogs.trial import TrialDialog

        try:
            sides = await self.engine.sides(claim.id)
            check = self._check_of(claim)
        except MemauditError as error:
            self.tell(error.line(), "error")
            return
        process = trial_process.TrialProcess(self._request.path, claim, check, sides, self.trial_command)

        def answered(judgement: Judgement | None) -> None:
            if judgement is not None:
                self._take_trial(judgement)

        self.app.push_screen(TrialDialog(process), answered)

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
