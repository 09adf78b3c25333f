"""A bug of one line in a module of 3,000 lines."""

from tests.demonstration.history import IDA, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=106,
    shape=Shape.TITLED_MERGE,
    branch="ida/trial-balance-until",
    author=IDA,
    merged=at("2026-02-10 11:31"),
    title="Respect the day in Ledger.trial_balance",
    body="""
`Ledger.trial_balance(currency, until)` takes a day and then ignores it, so the trial balance of January
shows what was posted in February. The auditors noticed before we did.

The balances must be those at the end of the day `until`; without it, they are those of now, as before.
Accounts that had nothing on them on that day are left out.
""",
    commits=(
        Commit(
            "Show that the trial balance ignores its day",
            (
                Append(
                    "tests/test_ledger.py",
                    """def test_trial_balance_of_a_day():
    ledger = Ledger()
    books.post_capital_paid_in(ledger, DAY, euros(5000), "founders")
    books.post_saved(ledger, date(2026, 2, 20), euros(2000), "taxes")
    assert ledger.trial_balance("EUR", DAY) == {"1100": euros(5000), "3010": euros(5000)}
    assert ledger.trial_balance("EUR")["1100"] == euros(3000)
""",
                ),
            ),
        ),
        Commit(
            "Respect the day in Ledger.trial_balance",
            (
                Replace(
                    "src/billing/ledger.py",
                    """            balance = self.balance(account, currency)
            if balance:
                result[account.number] = balance
""",
                    """            balance = self.balance(account, currency, until)
            if balance:
                result[account.number] = balance
""",
                ),
                Replace(
                    "CHANGELOG.md",
                    "## Unreleased\n",
                    "## Unreleased\n\n- Trial balances of a past day show the balances of that day.\n",
                ),
            ),
        ),
    ),
)
