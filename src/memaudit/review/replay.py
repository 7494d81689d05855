"""The log played back: which steps are in effect, which are undone, and who may take which back.

Everybody undoes and redoes their own steps only. So each person has a stack of their own, and a new
decision ends the redo of whoever made it, of nobody else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memaudit.domain import Decision
from memaudit.review.journal import Action, Event


@dataclass(frozen=True, slots=True)
class Effect:
    """A step as it stands since the event ``seq``; ``seen`` is what its author had read by then."""

    step: int
    author: str
    seq: int
    seen: int | None


@dataclass(frozen=True, slots=True)
class Played:
    """The steps in effect, in the order they took effect, and those undone, in the order they were."""

    done: tuple[Effect, ...]
    undone: tuple[Effect, ...]


def played(events: Iterable[Event], authors: Mapping[int, str]) -> Played:
    """What the events add up to."""
    done: dict[int, Effect] = {}
    undone: dict[str, dict[int, Effect]] = {}
    for event in events:
        author = authors[event.step]
        effect = Effect(event.step, author, event.seq, event.seen)
        own = undone.setdefault(author, {})
        match event.action:
            case Action.DECIDE:
                done[event.step] = effect
                own.clear()
            case Action.UNDO if event.step in done:
                del done[event.step]
                own[event.step] = effect
            case Action.REDO if event.step in own:
                del own[event.step]
                done[event.step] = effect
    left = sorted((one for own in undone.values() for one in own.values()), key=lambda one: one.seq)
    return Played(tuple(done.values()), tuple(left))


@dataclass(frozen=True, slots=True)
class Step:
    """One undoable step, its decisions named by the claim ids of the documents shown now."""

    effect: Effect
    decisions: tuple[Decision, ...]

    @property
    def id(self) -> int:
        """Its number in the journal."""
        return self.effect.step

    @property
    def claim_ids(self) -> tuple[str, ...]:
        """The claims it decides."""
        return tuple(decision.claim_id for decision in self.decisions)


@dataclass(frozen=True, slots=True)
class Standing:
    """A decision that nobody who had seen it has replaced."""

    author: str
    seq: int
    decision: Decision


def standing(steps: Iterable[Step]) -> dict[str, tuple[Standing, ...]]:
    """By claim, the decisions that stand, the newest last.

    A decision replaces all that its author had seen and all of their own; one that they had not seen
    goes on standing beside it.
    """
    found: dict[str, tuple[Standing, ...]] = {}
    for step in steps:
        effect = step.effect
        for decision in step.decisions:
            beside: Sequence[Standing] = ()
            if effect.seen is not None and decision.claim_id in found:
                beside = [
                    one
                    for one in found[decision.claim_id]
                    if one.author != effect.author and one.seq > effect.seen
                ]
            found[decision.claim_id] = (*beside, Standing(effect.author, effect.seq, decision))
    return found


def contested(stands: Sequence[Standing]) -> bool:
    """Whether those who decided did so differently."""
    return len({(one.decision.kind, one.decision.text) for one in stands}) > 1
