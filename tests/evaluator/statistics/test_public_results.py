"""Per-task results that are public (public_results.yaml says whose) through our functions, statsmodels and scipy."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from scipy.stats import bootstrap as scipy_bootstrap
from scipy.stats import permutation_test
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.proportion import proportion_confint

from evaluator.statistics.comparison import compare
from evaluator.statistics.exact import mcnemar
from evaluator.statistics.paired import method10, paired_means, tango
from evaluator.statistics.repeats import sign_flip, solved_every
from evaluator.statistics.wilson import mean_over_repeats, rate

PUBLIC = yaml.safe_load((Path(__file__).parent / "public_results.yaml").read_text())
RUNS = {name: {f"{repo}-{n}" for repo, ns in solved.items() for n in ns} for name, solved in PUBLIC["runs"].items()}
# The tasks that nobody solved are not named there; nothing here depends on what they are called.
TASKS = sorted(set().union(*RUNS.values()))
TASKS += [f"unsolved-{n}" for n in range(PUBLIC["tasks"] - len(TASKS))]


def solved(run: str) -> np.ndarray:
    return np.array([task in RUNS[run] for task in TASKS], dtype=float)


def mean(system: str) -> np.ndarray:
    return np.mean([solved(f"{system} {n}") for n in (1, 2, 3)], axis=0)


def drawn(*columns: np.ndarray) -> tuple[float, float]:
    """An independent bootstrap of the mean difference over tasks (or of the mean of one column)."""
    difference = columns[0] - columns[1] if len(columns) == 2 else columns[0]
    ends = scipy_bootstrap((difference,), np.mean, method="BCa", rng=np.random.default_rng(8)).confidence_interval
    return float(ends.low), float(ends.high)


@pytest.mark.parametrize(("run", "resolved"), [
    ("sweagent 1", 28), ("sweagent 2", 33), ("sweagent 3", 28), ("acr 3 (old)", 50), ("acr 1", 54), ("acr 2", 57),
    ("acr 3", 57),
])  # fmt: skip
def test_the_counts_are_those_the_files_state(run: str, resolved: int) -> None:
    assert len(RUNS[run]) == resolved
    assert len(TASKS) == len(set(TASKS)) == 300


@pytest.mark.parametrize("run", RUNS)
def test_rates_agree(run: str) -> None:
    found = rate(len(RUNS[run]), 300)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(proportion_confint(len(RUNS[run]), 300, method="wilson"))
    assert (found.low, found.high) == pytest.approx(drawn(solved(run)), abs=0.015)


PAIRS = [
    ("acr 3 (old)", "sweagent 1"), ("acr 3 (old)", "sweagent 2"), ("acr 3 (old)", "sweagent 3"), ("acr 1", "acr 2"),
    ("sweagent 1", "sweagent 2"),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_pairs_agree(first: str, second: str) -> None:
    x, y = RUNS[first], RUNS[second]
    table = (len(x & y), len(x - y), len(y - x), 300 - len(x | y))
    a, b, c, d = table
    assert mcnemar(b, c) == pytest.approx(statsmodels_mcnemar([[a, b], [c, d]], exact=True).pvalue)
    ours, score, means = method10(*table), tango(*table), paired_means(solved(first), solved(second))
    assert ours is not None
    assert score is not None
    assert means is not None
    assert (ours.low, ours.high) == pytest.approx((means.low, means.high))
    assert (ours.low, ours.high) == pytest.approx((score.low, score.high), abs=0.006)
    assert (ours.low, ours.high) == pytest.approx(drawn(solved(first), solved(second)), abs=0.01)


def test_two_systems_under_one_evaluator() -> None:
    blocks = {(task, 1): {"acr": task in RUNS["acr 3 (old)"], "sweagent": task in RUNS["sweagent 2"]} for task in TASKS}
    (pair,) = compare(["acr", "sweagent"], blocks).pairs
    assert (pair.resolved, pair.split.only_first, pair.split.only_second) == ((50, 33), 24, 7)
    assert pair.winner == "acr"
    assert pair.p == pytest.approx(statsmodels_mcnemar([[26, 24], [7, 243]], exact=True).pvalue)


@pytest.mark.parametrize("system", ["acr", "sweagent"])
def test_means_over_repeats_agree_with_the_bootstrap(system: str) -> None:
    found, once = mean_over_repeats(mean(system)), rate(len(RUNS[f"{system} 1"]), 300)
    assert found is not None
    assert once is not None
    assert (found.low, found.high) == pytest.approx(drawn(mean(system)), abs=0.01)
    assert found.high - found.low < 1.05 * (once.high - once.low)
    counts = [(round(3 * m), 3) for m in mean(system)]
    every = solved_every(counts, 3)
    assert every is not None
    assert every.interval is not None
    assert every.interval.value == len(RUNS[f"{system} 1"] & RUNS[f"{system} 2"] & RUNS[f"{system} 3"]) / 300


def test_a_pair_over_repeats_agrees_with_the_bootstrap_and_scipys_permutations() -> None:
    x, y = mean("acr"), mean("sweagent")
    found = paired_means(x, y)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(drawn(x, y), abs=0.01)
    few = slice(0, 40)  # of few tasks p is not 0, and scipy's signs can be compared with ours
    ours = sign_flip([(round(3 * d), 3) for d in (x - y)[few]])
    theirs = permutation_test(
        ((x - y)[few],), lambda d, axis: np.mean(d, axis=axis), permutation_type="samples", vectorized=True,
        n_resamples=20_000, rng=np.random.default_rng(9),
    ).pvalue  # fmt: skip
    assert ours == pytest.approx(theirs, abs=0.01)
