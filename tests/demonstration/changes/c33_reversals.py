"""A bug of a few lines in a module of 3,000 lines."""

from tests.demonstration.history import IDA, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=173,
    shape=Shape.SQUASH,
    author=IDA,
    merged=at("2026-05-19 09:50"),
    title="Refuse reversals that come before their entry",
    body="""
Somebody reversed an entry of April with a day in March, and March showed a refund for a sale that had not
happened.

`Ledger.reverse` must raise `LedgerError` with the message "entry <serial> is of <day>, it cannot be
reversed before" when the day is earlier than the entry's; the same day is fine. A reversal cannot be
reversed either: the message is "entry <serial> is a reversal itself". Nothing is posted in both cases.

Signed-off-by: Ida Sørensen <ida@billing.example>
""",
    commits=(
        Commit(
            "Refuse reversals that come before their entry",
            (
                Replace(
                    "src/billing/ledger.py",
                    """            raise LedgerError(f"entry {serial} was reversed before")
""",
                    """            raise LedgerError(f"entry {serial} was reversed before")
        if entry.reverses is not None:
            raise LedgerError(f"entry {serial} is a reversal itself")
        if day < entry.day:
            raise LedgerError(f"entry {serial} is of {entry.day}, it cannot be reversed before")
""",
                ),
                Append(
                    "tests/test_ledger.py",
                    """def test_reversals_do_not_come_before_their_entry():
    ledger = Ledger()
    entry = books.post_late_fee(ledger, DAY, euros(500), "2026-0001")
    with pytest.raises(books.LedgerError, match="entry 1 is of 2026-02-02, it cannot be reversed before"):
        ledger.reverse(entry.serial, date(2026, 2, 1), "goodwill")
    assert len(ledger) == 1
    ledger.reverse(entry.serial, DAY, "goodwill")


def test_reversals_are_not_reversed():
    ledger = Ledger()
    books.post_late_fee(ledger, DAY, euros(500), "2026-0001")
    reversal = ledger.reverse(1, DAY, "goodwill")
    with pytest.raises(books.LedgerError, match="entry 2 is a reversal itself"):
        ledger.reverse(reversal.serial, DAY, "no goodwill")
    assert len(ledger) == 2
""",
                ),
            ),
        ),
    ),
)
