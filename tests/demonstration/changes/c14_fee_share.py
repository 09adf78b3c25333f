"""A new method that needs a new import."""

from tests.demonstration.history import RUBEN, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=126,
    shape=Shape.PULL_REQUEST,
    branch="ruben/fee-share",
    author=RUBEN,
    merged=at("2026-03-10 11:11"),
    title="Tell what share of the payouts the gateway keeps",
    body="""
Before we talk to the gateway about prices, we want to know what it keeps. Add
`SettlementClient.fee_share(first, last, currency)`: the fees of the payouts of those days in percent of
their amounts, as a `Decimal` rounded to two places, halves away from zero. Payouts in other currencies do
not count. Without any payout there is no share: return `None`.
""",
    commits=(
        Commit(
            "Add SettlementClient.fee_share",
            (
                Replace(
                    "src/billing/settlement.py",
                    "from datetime import date\n",
                    """\
from datetime import date
from decimal import ROUND_HALF_UP
from decimal import Decimal
""",
                ),
                Replace(
                    "src/billing/settlement.py",
                    "    def reconcile(\n",
                    '''    def fee_share(
        self,
        first: date,
        last: date,
        currency: str,
    ) -> Decimal | None:
        """The fees in percent of the payouts; None without any."""
        amount = fee = 0
        for payout in self.payouts(first, last):
            if payout.amount.currency == currency:
                amount += payout.amount.minor
                fee += payout.fee.minor
        if not amount:
            return None
        share = Decimal(100 * fee) / amount
        return share.quantize(
            Decimal("0.01"), rounding=ROUND_HALF_UP
        )

    def reconcile(
''',
                ),
                Append(
                    "tests/test_settlement.py",
                    """def payout(day, amount, fee, currency="EUR"):
    return {"id": f"po-{day}", "day": f"2026-02-{day:02}", "amount": amount, "fee": fee, "currency": currency}


def fee_share(*payouts):
    gateway = Gateway((200, {"items": list(payouts)}))
    return gateway.client().fee_share(date(2026, 2, 1), date(2026, 2, 10), "EUR")


def test_fee_share_is_a_percentage_of_the_days():
    assert fee_share(payout(1, 8000, 100), payout(10, 8000, 101), payout(11, 1, 1)) == Decimal("1.26")


def test_fee_share_is_about_one_currency():
    assert fee_share(payout(1, 8000, 200), payout(2, 8000, 8000, "USD")) == Decimal("2.50")


def test_no_payouts_no_share():
    assert fee_share(payout(20, 8000, 200)) is None
""",
                ),
                Replace(
                    "tests/test_settlement.py",
                    "import json\n\n",
                    "import json\nfrom datetime import date\nfrom decimal import Decimal\n\n",
                ),
            ),
        ),
    ),
)
