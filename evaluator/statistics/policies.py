"""Policies over formats (rule 10): which would have been chosen without the tasks that it is scored on.

A rule that is chosen and scored on the same tasks flatters itself: the best of many is partly the luckiest. So a fifth
of the tasks at a time is set aside, the policy and the format it must beat are chosen on the others, and both are
scored on what was set aside (cross-fitting: Stone 1974; Chernozhukov et al. 2018 have it for what is learned first).
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from statistics import fmean

import numpy as np

from evaluator.statistics.interval import Interval
from evaluator.statistics.paired import paired_means

FOLDS = 5
WIDER = 1.2  # what was chosen varies with the tasks too, which the interval of fixed choices does not know
Scores = Mapping[str, Sequence[float]]  # a choice -> per task the share of its repeats that it resolves
Repeats = Mapping[str, Sequence[Sequence[bool]]]  # a format -> per task a row of repeats
Amounts = Mapping[str, Sequence[Sequence[float]]]  # the same of numbers


@dataclass(frozen=True)
class CrossFitted:
    """A policy's rate against the best single format's, each task scored by what the other folds chose.

    `policies` and `formats` are the choices of the folds; where they differ, the set is too small to choose. `folds`
    has per task the fold that it was set aside in. The interval of `difference` is widened, and in no verdict.
    """

    policies: tuple[str, ...]
    formats: tuple[str, ...]
    folds: tuple[int, ...]
    policy_rate: float
    format_rate: float
    difference: Interval


def cross_fitted(policies: Scores, formats: Scores, digest: str) -> CrossFitted | None:
    """The best policy against the best format, both chosen in the same folds, which `digest` (the set's) decides.

    None where there is nothing to choose from, or fewer tasks than folds. Of equals the first is chosen.
    """
    sizes = {len(scores) for scores in (*policies.values(), *formats.values())}
    if len(sizes) > 1:
        raise ValueError(f"not the same tasks: {sorted(sizes)}")
    tasks = sizes.pop() if sizes else 0
    if not policies or not formats or tasks < FOLDS:
        return None
    folds = _folds(tasks, digest)
    chosen = _best(policies, folds), _best(formats, folds)
    ours, theirs = (set_aside(of, names, folds) for of, names in zip((policies, formats), chosen, strict=True))
    interval = paired_means(ours, theirs)
    if interval is None:  # there are tasks
        return None
    return CrossFitted(chosen[0], chosen[1], folds, fmean(ours), fmean(theirs), _widened(interval))


def set_aside(of: Scores, chosen: Sequence[str], folds: Sequence[int]) -> list[float]:
    """Per task the number, such as its score or its cost, of what was chosen without it."""
    return [of[chosen[fold]][n] for n, fold in enumerate(folds)]


def stands_out(found: CrossFitted, formats: Scores) -> bool:
    """Whether every fold chose the same policy, and it is ahead by more than its interval allows for.

    Ahead of every format over all tasks too: of formats that are nearly alike the folds choose the one that does worse
    on what is set aside, so that their rate says too little of them.
    """
    margin = found.difference.value - found.difference.low
    best = max(fmean(scores) for scores in formats.values())
    return len(set(found.policies)) == 1 and min(found.difference.value, found.policy_rate - best) > margin


def size_rules(sizes: Sequence[float], formats: Scores, thresholds: Sequence[float]) -> dict[str, list[float]]:
    """Every rule `small below t of the cap, else large` of two formats, by the tasks' sizes (rewrite tokens / cap).

    Thresholds that have all tasks on one side make no rule. `formats` may be scores, or what else is known of each
    task, such as its cost.
    """
    return {
        f"{small} below {t:g} of the cap, else {large}": [
            formats[small if size < t else large][n] for n, size in enumerate(sizes)
        ]
        for small, large in permutations(formats, 2) for t in thresholds if len({size < t for size in sizes}) == 2
    }  # fmt: skip


def fallback_chains(seen_to_fail: Repeats, resolved: Repeats) -> dict[str, list[float]]:
    """Every chain `first, then second`: the second format's trial counts where the first was seen to fail.

    Seen: by a signal that an agent in production has, never by hidden tests. A format that was never seen to fail is
    the first of no chain.
    """
    return {
        f"{first}, then {second}": [
            fmean([b if failed else a for failed, a, b in zip(*repeats, strict=True)])
            for repeats in zip(seen_to_fail[first], resolved[first], resolved[second], strict=True)
        ]
        for first, second in permutations(resolved, 2)
        if any(map(any, seen_to_fail[first]))
    }


def chain_costs(seen_to_fail: Repeats, costs: Amounts) -> dict[str, list[float]]:
    """What every chain costs a task: the first format's trial, and the second's too where that was seen to fail."""
    return {
        f"{first}, then {second}": [
            fmean([a + b * failed for failed, a, b in zip(*repeats, strict=True)])
            for repeats in zip(seen_to_fail[first], costs[first], costs[second], strict=True)
        ]
        for first, second in permutations(costs, 2)
    }


def _folds(tasks: int, digest: str) -> tuple[int, ...]:
    """Per task its fold; folds differ by one task at most."""
    order = list(range(tasks))
    random.Random(digest).shuffle(order)
    fold_of = {task: place % FOLDS for place, task in enumerate(order)}
    return tuple(fold_of[task] for task in range(tasks))


def _best(scores: Scores, folds: Sequence[int]) -> tuple[str, ...]:
    """Per fold the choice that scores highest on the tasks outside it; of equals, but for rounding, the first."""
    names, table = list(scores), np.array(list(scores.values()))
    outside = np.array(folds)[:, None] != np.arange(FOLDS)
    means = np.round(table @ outside / outside.sum(axis=0), 12)
    return tuple(names[n] for n in means.argmax(axis=0))


def _widened(of: Interval) -> Interval:
    value = of.value
    return Interval(value, max(-1.0, value - WIDER * (value - of.low)), min(1.0, value + WIDER * (of.high - value)))
