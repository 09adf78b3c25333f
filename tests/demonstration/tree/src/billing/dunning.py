"""Dunning: what to send to customers who have not paid.

Three reminders, then collection. The days are counted from the due date.
"""

from __future__ import annotations

from datetime import date, timedelta

from billing.money import Money

FIRST_AFTER = 7
SECOND_AFTER = 21
THIRD_AFTER = 35
COLLECTION_AFTER = 60

SECOND_FEE = 500
THIRD_FEE = 1500


def days_late(due: date, today: date) -> int:
    """How many days a payment is late; never less than zero."""
    return max(0, (today - due).days)


def level(due: date, today: date) -> int:
    """0 for nothing yet, 1 to 3 for the reminders, 4 for collection."""
    late = days_late(due, today)
    if late >= COLLECTION_AFTER:
        return 4
    if late >= THIRD_AFTER:
        return 3
    if late >= SECOND_AFTER:
        return 2
    if late >= FIRST_AFTER:
        return 1
    return 0


def fee(due: date, today: date, currency: str) -> Money:
    """What the reminders sent so far cost the customer."""
    reached = level(due, today)
    if reached >= 3:
        return Money(SECOND_FEE + THIRD_FEE, currency)
    if reached == 2:
        return Money(SECOND_FEE, currency)
    return Money.zero(currency)


def next_action(due: date, today: date) -> date | None:
    """The day of the next step, or None when there is none left."""
    reached = level(due, today)
    if reached == 0:
        return due + timedelta(days=FIRST_AFTER)
    if reached == 1:
        return due + timedelta(days=SECOND_AFTER)
    if reached == 2:
        return due + timedelta(days=THIRD_AFTER)
    if reached == 3:
        return due + timedelta(days=COLLECTION_AFTER)
    return None


def wording(due: date, today: date) -> str:
    """The subject of the mail to send."""
    reached = level(due, today)
    if reached == 0:
        return ""
    if reached == 1:
        return "A friendly reminder"
    if reached == 2:
        return "Second reminder"
    if reached == 3:
        return "Last reminder"
    return "Your account was passed on"


def open_amount(amount: Money, paid: Money, due: date, today: date) -> Money:
    """What is left to pay, with fees."""
    left = amount - paid
    if left.minor <= 0:
        return Money.zero(amount.currency)
    return left + fee(due, today, amount.currency)


def worklist(invoices: list[tuple[str, date]], today: date) -> list[tuple[str, int]]:
    """The invoices that need something done, worst first."""
    late = [(number, level(due, today)) for number, due in invoices]
    late = [(number, reached) for number, reached in late if reached]
    return sorted(late, key=lambda item: (-item[1], item[0]))
