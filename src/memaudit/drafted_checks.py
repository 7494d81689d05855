"""A check drafted by a model for a claim that carries none: what is asked, the draft, its trial.

Nothing is sent but by :func:`draft`, and that needs the consent of a person and a key. Nothing of a draft is
run here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memaudit.errors import ModelError
from memaudit.judges.model.consent import require_consent, still_agreed
from memaudit.oracle.drafted import unusable
from memaudit.oracle.plan import find_python, import_folders, plan_draft
from memaudit.trying import Sides, trial_of

if TYPE_CHECKING:
    from memaudit.audit import Audit
    from memaudit.domain import Claim, Judgement
    from memaudit.judges.model.check_call import Drafted
    from memaudit.judges.model.check_prompt import Ask
    from memaudit.oracle.running import Limits
    from memaudit.oracle.trial import Trial
    from memaudit.settings_model import ModelSettings
    from memaudit.trying import Entries


def make_request(audit: Audit, claim: Claim, judgement: Judgement, settings: ModelSettings) -> Ask:
    """The request for a check of a claim, as it would be sent.

    Raises ModelError where the claim names nothing that could be shown.
    """
    from memaudit.judges.model.check_prompt import make_ask
    from memaudit.judges.model.plan import hidden_files
    from memaudit.judges.model.spots import locate

    where = f"{claim.document}:{claim.line_start}"
    hidden = hidden_files(settings)
    if hidden(claim.document.lstrip("/")):
        raise ModelError("this file never leaves the machine", claim.document, "see model.ignore")
    base = audit.ground(claim).base
    spots = locate(claim, judgement, base, hidden, frozenset(audit.memory_paths))
    if not spots:
        fix = "a draft needs a file or a definition that the claim names"
        raise ModelError("nothing that the claim names is found in the code at base", where, fix)
    return make_ask(claim, spots, import_folders(spots[0].path, base.snapshot), settings)


def price(ask: Ask, settings: ModelSettings) -> str:
    """What a draft can cost, in words."""
    from memaudit.judges.model.costs import ATTEMPTS, shown

    return f"1 call, never more than {shown(ATTEMPTS * ask.worst)}" if settings.price else "price unknown"


def asked(audit: Audit, ask: Ask, settings: ModelSettings) -> Entries:
    """What a person is asked to agree to before anything is sent, with the whole request."""
    from memaudit.judges.model.check_call import known_draft
    from memaudit.judges.model.prompt import readable

    known = known_draft(audit.state_folder, ask) is not None
    yield "claim", f"{ask.claim.document}:{ask.claim.line_start}  {' '.join(ask.claim.text.split())}"
    yield "model", f"{settings.name} at {settings.host}"
    yield "cost", "nothing, it was drafted before" if known else price(ask, settings)
    yield "sent", "the claim, its place, and this code at base; secrets masked"
    for spot in ask.spots:
        yield "", f"{spot.path}:{spot.line}" + (f"  {spot.name}" if spot.name else "")
    yield "note", "The test that comes back is shown before it runs."
    yield "request", ""
    yield from (("", line) for line in readable(ask.sent).split("\n"))


def billed(draft: Drafted) -> str:
    """What a draft has cost, in words."""
    from memaudit.judges.model.costs import shown

    if draft.kept:
        return "drafted before, nothing billed"
    besides = f", and up to {shown(draft.uncertain)} for attempts that broke off" if draft.uncertain else ""
    return f"billed: {shown(draft.usd)}{besides}"


def draft(audit: Audit, ask: Ask, settings: ModelSettings) -> Drafted:
    """Have the check drafted, or take what was drafted for the same request before.

    Raises ModelError without consent, key or price, where the cap does not allow it, and where no draft came.
    """
    require_consent(audit.state_folder, settings)
    from memaudit.judges.model.apikey import find_key
    from memaudit.judges.model.check_call import draft as call
    from memaudit.judges.model.check_call import known_draft

    known = known_draft(audit.state_folder, ask)
    folder = audit.state_folder
    return known or call(folder, ask, settings, find_key(settings), still_agreed(folder, settings))


def why_unusable(ask: Ask, source: str) -> str:
    """Why a draft is no check, in words; empty where it may be one."""
    names = {spot.name.rpartition(".")[2] for spot in ask.spots if spot.name}
    files = {spot.path.rpartition("/")[2] for spot in ask.spots}
    modules = {name.removesuffix(".py") for name in files if name.endswith(".py")}
    return unusable(source, names | files | modules)


def make_ready(
    ask: Ask, source: str, sides: Sides, python: str | None = None, limits: Limits | None = None
) -> Trial:
    """The trial of a draft; nothing runs yet, and it has to be closed. Raises MemauditError."""
    found = find_python(python, sides.root)
    planned = plan_draft(ask.claim, source, ask.spots[0].path, sides.base, found)
    return trial_of(ask.claim, planned, sides, limits)
