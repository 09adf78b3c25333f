"""The sign-flip test against every sign and against McNemar's; what every repeat solved."""

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluator.statistics.exact import mcnemar
from evaluator.statistics.repeats import sign_flip, solved_every
from evaluator.statistics.wilson import rate


def test_at_one_repeat_it_is_mcnemars_exact_test() -> None:
    for b, c, same in itertools.product(range(12), range(12), (0, 5)):
        blocks = [(1, 1)] * b + [(-1, 1)] * c + [(0, 1)] * same
        assert sign_flip(blocks) == pytest.approx(mcnemar(b, c), abs=1e-12)


def by_enumeration(differences: list[tuple[int, int]]) -> float:
    """The share of all sign patterns whose sum is as far from 0, in fractions."""
    steps = [d / m for d, m in differences]
    sums = [abs(sum(s * step for s, step in zip(signs, steps, strict=True)))
            for signs in itertools.product((1, -1), repeat=len(steps))]  # fmt: skip
    return sum(s >= abs(sum(steps)) - 1e-9 for s in sums) / len(sums)


@given(st.lists(st.integers(1, 4).flatmap(lambda m: st.tuples(st.integers(-m, m), st.just(m))), max_size=9))
def test_it_is_the_share_of_all_signs(differences: list[tuple[int, int]]) -> None:
    assert sign_flip(differences) == pytest.approx(by_enumeration(differences), abs=1e-12)


def test_many_tasks_are_exact_too() -> None:
    # 40 of 60 tasks at +1 of 3, 20 at -1: a step of one size is McNemar's 40 v 20, at any number of repeats.
    assert sign_flip([(1, 3)] * 40 + [(-1, 3)] * 20) == pytest.approx(mcnemar(40, 20), abs=1e-12)
    assert sign_flip([(3, 3)] * 400 + [(0, 3)] * 900) == pytest.approx(2 * 0.5**400)


def test_it_agrees_with_drawn_signs() -> None:
    draw = random.Random(3)
    tasks = [(draw.randint(-3, 5), 5) for _ in range(60)]
    seen, steps = abs(sum(d for d, _ in tasks)), [d for d, _ in tasks]
    far = sum(abs(sum(draw.choice((-d, d)) for d in steps)) >= seen for _ in range(4_000)) / 4_000
    assert sign_flip(tasks) == pytest.approx(far, abs=0.03)


@pytest.mark.parametrize("tasks", [[(2, 1)], [(-3, 2)], [(0, 0)]])
def test_an_impossible_difference_is_refused(tasks: list[tuple[int, int]]) -> None:
    with pytest.raises(ValueError):
        sign_flip(tasks)


def test_nothing_that_differs_is_p_1() -> None:
    assert (sign_flip([]), sign_flip([(0, 3)] * 5), sign_flip([(1, 2), (-1, 2)])) == (1, 1, 1)


# counts, k -> value, tasks known, unknown
EVERY = [
    ([(3, 3), (2, 3), (0, 3)], 3, 1 / 3, 3, 0),
    ([(3, 3), (2, 2), (1, 2)], 3, 1 / 2, 2, 1),  # (2, 2) passed what it had; (1, 2) failed once
    ([(4, 5)], 2, 6 / 10, 1, 0),  # of 5 trials 4 resolved: 6 of the 10 pairs
    ([(1, 1), (0, 1)], 1, 1 / 2, 2, 0),
    ([(0, 0)], 2, None, 0, 1),
]


@pytest.mark.parametrize(("counts", "k", "value", "known", "unknown"), EVERY)
def test_solved_on_every_repeat(counts: list[tuple[int, int]], k: int, value: float | None, known: int, unknown: int
                                ) -> None:  # fmt: skip
    found = solved_every(counts, k)
    assert found is not None
    assert (found.k, found.tasks, found.unknown) == (k, known, unknown)
    assert (found.interval and found.interval.value) == (value if value is None else pytest.approx(value))


def test_without_discards_it_is_a_plain_rate_and_with_them_its_bounds() -> None:
    found = solved_every([(3, 3)] * 80 + [(2, 3)] * 40, 3)
    plain, worst, best = rate(80, 120), rate(80, 121), rate(81, 121)
    assert found is not None
    assert found.interval is not None
    assert plain is not None
    assert (found.interval.low, found.interval.high) == pytest.approx((plain.low, plain.high), abs=1e-9)
    discarded = solved_every([(3, 3)] * 80 + [(2, 3)] * 40 + [(1, 1)], 3)
    assert discarded is not None
    assert worst is not None
    assert best is not None
    assert discarded.bounds == pytest.approx((worst.low, best.high), abs=1e-9)


def test_k_of_m_is_the_share_of_the_ways_to_take_k() -> None:
    for m, k in [(5, 3), (4, 4), (6, 1)]:
        for c in range(m + 1):
            ways = list(itertools.combinations([1] * c + [0] * (m - c), k))
            found = solved_every([(c, m)], k)
            assert found is not None
            assert found.interval is not None
            assert found.interval.value == pytest.approx(sum(all(way) for way in ways) / len(ways))


def test_no_task_is_no_evidence_and_impossible_counts_are_refused() -> None:
    assert solved_every([], 3) is None
    for counts, k in [([(1, 1)], 0), ([(2, 1)], 1), ([(-1, 1)], 1)]:
        with pytest.raises(ValueError):
            solved_every(counts, k)
