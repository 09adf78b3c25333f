"""Money and time."""

import pytest

from evaluator.running.budget import Budget, seconds
from miner.errors import ToolError


@pytest.mark.parametrize(
    ("text", "wanted"),
    [("600", 600), ("45s", 45), ("90m", 5400), ("2h", 7200), ("1h30m", 5400), ("1.5h", 5400), ("1d", 86_400)],
)
def test_lengths_of_time(text: str, wanted: float) -> None:
    assert seconds(text) == wanted


@pytest.mark.parametrize("text", ["", "m", "2 h", "-5m", "0", "1w", "5m!", "m5"])
def test_what_is_no_length_of_time_is_refused(text: str) -> None:
    with pytest.raises(ToolError, match="no length of time"):
        seconds(text)


MONEY = {
    "no limit": (None, [9, 9], 5, True),
    "nothing known yet": (1.0, [], 0, True),
    "nothing known yet, and one in flight": (1.0, [], 1, False),
    "room for one": (10.0, [2, 2], 1, True),
    "exactly room for one": (6.0, [2, 2], 0, True),
    "those in flight take it up": (10.0, [2, 2], 3, False),
    "spent": (4.0, [2, 2], 0, False),
    "nothing may be spent": (0.0, [], 0, False),
    "no price is no cost": (1.0, [None, None], 0, True),
}


@pytest.mark.parametrize(("limit", "paid", "in_flight", "wanted"), MONEY.values(), ids=MONEY)
def test_a_call_is_allowed_where_it_and_those_in_flight_fit_at_the_mean(
    limit: float | None, paid: list[float | None], in_flight: int, wanted: bool
) -> None:
    budget = Budget(limit)
    for usd in paid:
        budget.pay(usd)
    assert budget.allows(in_flight) is wanted


def test_no_call_is_allowed_after_the_time() -> None:
    now = [100.0]
    budget = Budget(seconds=60, clock=lambda: now[0])
    now[0] = 159.9
    assert budget.allows(0)
    now[0] = 160.0
    assert not budget.allows(0)
    assert budget.is_late
