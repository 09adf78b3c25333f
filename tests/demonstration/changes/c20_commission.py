"""A new function with new constants in a module of 3,000 lines."""

from tests.demonstration.history import RUBEN, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=140,
    shape=Shape.SQUASH,
    author=RUBEN,
    merged=at("2026-03-27 14:02"),
    title="Book sales through a marketplace",
    body="""
<!-- Please describe what changes for the accountants, and which accounts are new. -->

A marketplace sells our goods, keeps its commission and pays out the rest. Add two accounts to the chart, in
the order of their numbers: `MARKETPLACE_CLEARING`, asset 1170 "Marketplace clearing", and `COMMISSIONS`,
expense 6320 "Commissions".

`post_marketplace_sale(ledger, day, net, tax, commission, reference)` debits marketplace clearing with what
the marketplace owes us (net and tax less commission) and commissions with the commission, and credits sales
of goods with the net amount and output tax with the tax. The event is `marketplace_sale`, the text
"Marketplace sale" and the reference. The net amount must be more than nothing, tax and commission must not
be below zero, and a commission above net and tax raises `LedgerError("the commission is more than the
sale")`.

Signed-off-by: Ruben Castellanos <ruben@billing.example>
""",
    commits=(
        Commit(
            "Book sales through a marketplace",
            (
                Replace(
                    "src/billing/ledger.py",
                    """RECEIVABLES = Account(
    number="1200",
""",
                    """MARKETPLACE_CLEARING = Account(
    number="1170",
    name="Marketplace clearing",
    kind=Kind.ASSET,
    purpose="Sales that the marketplace was paid for and has not paid out.",
)

RECEIVABLES = Account(
    number="1200",
""",
                ),
                Replace(
                    "src/billing/ledger.py",
                    """LEGAL_COSTS = Account(
""",
                    """COMMISSIONS = Account(
    number="6320",
    name="Commissions",
    kind=Kind.EXPENSE,
    purpose="What marketplaces keep of what they sell for us.",
)

LEGAL_COSTS = Account(
""",
                ),
                Replace(
                    "src/billing/ledger.py",
                    """    MONEY_IN_TRANSIT,
    RECEIVABLES,
    DOUBTFUL""",
                    """    MONEY_IN_TRANSIT,
    MARKETPLACE_CLEARING,
    RECEIVABLES,
    DOUBTFUL""",
                ),
                Replace(
                    "src/billing/ledger.py",
                    """    REFERRAL_COSTS,
    LEGAL_COSTS,
""",
                    """    REFERRAL_COSTS,
    COMMISSIONS,
    LEGAL_COSTS,
""",
                ),
                Replace(
                    "src/billing/ledger.py",
                    """def post_usage_invoice(""",
                    '''def post_marketplace_sale(
    ledger: Ledger, day: date, net: Money, tax: Money, commission: Money, reference: str
) -> Entry:
    """Marketplace sale.

    A marketplace sold goods of ours, was paid for them, and pays us what is left after its
    commission. The entry carries the event `marketplace_sale`.
    """
    _positive(net, "the marketplace sale")
    _not_negative(tax, "the tax")
    _not_negative(commission, "the commission")
    if net + tax < commission:
        raise LedgerError("the commission is more than the sale")
    legs = [
        debit(MARKETPLACE_CLEARING, net + tax - commission),
        debit(COMMISSIONS, commission),
        credit(PRODUCT_SALES, net),
        credit(OUTPUT_TAX, tax),
    ]
    return ledger.post(day, f"Marketplace sale {reference}", legs, reference, "marketplace_sale")


def post_usage_invoice(''',
                ),
                Append(
                    "tests/test_ledger.py",
                    """def test_marketplaces_keep_a_commission():
    ledger = Ledger()
    entry = books.post_marketplace_sale(ledger, DAY, euros(1000), euros(190), euros(150), "m1")
    assert (entry.text, entry.event) == ("Marketplace sale m1", "marketplace_sale")
    assert ledger.trial_balance("EUR") == {
        "1170": euros(1040),
        "2300": euros(190),
        "4000": euros(1000),
        "6320": euros(150),
    }


def test_marketplaces_do_not_keep_more_than_all():
    with pytest.raises(books.LedgerError, match="the commission is more than the sale"):
        books.post_marketplace_sale(Ledger(), DAY, euros(10), euros(2), euros(13), "m1")


def test_the_chart_is_in_order():
    numbers = [account.number for account in books.CHART]
    assert numbers == sorted(numbers) and {"1170", "6320"} <= set(numbers)
""",
                ),
            ),
        ),
    ),
)
