"""Repeats of the same tasks (rule 3): the test of a pair over task means, and what was solved on every repeat."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, gcd, lcm

import numpy as np

from evaluator.statistics.interval import Interval
from evaluator.statistics.wilson import mean_over_repeats


def sign_flip(differences: Sequence[tuple[int, int]]) -> float:
    """The two-sided exact p of per-task differences, each `(d, m)`: the first resolved d more of m blocks.

    Fisher's randomisation test (1935): had the formats been alike, each task's d/m would be as likely -d/m, so p is the
    share of all 2^n signs whose sum is at least as far from 0 as the one seen. Counted exactly, over whole numbers in
    units of 1/lcm(m). At one repeat it is McNemar's exact test. 1 where nothing differs.
    """
    if any(m < 1 or abs(d) > m for d, m in differences):
        raise ValueError("a difference of more blocks than a task has")
    unit = lcm(*(m for _, m in differences)) if differences else 1
    steps = [d * (unit // m) for d, m in differences if d]
    shared = gcd(*steps) or 1
    return _two_sided([step // shared for step in steps])


def _two_sided(steps: Sequence[int]) -> float:
    """P(|sum of +-steps| >= |their sum|), from the number of ways to choose which are positive."""
    total, seen = sum(abs(step) for step in steps), abs(sum(steps))
    if seen == 0:
        return 1.0
    ways = np.zeros(total + 1)  # the probability that the positive ones sum to the index
    ways[0], top = 1.0, 0
    for size in sorted(abs(step) for step in steps):  # small ones first: the range grows late
        ways[: top + 1] /= 2
        ways[size : top + size + 1] += ways[: top + 1].copy()
        top += size
    # positive - negative = 2 positive - total, so at least `seen` is positive >= (total + seen) / 2, a whole number
    return min(1.0, 2 * float(ways[(total + seen) // 2 :].sum()))


@dataclass(frozen=True)
class SolvedEvery:
    """The share of tasks that all k repeats solve, estimated over `tasks`; `unknown` more passed what they had of k.

    `interval` is None where no task is known. `bounds` are where it could lie had the unknown failed, or passed.
    """

    k: int
    tasks: int
    unknown: int
    interval: Interval | None
    bounds: tuple[float, float]


def solved_every(counts: Sequence[tuple[int, int]], k: int) -> SolvedEvery | None:
    """Per task `(c, m)`: c resolved of m trials with evidence; k repeats planned, the same for all. None over no task.

    The mean of C(c, k) / C(m, k), the unbiased estimate that k draws of m all pass (Chen et al. 2021 have it for at
    least one). With m < k a task that failed once scores 0, and one that passed all it had is unknown: so where much
    was discarded the estimate leans low, and the bounds are what to read.
    """
    if k < 1 or any(not 0 <= c <= m for c, m in counts):
        raise ValueError(f"not counts of trials, or no repeats: k = {k}")
    if not counts:
        return None
    scores = [_score(c, m, k) for c, m in counts]
    known = [score for score in scores if score is not None]
    worst = mean_over_repeats([0.0 if score is None else score for score in scores])
    best = mean_over_repeats([1.0 if score is None else score for score in scores])
    if worst is None or best is None:  # there is a task, so neither is
        return None
    return SolvedEvery(k, len(known), len(scores) - len(known), mean_over_repeats(known), (worst.low, best.high))


def _score(c: int, m: int, k: int) -> float | None:
    if m >= k:
        return comb(c, k) / comb(m, k)
    return 0.0 if c < m else None
