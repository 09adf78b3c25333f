"""Pins: docs/statistics.md (McNemar, Holm, A/A); scipy and statsmodels say the same."""

import itertools

import pytest
from scipy.stats import binom, binomtest
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar
from statsmodels.stats.multitest import multipletests

from evaluator.statistics.exact import ALPHA, holm, mcnemar, mid_p, most_winners, size

# b, c, exact p, mid-p. (6, 16) and (1, 7): the worked examples of Fagerland, Lydersen and Laake 2013, as pinned there.
PINS = [(6, 16, 0.052479, 0.034690), (1, 7, 0.0703, 0.0391)]


@pytest.mark.parametrize(("b", "c", "exact", "mid"), PINS)
def test_published_values(b: int, c: int, exact: float, mid: float) -> None:
    digits = 1e-6 if (b, c) == (6, 16) else 1e-4
    assert (mcnemar(b, c), mid_p(b, c)) == (pytest.approx(exact, abs=digits), pytest.approx(mid, abs=digits))
    assert (mcnemar(c, b), mid_p(c, b)) == (mcnemar(b, c), mid_p(b, c)), "neither format comes first"


@pytest.mark.parametrize(("b", "p"), [(17, 1.53e-5), (6, 0.03125), (4, 0.125), (5, 0.0625), (0, 1)])
def test_splits_to_nothing(b: int, p: float) -> None:
    assert mcnemar(b, 0) == pytest.approx(p, rel=3e-3)


def first_significant(pairs: int) -> int:
    """The least b at which b-0 is significant though the other pairs never disagree."""
    return next(b for b in itertools.count() if holm([mcnemar(b, 0)] + [1.0] * (pairs - 1))[0] <= ALPHA)


@pytest.mark.parametrize(("pairs", "b"), [(1, 6), (3, 7), (15, 10)])
def test_the_first_significant_split(pairs: int, b: int) -> None:
    assert first_significant(pairs) == b


def test_a_net_difference_of_three_points_at_120_is_never_distinguishable() -> None:
    assert min(mcnemar(c + 4, c) for c in range(59)) >= 0.125


@pytest.mark.parametrize("b", range(13))
def test_scipy_and_statsmodels_agree(b: int) -> None:
    for c in range(13):
        table = [[3, b], [c, 5]]
        assert mcnemar(b, c) == pytest.approx(statsmodels_mcnemar(table, exact=True).pvalue, abs=1e-12) or b + c == 0
        if b + c:
            assert mcnemar(b, c) == pytest.approx(binomtest(b, b + c, 0.5).pvalue, abs=1e-12)
            assert mid_p(b, c) == pytest.approx(mid_p_by_definition(b, c), abs=1e-12)


def mid_p_by_definition(b: int, c: int) -> float:
    """Twice the smaller tail, with half the weight of what was seen; 1 where both are as many."""
    below = sum(binom.pmf(k, b + c, 0.5) for k in range(min(b, c)))
    return 2 * (below + binom.pmf(min(b, c), b + c, 0.5) / 2)


@pytest.mark.parametrize(("b", "c"), [(-1, 3), (3, -1)])
def test_an_impossible_count_is_refused(b: int, c: int) -> None:
    with pytest.raises(ValueError):
        mcnemar(b, c)
    with pytest.raises(ValueError):
        mid_p(b, c)


HOLM = [
    ([0.01, 0.04, 0.03, 0.005], [0.03, 0.06, 0.06, 0.02]),
    ([0.04], [0.04]),
    ([0.9, 0.8], [1, 1]),
    ([0.02, 0.02, 0.02], [0.06, 0.06, 0.06]),
    ([], []),
]


@pytest.mark.parametrize(("ps", "adjusted"), HOLM)
def test_holm(ps: list[float], adjusted: list[float]) -> None:
    assert holm(ps) == pytest.approx(adjusted)
    if ps:
        assert holm(ps) == pytest.approx(list(multipletests(ps, method="holm")[1]))


def test_size_is_that_of_every_table_weighed_by_its_probability() -> None:
    d, n = 0.4, 9
    tables = ((b, c) for b in range(n + 1) for c in range(n + 1 - b))
    brute = sum(
        binom.pmf(b + c, n, d) * binom.pmf(b, b + c, 0.5) for b, c in tables
        if b + c and binomtest(b, b + c, 0.5).pvalue <= ALPHA
    )  # fmt: skip
    assert size([d] * n) == pytest.approx(brute, abs=1e-12)


def test_size_of_blocks_that_differ_and_its_limits() -> None:
    certain = [1.0] * 6
    assert size([*certain, 0, 0]) == pytest.approx(2 / 64), "six disagreements: only 6-0 and 0-6"
    assert size([0.5] * 5) == 0
    assert size([]) == 0
    assert size([0.42] * 27) < ALPHA
    assert size([0.4] * 27) == pytest.approx(0.023, abs=5e-4)


@pytest.mark.parametrize(("runs", "most"), [(1_000, 67), (10_000, 551), (100, 11), (1, 1)])
def test_how_many_winners_a_fair_comparison_may_find(runs: int, most: int) -> None:
    assert most_winners(runs) == most
    assert binom.sf(most, runs, ALPHA) <= 0.01 < binom.sf(most - 1, runs, ALPHA)
