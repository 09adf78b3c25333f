"""A rewrite of a small module: most lines change."""

from tests.demonstration.history import MARA, Change, Commit, Shape, Write, at

SOURCE = '''"""Discounts on an amount: rules that know what they take off and how to say it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from billing.money import Money

HUNDRED = Decimal(100)


class Discount(Protocol):
    """What all rules have in common."""

    def off(self, amount: Money, quantity: int) -> Money:
        """What the rule takes off an amount, never more than the amount."""

    def describe(self) -> str:
        """A line for the invoice."""


@dataclass(frozen=True)
class Percent:
    """A percentage of the amount."""

    value: Decimal

    def __post_init__(self) -> None:
        if not 0 <= self.value <= HUNDRED:
            raise ValueError(f"not a percentage: {self.value}")

    def off(self, amount: Money, quantity: int) -> Money:
        """The percentage of the amount, rounded."""
        return amount.times(self.value / HUNDRED)

    def describe(self) -> str:
        """'15% off'."""
        return f"{self.value.normalize():f}% off"


@dataclass(frozen=True)
class Fixed:
    """The same amount whatever is bought."""

    value: Money

    def __post_init__(self) -> None:
        if self.value.minor < 0:
            raise ValueError("a discount takes something off")

    def off(self, amount: Money, quantity: int) -> Money:
        """The fixed amount, or all there is."""
        return self.value if self.value < amount else amount

    def describe(self) -> str:
        """'\u20ac5.00 off'."""
        return f"{self.value} off"


@dataclass(frozen=True)
class Volume:
    """A percentage that grows with the quantity: pairs of a quantity and a percentage."""

    steps: tuple[tuple[int, Decimal], ...]

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("tiers without steps")
        starts = [start for start, _ in self.steps]
        if starts != sorted(set(starts)) or starts[0] < 1:
            raise ValueError("steps must go up")

    def off(self, amount: Money, quantity: int) -> Money:
        """The percentage of the highest step reached."""
        reached = [percent for start, percent in self.steps if quantity >= start]
        return Percent(reached[-1]).off(amount, quantity) if reached else Money.zero(amount.currency)

    def describe(self) -> str:
        """'volume discount from 10 pieces'."""
        return f"volume discount from {self.steps[0][0]} pieces"


def read(data: dict) -> Discount:
    """The rule that the shop's admin pages stored as a dictionary."""
    kind = data.get("kind")
    if kind == "percent":
        return Percent(Decimal(str(data["value"])))
    if kind == "amount":
        return Fixed(Money(data["value"], data.get("currency", "EUR")))
    if kind == "tiers":
        return Volume(tuple((start, Decimal(str(percent))) for start, percent in data["steps"]))
    raise ValueError(f"unknown kind of discount: {kind!r}")


def apply(amount: Money, rules: Iterable[Discount], quantity: int = 1) -> Money:
    """The amount after some rules, one after the other."""
    for rule in rules:
        amount = amount - rule.off(amount, quantity)
    return amount


def best(amount: Money, rules: Iterable[Discount], quantity: int = 1) -> Discount | None:
    """The rule that takes off the most, the first of equals; None where none takes anything."""
    chosen, most = None, Money.zero(amount.currency)
    for rule in rules:
        off = rule.off(amount, quantity)
        if most < off:
            chosen, most = rule, off
    return chosen
'''

TESTS = """from decimal import Decimal

import pytest

from billing import discounts
from billing.discounts import Fixed, Percent, Volume
from billing.money import Money


def euros(minor):
    return Money(minor, "EUR")


VOLUME = Volume(((10, Decimal(5)), (100, Decimal(10))))


def test_percent():
    assert discounts.apply(euros(1000), [Percent(Decimal(15))]) == euros(850)


def test_amount_stops_at_zero():
    assert discounts.apply(euros(300), [Fixed(euros(500))]) == euros(0)


def test_tiers_use_the_highest_step_reached():
    assert discounts.apply(euros(1000), [VOLUME], quantity=9) == euros(1000)
    assert discounts.apply(euros(1000), [VOLUME], quantity=100) == euros(900)


def test_several_one_after_the_other():
    several = [Percent(Decimal(50)), Fixed(euros(100))]
    assert discounts.apply(euros(1000), several) == euros(400)


def test_the_best_of_several():
    several = [Percent(Decimal(5)), Fixed(euros(100)), VOLUME]
    assert discounts.best(euros(1000), several) == Fixed(euros(100))
    assert discounts.best(euros(1000), several, quantity=100) == Fixed(euros(100))
    assert discounts.best(euros(4000), several, quantity=100) == VOLUME
    assert discounts.best(euros(1000), [VOLUME]) is None


@pytest.mark.parametrize(
    "data, rule",
    [
        ({"kind": "percent", "value": 7.5}, Percent(Decimal("7.5"))),
        ({"kind": "amount", "value": 500}, Fixed(euros(500))),
        ({"kind": "amount", "value": 500, "currency": "CHF"}, Fixed(Money(500, "CHF"))),
        ({"kind": "tiers", "steps": [(10, 5), (100, 10)]}, VOLUME),
    ],
)
def test_what_the_admin_pages_stored(data, rule):
    assert discounts.read(data) == rule


def test_unknown_kinds_are_refused():
    with pytest.raises(ValueError, match="unknown kind of discount: 'gift'"):
        discounts.read({"kind": "gift"})


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Percent(Decimal(101)), "not a percentage: 101"),
        (lambda: Fixed(euros(-1)), "a discount takes something off"),
        (lambda: Volume(()), "tiers without steps"),
        (lambda: Volume(((10, Decimal(5)), (10, Decimal(6)))), "steps must go up"),
    ],
)
def test_rules_make_sense(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_descriptions():
    rules = [Percent(Decimal("15.0")), Fixed(euros(500)), VOLUME]
    assert [rule.describe() for rule in rules] == [
        "15% off",
        "\u20ac5.00 off",
        "volume discount from 10 pieces",
    ]
"""

CHANGE = Change(
    number=112,
    shape=Shape.SQUASH,
    author=MARA,
    merged=at("2026-02-20 13:44"),
    title="Make discounts rules instead of dictionaries",
    body="""
<!-- Please describe what changes for whoever reads invoices, and why. -->

Every function in `discounts` takes a dictionary and asks for its kind again. Replace them by three frozen
dataclasses that check themselves: `Percent(value: Decimal)`, `Fixed(value: Money)` and
`Volume(steps)`, a tuple of pairs of a quantity and a `Decimal` percentage. Each has
`off(amount, quantity) -> Money`, never more than the amount, and `describe() -> str`. The checks and
their messages stay as they are in `check`; percentages are described without trailing zeros ("15% off"),
fixed amounts as money ("€5.00 off").

`read(data)` makes a rule of what the admin pages stored (`currency` is EUR where it is missing) and raises
`ValueError` for an unknown kind as before. `apply(amount, rules, quantity=1)` takes a list of rules now, and
`best(amount, rules, quantity=1)` returns the rule that takes off the most, the first of equals, or `None`
where none takes off anything. `apply_all`, `apply_percent`, `apply_amount`, `apply_tiers` and `check` go.

Co-authored-by: Tomas Okafor <tomas@billing.example>
""",
    commits=(
        Commit(
            "Make discounts rules instead of dictionaries",
            (Write("src/billing/discounts.py", SOURCE), Write("tests/test_discounts.py", TESTS)),
        ),
    ),
)
