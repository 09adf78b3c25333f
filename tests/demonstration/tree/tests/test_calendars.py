from datetime import date

import pytest

from billing import calendars


@pytest.mark.parametrize("year, month, day", [(2024, 3, 31), (2025, 4, 20), (2026, 4, 5)])
def test_easter(year, month, day):
    assert calendars.easter(year) == date(year, month, day)


def test_holidays_have_names():
    assert calendars.holiday(date(2026, 4, 3)) == "Good Friday"
    assert calendars.holiday(date(2026, 4, 4)) is None


def test_business_days_skip_weekends_and_holidays():
    assert calendars.next_business_day(date(2026, 4, 3)) == date(2026, 4, 7)
    assert calendars.add_business_days(date(2026, 4, 2), 2) == date(2026, 4, 8)


def test_add_months_goes_over_the_end_of_the_year():
    assert calendars.add_months(date(2025, 11, 15), 3) == date(2026, 2, 15)


def test_add_months_from_a_long_month_to_february():
    assert calendars.add_months(date(2026, 1, 31), 1) == date(2026, 2, 28)


def test_months_between():
    assert calendars.months_between(date(2026, 1, 31), date(2026, 3, 30)) == 1
