"""What can be counted without drawing: every outcome of a rate, and of a pair of formats, with its probability."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.special import gammaln
from scipy.stats import binom

from evaluator.statistics.exact import mcnemar
from evaluator.statistics.interval import quantile
from evaluator.statistics.paired import method10, tango
from evaluator.statistics.wilson import wilson

Z = quantile()


@dataclass(frozen=True)
class Row:
    """What docs/statistics.md states of something, and what was measured."""

    what: str
    stated: str
    measured: str


def rows() -> Iterator[Row]:
    yield _wilson(120, 1_000, ".9345-.9655")
    yield _wilson(120, 10_000, ".9333-.9709 between the thousandths")
    yield _wilson(30, 10_000, "dips to .921")
    yield from _pairs(120)
    yield _mcnemar(120)


def _wilson(n: int, parts: int, stated: str) -> Row:
    p = np.arange(parts // 20, parts - parts // 20 + 1) / parts
    ends = np.array([wilson(k / n, n, Z) for k in range(n + 1)])
    holds = (ends[:, 0] <= p[:, None]) & (p[:, None] <= ends[:, 1])
    found = (binom.pmf(np.arange(n + 1), n, p[:, None]) * holds).sum(axis=1)
    return Row(f"Wilson, n {n}, p .05(1/{parts:,}).95", stated, f"{found.min():.4f}-{found.max():.4f}")


def _tables(n: int) -> np.ndarray:
    """Every table a, b, c, d of n tasks, a row each."""
    a, b, c = np.meshgrid(*[np.arange(n + 1)] * 3, indexing="ij")
    all_ = np.stack([a.ravel(), b.ravel(), c.ravel()], axis=1)
    kept = all_[all_.sum(axis=1) <= n]
    return np.column_stack([kept, n - kept.sum(axis=1)])


def _pairs(n: int) -> Iterator[Row]:
    """Method 10, Tango and Wald over a grid of margins p1 > p2 and correlations phi that can be."""
    tables = _tables(n)
    ends = {"method 10": np.array([(i.low, i.high) for t in tables if (i := method10(*map(int, t)))])}
    score = {(b, c): tango(n - b - c, b, c, 0) for b in range(n + 1) for c in range(n + 1 - b)}
    ends["Tango"] = np.array([(score[b, c].low, score[b, c].high) for _, b, c, _ in tables.tolist()])
    theta = (tables[:, 1] - tables[:, 2]) / n
    half = Z * np.sqrt(np.maximum(0, (tables[:, 1] + tables[:, 2]) / n - theta**2) / n)
    ends["Wald"] = np.column_stack([theta - half, theta + half])
    found: dict[str, list[float]] = {name: [] for name in ends}
    ways = gammaln(n + 1) - gammaln(tables + 1).sum(axis=1)
    for cells in _grid():
        weights = np.exp(ways + tables @ np.log(cells))
        truth = cells[1] - cells[2]
        for name, e in ends.items():
            holds = (e[:, 0] <= truth + 1e-12) & (truth - 1e-12 <= e[:, 1])
            found[name].append(float(weights[holds].sum()))
    stated = {"method 10": ".949 minimum, .953 median", "Tango": ".943, .950", "Wald": ".882, .946"}
    for name, values in found.items():
        measured = f"{min(values):.4f} minimum, {np.median(values):.4f} median of {len(values)}"
        yield Row(f"{name}, n {n}, a grid of margins and phi", stated[name], measured)


def _grid() -> Iterator[np.ndarray]:
    margins = (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98)
    for p1, p2, phi in product(margins, margins, (-0.1, 0.0, 0.2, 0.4, 0.6, 0.8, 0.9)):
        both = p1 * p2 + phi * np.sqrt(p1 * (1 - p1) * p2 * (1 - p2))
        cells = np.array([both, p1 - both, p2 - both, 1 - p1 - p2 + both])
        if p1 >= p2 and cells.min() > 1e-9:
            yield cells


def _mcnemar(n: int) -> Row:
    """The size of the exact test where so many of the blocks disagree, each either way alike."""
    worst = 0.0
    for psi in np.arange(0.02, 1.001, 0.02):
        size = sum(
            binom.pmf(m, n, psi) * sum(binom.pmf(b, m, 0.5) for b in range(m + 1) if mcnemar(b, m - b) <= 0.05)
            for m in range(n + 1) if binom.pmf(m, n, psi) > 1e-9
        )  # fmt: skip
        worst = max(worst, float(size))
    return Row(f"McNemar exact, n {n}, psi .02(.02)1, size", "at most .05", f"{worst:.4f} at most")
