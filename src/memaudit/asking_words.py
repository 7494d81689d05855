"""A plan, and what came of it, in words for the screen. All of them are safe to show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memaudit.text import visible

if TYPE_CHECKING:
    from memaudit.judges.model.consent import Consent
    from memaudit.judges.model.costs import Bill
    from memaudit.judges.model.plan import Plan

_SENT = "the claim, its place, and pieces of the change that name what it names; secrets masked"
_SENT_FOR_REWRITES = f"{_SENT}; what was found wrong, and real names like it"
_REWRITES = "one text a claim, checked here before you see it; one that is refused is asked for once more"


def plan_entries(
    made: Plan, given: Consent | None, left_out: tuple[int, int], *, rewrites: bool = False
) -> list[tuple[str, str]]:
    """What a person agrees to, as labels and words: where what goes, what is asked, what it will cost.

    ``given`` is the consent there is, ``left_out`` counts unknown claims that nothing can decide, and those
    that a person has decided. With ``rewrites`` it is a plan of these, not of verdicts.
    """
    settings, estimate = made.settings, made.estimate
    entries = [
        ("server", visible(settings.host) + (", on this machine" if settings.is_here else "")),
        ("model", visible(settings.name)),
        ("consent", _consent_words(made, given)),
        ("sent", _SENT_FOR_REWRITES if rewrites else _SENT),
        ("asked", _asked_words(made, "stale" if rewrites else "open")),
    ]
    if rewrites:
        entries.append(("comes back", _REWRITES))
    if not_asked := _not_asked_words(made, *left_out):
        entries.append(("not asked", not_asked))
    if estimate.calls:
        entries.append(("tokens", f"about {estimate.input_tokens:,} in, {estimate.output_tokens:,} out"))
        entries.append(("cost", _price_words(made)))
    return entries


def why_nothing(made: Plan, *, rewrites: bool = False) -> str:
    """Why a start would come to nothing, and what to do about it; empty where it would not."""
    from memaudit.judges.model.costs import ATTEMPTS, shown

    settings = made.settings
    if rewrites and not made.questions:
        return "No undecided stale claim lacks a proved suggestion: there is nothing to draft."
    if not made.questions:
        if not made.open:
            return "No claim is open that a model could judge."
        return f"Nothing in the change bears on the {_claims(made.open, 'open')}: there is nothing to ask."
    if settings.price is None:
        name = visible(settings.name)
        return f"No price is known for {name}: give one in the settings, [model.prices.{name}]."
    first = next((one.worst for one in made.questions if one.known is None), 0.0) * ATTEMPTS
    if first > settings.cap_usd:
        cap, most = shown(settings.cap_usd), shown(first)
        return f"The cap of {cap} is below what one question may cost, {most}: raise model.cap_usd."
    return ""


def bill_words(bill: Bill) -> str:
    """What a run has cost."""
    from memaudit.judges.model.costs import shown

    besides = f", and up to {shown(bill.uncertain)} for calls that broke off" if bill.uncertain else ""
    return f"billed {shown(bill.usd)}{besides}"


def _consent_words(made: Plan, given: Consent | None) -> str:
    if given is None:
        return "none yet: nothing is sent before you agree, for this repository"
    day = visible(given.at[:10])
    if given.covers(made.settings):
        return f"given by {visible(given.by)} on {day}"
    return visible(
        f"none: {given.by} agreed to {given.model} at {given.url} on {day}; the settings name another"
    )


def _asked_words(made: Plan, kind: str) -> str:
    estimate = made.estimate
    calls = f"{estimate.calls:,} {'call' if estimate.calls == 1 else 'calls'}"
    known = f", {estimate.known:,} already answered" if estimate.known else ""
    order = ", most at risk first" if estimate.calls > 1 else ""
    return f"{calls} for {_claims(made.open, kind)}{known}{order}"


def _not_asked_words(made: Plan, closed: int, decided: int) -> str:
    """How many claims stay as they are, and why."""
    untouched = made.open - len(made.questions) - made.held_back
    parts = [
        f"{untouched:,} that nothing in the change bears on" if untouched else "",
        f"{made.held_back:,} in files that may not leave" if made.held_back else "",
        f"{decided:,} decided by a person" if decided else "",
        f"{closed:,} that no repository state can decide" if closed else "",
    ]
    return ", ".join(part for part in parts if part)


def _price_words(made: Plan) -> str:
    from memaudit.judges.model.costs import shown

    settings, estimate = made.settings, made.estimate
    if estimate.usd is None or estimate.at_most is None or settings.price is None:
        return "unknown"
    day = f", prices of {visible(settings.price.as_of)}" if settings.price.as_of else ""
    most = min(estimate.at_most, settings.cap_usd)
    return f"about {shown(estimate.usd)}, never more than {shown(most)} (cap {shown(settings.cap_usd)}{day})"


def _claims(number: int, kind: str) -> str:
    return f"{number:,} {kind} {'claim' if number == 1 else 'claims'}"
