"""Cost per resolved task: by hand, and as a bootstrap of its own sees it."""

import numpy as np
import pytest

from evaluator.statistics.bootstrap import ratio_of_sums
from evaluator.statistics.ratio import Ratio, cost_per_resolved


def test_by_hand() -> None:
    # C 1 2 3 4, R 1 1 0 1: rho = 10 / 3; d = C - rho R = -7/3 -4/3 3 2/3; sum d^2 = (49 + 16 + 81 + 4) / 9 = 150 / 9.
    found = cost_per_resolved([1, 2, 3, 4], [1, 1, 0, 1])
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    rho = 10 / 3
    se = (150 / 9 / 12) ** 0.5 / 0.75
    assert found.value == pytest.approx(rho)
    assert np.log(found.high / rho) == pytest.approx(1.959964 * se / rho)
    assert found.low * found.high == pytest.approx(rho**2)


def test_where_every_task_costs_the_same_only_the_rate_wavers() -> None:
    found = cost_per_resolved([0.05] * 120, [1.0] * 60 + [0.0] * 60)
    assert found is not None
    assert found.value == pytest.approx(0.10)
    assert found.low == pytest.approx(0.1 / np.exp(1.959964 * (0.25 / 119) ** 0.5 / 0.5))


def test_it_agrees_with_the_bootstrap() -> None:
    draw = np.random.default_rng(5)
    costs, resolved = draw.lognormal(-3, 0.6, 200), (draw.random(200) < 0.7).astype(float)
    ours, drawn = cost_per_resolved(costs, resolved), ratio_of_sums(costs, resolved, ["x"] * 200, seed=5)
    assert ours is not None
    assert drawn is not None
    assert ours.value == pytest.approx(drawn.value)
    assert (ours.low, ours.high) == pytest.approx((drawn.low, drawn.high), rel=0.05)


EDGES = {
    "no resolved task": ([1.0, 2.0], [0.0, 0.0], None),
    "no task": ([], [], None),
    "a single task": ([3.0], [1.0], Ratio(3.0, None, None)),
    "free": ([0.0, 0.0], [1.0, 0.0], Ratio(0.0, 0.0, 0.0)),
}


@pytest.mark.parametrize(("costs", "resolved", "expected"), EDGES.values(), ids=EDGES.keys())
def test_edges(costs: list[float], resolved: list[float], expected: Ratio | None) -> None:
    assert cost_per_resolved(costs, resolved) == expected


@pytest.mark.parametrize(("costs", "resolved"), [([1.0], [1.0, 0.0]), ([-1.0], [1.0]), ([1.0], [2.0])])
def test_impossible_costs_are_refused(costs: list[float], resolved: list[float]) -> None:
    with pytest.raises(ValueError):
        cost_per_resolved(costs, resolved)
