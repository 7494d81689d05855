"""What an audit leaves open, put to a model: the plan, the consent, the run. Both front doors call this.

Nothing is sent but by :func:`start`, and that needs the consent of a person and a key.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from memaudit.domain import Claim, Judgement
from memaudit.judges.model.consent import require_consent

if TYPE_CHECKING:
    from memaudit.audit import Audit
    from memaudit.judges.model.plan import Plan
    from memaudit.judges.model.run import Run
    from memaudit.settings_model import ModelSettings


def plan(audit: Audit, judged: Iterable[tuple[Claim, Judgement]], settings: ModelSettings) -> Plan:
    """The questions that the judgements of an audit leave open, with an estimate. Nothing is sent."""
    from memaudit.judges.model.answers import Answers
    from memaudit.judges.model.plan import make_plan

    answers = Answers(audit.state_folder, settings)
    # Judging comes to its end first: only then it is known from where each claim was judged.
    return make_plan(list(judged), audit.ground, audit.memory_paths, settings, answers)


def start(audit: Audit, made: Plan) -> Run:
    """A run of a plan, to be started by reading its verdicts.

    Raises ModelError without consent, key or price, KeyringError where the keyring cannot be asked.
    """
    require_consent(audit.state_folder, made.settings)
    from memaudit.judges.model.answers import Answers
    from memaudit.judges.model.apikey import find_key
    from memaudit.judges.model.run import Run

    return Run(made, find_key(made.settings), Answers(audit.state_folder, made.settings))
