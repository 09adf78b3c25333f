from datetime import date

from billing import notifications
from billing.money import Money


def test_invoice_issued():
    mail = notifications.invoice_issued(
        "ada@example.org", "Ada", "2026-0001", Money(3750, "EUR"), date(2026, 2, 16)
    )
    assert mail.subject == "Invoice 2026-0001"
    assert "your invoice 2026-0001 over €37.50 is ready." in mail.text
    assert "16 February 2026" in mail.text


def test_payment_failed_gives_the_reason():
    mail = notifications.payment_failed("ada@example.org", "Ada", "2026-0001", "card expired")
    assert "did not go through: card expired." in mail.text


def test_price_change_names_both_prices():
    old, new = Money(900, "EUR"), Money(1100, "EUR")
    mail = notifications.price_change(
        "ada@example.org", "Ada", "Team", old, new, date(2026, 5, 1)
    )
    assert "from 01 May 2026 Team costs €11.00 instead of €9.00." in mail.text
    assert mail.text.endswith("Your billing team")
