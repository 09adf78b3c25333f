"""The bootstrap against scipy's, against formulas, and its strata."""

import numpy as np
import pytest
from scipy.stats import bootstrap as scipy_bootstrap

from evaluator.statistics.bootstrap import ratio_of_sums

DRAW = np.random.default_rng(6)
TRIED = DRAW.integers(1, 4, 90).astype(float)
APPLIED = DRAW.binomial(TRIED.astype(int), 0.8).astype(float)
ONE = ["x"] * 90


def test_scipys_bootstrap_agrees() -> None:
    ours = ratio_of_sums(APPLIED, TRIED, ONE, seed=1, draws=8_000)
    theirs = scipy_bootstrap(
        (APPLIED, TRIED), lambda a, t, axis: a.sum(axis) / t.sum(axis), paired=True, method="percentile",
        vectorized=True, n_resamples=8_000, rng=np.random.default_rng(7),
    ).confidence_interval  # fmt: skip
    assert ours is not None
    assert ours.value == APPLIED.sum() / TRIED.sum()
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.006)


def test_equal_seeds_give_equal_intervals_whatever_fits_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    first = ratio_of_sums(APPLIED, TRIED, ONE, seed=2, draws=50)
    assert first == ratio_of_sums(APPLIED, TRIED, ONE, seed=2, draws=50)
    assert first != ratio_of_sums(APPLIED, TRIED, ONE, seed=3, draws=50)
    monkeypatch.setattr("evaluator.statistics.bootstrap._AT_ONCE", 300)
    parts = ratio_of_sums(APPLIED, TRIED, ONE, seed=2, draws=50)
    assert first is not None
    assert parts is not None
    assert (parts.low, parts.high) == pytest.approx((first.low, first.high)), "one cell: drawn in the same order"


def test_cells_are_resampled_within() -> None:
    # Every cell is of one outcome, so the mix never varies; across cells it would.
    values, ones = [1.0] * 30 + [0.0] * 60, [1.0] * 90
    within = ratio_of_sums(values, ones, ["a"] * 30 + ["b"] * 60)
    across = ratio_of_sums(values, ones, ONE)
    assert within is not None
    assert across is not None
    assert (within.low, within.high) == pytest.approx((1 / 3, 1 / 3))
    assert across.high - across.low > 0.15


@pytest.mark.parametrize("cells", [list(range(20)), [0, *[1] * 19], [0, 1, *[2] * 18]], ids=["all", "one", "two"])
def test_fixtures_that_are_alone_in_their_cell_vary_too(cells: list[int]) -> None:
    values = [1.0, 0.0] * 10
    found = ratio_of_sums(values, [1.0] * 20, cells)
    whole = ratio_of_sums(values, [1.0] * 20, ["x"] * 20)
    assert found is not None
    assert whole is not None
    assert found.high - found.low == pytest.approx(whole.high - whole.low, abs=0.11)


def test_small_cells_vary_as_much_as_the_formula_says() -> None:
    # 60 cells of one 0 and one 1: the variance of the mean is sum of 1/4 s^2 / 2 over 60^2, s^2 = 1/2; half of it where
    # as many are drawn as there are.
    found = ratio_of_sums([1.0, 0.0] * 60, [1.0] * 120, [n // 2 for n in range(120)], draws=8_000)
    assert found is not None
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * (60 * 0.25) ** 0.5 / 60, abs=0.01)


def test_a_single_fixture_has_no_width() -> None:
    found = ratio_of_sums([1.0], [2.0], ["x"])
    assert found is not None
    assert (found.low, found.high) == (0.5, 0.5)


def test_attempts_of_a_fixture_are_drawn_together() -> None:
    # 20 fixtures of 10 attempts that all end alike are 20 observations, not 200.
    values, tries = [10.0] * 10 + [0.0] * 10, [10.0] * 20
    found = ratio_of_sums(values, tries, ["x"] * 20)
    assert found is not None
    assert found.high - found.low > 0.35


def test_nothing_is_no_evidence_and_unequal_rows_are_refused() -> None:
    assert ratio_of_sums([0.0], [0.0], ["x"]) is None
    assert ratio_of_sums([], [], []) is None
    with pytest.raises(ValueError):
        ratio_of_sums([1.0], [1.0, 2.0], ["x"])
