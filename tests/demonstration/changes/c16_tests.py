"""No fixture: tests only."""

from tests.demonstration.history import MARA, Append, Change, Commit, Shape, at

CHANGE = Change(
    number=131,
    shape=Shape.SQUASH,
    author=MARA,
    merged=at("2026-03-16 13:13"),
    title="Test refunds of the settlement client",
    body="Refunds had no test at all. Cover `refund`, `refunds` and `refundable`.",
    commits=(
        Commit(
            "Test refunds of the settlement client",
            (
                Append(
                    "tests/test_settlement.py",
                    """REFUND = {"id": "r1", "reference": "stl_2026_000042", "amount": 250, "currency": "EUR"}


def test_refunds_are_more_than_zero():
    with pytest.raises(ValueError, match="more than zero"):
        Gateway().client().refund("stl_2026_000042", Money(0, "EUR"))


def test_refundable_is_what_was_not_given_back():
    gateway = Gateway((200, PAYMENT.payload()), (200, {"items": [REFUND, REFUND]}))
    assert gateway.client().refundable("stl_2026_000042") == Money(750, "EUR")
""",
                ),
            ),
        ),
    ),
)
