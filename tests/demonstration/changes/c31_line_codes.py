"""Several places in two modules of 1,000 lines."""

from tests.demonstration.history import TOMAS, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=168,
    shape=Shape.TITLED_MERGE,
    branch="tomas/line-codes",
    author=TOMAS,
    merged=at("2026-05-12 10:45"),
    title="Carry plan codes on invoice lines",
    body="""
The accountants sort revenue by the text of invoice lines, and marketing changes the texts. Put the plan's
code on the lines.

`InvoiceLine` gets a last field `code: str = ""`, which `credited` keeps. `line_data` has it under "code"
where it is not empty, and `line_from` reads it. In `subscriptions`, the lines of `Subscription.lines`
(setup too), `Subscription.usage_lines`, `Bundle.lines` and `Gift.line` carry the code of the plan they are
for. A new method `Invoice.net_by_code()` returns the net amounts by code, in the order in which the codes
first appear; lines without a code are together under the empty one.
""",
    commits=(
        Commit(
            "Give invoice lines a code",
            (
                Replace(
                    "src/billing/invoices.py",
                    """    discount: Money | None = None

    def __post_init__""",
                    """    discount: Money | None = None
    code: str = ""

    def __post_init__""",
                ),
                Replace(
                    "src/billing/invoices.py",
                    """            self.text, -self.quantity, self.price, self.rate, self.period, discount
        )
""",
                    """\
            self.text, -self.quantity, self.price, self.rate, self.period, discount, self.code
        )
""",
                ),
                Replace(
                    "src/billing/invoices.py",
                    """    def discount(self) -> Money:
        \"\"\"What all""",
                    '''    def net_by_code(self) -> dict[str, Money]:
        """The lines added up by code, without tax, in the order the codes first appear."""
        result: dict[str, Money] = {}
        for line in self.lines:
            result[line.code] = result.get(line.code, Money.zero(self.currency)) + line.net
        return result

    def discount(self) -> Money:
        """What all''',
                ),
                Replace(
                    "src/billing/invoices.py",
                    """        data["discount"] = money_data(line.discount)
""",
                    """        data["discount"] = money_data(line.discount)
    if line.code:
        data["code"] = line.code
""",
                ),
                Replace(
                    "src/billing/invoices.py",
                    """        money_from(data["discount"]) if "discount" in data else None,
""",
                    """        money_from(data["discount"]) if "discount" in data else None,
        data.get("code", ""),
""",
                ),
            ),
        ),
        Commit(
            "Put the codes of plans on lines",
            (
                Replace(
                    "src/billing/subscriptions.py",
                    """            result.append(InvoiceLine("Setup", 1, self.plan.setup_fee, self.plan.rate))
""",
                    """            setup = InvoiceLine(
                "Setup", 1, self.plan.setup_fee, self.plan.rate, code=self.plan.code
            )
            result.append(setup)
""",
                ),
                Replace(
                    "src/billing/subscriptions.py",
                    """\
                self.plan.name, self.seats, self.plan.price, self.plan.rate, self.period, off
            )
""",
                    """                self.plan.name,
                self.seats,
                self.plan.price,
                self.plan.rate,
                self.period,
                off,
                self.plan.code,
            )
""",
                ),
                Replace(
                    "src/billing/subscriptions.py",
                    """                result.append(InvoiceLine(text, 1, cost, self.plan.rate, period))
""",
                    """\
                line = InvoiceLine(text, 1, cost, self.plan.rate, period, code=self.plan.code)
                result.append(line)
""",
                ),
                Replace(
                    "src/billing/subscriptions.py",
                    """                plan.price - shares[plan.code],
            )
""",
                    """                plan.price - shares[plan.code],
                plan.code,
            )
""",
                ),
                Replace(
                    "src/billing/subscriptions.py",
                    """        return InvoiceLine(text, 1, self.price(), self.plan.rate)
""",
                    """        return InvoiceLine(text, 1, self.price(), self.plan.rate, code=self.plan.code)
""",
                ),
                Append(
                    "tests/test_subscriptions.py",
                    """def test_lines_carry_the_code_of_their_plan():
    item = start(replace(TEAM, setup_fee=euros(5000)))
    item.record(Usage(date(2026, 2, 3), "calls", 70))
    lines = item.lines() + item.usage_lines(item.period)
    assert [line.code for line in lines] == ["team", "team", "team"]


def test_lines_of_bundles_and_gifts_carry_codes():
    bundle = Bundle("all", "All", (BASIC, TEAM), Decimal(10))
    assert [line.code for line in bundle.lines(start().period)] == ["basic", "team"]
    assert subscriptions.Gift("g", "Ada", BASIC, 3, DAY).line().code == "basic"
""",
                ),
                Replace(
                    "tests/test_subscriptions.py",
                    "from datetime import date\n",
                    "from dataclasses import replace\nfrom datetime import date\n",
                ),
                Replace(
                    "tests/test_invoices.py",
                    "from billing.invoices import (\n",
                    "from billing import invoices\nfrom billing.invoices import (\n",
                ),
                Append(
                    "tests/test_invoices.py",
                    """def test_net_by_code():
    invoice = draft()
    invoice.add_line(InvoiceLine("Team", 2, euros(100), VAT, code="team"))
    invoice.add_line(InvoiceLine("Calls", 1, euros(30), VAT, code="team"))
    assert list(invoice.net_by_code().items()) == [("", euros(3750)), ("team", euros(230))]


def test_codes_are_kept():
    line = InvoiceLine("Team", 2, euros(100), VAT, code="team")
    assert line.credited().code == "team"
    assert invoices.line_from(invoices.line_data(line)) == line
    assert "code" not in invoices.line_data(InvoiceLine("Hosting", 1, euros(1)))
""",
                ),
            ),
        ),
    ),
)
