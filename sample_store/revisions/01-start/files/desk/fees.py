"""Late fees, in cents."""

from __future__ import annotations

from datetime import date

from desk.loans import Loan

GRACE_DAYS = 2
DAILY_FEE_CENTS = 50
HIGHEST_FEE_CENTS = 2_000


def calculate_fee(loan: Loan, today: date) -> int:
    """What a member owes for bringing a tool back late."""
    days = (today - loan.due).days - GRACE_DAYS
    if days <= 0:
        return 0
    return min(days * DAILY_FEE_CENTS, HIGHEST_FEE_CENTS)
