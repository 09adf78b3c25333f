"""A rewrite of a small module: most lines change."""

from tests.demonstration.history import RUBEN, Change, Commit, Shape, Write, at

SOURCE = '''"""The mails we send, from templates in the customer's language."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from string import Template

from billing.money import Money

SENDER = "billing@shop.example"
FALLBACK = "en"

MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar M\u00e4rz April Mai Juni Juli August September Oktober November Dezember",
}

FRAMES = {
    "en": Template("Hello $name,\\n\\n$text\\n\\nYour billing team"),
    "de": Template("Guten Tag $name,\\n\\n$text\\n\\nIhre Buchhaltung"),
}

TEMPLATES = {
    ("invoice_issued", "en"): (
        "Invoice $number",
        "your invoice $number over $total is ready.\\nPlease pay it by $due.",
    ),
    ("invoice_issued", "de"): (
        "Rechnung $number",
        "Ihre Rechnung $number \u00fcber $total ist da.\\nBitte zahlen Sie bis zum $due.",
    ),
    ("payment_received", "en"): (
        "Payment for invoice $number",
        "we received $amount for invoice $number. Thank you!",
    ),
    ("payment_received", "de"): (
        "Zahlung zur Rechnung $number",
        "wir haben $amount zur Rechnung $number erhalten. Vielen Dank!",
    ),
    ("payment_failed", "en"): (
        "Payment for invoice $number failed",
        "your payment for invoice $number did not go through: $reason.\\n"
        "We will try again in three days.",
    ),
    ("subscription_ending", "en"): (
        "$plan is ending",
        "your subscription $plan ends on $last_day.\\n"
        "You can renew it until then without losing anything.",
    ),
    ("price_change", "en"): (
        "New price for $plan",
        "from $start $plan costs $new instead of $old.\\n"
        "If you do not agree, you can cancel before that day.",
    ),
}


class UnknownMail(LookupError):
    """There is no template of that name."""


@dataclass(frozen=True)
class Recipient:
    """Whom a mail goes to, and the language of it."""

    address: str
    name: str
    language: str = FALLBACK


@dataclass(frozen=True)
class Mail:
    """A mail ready to be sent."""

    to: str
    subject: str
    text: str
    sender: str = SENDER


def kinds() -> list[str]:
    """The names of all the mails."""
    return sorted({kind for kind, _ in TEMPLATES})


def language_of(kind: str, wanted: str) -> str:
    """The language that a mail will be in: the one wanted, or English."""
    if (kind, FALLBACK) not in TEMPLATES:
        raise UnknownMail(kind)
    return wanted if (kind, wanted) in TEMPLATES else FALLBACK


def say_day(day: date, language: str) -> str:
    """'1 May 2026' or '1. Mai 2026'."""
    month = MONTHS[language].split()[day.month - 1]
    dot = "." if language == "de" else ""
    return f"{day.day}{dot} {month} {day.year}"


def say(value: object, language: str) -> str:
    """A value as the text of a mail has it."""
    if isinstance(value, date):
        return say_day(value, language)
    if isinstance(value, Money) and language == "de":
        number = f"{value.major():,}".translate(str.maketrans(",.", ".,"))
        return f"{number} {value.currency}"
    return str(value)


def compose(kind: str, recipient: Recipient, **values: object) -> Mail:
    """Fill in a template; KeyError names a value that it needs and did not get."""
    language = language_of(kind, recipient.language)
    subject, text = TEMPLATES[kind, language]
    said = {name: say(value, language) for name, value in values.items()}
    body = FRAMES[language].substitute(name=recipient.name, text=Template(text).substitute(said))
    return Mail(recipient.address, Template(subject).substitute(said), body)
'''

TESTS = """from datetime import date

import pytest

from billing import notifications
from billing.money import Money
from billing.notifications import Recipient, UnknownMail

ADA = Recipient("ada@example.org", "Ada")
ODA = Recipient("oda@example.org", "Oda", "de")


def test_invoice_issued():
    mail = notifications.compose(
        "invoice_issued", ADA, number="2026-0001", total=Money(3750, "EUR"), due=date(2026, 2, 16)
    )
    assert (mail.to, mail.subject) == ("ada@example.org", "Invoice 2026-0001")
    assert mail.text == (
        "Hello Ada,\\n\\nyour invoice 2026-0001 over \u20ac37.50 is ready.\\n"
        "Please pay it by 16 February 2026.\\n\\nYour billing team"
    )


def test_german():
    mail = notifications.compose(
        "invoice_issued", ODA, number="2026-0001", total=Money(125050, "EUR"), due=date(2026, 3, 1)
    )
    assert mail.subject == "Rechnung 2026-0001"
    assert "\u00fcber 1.250,50 EUR ist da.\\nBitte zahlen Sie bis zum 1. M\u00e4rz 2026." in mail.text
    assert mail.text.startswith("Guten Tag Oda,")


def test_what_is_not_translated_is_english():
    mail = notifications.compose("payment_failed", ODA, number="2026-0001", reason="card expired")
    assert "did not go through: card expired." in mail.text
    assert mail.text.startswith("Hello Oda,")


def test_price_change_names_both_prices():
    old, new = Money(900, "EUR"), Money(1100, "EUR")
    mail = notifications.compose(
        "price_change", ADA, plan="Team", old=old, new=new, start=date(2026, 5, 1)
    )
    assert "from 1 May 2026 Team costs \u20ac11.00 instead of \u20ac9.00." in mail.text


def test_all_values_are_needed():
    with pytest.raises(KeyError, match="amount"):
        notifications.compose("payment_received", ADA, number="2026-0001")


def test_kinds():
    assert "subscription_ending" in notifications.kinds()
    with pytest.raises(UnknownMail):
        notifications.compose("birthday", ADA)
"""

CHANGE = Change(
    number=145,
    shape=Shape.TITLED_MERGE,
    branch="ruben/mail-templates",
    author=RUBEN,
    merged=at("2026-04-02 11:59"),
    title="Send mails in the customer's language",
    body="""
Five functions build five mails line by line, in English only. Make the texts data.

`notifications.compose(kind, recipient, **values) -> Mail` fills in the template of a kind:
`invoice_issued`, `payment_received`, `payment_failed`, `subscription_ending` and `price_change`, with the
arguments of the functions of today as values. `Recipient(address, name, language="en")` is a frozen
dataclass. A value that a template needs and did not get raises `KeyError`, an unknown kind raises
`UnknownMail` (a `LookupError`), and `kinds()` lists the kinds, sorted.

English texts stay what they are, but days are said without a leading zero ("1 May 2026"). The first two
kinds are there in German ("de") too: the subject "Rechnung <number>" and the text "Ihre Rechnung <number>
über <total> ist da." and "Bitte zahlen Sie bis zum <due>." on a line of its own; "Zahlung zur Rechnung
<number>" and "wir haben <amount> zur Rechnung <number> erhalten. Vielen Dank!". German mails begin with
"Guten Tag <name>," and end with "Ihre Buchhaltung"; days look like "1. März 2026", amounts like "1.250,50
EUR". What is not translated is sent in English as a whole.
""",
    commits=(
        Commit("Make the texts of mails data", (Write("src/billing/notifications.py", SOURCE),)),
        Commit("Test mails in two languages", (Write("tests/test_notifications.py", TESTS),)),
    ),
)
