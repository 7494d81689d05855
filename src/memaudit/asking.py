"""What an audit leaves open, put to a model: the plan, the consent, the run. Both front doors call this.

Nothing is sent but by :func:`start`, and that needs the consent of a person and a key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from memaudit.domain import Claim, Judgement
from memaudit.judges.model.consent import require_consent, still_agreed

if TYPE_CHECKING:
    from memaudit.audit import Audit
    from memaudit.drafted_rewrites import Drafting, OnAudit
    from memaudit.judges.model.batch_run import BatchRun
    from memaudit.judges.model.plan import Plan
    from memaudit.judges.model.run import Run
    from memaudit.settings_model import ModelSettings


def plan(audit: Audit, judged: Iterable[tuple[Claim, Judgement]], settings: ModelSettings) -> Plan:
    """The questions that the judgements of an audit leave open, with an estimate. Nothing is sent."""
    from memaudit.judges.model.answers import Answers
    from memaudit.judges.model.batches import Batches
    from memaudit.judges.model.plan import make_plan

    answers = Answers(audit.state_folder, settings)
    under_way = {key for one in Batches(audit.state_folder).pending(settings) for key in one.keys}
    # Judging comes to its end first: only then it is known from where each claim was judged.
    return make_plan(list(judged), audit.ground, audit.memory_paths, settings, answers, under_way)


def start(audit: Audit, made: Plan) -> Run:
    """A run of a plan, to be started by reading its verdicts.

    Raises ModelError without consent, key or price, KeyringError where the keyring cannot be asked.
    """
    require_consent(audit.state_folder, made.settings)
    from memaudit.judges.model.answers import Answers
    from memaudit.judges.model.apikey import find_key
    from memaudit.judges.model.run import Run

    folder = audit.state_folder
    return Run(
        made, find_key(made.settings), Answers(folder, made.settings), still_agreed(folder, made.settings)
    )


def goes_by_batch(made: Plan, wanted: bool | None) -> bool:
    """Whether a plan is better sent as a batch; ``wanted`` is what somebody said to that, None for nothing.

    Where a batch is under way it has to be waited for anyway.
    """
    if wanted is not None:
        return wanted
    settings = made.settings
    costs = settings.price is not None and (settings.price.input or settings.price.output)
    return bool(made.under_way or (costs and 0 < settings.batch_above < len(made.new)))


def start_batch(audit: Audit, made: Plan, told: Callable[[str], None]) -> BatchRun:
    """As :func:`start`, by batches; ``told`` hears what happens with them, from another thread."""
    require_consent(audit.state_folder, made.settings)
    from memaudit.judges.model.answers import Answers
    from memaudit.judges.model.apikey import find_key
    from memaudit.judges.model.batch_run import BatchRun
    from memaudit.judges.model.batches import Batches

    folder = audit.state_folder
    key = find_key(made.settings)
    return BatchRun(
        made, key, Answers(folder, made.settings), Batches(folder), told, still_agreed(folder, made.settings)
    )


def plan_drafts(audit: Audit, judged: Iterable[tuple[Claim, Judgement]], settings: ModelSettings) -> Plan:
    """The rewrites that a model may draft of stale claims, with an estimate for one attempt at each; a
    refused one is asked for once more. Nothing is sent.
    """
    from memaudit import drafted_rewrites

    return drafted_rewrites.plan_drafts(audit, list(judged), settings)


def start_drafts(audit: Audit, made: Plan, on_audit: OnAudit = lambda work: work()) -> Drafting:
    """A run for the rewrites of a plan, to be started by reading what was drafted; see Drafting for
    ``on_audit``.

    Raises ModelError without consent, key or price, KeyringError where the keyring cannot be asked.
    """
    require_consent(audit.state_folder, made.settings)
    from memaudit.drafted_rewrites import Drafting
    from memaudit.judges.model.apikey import find_key
    from memaudit.judges.model.drafts import Drafts

    return Drafting(
        audit,
        made,
        find_key(made.settings),
        Drafts(audit.state_folder, made.settings),
        still_agreed(audit.state_folder, made.settings),
        on_audit,
    )
