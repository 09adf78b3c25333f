"""Power of the exact paired test: pins of docs/statistics.md, brute force, and the article's arithmetic."""

import itertools
from math import comb

import numpy as np
import pytest
from scipy.stats import binom

from evaluator.statistics.exact import mcnemar
from evaluator.statistics.power import (
    MOST_TASKS,
    connor,
    power,
    smallest_difference,
    tasks_for_equivalence,
    tasks_needed,
)
from evaluator.statistics.wilson import percent, rate


def by_tables(n: int, psi: float, d: float, alpha: float = 0.05) -> float:
    """Every table of b, c and the rest, weighed by its multinomial probability."""
    p, q = (psi + d) / 2, (psi - d) / 2
    return sum(
        comb(n, b) * comb(n - b, c) * p**b * q**c * (1 - psi) ** (n - b - c)
        for b in range(n + 1) for c in range(n + 1 - b) if mcnemar(b, c) <= alpha
    )  # fmt: skip


@pytest.mark.parametrize(("n", "psi", "d"), [(12, 0.5, 0.3), (20, 0.9, 0.4), (15, 1.0, 0.6), (9, 0.7, 0.7), (5, 1, 1)])
def test_it_is_that_of_every_table(n: int, psi: float, d: float) -> None:
    assert power(n, psi, d) == pytest.approx(by_tables(n, psi, d), abs=1e-10)
    assert power(n, psi, d, pairs=3) == pytest.approx(by_tables(n, psi, d, 0.05 / 3), abs=1e-10)


# Connor's n, and what it really gives (docs/statistics.md, recomputed there).
@pytest.mark.parametrize(("psi", "n", "exact"), [(0.10, 870, 0.776), (0.15, 1_306, 0.783), (0.20, 1_742, 0.787)])
def test_connors_number_falls_short(psi: float, n: int, exact: float) -> None:
    assert round(connor(0.03, psi)) == n
    assert power(n, psi, 0.03) == pytest.approx(exact, abs=5e-4)


def test_connors_worked_example() -> None:
    assert connor(0.4, 0.5) == pytest.approx(22.01, abs=0.005)


@pytest.mark.parametrize(("psi", "n"), [(0.10, 920), (0.15, 1_362), (0.20, 1_800)])
def test_tasks_for_three_points(psi: float, n: int) -> None:
    assert tasks_needed(0.03, psi) == n
    assert power(n - 1, psi, 0.03) < 0.8 <= power(n, psi, 0.03)


@pytest.mark.parametrize(("psi", "points"), [(0.10, 8.1), (0.15, 10.1), (0.20, 11.8), (0.30, 14.4)])
def test_what_120_tasks_show(psi: float, points: float) -> None:
    found = smallest_difference(120, psi)
    assert found is not None
    assert round(found * 100, 1) == points
    assert power(120, psi, found) == pytest.approx(0.8, abs=1e-4)


def test_tasks_for_equivalence_within_three_points() -> None:
    assert tasks_for_equivalence(0.03, 0.10) == 952


TEETH = [(0.5, 1.0, 1), (0.3, 1.0, 1), (0.4, 0.98, 1), (0.3, 0.9, 3), (0.1, 0.1, 1), (0.2, 0.3, 3), (1.0, 1.0, 1)]


@pytest.mark.parametrize(("d", "psi", "pairs"), TEETH)
def test_no_greater_number_falls_short(d: float, psi: float, pairs: int) -> None:
    found = tasks_needed(d, psi, pairs=pairs)
    assert found is not None
    enough = [power(n, psi, d, pairs) >= 0.8 for n in range(1, 3 * found + 60)]
    assert found == 1 + max((n for n, reached in enumerate(enough, 1) if not reached), default=0)


def test_where_every_task_disagrees_one_more_can_cost_power() -> None:
    powers = [power(n, 1.0, 0.5) for n in range(10, 60)]
    assert any(after < before for before, after in itertools.pairwise(powers))


@pytest.mark.parametrize("pairs", [1, 3, 15])
def test_more_pairs_need_more_tasks(pairs: int) -> None:
    one, several = tasks_needed(0.1, 0.2), tasks_needed(0.1, 0.2, pairs=pairs)
    assert one is not None
    assert several is not None
    assert (several > one) is (pairs > 1)
    least = smallest_difference(120, 0.2), smallest_difference(120, 0.2, pairs=pairs)
    assert (least[1] or 0) >= (least[0] or 1)


def test_what_no_number_or_no_difference_can_show() -> None:
    assert smallest_difference(5, 0.05) is None, "five disagreements are never significant"
    assert smallest_difference(0, 0.1) is None
    assert tasks_needed(0.0005, 0.3) is None
    assert (tasks_needed(0.01, 0.3) or MOST_TASKS) in range(20_000, 25_000)
    assert power(0, 0.1, 0.05) == 0


@pytest.mark.parametrize(("psi", "d"), [(0.1, 0.2), (0.0, 0.0), (1.1, 0.1), (0.2, -0.1)])
def test_an_impossible_difference_is_refused(psi: float, d: float) -> None:
    for ask in (lambda: power(10, psi, d), lambda: tasks_needed(d, psi)):
        with pytest.raises(ValueError):
            ask()


@pytest.mark.parametrize("wanted", [0.05, 1.0, 0.0])
def test_an_impossible_power_is_refused(wanted: float) -> None:
    with pytest.raises(ValueError):
        tasks_needed(0.1, 0.2, power=wanted)
    with pytest.raises(ValueError):
        smallest_difference(100, 0.2, power=wanted)


# The article's arithmetic (docs/statistics.md, "The source's arithmetic").


def test_120_tasks_at_ten_percent() -> None:
    assert percent(rate(12, 120)) == "10.0% [5.8%, 16.7%]"


def test_three_points_at_120_are_not_distinguishable_at_any_discordance() -> None:
    assert min(mcnemar(c + 4, c) for c in range(59)) == pytest.approx(0.125)
    assert max(power(120, psi, 0.03) for psi in np.arange(0.03, 1.0, 0.01)) < 0.16


def test_fourteen_percent_against_none_are() -> None:
    assert mcnemar(17, 0) == pytest.approx(1.5e-5, rel=0.02)
    assert power(120, 0.14, 0.14) > 0.99


def test_the_nearest_truths_could_hardly_come_out_the_other_way_round() -> None:
    """Had the truth been the nearest ends of 17/120 and 0/120: how often 120 tasks each show it the other way round."""
    assert [percent(rate(k, 120)) for k in (17, 0)] == ["14.2% [9.0%, 21.5%]", "0.0% [0.0%, 3.1%]"]
    k = np.arange(121)
    worse, better = binom.pmf(k, 120, 0.090), binom.pmf(k, 120, 0.031)
    tie = float(np.dot(worse, better))
    strict = float(np.dot(worse, 1 - np.cumsum(better)))
    assert (strict + tie, strict) == (pytest.approx(0.033, abs=5e-4), pytest.approx(0.0167, abs=1e-4))


def test_a_point_of_a_year_of_edits() -> None:
    assert 400 * 12 * 0.01 == 48
