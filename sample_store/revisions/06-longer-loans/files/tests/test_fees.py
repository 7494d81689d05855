from datetime import date

from desk.fees import late_fee
from desk.loans import Loan
from desk.members import Member

LOAN = Loan(Member("Ada", "ada@lendwell.example"), "sander", due=date(2026, 1, 5))


def test_two_days_of_grace_cost_nothing():
    assert late_fee(LOAN, date(2026, 1, 7)) == 0


def test_each_further_day_costs_fifty_cents():
    assert late_fee(LOAN, date(2026, 1, 10)) == 150
