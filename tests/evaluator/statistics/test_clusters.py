"""Few repositories: Student's interval over their means, and what is left without each."""

import pytest
from scipy.stats import ttest_1samp

from evaluator.statistics.clusters import leave_one_out, new_repository

GROUPS = {"a": [1.0] * 8 + [0.0] * 2, "b": [1.0] * 30 + [0.0] * 20, "c": [1.0, 1.0, 1.0, 0.0], "empty": []}


def test_it_is_students_interval_over_the_means() -> None:
    found, ours = ttest_1samp([0.8, 0.6, 0.75], 0).confidence_interval(0.95), new_repository(GROUPS)
    assert ours is not None
    assert ours.value == pytest.approx((0.8 + 0.6 + 0.75) / 3)
    assert (ours.low, ours.high) == pytest.approx((found.low, found.high))


def test_it_is_cut_to_what_a_rate_can_be() -> None:
    wild = new_repository({"a": [1.0], "b": [0.0]})
    difference = new_repository({"a": [1.0], "b": [-0.9]}, within=(-1, 1))
    assert wild is not None
    assert difference is not None
    assert (wild.low, wild.high) == (0, 1)
    assert (difference.low, difference.high) == (-1, 1)


@pytest.mark.parametrize("groups", [{}, {"a": [1.0, 0.0]}, {"a": [1.0], "b": []}])
def test_of_one_repository_nothing_can_be_said_of_another(groups: dict[str, list[float]]) -> None:
    assert new_repository(groups) is None
    assert leave_one_out(groups) == {}


@pytest.mark.parametrize("rate", [0.0, 0.5, 1.0])
def test_repositories_that_are_all_alike_do_not_make_a_new_one_certain(rate: float) -> None:
    assert new_repository({"a": [rate] * 9, "b": [rate], "c": [rate] * 4}) is None


def test_leaving_each_out_weighs_tasks_not_repositories() -> None:
    assert leave_one_out(GROUPS) == {
        "a": pytest.approx(33 / 54), "b": pytest.approx(11 / 14), "c": pytest.approx(38 / 60),
    }  # fmt: skip
