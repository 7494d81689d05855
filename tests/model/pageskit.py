"""A repository with claims that only a reader of code can judge, and an audit of it to ask about."""

from __future__ import annotations

from typing import Any

from memaudit.asking import plan, plan_drafts, start, start_batch, start_drafts
from memaudit.audit import Audit
from memaudit.domain import AuditRequest
from memaudit.drafted_rewrites import Drafting
from memaudit.judges.model.batch_run import BatchRun
from memaudit.judges.model.consent import give_consent
from memaudit.judges.model.plan import Plan
from memaudit.judges.model.run import Run
from memaudit.settings_model import ModelSettings

NAMES = ("fetch_page", "store_page", "parse_page", "send_page")


def pages(body: str, names: tuple[str, ...] = NAMES) -> str:
    functions = (
        f"def {name}(page, tries=3):\n    result = load(page)\n{body}    return result\n" for name in names
    )
    return '"""Pages."""\n\n\n' + "\n\n".join(functions)


def memory(names: tuple[str, ...] = NAMES) -> str:
    lines = [f"- `{name}` logs a missing page and goes on.\n" for name in names]
    return "# Pages\n\n" + "".join(lines) + "- Prefer small functions.\n- Pages are in `src/pages.py`.\n"


LOGS = "    if result is None:\n        log.warning('missing page')\n"
RAISES = "    if result is None:\n        raise PageError(page)\n"


class Asking:
    """One audit whose open claims can be asked again and again, the way both front doors do."""

    def __init__(self, root: Any, settings: ModelSettings, range_: str = "HEAD~1..HEAD") -> None:
        self.audit = Audit(AuditRequest(path=root, range=range_))
        self.settings = settings
        self.judged = list(self.audit.run())
        give_consent(self.audit.state_folder, settings, "Ada")

    def plan(self) -> Plan:
        return plan(self.audit, self.judged, self.settings)

    def run(self) -> Run:
        return start(self.audit, self.plan())

    def batch(self, told: list[str] | None = None) -> BatchRun:
        return start_batch(self.audit, self.plan(), (told if told is not None else []).append)

    def drafting(self) -> Drafting:
        """A run for rewrites of what is stale."""
        return start_drafts(self.audit, plan_drafts(self.audit, self.judged, self.settings))
