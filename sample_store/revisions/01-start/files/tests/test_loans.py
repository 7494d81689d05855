from datetime import date

from desk.loans import Loan, overdue, return_tool
from desk.members import Member

ADA = Member("Ada", "ada@lendwell.example")


def test_a_returned_tool_is_not_overdue():
    loan = Loan(ADA, "hedge trimmer", due=date(2026, 1, 5))
    assert overdue([loan], date(2026, 1, 9)) == [loan]
    return_tool(loan, date(2026, 1, 9))
    assert overdue([loan], date(2026, 1, 9)) == []
