"""A method of a module of 3,000 lines gets new arguments."""

from tests.demonstration.history import IDA, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=183,
    shape=Shape.PULL_REQUEST,
    branch="ida/statements",
    author=IDA,
    merged=at("2026-06-09 13:40"),
    title="Let statements begin and end on a day",
    body="""
The statement of the bank account has grown to forty pages. `Ledger.statement(account, currency, first=None,
last=None)` shall return only the movements from `first` to `last`, both included; each bound may be
missing.

The balances stay what they are. When `first` is given, the statement begins with a line for what was on the
account before it: the day is `first`, the text "Brought forward", the balance what earlier movements left,
be it nothing.
""",
    commits=(
        Commit(
            "Let statements begin and end on a day",
            (
                Replace(
                    "src/billing/ledger.py",
                    '''\
    def statement(self, account: Account, currency: str) -> list[tuple[date, str, Money]]:
        """The movements of an account, each with the balance after it."""
        balance = Money.zero(currency)
        result = []
        for entry in sorted(self.of(account), key=lambda item: (item.day, item.serial)):
''',
                    '''    def statement(
        self,
        account: Account,
        currency: str,
        first: date | None = None,
        last: date | None = None,
    ) -> list[tuple[date, str, Money]]:
        """The movements of an account in some days, each with the balance after it."""
        entries = sorted(self.of(account), key=lambda item: (item.day, item.serial))
        balance = Money.zero(currency)
        result = []
        if first is not None:
            before = [entry for entry in entries if entry.day < first]
            balance = Ledger(before).balance(account, currency)
            result.append((first, "Brought forward", balance))
            entries = entries[len(before) :]
        for entry in entries:
            if last is not None and entry.day > last:
                break
''',
                ),
                Append(
                    "tests/test_ledger.py",
                    """def savings():
    ledger = Ledger()
    for day in (20, 2, 10):
        books.post_saved(ledger, date(2026, 2, day), euros(100 * day), f"day {day}")
    return ledger


def test_statements_of_all_days():
    assert savings().statement(books.SAVINGS, "EUR") == [
        (date(2026, 2, 2), "Money put aside day 2", euros(200)),
        (date(2026, 2, 10), "Money put aside day 10", euros(1200)),
        (date(2026, 2, 20), "Money put aside day 20", euros(3200)),
    ]


def test_statements_of_some_days():
    statement = savings().statement(books.SAVINGS, "EUR", date(2026, 2, 10), date(2026, 2, 19))
    assert statement == [
        (date(2026, 2, 10), "Brought forward", euros(200)),
        (date(2026, 2, 10), "Money put aside day 10", euros(1200)),
    ]


def test_statements_with_one_bound():
    ledger = savings()
    assert len(ledger.statement(books.SAVINGS, "EUR", last=date(2026, 2, 10))) == 2
    assert ledger.statement(books.SAVINGS, "EUR", first=DAY)[0] == (DAY, "Brought forward", euros(0))
""",
                ),
            ),
        ),
    ),
)
