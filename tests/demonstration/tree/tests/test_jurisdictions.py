from datetime import date
from decimal import Decimal

import pytest

from billing import jurisdictions
from billing.money import Money

DAY = date(2026, 2, 2)


@pytest.mark.parametrize("rules", jurisdictions.ALL, ids=lambda rules: rules.code)
def test_examples_of_numbers_are_right(rules):
    assert rules.is_number(rules.number_example)


def test_rates_by_category():
    assert jurisdictions.rate("DE", "books", DAY) == 7
    assert jurisdictions.rate("DE", "software", DAY) == 19
    assert jurisdictions.rate("GB", "food", DAY) == 0


def test_businesses_of_the_union_pay_the_tax_themselves():
    assert jurisdictions.rate("FR", "software", DAY, business=True) == 0
    assert jurisdictions.rate("CH", "software", DAY, business=True) == Decimal("8.1")


def test_past_rates():
    germany = jurisdictions.find("DE")
    assert germany.standard_on(date(2020, 10, 1)) == 16
    assert germany.standard_on(date(2021, 1, 1)) == 19


def test_greece_has_two_codes():
    assert jurisdictions.find("el") is jurisdictions.find("GR")


def test_regions():
    assert jurisdictions.find("PT").regional_standard("9000-001", DAY) == 22
    assert jurisdictions.find("PT").regional_standard("1000-001", DAY) == 23


def test_due_dates_avoid_weekends():
    assert jurisdictions.find("DE").filing_due(date(2026, 4, 2)) == date(2026, 5, 11)


def test_cash_is_rounded_to_coins():
    assert jurisdictions.find("CH").round_cash(Money(1003, "CHF")) == Money(1005, "CHF")


def test_unknown_countries():
    with pytest.raises(jurisdictions.UnknownJurisdiction):
        jurisdictions.find("XX")
