from datetime import date

import pytest

from billing.invoices import (
    Address,
    Book,
    Invoice,
    InvoiceLine,
    NotADraft,
    Numbers,
    Overpaid,
    Payment,
    State,
)
from billing.money import Money
from billing.tax import TaxRate

DAY = date(2026, 2, 2)
VAT = TaxRate.of("VAT", "19")


def euros(minor):
    return Money(minor, "EUR")


def draft(number="2026-0001", customer="ACME"):
    invoice = Invoice(number, customer, DAY)
    invoice.add_line(InvoiceLine("Hosting", 3, euros(1250), VAT))
    return invoice


def issued(number="2026-0001", customer="ACME"):
    invoice = draft(number, customer)
    invoice.issue(DAY)
    return invoice


def test_totals():
    assert (draft().net(), draft().tax(), draft().total()) == (euros(3750), euros(713), euros(4463))


def test_issuing_sets_the_due_date():
    assert issued().due == date(2026, 2, 16)


def test_lines_are_fixed_once_issued():
    with pytest.raises(NotADraft):
        issued().add_line(InvoiceLine("More", 1, euros(1)))


def test_states():
    invoice = issued()
    assert invoice.pay(Payment(DAY, euros(1000))) is State.PARTLY_PAID
    assert invoice.pay(Payment(DAY, euros(3463))) is State.PAID


def test_nobody_pays_too_much():
    with pytest.raises(Overpaid):
        issued().pay(Payment(DAY, euros(4464)))


def test_credit_notes_take_everything_back():
    invoice = issued()
    note = invoice.credit("2026-0002", DAY)
    assert note.total() == -invoice.total()
    assert invoice.state is State.CREDITED


def test_numbers_start_anew_each_year():
    numbers = Numbers("R")
    days = [DAY, DAY, date(2027, 1, 4)]
    assert [numbers.next(day) for day in days] == ["R2026-0001", "R2026-0002", "R2027-0001"]


def test_overdue_has_the_latest_first():
    book = Book()
    for number, day in (("a", date(2026, 2, 10)), ("b", DAY)):
        invoice = draft(number)
        invoice.issue(day)
        book.add(invoice)
    assert [invoice.number for invoice in book.overdue(date(2026, 3, 20))] == ["b", "a"]


def test_ageing():
    book = Book()
    book.add(issued())
    assert book.ageing(date(2026, 3, 20))["31-60"] == euros(4463)


def test_address_leaves_out_what_is_empty():
    address = Address("ACME", "1 Quay", "20457", "Hamburg")
    assert address.lines() == ["ACME", "1 Quay", "20457 Hamburg"]


def test_match_by_number_or_amount():
    book = Book()
    book.add(issued())
    assert book.match(euros(1), "for 2026-0001") is book["2026-0001"]
    assert book.match(euros(4463), "thanks") is book["2026-0001"]
    assert book.match(euros(1), "thanks") is None
