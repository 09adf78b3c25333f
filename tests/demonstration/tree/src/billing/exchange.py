"""Exchange by the central bank's rates, all of them for one euro."""

from __future__ import annotations

from decimal import Decimal

from billing._generated_rates import DAY, RATES
from billing.money import Money, exponent, round_half_up


def rate(currency: str) -> Decimal:
    """How much of a currency one euro buys."""
    if currency == "EUR":
        return Decimal(1)
    if currency not in RATES:
        raise KeyError(f"no rate for {currency} on {DAY}")
    return Decimal(RATES[currency])


def convert(amount: Money, currency: str) -> Money:
    """An amount in another currency, rounded to its minor unit."""
    if amount.currency == currency:
        return amount
    euros = amount.major() / rate(amount.currency)
    value = euros * rate(currency)
    return Money(round_half_up(value.scaleb(exponent(currency))), currency)


def day() -> str:
    """The day of the rates."""
    return DAY
