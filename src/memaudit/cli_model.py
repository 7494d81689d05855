"""``memaudit model`` and ``check --model``: consent, what it will cost, the questions, the bill."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from memaudit import asking
from memaudit.domain import Claim, Cost, Judgement
from memaudit.errors import ModelError, UsageError
from memaudit.judges.model.batches import Batches
from memaudit.judges.model.consent import consent_of, give_consent, require_consent, withdraw_consent
from memaudit.paths import repository_state
from memaudit.text import visible

if TYPE_CHECKING:
    from memaudit.audit import Audit
    from memaudit.domain import AuditRequest
    from memaudit.judges.model.going import Going
    from memaudit.judges.model.plan import Plan
    from memaudit.settings import Settings
    from memaudit.settings_model import ModelSettings

ACTIONS = ("on", "off", "status")

Judged: TypeAlias = "list[tuple[Claim, Judgement]]"
Told: TypeAlias = Callable[[str], None]


def run(action: str, request: AuditRequest, settings: Settings, told: Told, *, agreed: bool) -> int:
    """Do one of :data:`ACTIONS` for a repository and return the exit code: 1 for "no" and for off.

    ``on`` shows what would be sent where at what price, and asks unless ``agreed``. Raises MemauditError.
    """
    if action == "on":
        from memaudit.audit import Audit

        return _switch_on(Audit(request), settings, told, agreed=agreed)
    from memaudit.repo.repository import open_repository

    repository = open_repository(request.path)
    folder = repository_state(repository.common_dir)
    if action == "off":
        was = withdraw_consent(folder)
        left = Batches(folder).forget_all()
        told(f"{repository.name}: the model is off" + ("" if was else ", as it was"))
        if left:
            told(f"{_counted(left)} under way in batches are forgotten; the server may still bill them")
        return 0
    given = consent_of(folder)
    if given is None:
        told(f"{repository.name}: the model is off")
        return 1
    told(f"{repository.name}: on for {given.model} at {given.url}, by {given.by} on {given.at[:10]}")
    for pending in Batches(folder).pending(settings.model):
        name = pending.batch or "whose name is not known yet"
        told(f"batch {name}: {_counted(len(pending.keys))}, asked {pending.asked_at}")
    if not given.covers(settings.model):
        told(f"the settings name {settings.model.name} at {settings.model.url}: nothing is sent there")
        return 1
    return 0


def _switch_on(audit: Audit, settings: Settings, told: Told, *, agreed: bool) -> int:
    made = asking.plan(audit, audit.run(), settings.model)
    for line in described(audit.repository.name, made):
        told(line)
    if not agreed:
        if sys.stdin is None or not sys.stdin.isatty():
            raise UsageError("nobody can be asked: standard input is no terminal", "", "agree with --yes")
        told("Switch it on for this repository? [y/N]")
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            told("It stays off.")
            return 1
    give_consent(audit.state_folder, settings.model, settings.decided_by)
    told(f"{audit.repository.name}: the model is on; memaudit check --model asks it")
    return 0


def described(repository: str, made: Plan) -> Iterator[str]:
    """What a person agrees to: where what goes, and what it will cost. Lines are safe to print."""
    batch = asking.goes_by_batch(made, None)
    settings, estimate = made.settings, made.batch_estimate if batch else made.estimate
    yield visible(f"Claims of {repository} that the offline judges leave open would be asked of a model.")
    yield visible(f"  server  {settings.host}")
    yield visible(f"  model   {settings.name}")
    yield "  sent    the claim, its place, and pieces of the change that name what it names; secrets masked"
    yield f"  now     {amount(made, batch=batch)}"
    yield f"  tokens  about {estimate.input_tokens:,} in, {estimate.output_tokens:,} out"
    yield visible(f"  cost    {price(made, batch=batch)}")
    yield "Read every request first with: memaudit check --model --dry-run"


def amount(made: Plan, *, batch: bool = False) -> str:
    """How many calls a plan takes, and for how many claims."""
    calls = made.estimate.calls
    known = f", {made.estimate.known} answered before" if made.estimate.known else ""
    known += f", {made.under_way} in a batch under way" if made.under_way else ""
    singly = f"{calls} {'call' if calls == 1 else 'calls'}"
    return (
        f"{f'a batch of {_counted(calls)}' if batch and calls else singly} for {made.open} open claims{known}"
    )


def price(made: Plan, *, batch: bool = False) -> str:
    """What a plan will cost, in words."""
    from memaudit.judges.model.costs import shown

    settings, estimate = made.settings, made.batch_estimate if batch else made.estimate
    if estimate.usd is None or estimate.at_most is None or settings.price is None:
        return f"unknown: give a price in the settings, [model.prices.{settings.name}]"
    day = f", prices of {settings.price.as_of}" if settings.price.as_of else ""
    most = min(estimate.at_most, settings.cap_usd)
    return f"about {shown(estimate.usd)}, never more than {shown(most)} (cap {shown(settings.cap_usd)}{day})"


def requests(made: Plan, form: str, *, batch: bool = False) -> str:
    """The requests of a plan as they would be sent, in order; those asked before are left out."""
    from memaudit import wire
    from memaudit.judges.model.prompt import readable

    new = made.new
    if form == "json":
        return wire.printable(json.dumps([one.sent for one in new], ensure_ascii=False, indent=1)) + "\n"
    if form == "jsonl":
        return "".join(wire.printable(json.dumps(one.sent, ensure_ascii=False)) + "\n" for one in new)
    told = [f"{amount(made, batch=batch)}; {price(made, batch=batch)}; nothing was sent\n"]
    for number, one in enumerate(new, 1):
        claim = one.question.claim
        head = f"--- request {number} of {len(new)}: {claim.document}:{claim.line_start} ---"
        told.append(f"\n{visible(head)}\n\n{visible(readable(one.sent), keep_lines=True)}\n")
    return "".join(told)


def ask(
    audit: Audit, settings: ModelSettings, told: Told, *, batch: bool | None = None
) -> tuple[Judged, Cost]:
    """Judge, ask the model what stays open, and return all judgements and what they cost.

    ``batch`` tells whether by batches, None leaves that to the settings.
    Raises ModelError or KeyringError before anything is sent; without consent nothing is judged. Ctrl-C ends
    the run, and what was answered until then is kept for the next one.
    """
    require_consent(audit.state_folder, settings)
    judged = list(audit.run())
    made = asking.plan(audit, judged, settings)
    if not made.questions and not made.under_way:
        told(f"the model is not asked: nothing in the change bears on the {made.open} open claims")
        return judged, Cost()
    by_batch = asking.goes_by_batch(made, batch)
    going = asking.start_batch(audit, made, told) if by_batch else asking.start(audit, made)
    said = f"{amount(made, batch=by_batch)}, {price(made, batch=by_batch)}"
    told(f"{settings.name} at {settings.host}: {said}")
    came = list(going.verdicts())
    told(_bill(going))
    if going.ended and going.bill.calls and not any(one.answer for one in came):
        raise ModelError(f"no question was answered: {going.ended}")
    if going.ended:
        told(f"the model was not asked everything: {going.ended}")
    answered = {one.judgement.claim_id: one.judgement for one in came}
    return [(claim, answered.get(claim.id, judgement)) for claim, judgement in judged], _cost(going)


def _bill(going: Going) -> str:
    from memaudit.judges.model.batch_run import BatchRun
    from memaudit.judges.model.costs import shown

    bill = going.bill
    usage = bill.usage
    cached = f" ({usage.cache_read:,} from the cache)" if usage.cache_read else ""
    tokens = f"{usage.input + usage.cache_read + usage.cache_write:,} tokens in{cached}, {usage.output:,} out"
    left = "for what is left to the server" if isinstance(going, BatchRun) else "for calls that broke off"
    besides = f", and up to {shown(bill.uncertain)} {left}" if bill.uncertain else ""
    calls = f"{bill.calls} {'call' if bill.calls == 1 else 'calls'}"
    return f"billed: {calls}, {tokens}, {shown(bill.usd)}{besides}"


def _cost(going: Going) -> Cost:
    return Cost(going.bill.calls, round(going.bill.usd, 6))


def dry_run(audit: Audit, settings: ModelSettings, form: str, *, batch: bool | None = None) -> str:
    """What ``check --model --dry-run`` prints: every request, and nothing is sent."""
    made = asking.plan(audit, audit.run(), settings)
    return requests(made, form, batch=asking.goes_by_batch(made, batch))


def _counted(count: int) -> str:
    return f"{count:,} {'question' if count == 1 else 'questions'}"
