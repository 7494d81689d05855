"""Loans: who has which tool, and until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from desk.config import DEFAULT_LOAN_DAYS
from desk.members import Member


@dataclass
class Loan:
    member: Member
    tool: str
    due: date
    returned: date | None = None

    @property
    def is_open(self) -> bool:
        return self.returned is None


def borrow(member: Member, tool: str) -> Loan:
    """Hand a tool out for the usual time."""
    return Loan(member, tool, due=date.today() + timedelta(days=DEFAULT_LOAN_DAYS))


def return_tool(loan: Loan, today: date) -> None:
    """Take a tool back and close its loan."""
    loan.returned = today


def overdue(loans: list[Loan], today: date) -> list[Loan]:
    """Open loans that should have come back, the oldest first."""
    late = [loan for loan in loans if loan.is_open and loan.due < today]
    return sorted(late, key=lambda loan: loan.due)
