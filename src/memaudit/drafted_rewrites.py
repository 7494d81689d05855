"""Rewrites drafted by a model: asked for, checked before anybody sees them, refused ones once more.

A draft has to name real things, must not be judged stale in the claim's place, and must not drop what the
claim named. What passes is proposed and no more: its tier is ``ask``, a person takes it or does not.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memaudit.domain import Claim, Judgement, Suggestion, Tier, Verdict
from memaudit.grounding.words import is_compound
from memaudit.judges.model.costs import Bill, added, shown
from memaudit.judges.model.draft_run import DraftRun
from memaudit.judges.model.drafts import Drafts, make_drafts, once_more
from memaudit.judges.model.naming import Reader, one_line
from memaudit.judges.model.packing import Selection
from memaudit.judges.model.plan import hidden_files
from memaudit.review.gate import dropped

if TYPE_CHECKING:
    from memaudit.audit import Audit
    from memaudit.judges.model.apikey import ApiKey
    from memaudit.judges.model.plan import Plan, Planned
    from memaudit.judges.model.verdict import Answered
    from memaudit.settings_model import ModelSettings

SOURCE = "model"
"""The source of such suggestions."""

OnAudit = Callable[[Callable[[], str]], str]
"""Calls what it is given where the audit may be used, and gives back what that gives."""

_MOST_NAMES = 40
_LONGEST_NAME = 200
_MOST_READ = 4
"""Pieces of the change from which names are taken."""

_SECONDS = 0.15
"""How long the code is read for names like one that is gone."""

_NAME = re.compile(r"[A-Za-z_$][\w$]{2,}")


@dataclass(frozen=True, slots=True)
class Drafted:
    """What came of one claim: a suggestion, or why there is none. ``usd`` is what it cost, nothing where it
    was ``kept`` from an earlier run. ``unanswered`` says that the fault is not the model's: no answer came
    that could be read, and asking again may bring one.
    """

    claim: Claim
    suggestion: Suggestion | None
    fault: str
    usd: float
    kept: bool = False
    unanswered: bool = False


class Drafting:
    """Asks for the rewrites of a plan. :meth:`drafted` starts it and yields what comes of each claim.

    ``on_audit`` does what reads the audit, which belongs to the thread that opened it.

    Raises ModelError on making one for a model whose price is not known.
    """

    def __init__(
        self,
        audit: Audit,
        plan: Plan,
        key: ApiKey,
        drafts: Drafts,
        may_send: Callable[[], None] = lambda: None,
        on_audit: OnAudit = lambda work: work(),
    ) -> None:
        self._audit = audit
        self._on_audit = on_audit
        self._plan = plan
        self._key = key
        self._drafts = drafts
        self._may_send = may_send
        self._done = Bill()
        self._cancelled = False
        self._going = DraftRun(plan, key, drafts, may_send)

    @property
    def bill(self) -> Bill:
        """What was spent so far; may be asked from any thread."""
        done, now = self._done, self._going.bill
        return Bill(
            done.calls + now.calls,
            added(done.usage, now.usage),
            done.usd + now.usd,
            done.uncertain + now.uncertain,
        )

    @property
    def ended(self) -> str:
        """Why not everything was asked, in words; empty while all is well."""
        return self._going.ended

    def cancel(self) -> None:
        """Stop at once, from any thread."""
        self._cancelled = True
        self._going.cancel()

    def drafted(self) -> Iterator[Drafted]:
        """What comes of the claims, as it comes; leaving the iteration cancels."""
        again: list[Planned] = []
        planned = {one.before.claim_id: one for one in self._plan.questions}
        for came in self._going.verdicts():
            asked = planned[came.judgement.claim_id]
            text = one_line(came.answer or "").strip()
            why = self._checked(asked, text)
            if why:
                again.append(once_more(asked, text, why, self._plan.settings, self._drafts))
            else:
                yield self._result(asked, came, text)
        if not again or self._going.ended or self._cancelled:
            yield from (self._refused(one, "what was drafted was refused") for one in again)
            return
        yield from self._retry(again)

    def _retry(self, again: list[Planned]) -> Iterator[Drafted]:
        spent = self.bill
        left = self._plan.settings.cap_usd - spent.usd - spent.uncertain
        plan = replace_plan(self._plan, again, max(left, 0.0))
        self._done, self._going = spent, DraftRun(plan, self._key, self._drafts, self._may_send)
        if self._cancelled:
            self._going.cancel()
        planned = {one.before.claim_id: one for one in again}
        for came in self._going.verdicts():
            asked = planned[came.judgement.claim_id]
            text = one_line(came.answer or "").strip()
            why = self._checked(asked, text)
            yield self._refused(asked, why, came) if why else self._result(asked, came, text)

    def _checked(self, asked: Planned, text: str) -> str:
        return self._on_audit(lambda: self._fault(asked, text)) if text else ""

    def _fault(self, asked: Planned, text: str) -> str:
        """Why a rewrite is not proposed; empty where it may be."""
        claim, before = asked.question.claim, asked.before

        def judge(words: str) -> Judgement:
            return self._audit.rejudge(claim, words)

        reader = Reader(claim, self._audit.ground(claim), asked.question.evidence, judge)
        if fault := reader.fault(text, before):
            return fault
        judged = judge(text)
        if judged.verdict is Verdict.STALE:
            return f"it would be stale: {judged.why}"
        if lost := dropped(before, judged):
            return f"it says nothing any more of {', '.join(lost)}"
        return ""

    def _result(self, asked: Planned, came: Answered, text: str) -> Drafted:
        if not text:
            fault = came.fault or "the model was not shown enough to reword it"
            return Drafted(asked.question.claim, None, fault, came.usd, came.kept, came.answer is None)
        name = self._plan.settings.name
        paid = "drafted in an earlier run" if came.kept else shown(came.usd)
        note = f"drafted by {name} ({paid}); not proved"
        known = asked.before.suggestion
        if known is not None and known.text is not None and known.text != text:
            note = f"{note}; from the facts alone: {known.text}"
        suggestion = Suggestion(Tier.ASK, text, note, SOURCE)
        return Drafted(asked.question.claim, suggestion, "", came.usd, came.kept)

    @staticmethod
    def _refused(asked: Planned, why: str, came: Answered | None = None) -> Drafted:
        if came is None:
            return Drafted(asked.question.claim, None, why, 0.0)
        return Drafted(asked.question.claim, None, why, came.usd, came.kept)


def plan_drafts(audit: Audit, judged: Sequence[tuple[Claim, Judgement]], settings: ModelSettings) -> Plan:
    """The requests for rewrites of stale claims, estimated for one attempt at each. Nothing is sent."""
    hidden = hidden_files(settings)

    def names(claim: Claim, judgement: Judgement, seen: Selection) -> list[str]:
        return real_names(audit, claim, judgement, seen, hidden)

    drafts = Drafts(audit.state_folder, settings)
    return make_drafts(list(judged), audit.ground, names, audit.memory_paths, settings, drafts)


def real_names(
    audit: Audit, claim: Claim, judgement: Judgement, seen: Selection, hidden: Callable[[str], bool]
) -> list[str]:
    """Names that exist at head and may be meant: of the facts, of the change, and like what is gone.

    Files that are ``hidden`` are not named, nor is what only they have.
    """
    head = audit.ground(claim).head

    def is_named(name: str) -> bool:
        if head.snapshot.kind(name) is not None:
            return not hidden(name.rstrip("/"))
        manifests = [one for one in head.manifests if not hidden(one.path)]
        if any(name in one.tasks or name in one.dependencies for one in manifests):
            return True
        return bool(_NAME.fullmatch(name)) and not all(map(hidden, head.files_with(name)))

    found: dict[str, None] = {}
    for word in _words(audit, judgement, seen):
        name = word.strip()
        if name and len(name) <= _LONGEST_NAME and name not in claim.text and is_named(name):
            found[name] = None
        if len(found) == _MOST_NAMES:
            break
    return list(found)


def _words(audit: Audit, judgement: Judgement, seen: Selection) -> Iterator[str]:
    """What may be such a name, the likeliest first."""
    suggested = judgement.suggestion.text if judgement.suggestion else None
    yield from re.findall(r"`([^`]+)`", suggested or "")
    yield from (item.head.path for item in judgement.evidence if item.head)
    yield from (hunk.path for hunk in seen.relevant)
    for reference in judgement.references:
        if reference.base != reference.head:
            yield reference.head or ""
            yield from audit.vocabulary.offer(reference.text, _SECONDS)
    for hunk in seen.relevant[:_MOST_READ]:
        come = "\n".join(line[1:] for line in hunk.lines if line[0] == "+")
        yield from (name for name in _NAME.findall(f"{hunk.header}\n{come}") if is_compound(name))


def replace_plan(plan: Plan, questions: list[Planned], cap: float) -> Plan:
    """A plan of other questions under what is left of the cap."""
    from memaudit.judges.model.plan import Plan

    return Plan(questions, plan.open, replace(plan.settings, cap_usd=cap))
