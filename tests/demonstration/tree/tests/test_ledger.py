from datetime import date

import pytest

from billing import ledger as books
from billing.ledger import BANK, RECEIVABLES, Ledger, PeriodClosed, Unbalanced, credit, debit
from billing.money import Money

DAY = date(2026, 2, 2)


def euros(minor):
    return Money(minor, "EUR")


def test_both_sides_are_equal():
    with pytest.raises(Unbalanced):
        Ledger().post(DAY, "wrong", [debit(BANK, euros(2)), credit(RECEIVABLES, euros(1))])


def test_an_invoice_and_its_payment():
    ledger = Ledger()
    books.post_product_invoice(ledger, DAY, euros(1000), euros(190), "2026-0001")
    assert ledger.balance(RECEIVABLES, "EUR") == euros(1190)
    books.post_transfer_received(ledger, DAY, euros(1190), "2026-0001")
    assert ledger.balance(RECEIVABLES, "EUR") == euros(0)
    assert ledger.balance(BANK, "EUR") == euros(1190)


def test_the_gateway_keeps_its_fee():
    ledger = Ledger()
    books.post_gateway_payout(ledger, DAY, euros(1000), euros(30), "p1")
    assert ledger.trial_balance("EUR") == {
        "1100": euros(970),
        "1150": euros(-1000),
        "6500": euros(30),
    }


def test_subscriptions_are_released_by_month():
    ledger = Ledger()
    entries = books.post_subscription_released(ledger, date(2026, 1, 31), euros(100), 3, "s1")
    assert [entry.day for entry in entries] == [
        date(2026, 1, 31),
        date(2026, 2, 28),
        date(2026, 3, 31),
    ]


def test_reversal():
    ledger = Ledger()
    entry = books.post_late_fee(ledger, DAY, euros(500), "2026-0001")
    ledger.reverse(entry.serial, DAY, "goodwill")
    assert ledger.trial_balance("EUR") == {}
    with pytest.raises(books.LedgerError, match="reversed before"):
        ledger.reverse(entry.serial, DAY, "again")


def test_closed_books_stay_closed():
    ledger = Ledger()
    ledger.close(date(2026, 1, 31))
    with pytest.raises(PeriodClosed):
        books.post_saved(ledger, date(2026, 1, 31), euros(1), "s")


def test_closing_a_year():
    ledger = Ledger()
    books.post_product_invoice(ledger, DAY, euros(1000), euros(190), "2026-0001")
    books.post_hosting_bill(ledger, DAY, euros(300), euros(57), "Rack", "H1")
    ledger.close_year(2026, "EUR")
    assert ledger.balance(books.RETAINED_EARNINGS, "EUR") == euros(700)
    assert ledger.balance(books.PRODUCT_SALES, "EUR") == euros(0)


def test_depreciation_counts_the_first_year_by_month():
    ledger = Ledger()
    entries = books.post_equipment_depreciated(ledger, date(2026, 7, 1), euros(1200), 2, "laptop")
    assert [entry.total(books.Side.DEBIT, "EUR").minor for entry in entries] == [300, 600, 300]
