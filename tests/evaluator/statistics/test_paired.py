"""Pins: Newcombe 1998 (Statistics in Medicine 17, 2635-2650), Tables II and III; Tango 1998; docs/statistics.md."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multinomial

from evaluator.statistics.paired import equivalent, equivalent_means, method10, paired_means, tango

Table = tuple[int, int, int, int]

METHOD10 = [
    ((36, 12, 2, 0), 0.0569, 0.3404), ((20, 12, 2, 16), 0.0562, 0.3292), ((35, 14, 0, 1), 0.1461, 0.4175),
    ((18, 14, 0, 18), 0.1441, 0.3963), ((0, 30, 0, 0), 0.8395, 1), ((53, 0, 0, 1), -0.0729, 0.0729),
    ((27, 0, 0, 27), -0.0351, 0.0351), ((1, 97, 1, 1), 0.8737, 0.9850), ((59, 6, 16, 80), -0.1186, -0.0046),
    ((103, 17, 0, 0), 0.0817, 0.2152),
]  # fmt: skip
TABLES = [table for table, _, _ in METHOD10]


@pytest.mark.parametrize(("table", "low", "high"), METHOD10)
def test_method_10_is_the_published_one(table: Table, low: float, high: float) -> None:
    found = method10(*table)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-4)


@pytest.mark.parametrize(("table", "low", "high", "digits"), [
    ((59, 6, 16, 80), -0.1240, -0.0054, 1e-4), ((1, 1, 7, 12), -0.517, -0.026, 1e-3),
])  # fmt: skip
def test_tango_is_the_published_one(table: Table, low: float, high: float, digits: float) -> None:
    found = tango(*table)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=digits)


def quadratic(a: int, b: int, c: int, d: int, delta: float) -> float:
    """Tango's z of a hypothetical difference, with q found by maximising the likelihood rather than by his formula."""
    n = a + b + c + d
    q = np.linspace(
        max(0, -delta) + 1e-9, (1 - delta) / 2 - 1e-9, 200_001
    )  # P(only the second); the first's is q + delta
    likelihood = b * np.log(q + delta) + c * np.log(q) + (a + d) * np.log1p(-2 * q - delta)
    best = q[np.argmax(likelihood)]
    return float((b - c - n * delta) / np.sqrt(n * (2 * best + delta * (1 - delta))))


@pytest.mark.parametrize("table", [(59, 6, 16, 80), (1, 1, 7, 12), (20, 12, 2, 16), (60, 20, 11, 29)])
def test_tangos_ends_are_where_the_score_is_z(table: Table) -> None:
    found = tango(*table)
    assert found is not None
    assert quadratic(*table, found.low) == pytest.approx(1.96, abs=5e-3)
    assert quadratic(*table, found.high) == pytest.approx(-1.96, abs=5e-3)


@pytest.mark.parametrize("table", [(30, 9, 4, 77), (59, 6, 16, 80), (70, 20, 10, 20), (20, 12, 2, 16)])
def test_tango_agrees_with_method_10(table: Table) -> None:
    ours, score = method10(*table), tango(*table)
    assert ours is not None
    assert score is not None
    assert (ours.low, ours.high) == pytest.approx((score.low, score.high), abs=0.02)


SMALL = [t for t in itertools.product(range(5), repeat=4) if sum(t)]


def test_swapping_the_formats_turns_the_interval_round() -> None:
    for a, b, c, d in SMALL:
        for interval in (method10, tango):
            one, other = interval(a, b, c, d), interval(a, c, b, d)
            assert one is not None
            assert other is not None
            assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-6), (a, b, c, d)
            assert -1 <= one.low <= one.value <= one.high <= 1


def cells(table: Table) -> tuple[list[float], list[float]]:
    a, b, c, d = table
    return [1.0] * (a + b) + [0.0] * (c + d), [1.0] * a + [0.0] * b + [1.0] * c + [0.0] * d


@pytest.mark.parametrize("table", [*TABLES, *random.Random(1).sample(SMALL, 60)])
def test_at_one_repeat_the_interval_of_means_is_method_10(table: Table) -> None:
    ours, means = method10(*table), paired_means(*cells(table))
    assert ours is not None
    assert means is not None
    assert (means.value, means.low, means.high) == pytest.approx((ours.value, ours.low, ours.high), abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30))
def test_an_interval_of_means_holds_its_value_and_turns_round(tasks: list[tuple[int, int]]) -> None:
    x, y = [a / 3 for a, _ in tasks], [b / 3 for _, b in tasks]
    one, other = paired_means(x, y), paired_means(y, x)
    assert one is not None
    assert other is not None
    assert -1 <= one.low <= one.value <= one.high <= 1
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low), abs=1e-9)


def test_repeats_narrow_the_interval() -> None:
    draw = random.Random(2)
    x, y = ([[draw.random() < p for _ in range(5)] for _ in range(100)] for p in (0.7, 0.5))
    once = paired_means([float(row[0]) for row in x], [float(row[0]) for row in y])
    five = paired_means([sum(row) / 5 for row in x], [sum(row) / 5 for row in y])
    assert once is not None
    assert five is not None
    assert five.high - five.low < (once.high - once.low) / 1.8, "independent tasks: 1 / sqrt(5) in the limit"


EQUIVALENT = [
    ((900, 10, 10, 80), 0.02, True), ((900, 10, 10, 80), 0.005, False), ((5, 0, 0, 5), 0.03, False),
    ((103, 17, 0, 0), 0.1, False), ((450, 0, 0, 550), 0.01, True), ((0, 0, 0, 0), 0.5, False),
]  # fmt: skip


@pytest.mark.parametrize(("table", "margin", "expected"), EQUIVALENT)
def test_equivalence_needs_the_90_interval_inside_the_margin(table: Table, margin: float, expected: bool) -> None:
    assert equivalent(*table, margin) is expected
    assert equivalent_means(*cells(table), margin) is expected


def test_not_distinguishable_is_not_equivalent() -> None:
    found = method10(100, 8, 8, 4)
    assert found is not None
    assert found.low < 0 < found.high
    assert not equivalent(100, 8, 8, 4, 0.03)


def test_an_interval_at_90_is_inside_the_one_at_95() -> None:
    wide, narrow = method10(60, 20, 11, 29), method10(60, 20, 11, 29, 0.9)
    assert wide is not None
    assert narrow is not None
    assert wide.low < narrow.low < narrow.high < wide.high


@pytest.mark.parametrize("margin", [0, -0.1, 1, 3])
def test_what_is_no_margin_is_refused(margin: float) -> None:
    with pytest.raises(ValueError):
        equivalent(5, 1, 1, 5, margin)


def test_no_task_has_no_difference_and_impossible_tables_are_refused() -> None:
    assert (method10(0, 0, 0, 0), tango(0, 0, 0, 0), paired_means([], [])) == (None, None, None)
    with pytest.raises(ValueError):
        method10(3, -1, 0, 0)
    with pytest.raises(ValueError):
        paired_means([1.0], [])


def coverage(n: int, p1: float, p2: float, phi: float) -> float:
    """The exact coverage of method 10, by the probability of every table."""
    both = p1 * p2 + phi * np.sqrt(p1 * (1 - p1) * p2 * (1 - p2))
    held = 0.0
    for a, b, c in itertools.product(range(n + 1), repeat=3):
        if a + b + c <= n:
            table = (a, b, c, n - a - b - c)
            found = method10(*table)
            if found is not None and found.low <= p1 - p2 <= found.high:
                held += float(multinomial.pmf(table, n, [both, p1 - both, p2 - both, 1 - p1 - p2 + both]))
    return held


@pytest.mark.parametrize(("p1", "p2", "phi"), [(0.9, 0.8, 0.5), (0.8, 0.8, 0.0)])
def test_few_tasks_are_covered_too(p1: float, p2: float, phi: float) -> None:
    assert coverage(12, p1, p2, phi) >= 0.943
