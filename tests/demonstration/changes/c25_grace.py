"""A class attribute."""

from tests.demonstration.history import IDA, Change, Commit, Replace, Shape, at

CHANGE = Change(
    number=154,
    shape=Shape.PULL_REQUEST,
    branch="ida/a-week-of-grace",
    author=IDA,
    merged=at("2026-04-14 09:26"),
    behind=1,
    title="Give customers a week before they are locked out",
    body="""
Three days of grace do not survive a weekend and a bank holiday. Make them seven for all plans: access ends
on the eighth day after the payment failed.
""",
    commits=(
        Commit(
            "Give customers a week before they are locked out",
            (
                Replace("src/billing/subscriptions.py", "    grace_days = 3\n", "    grace_days = 7\n"),
                Replace(
                    "tests/test_subscriptions.py",
                    """    assert item.has_access(date(2026, 2, 13))
    assert not item.has_access(date(2026, 2, 20))
""",
                    """    assert item.has_access(date(2026, 2, 17))
    assert not item.has_access(date(2026, 2, 18))
""",
                ),
            ),
        ),
    ),
)
