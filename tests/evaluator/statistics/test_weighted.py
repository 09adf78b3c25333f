"""Pins: Yan and Su 2010 (Stat. Biopharm. Res. 2, 329-335), with fixed weights; docs/statistics.md."""

import random

import pytest

from evaluator.statistics.paired import method10, paired_means
from evaluator.statistics.weighted import PairedStratum, Stratum, Weighted, strata_of, stratified, stratified_difference
from evaluator.statistics.wilson import rate

PINS = [
    (0.95, [11, 10, 4, 8, 9, 8], [15, 16, 10, 11, 15, 13], [n / 21 for n in range(1, 7)], 0.4867191, 0.7186381),
    (0.90, [12, 7, 5, 9, 8, 8], [22, 18, 17, 17, 14, 12], [1 / 6] * 6, 0.4190436, 0.5789733),
]  # fmt: skip


@pytest.mark.parametrize(("confidence", "k", "n", "weights", "low", "high"), PINS)
def test_the_stratified_interval_is_the_published_one(
    confidence: float, k: list[int], n: list[int], weights: list[float], low: float, high: float
) -> None:
    found = stratified([Stratum(w, a / m, m) for w, a, m in zip(weights, k, n, strict=True)], confidence)
    assert found is not None
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-6)
    assert found.value == pytest.approx(sum(w * a / m for w, a, m in zip(weights, k, n, strict=True)))


def both(a: int, b: int, c: int, d: int, weight: float) -> PairedStratum:
    return PairedStratum(weight, [1.0] * (a + b) + [0.0] * (c + d), [1.0] * a + [0.0] * b + [1.0] * c + [0.0] * d)


def test_one_stratum_is_plain_wilson() -> None:
    found, plain = stratified([Stratum(1, 12 / 120, 120)]), rate(12, 120)
    assert found is not None
    assert plain is not None
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=1e-9)


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_strata_that_are_all_or_nothing_still_have_a_width(p: float) -> None:
    found = stratified([Stratum(0.5, p, 20), Stratum(0.5, p, 20)])
    whole = rate(round(40 * p), 40)
    assert found is not None
    assert whole is not None
    assert (found.low, found.high) == pytest.approx((whole.low, whole.high), abs=0.02), "as wide as of 40 together"


def test_an_empty_stratum_is_never_made_up_for() -> None:
    seen = stratified([Stratum(1, 0.5, 40)])
    found = stratified([Stratum(0.8, 0.5, 40), Stratum(0.2, 0.0, 0)])
    assert seen is not None
    assert found is not None
    assert found == Weighted(
        pytest.approx(0.4), pytest.approx(0.6), pytest.approx(0.8 * seen.low), pytest.approx(0.8 * seen.high + 0.2),
        pytest.approx(0.2),
    )  # fmt: skip
    assert found.value is None


def test_a_stratum_that_weighs_nothing_changes_nothing() -> None:
    assert stratified([Stratum(1, 0.5, 40), Stratum(0, 0.9, 3), Stratum(0, 0, 0)]) == stratified([Stratum(1, 0.5, 40)])


def test_an_empty_stratum_of_a_difference_could_go_either_way() -> None:
    seen = stratified_difference([both(20, 12, 2, 16, 1)])
    found = stratified_difference([both(20, 12, 2, 16, 0.9), PairedStratum(0.1, [], [])])
    assert seen is not None
    assert found is not None
    assert (found.least, found.most) == pytest.approx((0.9 * 0.2 - 0.1, 0.9 * 0.2 + 0.1))
    assert (found.low, found.high) == pytest.approx((0.9 * seen.low - 0.1, 0.9 * seen.high + 0.1))
    assert (found.unseen, found.value) == (pytest.approx(0.1), None)


@pytest.mark.parametrize("table", [(36, 12, 2, 0), (59, 6, 16, 80), (0, 30, 0, 0), (1, 97, 1, 1), (3, 0, 0, 0)])
def test_one_stratum_is_method_10(table: tuple[int, int, int, int]) -> None:
    found, plain = stratified_difference([both(*table, 1)]), method10(*table)
    assert found is not None
    assert plain is not None
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=1e-9)


def test_weights_of_equal_shares_give_the_difference_of_the_whole() -> None:
    # Two halves of one set that look alike: weighted by their shares, nothing is gained, and a second correction lost.
    table = (20, 12, 2, 16)
    found = stratified_difference([both(*table, 0.5), both(*table, 0.5)])
    whole = paired_means(*[[*side, *side] for side in (both(*table, 1).first, both(*table, 1).second)])
    assert found is not None
    assert whole is not None
    assert (found.low, found.high) == pytest.approx((whole.low, whole.high), abs=0.01)
    assert found.high - found.low > whole.high - whole.low


def test_differences_turn_round_with_the_formats() -> None:
    draw = random.Random(4)
    strata = [
        PairedStratum(w, [draw.randint(0, 3) / 3 for _ in range(n)], [draw.randint(0, 3) / 3 for _ in range(n)])
        for w, n in [(0.5, 30), (0.3, 2), (0.2, 9)]
    ]
    one = stratified_difference(strata)
    other = stratified_difference([PairedStratum(s.weight, s.second, s.first) for s in strata])
    assert one is not None
    assert other is not None
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
    assert one.value == pytest.approx(-(other.value or 0))


def test_strata_of_repeats_count_their_effective_tasks() -> None:
    assert strata_of([(0.3, []), (0.7, [1, 0, 1, 1])]) == [Stratum(0.3, 0, 0), Stratum(0.7, 0.75, pytest.approx(4))]
    (only,) = strata_of([(1, [1 / 3, 2 / 3])])
    assert only.n == pytest.approx(2 * 0.25 / (1 / 36)), "of one stratum: its own"


def test_a_handful_of_tasks_that_happen_to_agree_does_not_count_as_many() -> None:
    lucky, other = strata_of([(0.5, [2 / 3, 2 / 3, 2 / 3, 1.0]), (0.5, [0.0, 1.0] * 20)])
    assert lucky.n < 1.2 * 4, "its own would be 36"
    assert other.n == 40


@pytest.mark.parametrize("weights", [(0.5, 0.4), (1.2, -0.2), (0.7, 0.7)])
def test_weights_that_are_no_mix_are_refused(weights: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="weights"):
        stratified([Stratum(w, 0.5, 10) for w in weights])


def test_no_stratum_with_a_task_is_no_evidence_and_unequal_rows_are_refused() -> None:
    assert stratified([Stratum(1, 0, 0)]) is None
    assert stratified_difference([PairedStratum(1, [], [])]) is None
    with pytest.raises(ValueError, match="same tasks"):
        stratified_difference([PairedStratum(1, [1.0], [])])
