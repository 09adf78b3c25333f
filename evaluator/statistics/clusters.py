"""Few repositories (rule 9): what they say of a repository that is in none of them, and whether one of them decides."""

from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev

import scipy

from evaluator.statistics.interval import CONFIDENCE, Interval


def new_repository(groups: Mapping[str, Sequence[float]], within: tuple[float, float] = (0.0, 1.0),
                   confidence: float = CONFIDENCE) -> Interval | None:  # fmt: skip
    """The mean of repositories' means with Student's t interval on G - 1 degrees of freedom, cut to `within`.

    `groups`: per repository its task means, or its tasks' differences (then `within` is (-1, 1)). None for fewer than
    two repositories that have tasks, and where all have the same mean: the interval would have no width, as if a new
    one had to be like them. Every repository counts as one, however many tasks it has: the estimand is another
    repository like these, not another task of these. With no more than four or so it is wide, and should be.
    """
    means = [fmean(values) for values in groups.values() if len(values)]
    if len(means) < 2 or max(means) - min(means) < 1e-9:
        return None
    centre = fmean(means)
    half = float(scipy.stats.t.ppf(0.5 + confidence / 2, len(means) - 1)) * stdev(means) / sqrt(len(means))
    return Interval(centre, max(within[0], centre - half), min(within[1], centre + half))


def leave_one_out(groups: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """Per repository the mean over the tasks of all the others; empty for fewer than two that have tasks."""
    filled = {name: list(values) for name, values in groups.items() if len(values)}
    if len(filled) < 2:
        return {}
    return {name: fmean(v for other, values in filled.items() if other != name for v in values) for name in filled}
