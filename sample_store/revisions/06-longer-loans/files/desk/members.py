"""Members of the library and what they may do."""

from __future__ import annotations

from dataclasses import dataclass

from desk.config import MAX_OPEN_LOANS

FORGIVEN_CENTS = 100


@dataclass
class Member:
    name: str
    email: str
    open_loans: int = 0
    open_fees: int = 0
    is_helper: bool = False


def can_borrow(member: Member) -> bool:
    """Whether a member may take another tool home; helpers may owe a little."""
    allowed = FORGIVEN_CENTS if member.is_helper else 0
    if member.open_fees > allowed:
        return False
    return member.open_loans < MAX_OPEN_LOANS
