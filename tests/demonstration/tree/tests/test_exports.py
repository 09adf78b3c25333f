from datetime import date

from billing import exports
from billing.money import Money


def payment(reference, day, minor=1050):
    return {
        "reference": reference,
        "invoice": "2026-0001",
        "received": day,
        "amount": Money(minor, "EUR"),
        "currency": "EUR",
    }


def test_payments_are_sorted_by_day():
    rows = [payment("b", date(2026, 2, 3)), payment("a", date(2026, 2, 2))]
    assert exports.payments(rows).splitlines() == [
        "reference;invoice;received;amount;currency",
        "a;2026-0001;02.02.2026;10,50;EUR",
        "b;2026-0001;03.02.2026;10,50;EUR",
    ]


def test_missing_columns_stay_empty():
    assert exports.to_csv(["a", "b"], [{"b": None}]) == "a;b\n;\n"


def test_file_names():
    assert exports.legacy_filename("invoices", 2026, 2) == "INVOICES2602.CSV"


def test_split_by_month():
    rows = [payment("a", date(2026, 1, 31)), payment("b", date(2026, 2, 1))]
    assert list(exports.split_by_month(rows, "received")) == ["2026-01", "2026-02"]
