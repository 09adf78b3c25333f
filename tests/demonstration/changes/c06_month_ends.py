"""A file without a final newline, changed in its last lines."""

from tests.demonstration.history import TOMAS, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=109,
    shape=Shape.PULL_REQUEST,
    branch="tomas/month-ends",
    author=TOMAS,
    merged=at("2026-02-17 16:20"),
    title="Keep the end of the month when adding months",
    body="""
`calendars.add_months` turns the 29th, 30th and 31st into the 28th whatever the month is, so a contract
that starts on 31 January is billed on 28 March. The day must stay what it is wherever the target month
has it, and become the last day of the month where it has not: 31 January plus one month is 28 February
(29 in a leap year), plus two is 31 March, plus three is 30 April. Negative counts work the same way.
""",
    commits=(
        Commit(
            "Keep the end of the month when adding months",
            (
                Replace(
                    "src/billing/calendars.py",
                    '''\
    """The same day some months later; the 31st becomes the 28th in every short month."""
''',
                    '''\
    """The same day some months later, or the last one of a month that is too short for it."""
''',
                ),
                Replace(
                    "src/billing/calendars.py",
                    "    return date(year, month, min(day.day, 28))",
                    "    return date(year, month, min(day.day, days_in_month(date(year, month, 1))))",
                ),
                Replace(
                    "tests/test_calendars.py",
                    """def test_add_months_from_a_long_month_to_february():
    assert calendars.add_months(date(2026, 1, 31), 1) == date(2026, 2, 28)
""",
                    """@pytest.mark.parametrize(
    "count, month, day", [(1, 2, 28), (2, 3, 31), (3, 4, 30), (25, 2, 29), (-2, 11, 30)]
)
def test_add_months_from_the_end_of_a_long_month(count, month, day):
    result = calendars.add_months(date(2026, 1, 31), count)
    assert (result.month, result.day) == (month, day)
""",
                ),
            ),
        ),
    ),
)
