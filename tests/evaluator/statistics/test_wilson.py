"""Pins: Newcombe 1998, Table I, and docs/statistics.md."""

import pytest

from evaluator.statistics.wilson import bounds, percent, rate

PINS = [
    (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718),
    (12, 120, 0.0581, 0.1667), (17, 120, 0.0904, 0.2152), (0, 120, 0, 0.0310), (105, 120, 0.8040, 0.9228),
]  # fmt: skip
SHORT_PINS = [(7, 10, 0.397, 0.892), (2, 2, 0.342, 1), (2, 3, 0.208, 0.939), (0, 3, 0, 0.562)]


@pytest.mark.parametrize(("k", "n", "low", "high"), PINS)
def test_wilson_interval_is_the_published_one(k: int, n: int, low: float, high: float) -> None:
    found = rate(k, n)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(("k", "n", "low", "high"), SHORT_PINS)
def test_wilson_interval_of_few_trials(k: int, n: int, low: float, high: float) -> None:
    found = rate(k, n)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-3)


def test_a_rate_is_printed_with_its_interval_and_none_is_no_evidence() -> None:
    assert percent(rate(12, 120)) == "10.0% [5.8%, 16.7%]"
    assert percent(rate(0, 0)) == "no evidence"


@pytest.mark.parametrize(("k", "n"), [(-1, 3), (4, 3)])
def test_an_impossible_count_is_refused(k: int, n: int) -> None:
    with pytest.raises(ValueError):
        rate(k, n)


def test_bounds_span_all_discarded_failing_and_all_resolved() -> None:
    found = bounds(97, 119, 1)
    assert found is not None
    worst, best = rate(97, 120), rate(98, 120)
    assert worst is not None
    assert best is not None
    assert found == (worst.low, best.high)
    assert bounds(0, 0, 0) is None
