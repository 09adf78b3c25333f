"""A new function with a new constant in a small module."""

from tests.demonstration.history import RUBEN, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=189,
    shape=Shape.TITLED_MERGE,
    branch="ruben/payment-terms",
    author=RUBEN,
    merged=at("2026-06-26 12:12"),
    title="Work out due dates from payment terms",
    body="""
Large customers have payment terms, and we work their due dates out by hand. Add `calendars.due_date(issued,
terms)`, where the terms are a key of the new constant `TERMS`, a dictionary of names and days: "at once" is
0, "net 14", "net 30" and "net 60" are what they say. "end of month" is the last day of the month of issue,
and "end of next month" that of the month after; these two are in `MONTH_END_TERMS`, a dictionary of names
and months, 0 and 1. The result is moved to the next business day where it is none. Unknown terms raise
`ValueError("unknown payment terms: 'net 45'")`.
""",
    commits=(
        Commit(
            "Work out due dates from payment terms",
            (
                Replace(
                    "src/billing/calendars.py",
                    """

def days_in_month(day: date) -> int:
""",
                    """
TERMS = {
    "at once": 0,
    "net 14": 14,
    "net 30": 30,
    "net 60": 60,
}

MONTH_END_TERMS = {
    "end of month": 0,
    "end of next month": 1,
}


def days_in_month(day: date) -> int:
""",
                ),
                Replace(
                    "src/billing/calendars.py",
                    "def quarter(day: date) -> int:\n",
                    '''def due_date(issued: date, terms: str) -> date:
    """The business day by which an invoice is to be paid."""
    if terms in MONTH_END_TERMS:
        return next_business_day(month_end(add_months(issued, MONTH_END_TERMS[terms])))
    if terms in TERMS:
        return next_business_day(issued + timedelta(days=TERMS[terms]))
    raise ValueError(f"unknown payment terms: {terms!r}")


def quarter(day: date) -> int:
''',
                ),
                Append(
                    "tests/test_calendars.py",
                    """@pytest.mark.parametrize(
    "terms, due",
    [
        ("at once", date(2026, 2, 2)),
        ("net 14", date(2026, 2, 16)),
        ("net 60", date(2026, 4, 7)),
        ("end of month", date(2026, 3, 2)),
        ("end of next month", date(2026, 3, 31)),
    ],
)
def test_due_dates(terms, due):
    assert calendars.due_date(date(2026, 1, 31) if terms == "at once" else date(2026, 2, 2), terms) == due


def test_unknown_terms():
    with pytest.raises(ValueError, match="unknown payment terms: 'net 45'"):
        calendars.due_date(date(2026, 2, 2), "net 45")
""",
                ),
            ),
        ),
    ),
)
