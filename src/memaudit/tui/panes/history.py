"""The History tab: the commits and the decision behind a claim, and what the ledger tells of it."""

from __future__ import annotations

from memaudit.domain import Claim, CommitInfo, Decision, DecisionKind, Judgement
from memaudit.errors import MemauditError
from memaudit.text import visible
from memaudit.tui.claim_row import DECISIONS
from memaudit.tui.engine import Engine
from memaudit.tui.lines import Row
from memaudit.tui.panes.why import Facts, FactsPane

_SHOWN_ELSEWHERE = ("verdict", "because")


class HistoryPane(FactsPane):
    """What happened to a claim; the audit process reads the ledger and may answer a moment later."""

    def show_claim(
        self,
        engine: Engine,
        claim: Claim,
        judgement: Judgement | None,
        decision: Decision | None,
        *,
        saved: bool,
        contested: list[tuple[str, Row]],
    ) -> None:
        """Show what is known at once, ``contested`` first, and the ledger's rows as soon as they come."""
        entries = contested + history_entries(claim, judgement, decision, saved=saved)
        self.show(entries)
        if engine.running:
            self.run_worker(
                self._add_ledger(engine, claim.id, entries),
                group="history",
                exclusive=True,
                exit_on_error=False,
            )

    async def _add_ledger(self, engine: Engine, claim_id: str, entries: list[tuple[str, Row]]) -> None:
        try:
            lines = await engine.history(claim_id)
        except MemauditError as error:
            lines = [("ledger", error.line())]
        rows = ledger_entries(lines)
        if rows:
            self.query_one(Facts).show([*entries, ("", []), *rows])


def ledger_entries(lines: list[tuple[str, str]]) -> list[tuple[str, Row]]:
    """The ledger's lines without what other tabs show."""
    rows: list[tuple[str, Row]] = []
    for label, text in lines:
        if label not in _SHOWN_ELSEWHERE:
            rows.append((visible(label), [(visible(text), "")]))
    return rows


def history_entries(
    claim: Claim, judgement: Judgement | None, decision: Decision | None, *, saved: bool
) -> list[tuple[str, Row]]:
    """Commits that decided the verdict, and the decision in effect, latest last."""
    commits: dict[str, CommitInfo] = {}
    for evidence in judgement.evidence if judgement else ():
        if evidence.commit is not None:
            commits.setdefault(evidence.commit.sha, evidence.commit)
    entries: list[tuple[str, Row]] = []
    for commit in sorted(commits.values(), key=lambda one: one.date):
        entries += [
            (
                visible(commit.date[:10]),
                [(visible(commit.sha[:8]), "primary"), (f" {visible(commit.summary)}", "")],
            ),
            ("", [(f"by {visible(commit.author)}", "muted")]),
        ]
    if not commits:
        entries.append(("commits", [("none of this range decides this claim", "muted")]))
    entries.append(("", []))
    if decision is None:
        entries.append(("decision", [("none yet", "muted")]))
        return entries
    glyph, word = DECISIONS[decision.kind]
    state = "in the file" if saved else "in the journal, not in the file yet"
    entries.append(
        (visible(decision.at[:10]), [(f"{glyph} {word}", "accent"), (f" by {visible(decision.by)}", "")])
    )
    if decision.kind is DecisionKind.REWRITE:
        entries += [
            ("", [("- ", "removed"), (visible(claim.text), "")]),
            ("", [("+ ", "added"), (visible(decision.text or ""), "")]),
        ]
    entries.append(("", [(state, "muted")]))
    return entries
