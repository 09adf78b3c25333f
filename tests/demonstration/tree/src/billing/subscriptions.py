"""Subscriptions: plans, their prices, the periods that are billed, and what was used in them.

A customer subscribes to a plan. The subscription renews at the end of each period until it is
cancelled; changing the plan in the middle of a period is settled to the day. What a plan measures
(calls, gigabytes, seats) is added up by meters and billed after the period.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from decimal import Decimal
from enum import Enum

from billing.calendars import add_months, month_end, month_start
from billing.invoices import Invoice, InvoiceLine, Period
from billing.money import Money, add_up
from billing.tax import EXEMPT, TaxRate

ONE_DAY = timedelta(days=1)
MONTHS_IN_YEAR = 12


class SubscriptionError(Exception):
    """Something that a subscription does not allow."""


class AlreadyCancelled(SubscriptionError):
    """It was cancelled before."""


class UnknownPlan(SubscriptionError):
    """The catalogue has no such plan."""


class Interval(Enum):
    """How often a plan is billed."""

    MONTH = 1
    QUARTER = 3
    HALF_YEAR = 6
    YEAR = 12

    @property
    def months(self) -> int:
        """How many months there are in a period."""
        return self.value


class Status(Enum):
    """Where a subscription is in its life."""

    TRIAL = "trial"
    ACTIVE = "active"
    PAST_DUE = "past due"
    CANCELLED = "cancelled"
    ENDED = "ended"


@dataclass(frozen=True)
class Tier:
    """A price for each unit, up to a number of units; None is for all the rest."""

    up_to: int | None
    price: Money


@dataclass(frozen=True)
class Metered:
    """Something that is counted, and what it costs.

    The included units are free in each period. After them come the tiers, each for its own units
    only: the first hundred at one price, the next at another.
    """

    name: str
    unit: str
    tiers: tuple[Tier, ...]
    included: int = 0

    def __post_init__(self) -> None:
        if not self.tiers:
            raise ValueError(f"{self.name} has no price")
        if self.tiers[-1].up_to is not None:
            raise ValueError(f"the last tier of {self.name} must have no end")

    @property
    def currency(self) -> str:
        """The currency of the prices."""
        return self.tiers[0].price.currency

    def cost(self, used: int) -> Money:
        """What a number of units costs in one period."""
        left = max(0, used - self.included)
        total = Money.zero(self.currency)
        start = 0
        for tier in self.tiers:
            size = left if tier.up_to is None else min(left, tier.up_to - start)
            total = total + tier.price.times(size)
            left -= size
            if tier.up_to is not None:
                start = tier.up_to
        return total

    def free_left(self, used: int) -> int:
        """How many units are free still."""
        return max(0, self.included - used)


@dataclass(frozen=True)
class Plan:
    """What a customer can subscribe to."""

    code: str
    name: str
    price: Money
    interval: Interval = Interval.MONTH
    trial_days: int = 0
    setup_fee: Money | None = None
    metered: tuple[Metered, ...] = ()
    rate: TaxRate = EXEMPT
    seats: int = 1
    retired: bool = False

    grace_days = 3
    notice_days = 0

    @property
    def currency(self) -> str:
        """The currency of the plan."""
        return self.price.currency

    def monthly(self) -> Money:
        """The price of one month, rounded."""
        return self.price.times(Decimal(1) / self.interval.months)

    def yearly(self) -> Money:
        """The price of a year."""
        return self.price.times(MONTHS_IN_YEAR // self.interval.months)

    def meter(self, name: str) -> Metered:
        """The metered thing of a name."""
        for metered in self.metered:
            if metered.name == name:
                return metered
        raise SubscriptionError(f"plan {self.code} does not count {name!r}")

    def period_from(self, first: date) -> Period:
        """The period that starts on a day."""
        return Period(first, add_months(first, self.interval.months) - ONE_DAY)

    def saving_against(self, other: Plan) -> Money:
        """What a year of this plan saves against a year of another; below zero if it costs more."""
        return other.yearly() - self.yearly()


class Catalogue:
    """The plans, by code."""

    def __init__(self, plans: Iterable[Plan] = ()) -> None:
        self.plans: dict[str, Plan] = {}
        for plan in plans:
            self.add(plan)

    def add(self, plan: Plan) -> None:
        """Offer a plan."""
        if plan.code in self.plans:
            raise SubscriptionError(f"there is a plan {plan.code}")
        self.plans[plan.code] = plan

    def __getitem__(self, code: str) -> Plan:
        try:
            return self.plans[code]
        except KeyError:
            raise UnknownPlan(code) from None

    def __iter__(self) -> Iterator[Plan]:
        return iter(self.plans.values())

    def offered(self, currency: str) -> list[Plan]:
        """The plans that new customers can have, the cheapest first."""
        found = [plan for plan in self if plan.currency == currency and not plan.retired]
        return sorted(found, key=lambda plan: plan.monthly().minor)

    def retire(self, code: str) -> Plan:
        """Offer a plan no longer; those who have it keep it."""
        plan = replace(self[code], retired=True)
        self.plans[code] = plan
        return plan

    def reprice(self, code: str, price: Money) -> Plan:
        """Change the price for new subscriptions."""
        if price.currency != self[code].currency:
            raise SubscriptionError(f"plan {code} is in {self[code].currency}")
        plan = replace(self[code], price=price)
        self.plans[code] = plan
        return plan

    def upgrades(self, plan: Plan) -> list[Plan]:
        """The plans that cost more than one, the cheapest first."""
        return [
            other for other in self.offered(plan.currency) if plan.monthly() < other.monthly()
        ]

    def downgrades(self, plan: Plan) -> list[Plan]:
        """The plans that cost less than one, the dearest first."""
        found = [
            other for other in self.offered(plan.currency) if other.monthly() < plan.monthly()
        ]
        return found[::-1]


@dataclass(frozen=True)
class Usage:
    """So many units on a day."""

    day: date
    name: str
    units: int
    source: str = ""


@dataclass(frozen=True)
class Event:
    """Something that happened to a subscription."""

    day: date
    kind: str
    detail: str = ""


@dataclass(frozen=True)
class Coupon:
    """A percentage off for some periods."""

    code: str
    percent: Decimal
    periods: int
    used: int = 0

    @property
    def left(self) -> int:
        """For how many periods it is good still."""
        return max(0, self.periods - self.used)

    def off(self, amount: Money) -> Money:
        """What it takes off an amount."""
        if not self.left:
            return Money.zero(amount.currency)
        return amount.times(self.percent / 100)

    def after_use(self) -> Coupon:
        """The coupon after one more period."""
        return replace(self, used=self.used + 1)


@dataclass
class Subscription:
    """A customer's subscription to a plan."""

    id: str
    customer: str
    plan: Plan
    started: date
    period: Period
    seats: int = 1
    trial_until: date | None = None
    cancelled: date | None = None
    unpaid_since: date | None = None
    coupon: Coupon | None = None
    next_plan: Plan | None = None
    usage: list[Usage] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    setup_billed: bool = False

    @classmethod
    def start(
        cls, id: str, customer: str, plan: Plan, day: date, seats: int = 1, trial: bool = True
    ) -> Subscription:
        """Begin a subscription; with a trial, the first period starts after it."""
        if plan.retired:
            raise SubscriptionError(f"plan {plan.code} is not offered any more")
        if seats < 1:
            raise SubscriptionError("a subscription has at least one seat")
        days = plan.trial_days if trial else 0
        first = day + timedelta(days=days)
        until = first - ONE_DAY if days else None
        made = cls(id, customer, plan, day, plan.period_from(first), seats, until)
        made.note(day, "started", plan.code)
        return made

    def note(self, day: date, kind: str, detail: str = "") -> None:
        """Keep what happened."""
        self.events.append(Event(day, kind, detail))

    def status(self, today: date) -> Status:
        """Where the subscription is in its life on a day."""
        if self.cancelled is not None:
            return Status.ENDED if self.last_day() < today else Status.CANCELLED
        if self.unpaid_since is not None:
            return Status.PAST_DUE
        if self.trial_until is not None and today <= self.trial_until:
            return Status.TRIAL
        return Status.ACTIVE

    def has_access(self, today: date) -> bool:
        """Whether the customer can use what was paid for."""
        status = self.status(today)
        if status is Status.ENDED or today < self.started:
            return False
        if status is Status.PAST_DUE:
            assert self.unpaid_since is not None
            return (today - self.unpaid_since).days <= self.plan.grace_days
        return True

    def last_day(self) -> date:
        """The last day that is paid for, unless the subscription renews."""
        return self.period.last

    def price(self) -> Money:
        """What one period costs, for all the seats."""
        return self.plan.price.times(self.seats)

    def days_left(self, today: date) -> int:
        """How many days of the period are left, today included."""
        return max(0, (self.period.last - today).days + 1)

    # What customers do

    def cancel(self, day: date, reason: str = "") -> date:
        """End the subscription with the period, and return the last day."""
        if self.cancelled is not None:
            raise AlreadyCancelled(f"{self.id} was cancelled on {self.cancelled}")
        self.cancelled = day
        self.next_plan = None
        self.note(day, "cancelled", reason)
        return self.last_day()

    def reactivate(self, day: date) -> None:
        """Take a cancellation back while the period runs."""
        if self.cancelled is None:
            raise SubscriptionError(f"{self.id} was not cancelled")
        if self.last_day() < day:
            raise SubscriptionError(f"{self.id} ended on {self.last_day()}")
        self.cancelled = None
        self.note(day, "reactivated")

    def change_seats(self, day: date, seats: int) -> Money:
        """Have more or fewer seats from a day; returns what the rest of the period costs more."""
        if seats < 1:
            raise SubscriptionError("a subscription has at least one seat")
        before = self.price()
        self.seats = seats
        self.note(day, "seats", str(seats))
        return self.prorated(self.price(), day) - self.prorated(before, day)

    def upgrade(self, day: date, plan: Plan) -> Money:
        """Change to another plan at once; returns what the rest of the period costs more."""
        self._check_change(plan)
        before = self.prorated(self.price(), day)
        self.plan = plan
        self.note(day, "upgraded", plan.code)
        return self.prorated(self.price(), day) - before

    def downgrade(self, day: date, plan: Plan) -> date:
        """Change to another plan with the next period; returns its first day."""
        self._check_change(plan)
        self.next_plan = plan
        self.note(day, "downgrade planned", plan.code)
        return self.period.last + ONE_DAY

    def _check_change(self, plan: Plan) -> None:
        if self.cancelled is not None:
            raise AlreadyCancelled(f"{self.id} was cancelled on {self.cancelled}")
        if plan.currency != self.plan.currency:
            raise SubscriptionError("the currency cannot change with the plan")
        if plan.code == self.plan.code:
            raise SubscriptionError(f"{self.id} has plan {plan.code} already")

    def redeem(self, day: date, coupon: Coupon) -> None:
        """Use a coupon; only one at a time."""
        if self.coupon is not None and self.coupon.left:
            raise SubscriptionError(f"{self.id} has coupon {self.coupon.code}")
        self.coupon = coupon
        self.note(day, "coupon", coupon.code)

    # What is billed

    def prorated(self, amount: Money, day: date) -> Money:
        """The part of a period's amount that is for a day and those after it."""
        return amount.times(Decimal(self.days_left(day)) / self.period.days)

    def renew(self) -> Period:
        """Go on to the next period; a planned downgrade happens now."""
        if self.cancelled is not None:
            raise AlreadyCancelled(f"{self.id} was cancelled on {self.cancelled}")
        first = self.period.last + ONE_DAY
        if self.next_plan is not None:
            self.plan = self.next_plan
            self.next_plan = None
            self.note(first, "downgraded", self.plan.code)
        self.period = self.plan.period_from(first)
        self.note(first, "renewed")
        return self.period

    def lines(self) -> list[InvoiceLine]:
        """What the period costs before it starts: setup once, the plan, the coupon."""
        result = []
        if self.plan.setup_fee is not None and not self.setup_billed:
            result.append(InvoiceLine("Setup", 1, self.plan.setup_fee, self.plan.rate))
        off = None
        if self.coupon is not None and self.coupon.left:
            off = self.coupon.off(self.price())
        result.append(
            InvoiceLine(
                self.plan.name, self.seats, self.plan.price, self.plan.rate, self.period, off
            )
        )
        return result

    def bill(self, invoice: Invoice) -> None:
        """Put the period on a draft; setup and coupon are used up by it."""
        invoice.add_lines(self.lines())
        self.setup_billed = True
        if self.coupon is not None:
            self.coupon = self.coupon.after_use()

    def mark_unpaid(self, day: date) -> None:
        """Note that the payment for the period failed."""
        if self.unpaid_since is None:
            self.unpaid_since = day
            self.note(day, "unpaid")

    def mark_paid(self, day: date) -> None:
        """Note that the payment came in after all."""
        if self.unpaid_since is not None:
            self.unpaid_since = None
            self.note(day, "paid")

    # What is counted

    def record(self, usage: Usage) -> None:
        """Count some units; the plan must know what they are."""
        self.plan.meter(usage.name)
        if usage.units < 0:
            raise SubscriptionError("usage cannot be taken back")
        self.usage.append(usage)

    def used(self, name: str, period: Period | None = None) -> int:
        """How many units were used in a period, or in the one that runs."""
        wanted = period or self.period
        return sum(
            usage.units for usage in self.usage if usage.name == name and usage.day in wanted
        )

    def usage_lines(self, period: Period) -> list[InvoiceLine]:
        """What was used in a period, as lines for an invoice; nothing that is free."""
        result = []
        for metered in self.plan.metered:
            used = self.used(metered.name, period)
            cost = metered.cost(used)
            if cost:
                text = f"{metered.name}: {used} {metered.unit}"
                result.append(InvoiceLine(text, 1, cost, self.plan.rate, period))
        return result

    def usage_cost(self) -> Money:
        """What the period's usage costs so far."""
        costs = [metered.cost(self.used(metered.name)) for metered in self.plan.metered]
        return add_up(costs, self.plan.currency)

    def usage_by_day(self, name: str) -> dict[date, int]:
        """How many units were used on each day of the period that has any."""
        result: dict[date, int] = {}
        for usage in sorted(self.usage, key=lambda item: item.day):
            if usage.name == name and usage.day in self.period:
                result[usage.day] = result.get(usage.day, 0) + usage.units
        return result

    def forecast(self, name: str, today: date) -> int:
        """How many units the period will have in the end, if it goes on like this."""
        passed = (today - self.period.first).days + 1
        if passed <= 0:
            return 0
        return self.used(name) * self.period.days // passed

    def warning(self, name: str, today: date) -> str:
        """A word to the customer when the free units will not last; empty otherwise."""
        metered = self.plan.meter(name)
        if not metered.included:
            return ""
        used = self.used(name)
        if used > metered.included:
            return f"All {metered.included} free {metered.unit} are used."
        if self.forecast(name, today) > metered.included:
            return f"{metered.free_left(used)} free {metered.unit} are left for {self.days_left(today)} days."
        return ""

    def history(self) -> list[str]:
        """What happened so far, a line each."""
        return [
            f"{event.day.isoformat()} {event.kind} {event.detail}".rstrip()
            for event in sorted(self.events, key=lambda event: event.day)
        ]


class Subscriptions:
    """All the subscriptions, by id."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.all: dict[str, Subscription] = {}

    def __len__(self) -> int:
        return len(self.all)

    def __iter__(self) -> Iterator[Subscription]:
        return iter(self.all.values())

    def __getitem__(self, id: str) -> Subscription:
        return self.all[id]

    def subscribe(
        self, customer: str, code: str, day: date, seats: int = 1, trial: bool = True
    ) -> Subscription:
        """Begin a subscription; a customer gets each plan's trial only once."""
        plan = self.catalogue[code]
        tried = any(
            item.customer == customer and item.plan.code == code and item.trial_until
            for item in self
        )
        id = f"sub-{len(self) + 1:05d}"
        made = Subscription.start(id, customer, plan, day, seats, trial and not tried)
        self.all[id] = made
        return made

    def of(self, customer: str) -> list[Subscription]:
        """The subscriptions of a customer."""
        return [item for item in self if item.customer == customer]

    def with_status(self, status: Status, today: date) -> list[Subscription]:
        """The subscriptions with a status on a day."""
        return [item for item in self if item.status(today) is status]

    def due(self, today: date) -> list[Subscription]:
        """The subscriptions whose period is over and that renew."""
        return [item for item in self if item.cancelled is None and item.period.last < today]

    def renew_due(self, today: date) -> list[tuple[Subscription, Period]]:
        """Renew what is due, as often as needed; returns each period that was entered."""
        result = []
        for item in self.due(today):
            while item.period.last < today:
                result.append((item, item.renew()))
        return result

    def trials_ending(self, today: date, days: int = 3) -> list[Subscription]:
        """The trials that end within some days."""
        last = today + timedelta(days=days)
        return [
            item
            for item in self.with_status(Status.TRIAL, today)
            if item.trial_until is not None and item.trial_until <= last
        ]

    def without_access(self, today: date) -> list[str]:
        """The customers to lock out: none of their subscriptions lets them in."""
        customers = sorted({item.customer for item in self})
        return [
            customer
            for customer in customers
            if not any(item.has_access(today) for item in self.of(customer))
        ]

    def by_plan(self, today: date) -> dict[str, int]:
        """How many subscriptions each plan has, ended ones left out."""
        result: dict[str, int] = {}
        for item in self:
            if item.status(today) is not Status.ENDED:
                result[item.plan.code] = result.get(item.plan.code, 0) + 1
        return result

    # Numbers that the owners ask for

    def monthly_revenue(self, today: date, currency: str) -> Money:
        """Monthly recurring revenue: what active subscriptions bring in a month."""
        total = Money.zero(currency)
        for item in self:
            if item.plan.currency != currency:
                continue
            if item.status(today) in (Status.ACTIVE, Status.PAST_DUE):
                total = total + item.plan.monthly().times(item.seats)
        return total

    def yearly_revenue(self, today: date, currency: str) -> Money:
        """Yearly recurring revenue."""
        return self.monthly_revenue(today, currency).times(MONTHS_IN_YEAR)

    def started_in(self, period: Period) -> list[Subscription]:
        """The subscriptions that began in a period."""
        return [item for item in self if item.started in period]

    def cancelled_in(self, period: Period) -> list[Subscription]:
        """The subscriptions that were cancelled in a period."""
        return [item for item in self if item.cancelled and item.cancelled in period]

    def churn(self, period: Period) -> Decimal:
        """The percentage of those there at the start of a period who cancelled in it."""
        there = [
            item
            for item in self
            if item.started < period.first
            and (item.cancelled is None or item.cancelled >= period.first)
        ]
        if not there:
            return Decimal(0)
        gone = [item for item in there if item.cancelled and item.cancelled in period]
        return (Decimal(100 * len(gone)) / len(there)).quantize(Decimal("0.1"))

    def conversion(self, period: Period) -> Decimal:
        """The percentage of the trials that ended in a period whose customers stayed."""
        ended = [item for item in self if item.trial_until and item.trial_until in period]
        if not ended:
            return Decimal(0)
        stayed = [
            item
            for item in ended
            if item.cancelled is None or (item.trial_until and item.cancelled > item.trial_until)
        ]
        return (Decimal(100 * len(stayed)) / len(ended)).quantize(Decimal("0.1"))

    def cohort(self, month: date, today: date) -> list[int]:
        """Of those who began in a month, how many were there after 0, 1, 2... months."""
        period = Period(month_start(month), month_end(month))
        began = self.started_in(period)
        result = []
        after = 0
        while add_months(period.last, after) <= today:
            day = add_months(period.last, after)
            result.append(sum(item.status(day) is not Status.ENDED for item in began))
            after += 1
        return result

    def lifetime(self, today: date) -> Decimal:
        """How long subscriptions last on average, in days."""
        days = []
        for item in self:
            last = item.last_day() if item.status(today) is Status.ENDED else today
            days.append((last - item.started).days + 1)
        if not days:
            return Decimal(0)
        return (Decimal(sum(days)) / len(days)).quantize(Decimal("0.1"))


# Migrating customers from one plan to another


@dataclass(frozen=True)
class Migration:
    """Everybody on one plan goes to another from a day on."""

    source: str
    target: str
    day: date
    keep_price: bool = False


@dataclass(frozen=True)
class Step:
    """What a migration does to one subscription."""

    id: str
    customer: str
    old: Money
    new: Money

    @property
    def difference(self) -> Money:
        """What the customer pays more for each period."""
        return self.new - self.old


def plan_migration(subscriptions: Subscriptions, migration: Migration) -> list[Step]:
    """What a migration would do, without doing it."""
    target = subscriptions.catalogue[migration.target]
    result = []
    for item in subscriptions:
        if item.plan.code != migration.source or item.cancelled is not None:
            continue
        old = item.price()
        new = old if migration.keep_price else target.price.times(item.seats)
        result.append(Step(item.id, item.customer, old, new))
    return result


def run_migration(subscriptions: Subscriptions, migration: Migration) -> list[Step]:
    """Plan the change for everybody, to happen with each one's next period."""
    target = subscriptions.catalogue[migration.target]
    steps = plan_migration(subscriptions, migration)
    for step in steps:
        item = subscriptions[step.id]
        plan = replace(target, price=item.plan.price) if migration.keep_price else target
        item.downgrade(migration.day, plan)
    return steps


def migration_text(steps: list[Step]) -> str:
    """What a migration would do, for somebody to look over."""
    if not steps:
        return "Nobody is affected.\n"
    lines = [f"{len(steps)} subscriptions:"]
    for step in steps:
        lines.append(f"  {step.id} {step.customer}: {step.old} -> {step.new}")
    total = add_up([step.difference for step in steps], steps[0].old.currency)
    lines.append(f"Together {total} more for each period.")
    return "\n".join(lines) + "\n"


# Bundles: several plans for one price


@dataclass(frozen=True)
class Bundle:
    """Plans that are sold together, for a percentage less."""

    code: str
    name: str
    plans: tuple[Plan, ...]
    percent: Decimal

    def __post_init__(self) -> None:
        if len(self.plans) < 2:
            raise ValueError("a bundle has at least two plans")
        if len({plan.currency for plan in self.plans}) > 1:
            raise ValueError("the plans of a bundle have one currency")
        if len({plan.interval for plan in self.plans}) > 1:
            raise ValueError("the plans of a bundle are billed together")

    @property
    def currency(self) -> str:
        """The currency of the plans."""
        return self.plans[0].currency

    def full_price(self) -> Money:
        """What the plans cost one by one."""
        return add_up([plan.price for plan in self.plans], self.currency)

    def saving(self) -> Money:
        """What the bundle saves."""
        return self.full_price().times(self.percent / 100)

    def price(self) -> Money:
        """What the bundle costs."""
        return self.full_price() - self.saving()

    def shares(self) -> dict[str, Money]:
        """The part of the price that is for each plan, to the cent."""
        weights = [plan.price.minor for plan in self.plans]
        parts = self.price().allocate(weights)
        return {plan.code: part for plan, part in zip(self.plans, parts)}

    def lines(self, period: Period) -> list[InvoiceLine]:
        """The bundle on an invoice: each plan with its share of what is saved."""
        shares = self.shares()
        return [
            InvoiceLine(
                f"{self.name}: {plan.name}",
                1,
                plan.price,
                plan.rate,
                period,
                plan.price - shares[plan.code],
            )
            for plan in self.plans
        ]


# How plans look on the price page


def interval_text(interval: Interval) -> str:
    """'a month', as the price page says it."""
    if interval is Interval.MONTH:
        return "a month"
    if interval is Interval.QUARTER:
        return "a quarter"
    if interval is Interval.HALF_YEAR:
        return "every six months"
    return "a year"


def price_text(plan: Plan) -> str:
    """'€12.50 a month', with what is special about it."""
    text = f"{plan.price} {interval_text(plan.interval)}"
    if plan.trial_days:
        text += f", {plan.trial_days} days free"
    if plan.setup_fee is not None and plan.setup_fee:
        text += f", {plan.setup_fee} once"
    return text


def metered_text(metered: Metered) -> list[str]:
    """The prices of something that is counted, a line for each tier."""
    result = []
    if metered.included:
        result.append(f"{metered.included} {metered.unit} included")
    start = 0
    for tier in metered.tiers:
        if tier.up_to is None:
            name = f"from {start + 1}" if start else "each"
        else:
            name = f"{start + 1} to {tier.up_to}"
            start = tier.up_to
        result.append(f"{name}: {tier.price}")
    return result


def price_page(catalogue: Catalogue, currency: str) -> str:
    """All that new customers can have, as text."""
    result: list[str] = []
    for plan in catalogue.offered(currency):
        result.append(f"{plan.name}: {price_text(plan)}")
        for metered in plan.metered:
            result.append(f"  {metered.name}")
            result.extend(f"    {line}" for line in metered_text(metered))
    return "\n".join(result) + "\n"


def compare(first: Plan, second: Plan) -> str:
    """One sentence on which of two plans is cheaper over a year."""
    saving = first.saving_against(second)
    if not saving:
        return f"{first.name} and {second.name} cost the same."
    if saving.minor > 0:
        return f"{first.name} saves {saving} a year against {second.name}."
    return f"{second.name} saves {-saving} a year against {first.name}."


def overview(subscriptions: Subscriptions, today: date, currency: str) -> str:
    """The owners' page: counts by status, and the money."""
    result = [f"Subscriptions on {today.isoformat()}"]
    for status in Status:
        count = len(subscriptions.with_status(status, today))
        result.append(f"  {status.value:<10} {count:>6}")
    result.append("By plan")
    for code, count in sorted(subscriptions.by_plan(today).items()):
        result.append(f"  {code:<10} {count:>6}")
    result.append(f"A month brings {subscriptions.monthly_revenue(today, currency)}.")
    result.append(f"A year brings {subscriptions.yearly_revenue(today, currency)}.")
    return "\n".join(result) + "\n"


# Gifts: a subscription that somebody else pays, once


@dataclass(frozen=True)
class Gift:
    """Some months of a plan, paid by a friend."""

    code: str
    giver: str
    plan: Plan
    months: int
    bought: date
    redeemed: date | None = None

    valid_years = 3

    def __post_init__(self) -> None:
        if self.months < 1:
            raise ValueError("a gift is for at least a month")

    def price(self) -> Money:
        """What the giver pays."""
        return self.plan.monthly().times(self.months)

    def expires(self) -> date:
        """The last day to redeem it: the end of the third year after it was bought."""
        return date(self.bought.year + self.valid_years, 12, 31)

    def line(self) -> InvoiceLine:
        """The gift on the giver's invoice."""
        text = f"Gift: {self.months} months of {self.plan.name}"
        return InvoiceLine(text, 1, self.price(), self.plan.rate)


def redeem_gift(gift: Gift, id: str, customer: str, day: date) -> tuple[Gift, Subscription]:
    """Begin the subscription of a gift; it ends by itself when the months are over."""
    if gift.redeemed is not None:
        raise SubscriptionError(f"gift {gift.code} was redeemed on {gift.redeemed}")
    if day > gift.expires():
        raise SubscriptionError(f"gift {gift.code} was good until {gift.expires()}")
    period = Period(day, add_months(day, gift.months) - ONE_DAY)
    made = Subscription(id, customer, gift.plan, day, period, setup_billed=True)
    made.note(day, "gift", gift.code)
    made.cancel(day, "gift")
    return replace(gift, redeemed=day), made


# Contracts: large customers commit to a term, and pay less


@dataclass(frozen=True)
class Contract:
    """A number of seats for a number of months, at an agreed price for each seat and month."""

    customer: str
    plan: Plan
    signed: date
    months: int
    seats: int
    seat_price: Money
    renews: bool = True
    notice_months: int = 3

    def last_day(self) -> date:
        """The last day of the term."""
        return add_months(self.signed, self.months) - ONE_DAY

    def notice_until(self) -> date:
        """The last day to say that the contract shall not renew."""
        return add_months(self.last_day() + ONE_DAY, -self.notice_months) - ONE_DAY

    def value(self) -> Money:
        """What the customer committed to pay over the term."""
        return self.seat_price.times(self.seats * self.months)

    def monthly(self) -> Money:
        """What the customer pays in a month."""
        return self.seat_price.times(self.seats)

    def saving(self) -> Money:
        """What the customer saves in a month against the price on the page."""
        return self.plan.monthly().times(self.seats) - self.monthly()

    def overage(self, seats: int) -> Money:
        """What a month with more seats than agreed costs on top, at the price on the page."""
        more = max(0, seats - self.seats)
        return self.plan.monthly().times(more)

    def leaving_early(self, day: date) -> Money:
        """What is owed for the rest of the term, half of it forgiven."""
        if day > self.last_day():
            return Money.zero(self.seat_price.currency)
        passed = (day.year - self.signed.year) * MONTHS_IN_YEAR + day.month - self.signed.month
        left = max(0, self.months - passed)
        return self.monthly().times(left).times(Decimal("0.5"))

    def renewed(self) -> Contract:
        """The contract of the next term."""
        if not self.renews:
            raise SubscriptionError(f"the contract of {self.customer} does not renew")
        return replace(self, signed=self.last_day() + ONE_DAY)


def contracts_to_call(contracts: Iterable[Contract], today: date, days: int = 30) -> list[Contract]:
    """The contracts whose time to give notice runs out within some days: sales calls these."""
    last = today + timedelta(days=days)
    found = [item for item in contracts if item.renews and today <= item.notice_until() <= last]
    return sorted(found, key=lambda item: item.notice_until())


# Referrals: customers who bring customers


@dataclass
class Referrals:
    """Who brought whom, and what that earned."""

    reward: Money
    most: int = 10
    brought: dict[str, list[str]] = field(default_factory=dict)
    spent: dict[str, Money] = field(default_factory=dict)

    def note(self, customer: str, friend: str) -> None:
        """Note that a customer brought a friend; nobody is brought twice."""
        if customer == friend:
            raise SubscriptionError("customers cannot bring themselves")
        if any(friend in friends for friends in self.brought.values()):
            raise SubscriptionError(f"{friend} was brought before")
        self.brought.setdefault(customer, []).append(friend)

    def earned(self, customer: str) -> Money:
        """What a customer earned so far; only so many friends count."""
        friends = self.brought.get(customer, [])
        return self.reward.times(min(len(friends), self.most))

    def credit(self, customer: str) -> Money:
        """What a customer has left to spend."""
        return self.earned(customer) - self.spent.get(customer, Money.zero(self.reward.currency))

    def spend(self, customer: str, amount: Money) -> Money:
        """Pay an amount from the credit, as far as it goes; returns what is left to pay."""
        credit = self.credit(customer)
        used = credit if credit < amount else amount
        before = self.spent.get(customer, Money.zero(self.reward.currency))
        self.spent[customer] = before + used
        return amount - used

    def best(self, count: int = 3) -> list[str]:
        """The customers who brought the most friends."""
        ranked = sorted(self.brought, key=lambda customer: (-len(self.brought[customer]), customer))
        return ranked[:count]
