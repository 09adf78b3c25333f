"""One of several blocks that are the same to the letter."""

from tests.demonstration.history import IDA, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=117,
    shape=Shape.PULL_REQUEST,
    branch="ida/slovak-cash",
    author=IDA,
    merged=at("2026-02-25 15:09"),
    behind=1,
    title="Round small cash amounts up in Slovakia",
    body="""
In Slovakia, a total of one or two cents is rounded up to five when it is paid in cash, not down to nothing.
Our `round_cash` follows the general rule there.

Change it for Slovakia only: an amount above zero is never rounded to zero, the least is one coin. The other
countries with coins of five cents round down, as they do now. Zero stays zero, and so do refunds of one or
two cents: amounts below zero follow the general rule.
""",
    commits=(
        Commit(
            "Round small cash amounts up in Slovakia",
            (
                Replace(
                    "src/billing/jurisdictions.py",
                    '''        return int(number[2:]) % 11 == 0

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.05 EUR."""
        coin = 5
        steps = (abs(amount.minor) + coin // 2) // coin
''',
                    '''        return int(number[2:]) % 11 == 0

    @classmethod
    def round_cash(cls, amount: Money) -> Money:
        """What is paid in cash: the smallest coin is 0.05 EUR, and the least for what costs anything."""
        coin = 5
        steps = (abs(amount.minor) + coin // 2) // coin
        if amount.minor > 0:
            steps = max(steps, 1)
''',
                ),
                Append(
                    "tests/test_jurisdictions.py",
                    """\
@pytest.mark.parametrize("minor, rounded", [(1, 5), (2, 5), (7, 5), (8, 10), (0, 0), (-2, 0)])
def test_nothing_is_free_in_slovakia(minor, rounded):
    slovakia = jurisdictions.find("SK")
    assert slovakia.round_cash(Money(minor, "EUR")) == Money(rounded, "EUR")


def test_one_cent_is_free_elsewhere():
    for code in ("FI", "IE", "IT", "LT", "NL"):
        assert not jurisdictions.find(code).round_cash(Money(1, "EUR"))
""",
                ),
            ),
        ),
    ),
)
