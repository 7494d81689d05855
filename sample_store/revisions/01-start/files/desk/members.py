"""Members of the library and what they may do."""

from __future__ import annotations

from dataclasses import dataclass

from desk.config import MAX_OPEN_LOANS


@dataclass
class Member:
    name: str
    email: str
    open_loans: int = 0
    open_fees: int = 0


def can_borrow(member: Member) -> bool:
    """Whether a member may take another tool home."""
    if member.open_fees > 0:
        return False
    return member.open_loans < MAX_OPEN_LOANS
