"""Pins: Newcombe 1998 (Statistics in Medicine 17, 857-872), Table I, and docs/statistics.md; scipy, statsmodels."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest
from statsmodels.stats.proportion import proportion_confint

from evaluator.statistics.interval import Interval, quantile
from evaluator.statistics.wilson import (
    bounds,
    effective,
    mean_bounds,
    mean_over_repeats,
    percent,
    rate,
    wilson,
    wilson_effective,
)  # fmt: skip

PINS = [
    (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718),
    (12, 120, 0.0581, 0.1667), (17, 120, 0.0904, 0.2152), (0, 120, 0, 0.0310), (105, 120, 0.8040, 0.9228),
]  # fmt: skip
SHORT_PINS = [(7, 10, 0.397, 0.892), (2, 2, 0.342, 1), (2, 3, 0.208, 0.939), (0, 3, 0, 0.562)]
Z = quantile(0.95)


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


# Newcombe's method 4 and Clopper-Pearson, which we do not print: the pins say which method ours is, and is not.
OTHER_PINS = [
    ("wilsoncc", 81, 263, 0.2535, 0.3682), ("wilsoncc", 15, 148, 0.0598, 0.1644), ("wilsoncc", 0, 20, 0, 0.2005),
    ("wilsoncc", 1, 29, 0.0018, 0.1963), ("exact", 12, 120, 0.0527, 0.1682),
]  # fmt: skip


@pytest.mark.parametrize(("method", "k", "n", "low", "high"), OTHER_PINS)
def test_other_published_intervals_are_wider(method: str, k: int, n: int, low: float, high: float) -> None:
    other = binomtest(k, n).proportion_ci(method=method)
    assert (other.low, other.high) == pytest.approx((low, high), abs=1e-4)
    ours = wilson(k / n, n, Z)
    assert other.high - other.low > ours[1] - ours[0]


@pytest.mark.parametrize("n", [1, 2, 7, 30, 120, 2000])
def test_the_closed_form_is_scipys_and_statsmodels_for_whole_counts(n: int) -> None:
    for k in range(0, n + 1, max(1, n // 25)):
        scipys = binomtest(k, n).proportion_ci(method="wilson")
        assert wilson(k / n, n, Z) == pytest.approx((scipys.low, scipys.high), abs=1e-12)
        assert wilson(k / n, n, Z) == pytest.approx(proportion_confint(k, n, method="wilson"), abs=1e-9)


@given(st.floats(0, 1), st.floats(0.5, 1e5))
def test_wilson_of_any_fraction_holds_it_and_stays_within_0_and_1(p: float, n: float) -> None:
    low, high = wilson(p, n, Z)
    assert -1e-12 <= low <= p + 1e-12
    assert p - 1e-12 <= high <= 1 + 1e-12


@pytest.mark.parametrize(("p", "n"), [(-0.1, 3), (1.1, 3), (0.5, 0)])
def test_what_is_no_rate_is_refused(p: float, n: float) -> None:
    with pytest.raises(ValueError):
        wilson(p, n, Z)


@pytest.mark.parametrize("confidence", [0, 1, 95])
def test_what_is_no_confidence_is_refused(confidence: float) -> None:
    with pytest.raises(ValueError):
        quantile(confidence)


def test_a_rate_is_printed_with_its_interval_and_none_is_no_evidence() -> None:
    assert percent(rate(12, 120)) == "10.0% [5.8%, 16.7%]"
    assert percent(Interval(0.1, 0.05, 0.2)) == "10.0% [5.0%, 20.0%]"
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


@pytest.mark.parametrize(("k", "n"), [(12, 120), (0, 20), (20, 20), (1, 1)])
def test_at_one_repeat_the_mean_over_repeats_is_the_rate(k: int, n: int) -> None:
    found, once = mean_over_repeats([1.0] * k + [0.0] * (n - k)), rate(k, n)
    assert found is not None
    assert once is not None
    assert (found.value, found.low, found.high) == pytest.approx((once.value, once.low, once.high), abs=1e-9)


# mean, s^2, n -> effective n. Tasks that differ in full: n. Tasks that are half-way and never differ: n. Three repeats
# of tasks that are coins: n_eff is near 3n, as pooling would be right there.
EFFECTIVE = [
    (0.5, 0.25, 120, 120),
    (0.5, 0.0, 120, 120),
    (0.5, 0.25 / 3, 120, 360),
    (0.0, 0.0, 7, 7),
    (0.9, 0.09, 10, 10),
]


@pytest.mark.parametrize(("mean", "s2", "n", "expected"), EFFECTIVE)
def test_effective_number_of_tasks(mean: float, s2: float, n: int, expected: float) -> None:
    assert effective(mean, s2, n) == pytest.approx(expected)
    found = wilson_effective(mean, s2, n)
    assert (found.low, found.high) == pytest.approx(wilson(mean, expected, Z))


@given(st.lists(st.integers(0, 3), min_size=1, max_size=40))
def test_repeats_never_know_less_than_one_nor_more_than_the_runs(counts: list[int]) -> None:
    means = [count / 3 for count in counts]
    found = mean_over_repeats(means)
    assert found is not None
    once = wilson(found.value, len(means), Z)
    assert once[0] - 1e-9 <= found.low <= found.value <= found.high <= once[1] + 1e-9


@given(st.integers(1, 40), st.integers(1, 5))
def test_one_more_failure_never_raises_the_end_that_a_gate_holds(tasks: int, repeats: int) -> None:
    ends = [mean_over_repeats([1.0] * (tasks - 1) + [c / repeats]) for c in range(repeats + 1)]
    lows, highs = [e.low for e in ends if e], [e.high for e in ends if e]
    assert lows == sorted(lows)
    assert max(lows) == lows[-1]
    mirrored = [mean_over_repeats([0.0] * (tasks - 1) + [c / repeats]) for c in range(repeats + 1)]
    assert [e.high for e in mirrored if e] == sorted(e.high for e in mirrored if e)
    assert min(highs) >= wilson(0.0, tasks, Z)[1]


def test_no_task_has_no_mean() -> None:
    assert mean_over_repeats([]) is None
    assert mean_bounds([], 3) is None


def test_bounds_over_repeats_are_those_of_a_rate_at_one() -> None:
    counts = [(1, 1)] * 97 + [(0, 1)] * 22 + [(0, 0)]
    assert mean_bounds(counts, 1) == pytest.approx(bounds(97, 119, 1), abs=1e-9)


def test_bounds_over_repeats_hold_every_way_the_discarded_could_have_gone() -> None:
    counts = [(1, 2), (2, 3), (0, 1), (3, 3), (0, 3)]
    found = mean_bounds(counts, 3)
    assert found is not None
    for ends in itertools.product(*(range(3 - m + 1) for _, m in counts)):
        one = mean_over_repeats([(c + more) / 3 for (c, _), more in zip(counts, ends, strict=True)])
        assert one is not None
        assert found[0] <= one.value <= found[1]
    with pytest.raises(ValueError):
        mean_bounds([(1, 4)], 3)


def coverage(n: int, p: np.ndarray) -> np.ndarray:
    """The exact coverage of Wilson's 95% interval, by every outcome's probability."""
    ends = np.array([wilson(k / n, n, Z) for k in range(n + 1)])
    holds = (ends[:, 0] <= p[:, None]) & (p[:, None] <= ends[:, 1])
    return (binom.pmf(np.arange(n + 1), n, p[:, None]) * holds).sum(axis=1)


# On thousandths as published pages have it; the lowest is between them.
COVERAGE = [(120, 1_000, 0.9345, 0.9655), (120, 10_000, 0.9333, 0.9709), (30, 10_000, 0.9208, 0.9802)]


@pytest.mark.parametrize(("n", "parts", "least", "most"), COVERAGE)
def test_coverage_is_as_the_page_says(n: int, parts: int, least: float, most: float) -> None:
    found = coverage(n, np.arange(parts // 20, parts - parts // 20 + 1) / parts)
    assert (found.min(), found.max()) == pytest.approx((least, most), abs=5e-5)


def test_a_gate_on_the_point_lets_a_coin_pass_and_one_on_the_lower_bound_does_not() -> None:
    # Ten tasks, truth 50%, gate 70%.
    assert binom.sf(6, 10, 0.5) == pytest.approx(0.17, abs=0.005)
    passing = [k for k in range(11) if wilson(k / 10, 10, Z)[0] >= 0.7]
    assert sum(binom.pmf(passing, 10, 0.5)) < 0.001
