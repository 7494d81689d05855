"""What others did in the same review, as it is read from the journal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memaudit.domain import Decision
from memaudit.review.found import Found
from memaudit.review.journal import Action, Event
from memaudit.review.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Happening:
    """A step of another process: what was done to it, and its decisions on the claims shown here.

    ``author`` may be this review's own: who has it open twice is told what they did elsewhere.

    ``against`` are those of them that took the place of a decision of this review's own author, by
    claim, with what that was.
    """

    author: str
    action: Action
    decisions: tuple[Decision, ...]
    against: Mapping[str, Decision]


@dataclass(frozen=True, slots=True)
class Written:
    """Somebody else's save of a document; ``anew`` where it had to be read again as another text."""

    author: str
    path: str
    anew: bool


@dataclass(frozen=True, slots=True)
class News:
    """What happened since this was asked last, oldest first."""

    happenings: tuple[Happening, ...] = ()
    written: tuple[Written, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.happenings or self.written)

    def joined(self, later: News) -> News:
        """These and later ones."""
        return News((*self.happenings, *later.happenings), (*self.written, *later.written))


def happenings(
    events: Iterable[Event],
    found: Found,
    sheets: Mapping[str, Sheet],
    author: str,
    before: Mapping[str, Decision],
    after: Mapping[str, Decision],
) -> tuple[Happening, ...]:
    """What ``events`` tell ``author``, with the decisions ``before`` and ``after``."""
    told = []
    for event in events:
        by = found.log.authors[event.step]
        decisions = tuple(found.here(event.step, sheets))
        if not decisions:
            continue
        against = {
            one.claim_id: mine
            for one in decisions
            if (mine := before.get(one.claim_id)) is not None
            and mine.by == author
            and event.action is not Action.UNDO
            and after.get(one.claim_id) == one
            and (mine.kind, mine.text) != (one.kind, one.text)
        }
        told.append(Happening(by, event.action, decisions, against))
    return tuple(told)
