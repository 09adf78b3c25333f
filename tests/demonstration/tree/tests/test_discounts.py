import pytest

from billing import discounts
from billing.money import Money


def euros(minor):
    return Money(minor, "EUR")


def test_percent():
    assert discounts.apply(euros(1000), {"kind": "percent", "value": 15}) == euros(850)


def test_amount_stops_at_zero():
    assert discounts.apply(euros(300), {"kind": "amount", "value": 500}) == euros(0)


def test_tiers_use_the_highest_step_reached():
    tiers = {"kind": "tiers", "steps": [(10, 5), (100, 10)]}
    assert discounts.apply(euros(1000), tiers, quantity=9) == euros(1000)
    assert discounts.apply(euros(1000), tiers, quantity=100) == euros(900)


def test_several_one_after_the_other():
    several = [{"kind": "percent", "value": 50}, {"kind": "amount", "value": 100}]
    assert discounts.apply_all(euros(1000), several) == euros(400)


def test_unknown_kinds_are_refused():
    with pytest.raises(ValueError, match="unknown kind of discount: 'gift'"):
        discounts.apply(euros(1), {"kind": "gift"})


def test_descriptions():
    assert discounts.describe({"kind": "percent", "value": 15}) == "15% off"
