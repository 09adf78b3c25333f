"""No fixture: a refactoring, whose new test passes before as well."""

from tests.demonstration.history import TOMAS, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=151,
    shape=Shape.SQUASH,
    author=TOMAS,
    merged=at("2026-04-10 16:44"),
    title="Add up with sum",
    body="`add_up` is `sum` with a start. Say it so, and test that a stray currency is noticed.",
    commits=(
        Commit(
            "Add up with sum",
            (
                Replace(
                    "src/billing/money.py",
                    """    total = Money.zero(currency)
    for amount in amounts:
        total = total + amount
    return total
""",
                    """    return sum(amounts, start=Money.zero(currency))
""",
                ),
                Append(
                    "tests/test_money.py",
                    """def test_add_up_notices_a_stray_currency():
    with pytest.raises(CurrencyMismatch):
        money.add_up([euros(1), Money(1, "USD")], "EUR")
""",
                ),
            ),
        ),
    ),
)
