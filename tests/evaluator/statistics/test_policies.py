"""Policies are scored on tasks that did not choose them."""

import random
from dataclasses import replace

import pytest

from evaluator.statistics.paired import paired_means
from evaluator.statistics.policies import (
    FOLDS,
    chain_costs,
    cross_fitted,
    fallback_chains,
    set_aside,
    size_rules,
    stands_out,
)


def test_a_rule_that_is_right_is_found_and_scored() -> None:
    sizes = [0.2, 3.0] * 50
    formats = {"whole": [1.0, 0.0] * 50, "diff": [0.0, 1.0] * 50}
    rules = size_rules(sizes, formats, [0.6, 1.5])
    assert set(rules) == {
        f"{a} below {t} of the cap, else {b}" for a, b in [("whole", "diff"), ("diff", "whole")] for t in (0.6, 1.5)
    }
    found = cross_fitted(rules, formats, "digest")
    assert found is not None
    assert found.policies == ("whole below 0.6 of the cap, else diff",) * FOLDS
    assert (found.policy_rate, found.difference.value) == (1, pytest.approx(1 - found.format_rate))
    assert found.difference.low > 0.3


def test_what_stands_out_is_chosen_by_all_folds_and_ahead_of_every_format_by_more_than_its_interval() -> None:
    policy = {"p": [1.0] * 60 + [0.0] * 20}
    cases = {"far behind": ([1.0] * 10 + [0.0] * 70, True), "close behind": ([1.0] * 55 + [0.0] * 25, False)}
    for case, (scores, wanted) in cases.items():
        found = cross_fitted(policy, {"f": scores}, "x")
        assert found is not None
        assert stands_out(found, {"f": scores}) is wanted, case
        assert not stands_out(found, {"f": scores, "g": [1.0] * 58 + [0.0] * 22}), "not of every format"
    both = cross_fitted(policy | {"q": [0.0, 1.0] * 40}, {"f": [0.0] * 80}, "x")
    assert both is not None
    assert stands_out(both, {"f": [0.0] * 80})
    assert not stands_out(replace(both, policies=("p", "q", "p", "p", "p")), {"f": [0.0] * 80})


def test_chance_is_not_flattered() -> None:
    # 60 rules that are coins: the best is well above a half where it is chosen, and a half where it is scored.
    flattered = honest = 0.0
    for seed in range(40):
        draw = random.Random(seed)
        rules = {f"rule {n}": [float(draw.random() < 0.5) for _ in range(60)] for n in range(60)}
        found = cross_fitted(rules, {"coin": [float(draw.random() < 0.5) for _ in range(60)]}, f"digest {seed}")
        assert found is not None
        flattered += max(sum(scores) / 60 for scores in rules.values()) / 40
        honest += found.policy_rate / 40
    assert flattered > 0.62
    assert abs(honest - 0.5) < 0.03


def test_the_interval_is_that_of_the_held_out_scores_widened() -> None:
    policies, formats = {"p": [1.0] * 30 + [0.0] * 20}, {"f": [1.0] * 20 + [0.0] * 30}
    found, plain = cross_fitted(policies, formats, "x"), paired_means(policies["p"], formats["f"])
    assert found is not None
    assert plain is not None
    assert found.difference.value == plain.value
    assert found.difference.high - found.difference.low == pytest.approx(1.2 * (plain.high - plain.low))


def test_the_digest_decides_the_folds() -> None:
    draw = random.Random(1)
    rules = {f"rule {n}": [float(draw.random() < 0.5) for _ in range(40)] for n in range(20)}
    formats = {"f": [1.0, 0.0] * 20}
    assert cross_fitted(rules, formats, "a") == cross_fitted(rules, formats, "a")
    assert len({cross_fitted(rules, formats, digest) for digest in "abcdef"}) > 1


def test_a_chain_falls_back_only_where_failure_was_seen() -> None:
    resolved = {"a": [[True, False], [False, False]], "b": [[False, True], [True, True]]}
    seen = {"a": [[False, True], [False, True]], "b": [[True, False], [False, False]]}
    # Task 1: a, then b's. Task 2: a's first failure was silent, so it stands.
    assert fallback_chains(seen, resolved) == {"a, then b": [1.0, 0.5], "b, then a": [1.0, 1.0]}


def test_what_is_but_a_single_format_is_no_policy() -> None:
    formats = {"a": [1.0, 0.0], "b": [0.0, 1.0]}
    found = list(size_rules([0.2, 0.8], formats, [0.1, 0.2, 0.8, 0.9]))
    assert found == ["a below 0.8 of the cap, else b", "b below 0.8 of the cap, else a"]
    resolved = {"a": [[True]], "b": [[False]]}
    assert list(fallback_chains({"a": [[False]], "b": [[True]]}, resolved)) == ["b, then a"]


def test_a_chain_costs_what_both_formats_did_where_it_falls_back() -> None:
    costs = {"a": [[1.0, 2.0], [3.0, 4.0]], "b": [[10.0, 20.0], [30.0, 40.0]]}
    seen = {"a": [[False, True], [False, True]], "b": [[True, False], [False, False]]}
    assert chain_costs(seen, costs) == {"a, then b": [11.5, 23.5], "b, then a": [15.5, 35.0]}


def test_every_task_is_set_aside_once_and_takes_what_was_chosen_without_it() -> None:
    formats = {"f": [1.0, 0.0] * 12, "g": [0.0, 1.0] * 12}
    found = cross_fitted(formats, formats, "x")
    assert found is not None
    assert sorted(found.folds) == sorted(n % FOLDS for n in range(24))
    costs = {"f": [float(n) for n in range(24)], "g": [100.0 + n for n in range(24)]}
    wanted = [n + 100 * (found.formats[found.folds[n]] == "g") for n in range(24)]
    assert set_aside(costs, found.formats, found.folds) == wanted


@pytest.mark.parametrize(
    ("policies", "formats"), [({}, {"f": [1.0] * 9}), ({"p": [1.0] * 9}, {}), ({"p": [1.0] * 4}, {"f": [1.0] * 4})]
)
def test_nothing_to_choose_or_too_few_tasks_is_none(
    policies: dict[str, list[float]], formats: dict[str, list[float]]
) -> None:
    assert cross_fitted(policies, formats, "x") is None


def test_other_tasks_are_refused() -> None:
    with pytest.raises(ValueError, match="same tasks"):
        cross_fitted({"p": [1.0] * 9}, {"f": [1.0] * 8}, "x")
