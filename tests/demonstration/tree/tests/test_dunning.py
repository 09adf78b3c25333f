from datetime import date

import pytest

from billing import dunning
from billing.money import Money

DUE = date(2026, 2, 2)


@pytest.mark.parametrize(
    "today, level",
    [(date(2026, 2, 8), 0), (date(2026, 2, 9), 1), (date(2026, 2, 23), 2), (date(2026, 4, 30), 4)],
)
def test_levels(today, level):
    assert dunning.level(DUE, today) == level


def test_fees_add_up():
    assert dunning.fee(DUE, date(2026, 3, 9), "EUR") == Money(2000, "EUR")


def test_next_action():
    assert dunning.next_action(DUE, date(2026, 2, 10)) == date(2026, 2, 23)
    assert dunning.next_action(DUE, date(2026, 6, 1)) is None


def test_nothing_is_open_when_all_is_paid():
    paid = Money(1000, "EUR")
    assert not dunning.open_amount(paid, paid, DUE, date(2026, 6, 1))


def test_worklist_has_the_worst_first():
    invoices = [("A", date(2026, 2, 20)), ("B", DUE), ("C", date(2026, 2, 10))]
    assert dunning.worklist(invoices, date(2026, 2, 23)) == [("B", 2), ("C", 1)]
