"""No fixture: a module is renamed, nothing in it changes."""

from tests.demonstration.history import TOMAS, Change, Commit, Rename, Replace, Shape, at

CHANGE = Change(
    number=178,
    shape=Shape.SQUASH,
    author=TOMAS,
    merged=at("2026-05-27 11:20"),
    title="Call the module of mails what it is",
    body="`billing.notifications` only ever sends mails. Rename it to `billing.mails`.",
    commits=(
        Commit(
            "Rename notifications to mails",
            (
                Rename("src/billing/notifications.py", "src/billing/mails.py"),
                Replace("README.md", "| `notifications` |", "| `mails` |"),
                Replace(
                    "tests/test_notifications.py",
                    """from billing import notifications
from billing.money import Money
from billing.notifications import Recipient, UnknownMail
""",
                    """from billing import mails as notifications
from billing.mails import Recipient, UnknownMail
from billing.money import Money
""",
                ),
            ),
        ),
    ),
)
