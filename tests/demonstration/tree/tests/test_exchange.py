import pytest

from billing import exchange
from billing.money import Money


def test_there_and_back():
    dollars = exchange.convert(Money(10000, "EUR"), "USD")
    assert exchange.convert(dollars, "EUR") == Money(10000, "EUR")


def test_the_minor_unit_of_the_target_counts():
    assert exchange.convert(Money(100, "EUR"), "JPY").minor in range(100, 250)


def test_unknown_currencies():
    with pytest.raises(KeyError, match="no rate for XXX"):
        exchange.rate("XXX")
