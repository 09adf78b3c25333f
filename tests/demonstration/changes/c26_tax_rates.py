"""Two files, one of them of 3,000 lines."""

from tests.demonstration.history import MARA, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=156,
    shape=Shape.SQUASH,
    author=MARA,
    merged=at("2026-04-17 13:05"),
    title="Make tax rates from the rules of a country",
    body="""
`jurisdictions` knows percentages, `tax` wants a `TaxRate` with a name, and every caller puts the two
together.

Add the class method `Jurisdiction.tax_rate(category, day) -> TaxRate`: the name is the country's
`tax_name`, the percentage that of `rate_for`. Where that is zero, return `tax.EXEMPT`. Add a property
`is_zero` to `TaxRate`, and make `tax.describe` say "exempt from tax" for every rate of zero, whatever its
name is.
""",
    commits=(
        Commit(
            "Make tax rates from the rules of a country",
            (
                Replace(
                    "src/billing/tax.py",
                    """        return self.percent / HUNDRED
""",
                    '''        return self.percent / HUNDRED

    @property
    def is_zero(self) -> bool:
        """Whether there is no tax."""
        return self.percent == ZERO
''',
                ),
                Replace("src/billing/tax.py", "    if rate == EXEMPT:\n", "    if rate.is_zero:\n"),
                Replace(
                    "src/billing/jurisdictions.py",
                    "from billing.money import Money\n",
                    "from billing.money import Money\nfrom billing.tax import EXEMPT, TaxRate\n",
                ),
                Replace(
                    "src/billing/jurisdictions.py",
                    """        return cls.reduced.get(category, cls.standard_on(day))

""",
                    '''        return cls.reduced.get(category, cls.standard_on(day))

    @classmethod
    def tax_rate(cls, category: str, day: date) -> TaxRate:
        """The rate for a category of goods on a day, with the name that invoices show."""
        percent = cls.rate_for(category, day)
        return TaxRate(cls.tax_name, percent) if percent else EXEMPT

''',
                ),
                Append(
                    "tests/test_jurisdictions.py",
                    """def test_tax_rates_have_the_local_name():
    assert jurisdictions.find("DE").tax_rate("books", DAY) == TaxRate("USt", Decimal(7))
    assert jurisdictions.find("CH").tax_rate("software", DAY) == TaxRate("MWST", Decimal("8.1"))


def test_what_is_not_taxed_is_exempt():
    assert jurisdictions.find("GB").tax_rate("food", DAY) is EXEMPT
""",
                ),
                Replace(
                    "tests/test_jurisdictions.py",
                    "from billing.money import Money\n",
                    "from billing.money import Money\nfrom billing.tax import EXEMPT, TaxRate\n",
                ),
                Append(
                    "tests/test_tax.py",
                    """def test_a_rate_of_zero_is_no_tax():
    zero = TaxRate.of("VAT", "0.0")
    assert zero.is_zero and not VAT.is_zero
    assert tax.describe(zero) == "exempt from tax"
""",
                ),
            ),
        ),
    ),
)
