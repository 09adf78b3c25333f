"""Tax on amounts: on top of a net price, or inside a gross one."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from billing.money import Money, add_up, round_half_up

ZERO = Decimal(0)
HUNDRED = Decimal(100)


@dataclass(frozen=True)
class TaxRate:
    """A rate in percent, with the name that invoices show."""

    name: str
    percent: Decimal

    @classmethod
    def of(cls, name: str, percent: str) -> TaxRate:
        """Make a rate from text, so that 7.7 is exactly 7.7."""
        value = Decimal(percent)
        if not ZERO <= value <= HUNDRED:
            raise ValueError(f"not a tax rate: {percent}")
        return cls(name, value)

    @property
    def fraction(self) -> Decimal:
        """The rate as a fraction of one."""
        return self.percent / HUNDRED


@dataclass(frozen=True)
class Taxed:
    """A net amount, the tax on it, and both together."""

    net: Money
    tax: Money

    @property
    def gross(self) -> Money:
        """What the customer pays."""
        return self.net + self.tax


EXEMPT = TaxRate("exempt", ZERO)


def on_top(net: Money, rate: TaxRate) -> Taxed:
    """Add tax to a net amount."""
    return Taxed(net, net.times(rate.fraction))


def inside(gross: Money, rate: TaxRate) -> Taxed:
    """Take the tax out of a gross amount."""
    net = Decimal(gross.minor) / (1 + rate.fraction)
    amount = Money(round_half_up(net), gross.currency)
    return Taxed(amount, gross - amount)


def per_line(nets: list[Money], rate: TaxRate) -> Money:
    """Tax rounded on each line, then added up."""
    if not nets:
        raise ValueError("no lines to tax")
    taxes = [on_top(net, rate).tax for net in nets]
    return add_up(taxes, nets[0].currency)


def per_document(nets: list[Money], rate: TaxRate) -> Money:
    """Tax rounded once, on the sum of the lines."""
    if not nets:
        raise ValueError("no lines to tax")
    return on_top(add_up(nets, nets[0].currency), rate).tax


def summary(lines: list[tuple[Money, TaxRate]]) -> dict[TaxRate, Taxed]:
    """Net and tax for each rate, in the order the rates first appear."""
    nets: dict[TaxRate, list[Money]] = {}
    for net, rate in lines:
        nets.setdefault(rate, []).append(net)
    result = {}
    for rate, amounts in nets.items():
        net = add_up(amounts, amounts[0].currency)
        result[rate] = Taxed(net, per_document(amounts, rate))
    return result


def effective_percent(taxed: Taxed) -> Decimal:
    """The rate that an amount was really taxed at, in percent, to two places."""
    if not taxed.net:
        return ZERO
    percent = Decimal(taxed.tax.minor) / Decimal(taxed.net.minor) * HUNDRED
    return percent.quantize(Decimal("0.01"))


def describe(rate: TaxRate) -> str:
    """'VAT 19%', as invoices show it."""
    if rate == EXEMPT:
        return "exempt from tax"
    return f"{rate.name} {rate.percent.normalize():f}%"
