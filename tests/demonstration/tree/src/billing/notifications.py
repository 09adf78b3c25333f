"""The mails we send: subject and text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from billing.money import Money

SENDER = "billing@shop.example"
SIGNATURE = "Your billing team"


@dataclass(frozen=True)
class Mail:
    """A mail ready to be sent."""

    to: str
    subject: str
    text: str
    sender: str = SENDER


def invoice_issued(to: str, name: str, number: str, total: Money, due: date) -> Mail:
    """Tell a customer about a new invoice."""
    lines = []
    lines.append(f"Hello {name},")
    lines.append("")
    lines.append(f"your invoice {number} over {total} is ready.")
    lines.append(f"Please pay it by {due:%d %B %Y}.")
    lines.append("")
    lines.append(SIGNATURE)
    return Mail(to, f"Invoice {number}", "\n".join(lines))


def payment_received(to: str, name: str, number: str, amount: Money) -> Mail:
    """Thank a customer for a payment."""
    lines = []
    lines.append(f"Hello {name},")
    lines.append("")
    lines.append(f"we received {amount} for invoice {number}. Thank you!")
    lines.append("")
    lines.append(SIGNATURE)
    return Mail(to, f"Payment for invoice {number}", "\n".join(lines))


def payment_failed(to: str, name: str, number: str, reason: str) -> Mail:
    """Tell a customer that a payment did not go through."""
    lines = []
    lines.append(f"Hello {name},")
    lines.append("")
    lines.append(f"your payment for invoice {number} did not go through: {reason}.")
    lines.append("We will try again in three days.")
    lines.append("")
    lines.append(SIGNATURE)
    return Mail(to, f"Payment for invoice {number} failed", "\n".join(lines))


def subscription_ending(to: str, name: str, plan: str, last_day: date) -> Mail:
    """Tell a customer that a subscription ends."""
    lines = []
    lines.append(f"Hello {name},")
    lines.append("")
    lines.append(f"your subscription {plan} ends on {last_day:%d %B %Y}.")
    lines.append("You can renew it until then without losing anything.")
    lines.append("")
    lines.append(SIGNATURE)
    return Mail(to, f"{plan} is ending", "\n".join(lines))


def price_change(to: str, name: str, plan: str, old: Money, new: Money, start: date) -> Mail:
    """Tell a customer about a new price."""
    lines = []
    lines.append(f"Hello {name},")
    lines.append("")
    lines.append(f"from {start:%d %B %Y} {plan} costs {new} instead of {old}.")
    lines.append("If you do not agree, you can cancel before that day.")
    lines.append("")
    lines.append(SIGNATURE)
    return Mail(to, f"New price for {plan}", "\n".join(lines))
