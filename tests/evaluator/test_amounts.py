"""Money and time as people write them, from fractions of a cent to thousands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.amounts import money

AMOUNTS = [
    (None, "unpriced"), (0.0, "$0.00"), (0.000012, "$0.000012"), (0.00001, "$0.000010"), (0.0063, "$0.0063"),
    (0.01234, "$0.012"), (0.04, "$0.040"), (0.0994, "$0.099"), (0.0996, "$0.10"), (0.1, "$0.10"), (0.314, "$0.31"),
    (0.999, "$1.00"), (31.2, "$31.20"), (999.99, "$999.99"), (999.996, "$1,000"), (1234.5, "$1,234"),
    (12_345.0, "$12,345"),
]  # fmt: skip


@pytest.mark.parametrize(("usd", "said"), AMOUNTS)
def test_money(usd: float | None, said: str) -> None:
    assert money(usd) == said


@given(st.floats(1e-9, 1e6))
def test_what_is_said_is_what_was_spent_to_two_digits(usd: float) -> None:
    said = money(usd)
    assert "e" not in said
    assert abs(float(said[1:].replace(",", "")) - usd) <= 0.05001 * usd
