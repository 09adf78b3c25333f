"""No fixture: the environment changes with the source."""

from tests.demonstration.history import RUBEN, Append, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=161,
    shape=Shape.TITLED_MERGE,
    branch="ruben/local-day",
    author=RUBEN,
    merged=at("2026-04-24 12:00"),
    title="Know the day where the customer lives",
    body="""
Add `calendars.local_day(moment, zone)`: the day of a moment in a time zone. A moment without a zone of its
own raises `ValueError`. Windows has no time zones, so we need `tzdata` there.
""",
    commits=(
        Commit(
            "Know the day where the customer lives",
            (
                Replace(
                    "pyproject.toml",
                    "dependencies = []",
                    "dependencies = [\"tzdata>=2025.1; sys_platform == 'win32'\"]",
                ),
                Replace(
                    "src/billing/calendars.py",
                    "from datetime import date, timedelta\n",
                    "from datetime import date, datetime, timedelta, tzinfo\n",
                ),
                Replace(
                    "src/billing/calendars.py",
                    "def month_start(day: date)",
                    '''def local_day(moment: datetime, zone: tzinfo) -> date:
    """The day of a moment in a time zone."""
    if moment.tzinfo is None:
        raise ValueError("the moment needs a time zone of its own")
    return moment.astimezone(zone).date()


def month_start(day: date)''',
                ),
                Append(
                    "tests/test_calendars.py",
                    """def test_the_day_where_the_customer_lives():
    moment = datetime(2026, 4, 30, 22, 30, tzinfo=timezone.utc)
    assert calendars.local_day(moment, timezone(timedelta(hours=2))) == date(2026, 5, 1)
    with pytest.raises(ValueError):
        calendars.local_day(datetime(2026, 4, 30), timezone.utc)
""",
                ),
                Replace(
                    "tests/test_calendars.py",
                    "from datetime import date\n",
                    "from datetime import date, datetime, timedelta, timezone\n",
                ),
            ),
        ),
    ),
)
