"""The E-value: pins of docs/statistics.md, and that it is a martingale under a fair coin."""

import math

import pytest

from evaluator.statistics.sequential import STOP_AT, e_value

PINS = [(8, 0, 28.44), (0, 8, 28.44), (7, 0, 16.0), (0, 0, 1.0), (1, 0, 1.0), (1, 1, 2 / 3), (17, 0, 2**17 / 18)]


@pytest.mark.parametrize(("b", "c", "e"), PINS)
def test_values(b: int, c: int, e: float) -> None:
    assert e_value(b, c) == pytest.approx(e, rel=2e-4)


@pytest.mark.parametrize("b", range(0, 40, 3))
def test_a_fair_disagreement_leaves_it_as_it_is_on_average(b: int) -> None:
    for c in range(0, 40, 7):
        assert (e_value(b + 1, c) + e_value(b, c + 1)) / 2 == pytest.approx(e_value(b, c), rel=1e-9)


def test_eight_to_nothing_is_the_first_that_may_stop() -> None:
    assert e_value(7, 0) < STOP_AT <= e_value(8, 0)


def test_large_counts() -> None:
    assert e_value(5_000, 0) == math.inf
    assert 0 < e_value(50_000, 50_000) < 0.01


def test_an_impossible_count_is_refused() -> None:
    with pytest.raises(ValueError):
        e_value(-1, 3)


def test_under_a_fair_coin_it_reaches_twenty_less_than_once_in_twenty() -> None:
    """By enumeration: the probability that a fair walk of 150 disagreements was ever at 20 or more."""
    alive, stopped = {0: 1.0}, 0.0
    for n in range(1, 151):
        walked: dict[int, float] = {}
        for b, p in alive.items():
            for more in (b, b + 1):
                walked[more] = walked.get(more, 0.0) + p / 2
        stopped += sum(p for b, p in walked.items() if e_value(b, n - b) >= STOP_AT)
        alive = {b: p for b, p in walked.items() if e_value(b, n - b) < STOP_AT}
    assert 0.01 < stopped <= 0.05
