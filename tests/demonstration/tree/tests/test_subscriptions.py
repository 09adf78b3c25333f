from datetime import date
from decimal import Decimal

import pytest

from billing import subscriptions
from billing.invoices import Invoice, Period
from billing.money import Money
from billing.subscriptions import (
    AlreadyCancelled,
    Bundle,
    Catalogue,
    Coupon,
    Metered,
    Migration,
    Plan,
    Status,
    Subscription,
    Subscriptions,
    Tier,
    Usage,
)

DAY = date(2026, 2, 1)


def euros(minor):
    return Money(minor, "EUR")


CALLS = Metered("calls", "calls", (Tier(100, euros(10)), Tier(None, euros(5))), included=50)
BASIC = Plan("basic", "Basic", euros(900), trial_days=14)
TEAM = Plan("team", "Team", euros(2800), metered=(CALLS,))


def start(plan=TEAM, **more):
    return Subscription.start("sub-1", "ACME", plan, DAY, **more)


def test_a_period_is_a_month():
    assert start().period == Period(DAY, date(2026, 2, 28))


def test_trials_come_before_the_first_period():
    item = start(BASIC)
    assert item.period.first == date(2026, 2, 15)
    assert item.status(date(2026, 2, 14)) is Status.TRIAL
    assert item.status(date(2026, 2, 15)) is Status.ACTIVE


def test_tiers_are_for_their_own_units():
    assert [CALLS.cost(used) for used in (50, 60, 160)] == [euros(0), euros(100), euros(1050)]


def test_upgrades_are_settled_to_the_day():
    item = start(BASIC, trial=False)
    assert item.upgrade(date(2026, 2, 15), TEAM) == euros(950)


def test_downgrades_wait_for_the_next_period():
    item = start()
    assert item.downgrade(date(2026, 2, 15), BASIC) == date(2026, 3, 1)
    item.renew()
    assert item.plan is BASIC


def test_cancelling_twice():
    item = start()
    assert item.cancel(date(2026, 2, 5)) == date(2026, 2, 28)
    with pytest.raises(AlreadyCancelled):
        item.cancel(date(2026, 2, 6))


def test_coupons_run_out():
    item = start()
    item.redeem(DAY, Coupon("WELCOME", Decimal(50), periods=1))
    assert [line.net for line in item.lines()] == [euros(1400)]
    item.bill(Invoice("2026-0001", "ACME", DAY))
    assert [line.net for line in item.lines()] == [euros(2800)]


def test_unpaid_customers_have_some_days():
    item = start()
    item.mark_unpaid(date(2026, 2, 10))
    assert item.has_access(date(2026, 2, 13))
    assert not item.has_access(date(2026, 2, 20))


def test_usage_is_billed_after_the_free_units():
    item = start()
    item.record(Usage(date(2026, 2, 3), "calls", 70))
    assert [line.text for line in item.usage_lines(item.period)] == ["calls: 70 calls"]
    assert item.usage_cost() == euros(200)


def test_one_trial_for_each_customer():
    everything = Subscriptions(Catalogue([BASIC, TEAM]))
    assert everything.subscribe("ACME", "basic", DAY).trial_until
    assert not everything.subscribe("ACME", "basic", DAY).trial_until


def test_revenue_and_counts():
    everything = Subscriptions(Catalogue([BASIC, TEAM]))
    everything.subscribe("ACME", "team", DAY, seats=2)
    everything.subscribe("Bolt", "basic", DAY, trial=False)
    assert everything.monthly_revenue(DAY, "EUR") == euros(6500)
    assert everything.by_plan(DAY) == {"team": 1, "basic": 1}


def test_migrations_say_what_they_would_do():
    everything = Subscriptions(Catalogue([BASIC, TEAM]))
    everything.subscribe("ACME", "basic", DAY, trial=False)
    steps = subscriptions.plan_migration(everything, Migration("basic", "team", DAY))
    assert [step.difference for step in steps] == [euros(1900)]


def test_bundles_share_what_they_save():
    bundle = Bundle("all", "All", (BASIC, TEAM), Decimal(10))
    assert bundle.price() == euros(3330)
    assert sum(share.minor for share in bundle.shares().values()) == 3330
