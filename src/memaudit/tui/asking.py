"""The model on the review screen: the plan to agree to, verdicts as they come, and the way to stop it."""

from __future__ import annotations

from dataclasses import asdict, replace

from memaudit.domain import Cost
from memaudit.errors import MemauditError
from memaudit.text import visible
from memaudit.tui.asking_events import Answered, AskingEnded, Drafted, Plan, plan_from_wire
from memaudit.tui.asking_line import Asking, AskingLine
from memaudit.tui.auditing import REFRESH, AuditingScreen
from memaudit.tui.board import Rank
from memaudit.tui.engine import Event, Failed


class AskingScreen(AuditingScreen):
    """Has the audit process ask a model, one run at a time."""

    asking: Asking | None = None
    """The run that is under way, or the last one until its bill is put away."""
    _cost_before = Cost()

    @property
    def asks(self) -> bool:
        """Whether the model is being asked."""
        return self.asking is not None and self.asking.goes_on

    @property
    def _why_not_now(self) -> str:
        """Why nothing can be asked before the audit is through, or empty."""
        if self.sitting.opened is None:
            return "no memory is open yet"
        if self.stopped:
            return self.say("the audit stopped, {reload} starts it again")
        return "the audit is not through yet" if self.progress is not None else ""

    @property
    def why_no_rewrites(self) -> str:
        """Why no rewrites can be asked for now, or empty."""
        if why := self._why_not_now:
            return why
        done, stale = self.sitting.board.decided((Rank.BROKEN, Rank.WRONG))
        return "" if self.asks or done < stale else "no stale claim is undecided"

    @property
    def why_no_model(self) -> str:
        """Why a model cannot be asked now, or empty."""
        if why := self._why_not_now:
            return why
        done, unknown = self.sitting.board.decided((Rank.OPEN,))
        if self.asks or done < unknown or self.sitting.asked:
            return ""
        return "no undecided claim is open that a model could judge"

    def do_ask_model(self) -> None:
        """Show what would be asked; while it is asked, stop."""
        self._plan_to_ask(rewrites=False)

    def do_draft_rewrites(self) -> None:
        """Show for which claims rewrites would be asked; while they are, stop."""
        self._plan_to_ask(rewrites=True)

    def _plan_to_ask(self, *, rewrites: bool) -> None:
        if self.asks:
            self.stop_asking()
            return
        from memaudit.tui.dialogs.asking import PlanDialog

        engine, model = self.engine, self.settings.model
        decided = list(self.sitting.board.decisions)

        async def load() -> Plan:
            made = await engine.model("plan", settings=asdict(model), decided=decided, rewrites=rewrites)
            plan = plan_from_wire(made, model.cap_usd, rewrites=rewrites)
            if rewrites or plan.nothing or plan.calls or len(self.sitting.asked) < plan.questions:
                return plan
            return replace(plan, nothing="All that can be asked was asked, and the answers are listed.")

        async def read(number: int) -> tuple[str, str]:
            request = await engine.model("request", number=number)
            text = visible(str(request["text"]), keep_lines=True).expandtabs(4)
            return visible(str(request["place"])), text

        plan: list[Plan] = []

        def answered(answer: str | None) -> None:
            if answer in ("agree", "start"):
                self.asking = Asking(plan[0])
                self._renew_asking()
                self.run_worker(self._begin(agree=answer == "agree"), group="model", exit_on_error=False)
            elif answer == "off":
                self.run_worker(self._switch_off(), group="model", exit_on_error=False)
            else:
                self.tell("Nothing was sent.")

        title = "Have rewrites drafted" if rewrites else "Ask the model"
        self.app.push_screen(PlanDialog(title, load, read, plan.append), answered)

    async def _begin(self, *, agree: bool) -> None:
        engine, asking = self.engine, self.asking
        assert asking is not None
        self._cost_before = self.sitting.cost
        try:
            if agree:
                await engine.model("on", by=self.sitting.author)
            await engine.model("start")
        except MemauditError as error:
            if self.asking is asking:
                asking.refused = visible(error.line())
        asking.begun = True
        self._renew_asking()

    async def _switch_off(self) -> None:
        try:
            await self.engine.model("off")
        except MemauditError as error:
            self.tell(error.line(), "error")
        else:
            self.tell("The model is off for this repository: nothing is sent.")

    def stop_asking(self) -> None:
        """Stop at once; what was answered is kept."""
        if self.asking is not None and not self.asking.stopping:
            self.asking.stopping = True
            self._renew_asking()
            self.run_worker(self._cancel(), group="model", exit_on_error=False)

    async def _cancel(self) -> None:
        try:
            await self.engine.model("cancel")
        except MemauditError as error:
            self._end(AskingEnded(error.line(), "", Cost()))

    def dismiss_bill(self) -> bool:
        """Put the bill of a run that is over away; False where there is none."""
        if self.asking is None or self.asks:
            return False
        self.asking = None
        self._renew_asking()
        return True

    def on_asking_line_clicked(self) -> None:
        """Stop the run, or put its bill away."""
        if self.asks:
            self.stop_asking()
        else:
            self.dismiss_bill()

    async def reopen(self) -> None:
        """A run ends with the audit that it was for."""
        if self.asks:
            self._end(AskingEnded("stopped, since everything is read again", "", self.sitting.cost))
        await super().reopen()

    def _take(self, event: Event) -> None:
        match event:
            case Answered():
                self._take_answer(event)
                if self._refresh_timer is None:
                    self._refresh_timer = self.set_timer(REFRESH, self.refresh_now)
                return
            case Drafted():
                if self.asking is not None:
                    self.asking.take_draft(event)
                self.sitting.take_draft(event.claim_id, event.suggestion)
                self._add_cost(event.cost)
                self._renew_asking()
                if self._refresh_timer is None:
                    self._refresh_timer = self.set_timer(REFRESH, self.refresh_now)
                return
            case AskingEnded():
                self._add_cost(event.cost)
                self._end(event)
                self.refresh_now()
                return
            case Failed() if self.asks:
                self._end(AskingEnded("the audit process ended", "", self.sitting.cost))
        super()._take(event)

    def _take_answer(self, one: Answered) -> None:
        if self.asking is not None:
            self.asking.take(one)
        self.sitting.take_answer(one.judgement, one.usd)
        self._add_cost(one.cost)
        self._renew_asking()

    def _add_cost(self, cost: Cost) -> None:
        before = self._cost_before
        self.sitting.cost = Cost(before.model_calls + cost.model_calls, before.usd + cost.usd)

    def _end(self, ended: AskingEnded) -> None:
        if self.asking is not None and self.asking.goes_on:
            self.asking.ended = ended
        self._renew_asking()

    def _renew_asking(self) -> None:
        self.query_one(AskingLine).show(self.asking)
