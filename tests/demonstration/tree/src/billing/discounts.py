"""Discounts on an amount.

A discount is a dictionary, as the shop's admin pages store it.
"""

from __future__ import annotations

from decimal import Decimal

from billing.money import Money

PERCENT = "percent"
AMOUNT = "amount"
TIERS = "tiers"

KINDS = (PERCENT, AMOUNT, TIERS)


def check(discount: dict) -> None:
    """Raise ValueError for a discount that makes no sense."""
    kind = discount.get("kind")
    if kind not in KINDS:
        raise ValueError(f"unknown kind of discount: {kind!r}")
    if kind == PERCENT:
        value = Decimal(str(discount["value"]))
        if value < 0 or value > 100:
            raise ValueError(f"not a percentage: {value}")
    if kind == AMOUNT:
        if discount["value"] < 0:
            raise ValueError("a discount takes something off")
    if kind == TIERS:
        steps = discount["steps"]
        if not steps:
            raise ValueError("tiers without steps")
        last = 0
        for quantity, _percent in steps:
            if quantity <= last:
                raise ValueError("steps must go up")
            last = quantity


def apply_percent(amount: Money, discount: dict) -> Money:
    """Take a percentage off."""
    fraction = Decimal(str(discount["value"])) / 100
    return amount - amount.times(fraction)


def apply_amount(amount: Money, discount: dict) -> Money:
    """Take a fixed amount off, not below zero."""
    off = Money(discount["value"], amount.currency)
    if amount < off:
        return Money.zero(amount.currency)
    return amount - off


def apply_tiers(amount: Money, discount: dict, quantity: int) -> Money:
    """Take off the percentage of the highest step reached."""
    percent = 0
    for start, step in discount["steps"]:
        if quantity >= start:
            percent = step
    fraction = Decimal(str(percent)) / 100
    return amount - amount.times(fraction)


def apply(amount: Money, discount: dict, quantity: int = 1) -> Money:
    """The amount after one discount."""
    check(discount)
    kind = discount["kind"]
    if kind == PERCENT:
        return apply_percent(amount, discount)
    if kind == AMOUNT:
        return apply_amount(amount, discount)
    return apply_tiers(amount, discount, quantity)


def apply_all(amount: Money, discounts: list, quantity: int = 1) -> Money:
    """The amount after several discounts, one after the other."""
    for discount in discounts:
        amount = apply(amount, discount, quantity)
    return amount


def describe(discount: dict) -> str:
    """A line for the invoice."""
    kind = discount["kind"]
    if kind == PERCENT:
        return f"{discount['value']}% off"
    if kind == AMOUNT:
        return f"{discount['value'] / 100:.2f} off"
    first = discount["steps"][0][0]
    return f"volume discount from {first} pieces"
