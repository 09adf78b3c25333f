"""Amounts of money in minor units.

An amount is a whole number of cents (or yen, or fils): no floats, no surprises.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

DEFAULT_EXPONENT = 2

EXPONENTS = {
    "BHD": 3,
    "JPY": 0,
    "KRW": 0,
    "KWD": 3,
    "TND": 3,
    "VND": 0,
}

SYMBOLS = {
    "CHF": "CHF ",
    "EUR": "€",
    "GBP": "£",
    "JPY": "¥",
    "USD": "$",
}


class CurrencyMismatch(ValueError):
    """Two amounts of different currencies met."""


def exponent(currency: str) -> int:
    """How many decimals a currency has."""
    return EXPONENTS.get(currency, DEFAULT_EXPONENT)


def round_half_up(value: Decimal) -> int:
    """Round to a whole number, halves away from zero."""
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_UP))


@dataclass(frozen=True)
class Money:
    """An amount in minor units of one currency."""

    minor: int
    currency: str

    @classmethod
    def zero(cls, currency: str) -> Money:
        """Nothing, in a currency."""
        return cls(0, currency)

    @classmethod
    def parse(cls, text: str, currency: str) -> Money:
        """Read '12.50' or '1,250.00'."""
        try:
            value = Decimal(text.replace(",", "").strip())
        except InvalidOperation:
            raise ValueError(f"not an amount: {text!r}") from None
        return cls(round_half_up(value.scaleb(exponent(currency))), currency)

    @classmethod
    def from_float(cls, value: float, currency: str) -> Money:
        """Deprecated: floats lose cents. Use `parse`."""
        return cls(int(value * 10 ** exponent(currency)), currency)

    def _same(self, other: Money) -> None:
        if self.currency != other.currency:
            raise CurrencyMismatch(f"{self.currency} is not {other.currency}")

    def __add__(self, other: Money) -> Money:
        self._same(other)
        return Money(self.minor + other.minor, self.currency)

    def __sub__(self, other: Money) -> Money:
        self._same(other)
        return Money(self.minor - other.minor, self.currency)

    def __neg__(self) -> Money:
        return Money(-self.minor, self.currency)

    def __lt__(self, other: Money) -> bool:
        self._same(other)
        return self.minor < other.minor

    def __le__(self, other: Money) -> bool:
        self._same(other)
        return self.minor <= other.minor

    def __bool__(self) -> bool:
        return self.minor != 0

    def times(self, factor: Decimal | int | str) -> Money:
        """Multiply, rounding halves away from zero."""
        value = Decimal(self.minor) * Decimal(factor)
        return Money(round_half_up(value), self.currency)

    def allocate(self, weights: list[int]) -> list[Money]:
        """Split by weights without losing a cent; the first shares get the rest."""
        total = sum(weights)
        if total <= 0:
            raise ValueError("weights must add up to more than zero")
        shares = [self.minor * weight // total for weight in weights]
        rest = self.minor - sum(shares)
        for index in range(rest):
            shares[index] += 1
        return [Money(share, self.currency) for share in shares]

    def major(self) -> Decimal:
        """The amount as a decimal number of whole units."""
        return Decimal(self.minor).scaleb(-exponent(self.currency))

    def plain(self) -> str:
        """'1250.00', for machines."""
        return f"{self.major():.{exponent(self.currency)}f}"

    def __str__(self) -> str:
        symbol = SYMBOLS.get(self.currency, self.currency + " ")
        sign = "-" if self.minor < 0 else ""
        return f"{sign}{symbol}{abs(self.major()):,.{exponent(self.currency)}f}"


def add_up(amounts: list[Money], currency: str) -> Money:
    """The sum of amounts; nothing at all is zero."""
    total = Money.zero(currency)
    for amount in amounts:
        total = total + amount
    return total
