"""What there is to say of an audit that is through and found nothing to do, and what comes next."""

from __future__ import annotations

from memaudit.domain import Range
from memaudit.tui.board import NEEDS_A_PERSON, Board, Group


def is_empty(range_: Range) -> bool:
    """Whether nothing can have changed between the two ends of a range."""
    return range_.base == range_.head and not range_.per_claim


def closing_words(board: Board, range_: Range) -> str:
    """A sentence or two with the ids of actions in braces; empty when there is something to decide."""
    if not board.claims:
        return ""
    undecided = board.decided(NEEDS_A_PERSON)[1] - board.decided(NEEDS_A_PERSON)[0]
    if board.counts()[Group.STALE]:
        return ""
    held = board.counts()[Group.HELD]
    if is_empty(range_):
        what = "The range is empty: base and head are the same commit. --since names another base."
    elif undecided:
        what = "Nothing is stale; what is unknown needs a look."
    else:
        what = "Nothing is stale: nothing to do."
    if undecided:
        return what
    return (
        f"{what} {{accept_held}} accepts the {held:,} held, {{quit}} leaves."
        if held
        else f"{what} {{quit}} leaves."
    )
