"""Several repeats of the same tasks, drawn: what pooling them does, and what is done instead."""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit

from benchmarks.coverage_exact import Row, Z
from evaluator.statistics.comparison import compare
from evaluator.statistics.exact import mcnemar
from evaluator.statistics.paired import equivalent, paired_means
from evaluator.statistics.repeats import sign_flip
from evaluator.statistics.wilson import mean_over_repeats, wilson

Draw = np.random.Generator
DRAWS = 4_000


def rows(draw: Draw) -> Iterator[Row]:
    yield from _rates(draw)
    yield from _tests(draw)
    yield from _differences(draw)
    yield _equivalence(draw)
    yield from _families(draw)


def _families(draw: Draw) -> Iterator[Row]:
    """Formats that are all alike: how often any pair of a run has a winner, after Holm."""
    runs = 600
    for formats, mean in [(3, 0.8), (3, 0.5), (6, 0.5)]:
        names = [f"format {n}" for n in range(formats)]
        won = 0
        for _ in range(runs):
            solved = draw.random((120, formats)) < mean
            found = {(f"task {n}", 1): dict(zip(names, map(bool, row), strict=True)) for n, row in enumerate(solved)}
            won += any(pair.winner for pair in compare(names, found).pairs)
        yield Row(f"Holm over {formats} formats alike, 120 tasks, rate {mean:g}", "<= .05", f"{won / runs:.3f}")


def _successes(draw: Draw, tasks: int, mean: float, spread: float) -> np.ndarray:
    """Per task how likely it is solved: logits about a mean, apart by so much. Spread 99: each always or never."""
    if spread >= 99:
        return (draw.random(tasks) < mean).astype(float)
    return expit(mean + spread * draw.standard_normal(tasks))


def _rates(draw: Draw) -> Iterator[Row]:
    """The mean over repeats against the mean over all tasks like these, with Wilson pooled and by n_eff."""
    for n, r, mean, spread in [(120, 3, 1.5, 1.0), (120, 3, 1.5, 2.0), (120, 3, 1.5, 4.0), (120, 3, 0.8, 99.0),
                               (120, 5, 2.5, 2.0), (30, 3, 1.0, 2.0), (30, 3, 3.0, 2.0)]:  # fmt: skip
        truth = float(np.mean(_successes(draw, 400_000, mean, spread)))
        pooled = ours = 0
        for _ in range(DRAWS):
            solved = draw.binomial(r, _successes(draw, n, mean, spread))
            low, high = wilson(solved.sum() / (n * r), n * r, Z)
            pooled += low <= truth <= high
            found = mean_over_repeats(solved / r)
            ours += found is not None and found.low <= truth <= found.high
        said = f"{n} tasks x {r}, rate {truth:.2f}, spread {spread:g}"
        yield Row(f"Wilson over pooled runs, {said}", ".75-.92: never pool", f"{pooled / DRAWS:.3f}")
        yield Row(f"Wilson by n_eff, {said}", ".934-.956", f"{ours / DRAWS:.3f}")


def _pair(draw: Draw, n: int, mean: float, spread: float, apart: float, better: float) -> tuple[np.ndarray, np.ndarray]:
    """Per task how likely either format solves it: tasks differ by `spread`, formats on a task by `apart`."""
    logit = mean + spread * draw.standard_normal(n)
    first, second = (logit + apart * draw.standard_normal(n) for _ in range(2))
    return expit(first + better), expit(second)


PAIRS = [(120, 3, 1.0, 1.0, 0.5), (120, 3, 1.0, 1.0, 1.5), (120, 3, 1.0, 1.0, 3.0), (120, 1, 1.0, 2.0, 1.0),
         (30, 3, 1.0, 1.5, 1.5), (60, 5, 2.0, 2.0, 1.0)]  # fmt: skip


def _tests(draw: Draw) -> Iterator[Row]:
    """No format is better, but one or the other is on each task."""
    for n, r, mean, spread, apart in PAIRS:
        pooled = ours = 0
        for _ in range(DRAWS):
            p, q = _pair(draw, n, mean, spread, apart, 0.0)
            x, y = draw.random((r, n)) < p, draw.random((r, n)) < q
            pooled += mcnemar(int((x & ~y).sum()), int((~x & y).sum())) <= 0.05
            ours += sign_flip([(int(d), r) for d in x.sum(axis=0) - y.sum(axis=0)]) <= 0.05
        said = f"{n} tasks x {r}, apart {apart:g}, size"
        if r > 1:
            yield Row(f"McNemar over pooled runs, {said}", ".05-.16: never pool", f"{pooled / DRAWS:.3f}")
        yield Row(f"sign-flip, {said}", "at most .05", f"{ours / DRAWS:.3f}")


def _differences(draw: Draw) -> Iterator[Row]:
    """The difference over all tasks like these, by method 10 over task means."""
    for (n, r, mean, spread, apart), better in zip(PAIRS * 2, [0.0] * 6 + [1.0] * 6, strict=True):
        p, q = _pair(draw, 400_000, mean, spread, apart, better)
        truth = float(np.mean(p - q))
        held = 0
        for _ in range(DRAWS):
            p, q = _pair(draw, n, mean, spread, apart, better)
            x, y = draw.binomial(r, p) / r, draw.binomial(r, q) / r
            found = paired_means(x, y)
            held += found is not None and found.low <= truth <= found.high
        yield Row(f"method 10 over means, {n} tasks x {r}, apart {apart:g}, truth {truth:+.3f}", ".950-.968",
                  f"{held / DRAWS:.3f}")  # fmt: skip


def _equivalence(draw: Draw) -> Row:
    """Two formats that differ by exactly the margin are called equivalent no more often than 5%."""
    margin, cells = 0.05, [0.80, 0.08, 0.03, 0.09]
    declared = sum(equivalent(*map(int, draw.multinomial(1000, cells)), margin) for _ in range(DRAWS))
    return Row("equivalent within 5 points, truth 5 points, n 1000", "about .05", f"{declared / DRAWS:.3f}")
