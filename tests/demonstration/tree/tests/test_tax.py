from decimal import Decimal

import pytest

from billing import tax
from billing.money import Money
from billing.tax import TaxRate

VAT = TaxRate.of("VAT", "19")


def euros(minor):
    return Money(minor, "EUR")


def test_on_top():
    assert tax.on_top(euros(1000), VAT).gross == euros(1190)


def test_inside_is_the_way_back():
    taxed = tax.inside(euros(1190), VAT)
    assert (taxed.net, taxed.tax) == (euros(1000), euros(190))


def test_rounding_by_line_differs_from_rounding_by_document():
    nets = [euros(3), euros(3), euros(3)]
    assert tax.per_line(nets, VAT) == euros(3)
    assert tax.per_document(nets, VAT) == euros(2)


def test_summary_keeps_the_order_of_rates():
    low = TaxRate.of("VAT", "7")
    result = tax.summary([(euros(100), VAT), (euros(200), low), (euros(100), VAT)])
    assert [(rate.percent, taxed.net) for rate, taxed in result.items()] == [
        (Decimal(19), euros(200)),
        (Decimal(7), euros(200)),
    ]


def test_rates_are_percentages():
    with pytest.raises(ValueError, match="not a tax rate: 119"):
        TaxRate.of("VAT", "119")


def test_descriptions():
    assert tax.describe(TaxRate.of("VAT", "7.70")) == "VAT 7.7%"
    assert tax.describe(tax.EXEMPT) == "exempt from tax"
