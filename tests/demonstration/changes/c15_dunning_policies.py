"""A rewrite of a small module: most lines change."""

from tests.demonstration.history import TOMAS, Change, Commit, Shape, Write, at

SOURCE = '''"""Dunning: what to send to customers who have not paid, by policies of several steps.

A policy is a list of steps, each some days after the due date. The days are counted from the due
date, and the fees of all the steps reached add up.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from billing.money import Money


@dataclass(frozen=True)
class Step:
    """Something that happens when a payment is some days late."""

    after: int
    name: str
    subject: str
    fee: int = 0


@dataclass(frozen=True)
class Late:
    """An invoice on the worklist."""

    number: str
    step: Step
    days: int


@dataclass(frozen=True)
class Policy:
    """The steps for a kind of customer, the earliest first."""

    name: str
    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        days = [step.after for step in self.steps]
        if not days or days[0] < 1 or days != sorted(set(days)):
            raise ValueError(f"the steps of {self.name} must come one after the other")

    def reached(self, due: date, today: date) -> tuple[Step, ...]:
        """The steps that a payment has reached, the earliest first."""
        late = (today - due).days
        return tuple(step for step in self.steps if step.after <= late)

    def current(self, due: date, today: date) -> Step | None:
        """The last step reached, or None while there is none."""
        steps = self.reached(due, today)
        return steps[-1] if steps else None

    def upcoming(self, due: date, today: date) -> tuple[date, Step] | None:
        """The next step and its day, or None when all are over."""
        left = self.steps[len(self.reached(due, today)) :]
        return (due + timedelta(days=left[0].after), left[0]) if left else None

    def fee(self, due: date, today: date, currency: str) -> Money:
        """What the reminders sent so far cost the customer."""
        return Money(sum(step.fee for step in self.reached(due, today)), currency)

    def open_amount(self, amount: Money, paid: Money, due: date, today: date) -> Money:
        """What is left to pay, with fees; nothing once the amount itself is paid."""
        left = amount - paid
        if left.minor <= 0:
            return Money.zero(amount.currency)
        return left + self.fee(due, today, amount.currency)

    def worklist(self, invoices: Iterable[tuple[str, date]], today: date) -> list[Late]:
        """The invoices that need something done: the last step first, then the latest."""
        late = []
        for number, due in invoices:
            step = self.current(due, today)
            if step is not None:
                late.append(Late(number, step, (today - due).days))
        return sorted(late, key=lambda item: (-item.step.after, -item.days, item.number))


STANDARD = Policy(
    "standard",
    (
        Step(7, "first", "A friendly reminder"),
        Step(21, "second", "Second reminder", fee=500),
        Step(35, "third", "Last reminder", fee=1500),
        Step(60, "collection", "Your account was passed on"),
    ),
)

PATIENT = Policy(
    "patient",
    (
        Step(14, "first", "A friendly reminder"),
        Step(45, "second", "Second reminder"),
    ),
)

POLICIES = {policy.name: policy for policy in (STANDARD, PATIENT)}


def policy(name: str) -> Policy:
    """The policy of a name."""
    if name not in POLICIES:
        raise ValueError(f"unknown policy: {name!r}")
    return POLICIES[name]
'''

TESTS = """from datetime import date

import pytest

from billing import dunning
from billing.dunning import PATIENT, STANDARD, Policy, Step
from billing.money import Money

DUE = date(2026, 2, 2)


@pytest.mark.parametrize(
    "today, name",
    [
        (date(2026, 2, 8), None),
        (date(2026, 2, 9), "first"),
        (date(2026, 2, 23), "second"),
        (date(2026, 4, 30), "collection"),
    ],
)
def test_steps(today, name):
    step = STANDARD.current(DUE, today)
    assert (step and step.name) == name


def test_fees_add_up():
    assert STANDARD.fee(DUE, date(2026, 3, 9), "EUR") == Money(2000, "EUR")
    assert PATIENT.fee(DUE, date(2026, 6, 1), "EUR") == Money(0, "EUR")


def test_upcoming():
    day, step = STANDARD.upcoming(DUE, date(2026, 2, 10))
    assert (day, step.subject) == (date(2026, 2, 23), "Second reminder")
    assert STANDARD.upcoming(DUE, date(2026, 6, 1)) is None


def test_nothing_is_open_when_all_is_paid():
    paid = Money(1000, "EUR")
    assert not STANDARD.open_amount(paid, paid, DUE, date(2026, 6, 1))


def test_worklist_has_the_worst_first():
    invoices = [("A", date(2026, 2, 20)), ("B", DUE), ("C", date(2026, 2, 10)), ("D", date(2026, 2, 9))]
    worklist = STANDARD.worklist(invoices, date(2026, 2, 23))
    assert [(late.number, late.step.name, late.days) for late in worklist] == [
        ("B", "second", 21),
        ("D", "first", 14),
        ("C", "first", 13),
    ]


def test_steps_come_one_after_the_other():
    with pytest.raises(ValueError, match="the steps of hasty must come one after the other"):
        Policy("hasty", (Step(7, "a", ""), Step(7, "b", "")))


def test_policies_have_names():
    assert dunning.policy("patient") is PATIENT
    with pytest.raises(ValueError, match="unknown policy: 'none'"):
        dunning.policy("none")
"""

CHANGE = Change(
    number=128,
    shape=Shape.TITLED_MERGE,
    branch="tomas/dunning-policies",
    author=TOMAS,
    merged=at("2026-03-13 09:37"),
    title="Dun by policies",
    body="""
All customers get the same three reminders. Public offices pay late and pay always: they need a patient
policy without fees.

Make the steps data: a frozen dataclass `Step(after, name, subject, fee=0)`, with days and cents, and
`Policy(name, steps)` with the methods `reached`, `current` (a step or `None`), `upcoming` (a pair of day
and step, or `None`), `fee`, `open_amount` and `worklist`, which take what the functions took before. A
policy whose steps are not at least one day late and in strictly rising order raises `ValueError("the steps
of <name> must come one after the other")`. `worklist` returns frozen `Late(number, step, days)`, the last
step first, then the latest, then by number.

`STANDARD` ("standard") has what we have today: "first" after 7 days, "second" after 21 with 500, "third"
after 35 with 1500 and "collection" after 60, with the subjects of today. `PATIENT` ("patient") has "first"
after 14 and "second" after 45, no fees. `policy(name)` finds one, or raises `ValueError("unknown policy:
'name'")`. The functions go.
""",
    commits=(
        Commit("Make the steps of dunning data", (Write("src/billing/dunning.py", SOURCE),)),
        Commit("Test policies", (Write("tests/test_dunning.py", TESTS),)),
    ),
)
