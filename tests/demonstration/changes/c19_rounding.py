"""Changed signatures in two small modules."""

from tests.demonstration.history import MARA, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=138,
    shape=Shape.PULL_REQUEST,
    branch="mara/rounding",
    author=MARA,
    merged=at("2026-03-24 15:48"),
    title="Let callers choose how tax is rounded",
    body="""
Swiss tax may be rounded down, Japanese tax must be. Let callers choose.

`Money.times(factor, rounding=ROUND_HALF_UP)` takes one of the roundings of `decimal`; `money.round_half_up`
becomes `money.round_to_int(value, rounding=ROUND_HALF_UP)`, and the old name stays as an alias that takes
only the value. `tax.on_top`, `tax.per_line` and `tax.per_document` take `rounding` as a keyword-only
argument, with the same default, and hand it on. `tax.summary` and `tax.inside` stay as they are.
""",
    commits=(
        Commit(
            "Let Money.times round in other ways",
            (
                Replace(
                    "src/billing/money.py",
                    '''def round_half_up(value: Decimal) -> int:
    """Round to a whole number, halves away from zero."""
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_UP))
''',
                    '''def round_to_int(value: Decimal, rounding: str = ROUND_HALF_UP) -> int:
    """Round to a whole number, in one of the ways of `decimal`."""
    return int(value.quantize(Decimal(1), rounding=rounding))


def round_half_up(value: Decimal) -> int:
    """Round to a whole number, halves away from zero."""
    return round_to_int(value)
''',
                ),
                Replace(
                    "src/billing/money.py",
                    '''    def times(self, factor: Decimal | int | str) -> Money:
        """Multiply, rounding halves away from zero."""
        value = Decimal(self.minor) * Decimal(factor)
        return Money(round_half_up(value), self.currency)
''',
                    '''\
    def times(self, factor: Decimal | int | str, rounding: str = ROUND_HALF_UP) -> Money:
        """Multiply, rounding halves away from zero unless told otherwise."""
        value = Decimal(self.minor) * Decimal(factor)
        return Money(round_to_int(value, rounding), self.currency)
''',
                ),
            ),
        ),
        Commit(
            "Hand the rounding through tax",
            (
                Replace(
                    "src/billing/tax.py",
                    '''def on_top(net: Money, rate: TaxRate) -> Taxed:
    """Add tax to a net amount."""
    return Taxed(net, net.times(rate.fraction))
''',
                    '''def on_top(net: Money, rate: TaxRate, *, rounding: str = ROUND_HALF_UP) -> Taxed:
    """Add tax to a net amount."""
    return Taxed(net, net.times(rate.fraction, rounding))
''',
                ),
                Replace(
                    "src/billing/tax.py",
                    "def per_line(nets: list[Money], rate: TaxRate) -> Money:\n",
                    """\
def per_line(nets: list[Money], rate: TaxRate, *, rounding: str = ROUND_HALF_UP) -> Money:
""",
                ),
                Replace(
                    "src/billing/tax.py",
                    "    taxes = [on_top(net, rate).tax for net in nets]\n",
                    "    taxes = [on_top(net, rate, rounding=rounding).tax for net in nets]\n",
                ),
                Replace(
                    "src/billing/tax.py",
                    "def per_document(nets: list[Money], rate: TaxRate) -> Money:\n",
                    """\
def per_document(nets: list[Money], rate: TaxRate, *, rounding: str = ROUND_HALF_UP) -> Money:
""",
                ),
                Replace(
                    "src/billing/tax.py",
                    "    return on_top(add_up(nets, nets[0].currency), rate).tax\n",
                    "    return on_top(add_up(nets, nets[0].currency), rate, rounding=rounding).tax\n",
                ),
                Replace(
                    "src/billing/tax.py",
                    "from decimal import Decimal\n",
                    "from decimal import ROUND_HALF_UP, Decimal\n",
                ),
                Append(
                    "tests/test_tax.py",
                    """def test_tax_can_be_rounded_down():
    nets = [euros(9), euros(9)]
    assert tax.on_top(euros(9), VAT, rounding=ROUND_DOWN).tax == euros(1)
    assert tax.per_line(nets, VAT, rounding=ROUND_DOWN) == euros(2)
    assert tax.per_document(nets, VAT, rounding=ROUND_DOWN) == euros(3)


def test_tax_is_rounded_half_up_unless_told_otherwise():
    assert tax.per_line([euros(9), euros(9)], VAT) == euros(4)
""",
                ),
                Replace(
                    "tests/test_tax.py",
                    "from decimal import Decimal\n",
                    "from decimal import ROUND_DOWN, Decimal\n",
                ),
                Append(
                    "tests/test_money.py",
                    """def test_times_rounds_as_it_is_told():
    assert euros(5).times("0.5", ROUND_DOWN) == euros(2)


def test_round_to_int():
    assert money.round_to_int(Decimal("2.5")) == money.round_half_up(Decimal("2.5")) == 3
    assert money.round_to_int(Decimal("2.5"), ROUND_DOWN) == 2
""",
                ),
                Replace(
                    "tests/test_money.py",
                    "from decimal import Decimal\n",
                    "from decimal import ROUND_DOWN, Decimal\n",
                ),
            ),
        ),
    ),
)
