from decimal import Decimal

import pytest

from billing import money
from billing.money import CurrencyMismatch, Money


def euros(minor):
    return Money(minor, "EUR")


def test_parse_reads_thousands_and_decimals():
    assert Money.parse("1,250.05", "EUR") == euros(125005)


def test_parse_knows_currencies_without_decimals():
    assert Money.parse("1250", "JPY") == Money(1250, "JPY")


def test_parse_says_what_it_cannot_read():
    with pytest.raises(ValueError, match="not an amount: 'twelve'"):
        Money.parse("twelve", "EUR")


def test_from_float_cuts_off():
    assert Money.from_float(12.5, "EUR") == euros(1250)


def test_currencies_do_not_mix():
    with pytest.raises(CurrencyMismatch):
        euros(1) + Money(1, "USD")


@pytest.mark.parametrize("factor, minor", [("0.5", 3), (2, 10), (Decimal("-0.5"), -3)])
def test_times_rounds_halves_away_from_zero(factor, minor):
    assert euros(5).times(factor) == euros(minor)


def test_allocate_loses_nothing():
    assert euros(100).allocate([1, 1, 1]) == [euros(34), euros(33), euros(33)]


def test_allocate_needs_weights():
    with pytest.raises(ValueError, match="more than zero"):
        euros(100).allocate([0, 0])


def test_text_has_symbol_and_sign():
    assert str(euros(-125005)) == "-€1,250.05"
    assert str(Money(5, "NOK")) == "NOK 0.05"


def test_add_up_of_nothing_is_zero():
    assert money.add_up([], "EUR") == euros(0)
