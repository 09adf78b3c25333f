"""Month arithmetic and business days."""

from __future__ import annotations

import calendar
from datetime import date, timedelta

FRIDAY = 4

FIXED_HOLIDAYS = {
    (1, 1): "New Year's Day",
    (5, 1): "Labour Day",
    (12, 25): "Christmas Day",
    (12, 26): "Second Day of Christmas",
}


def days_in_month(day: date) -> int:
    """How long the month of a day is."""
    return calendar.monthrange(day.year, day.month)[1]


def month_start(day: date) -> date:
    """The first day of the month."""
    return day.replace(day=1)


def month_end(day: date) -> date:
    """The last day of the month."""
    return day.replace(day=days_in_month(day))


def easter(year: int) -> date:
    """Easter Sunday, by Gauss as corrected by Lichtenberg."""
    k = year // 100
    m = 15 + (3 * k + 3) // 4 - (8 * k + 13) // 25
    s = 2 - (3 * k + 3) // 4
    a = year % 19
    d = (19 * a + m) % 30
    r = (d + a // 11) // 29
    og = 21 + d - r
    sz = 7 - (year + year // 4 + s) % 7
    oe = 7 - (og - sz) % 7
    return date(year, 3, 1) + timedelta(days=og + oe - 1)


def holiday(day: date) -> str | None:
    """The name of the bank holiday on a day, if it is one."""
    moving = {
        easter(day.year) - timedelta(days=2): "Good Friday",
        easter(day.year) + timedelta(days=1): "Easter Monday",
    }
    return FIXED_HOLIDAYS.get((day.month, day.day)) or moving.get(day)


def is_business_day(day: date) -> bool:
    """Whether banks work."""
    return day.weekday() <= FRIDAY and holiday(day) is None


def next_business_day(day: date) -> date:
    """The day itself, or the first one after it on which banks work."""
    while not is_business_day(day):
        day += timedelta(days=1)
    return day


def add_business_days(day: date, count: int) -> date:
    """A number of banking days later."""
    for _ in range(count):
        day = next_business_day(day + timedelta(days=1))
    return day


def quarter(day: date) -> int:
    """1 to 4."""
    return (day.month - 1) // 3 + 1


def months_between(first: date, last: date) -> int:
    """Whole months from one day to a later one."""
    months = (last.year - first.year) * 12 + last.month - first.month
    if last.day < first.day:
        months -= 1
    return months


def add_months(day: date, count: int) -> date:
    """The same day some months later; the 31st becomes the 28th in every short month."""
    month = day.month - 1 + count
    year, month = day.year + month // 12, month % 12 + 1
    return date(year, month, min(day.day, 28))
