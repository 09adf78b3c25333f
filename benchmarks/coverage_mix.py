"""Mixes of strata, costs, few repositories, attempts, looking early, and power: drawn."""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit

from benchmarks.coverage_exact import Row, Z
from benchmarks.coverage_repeats import DRAWS, Draw
from evaluator.statistics.bootstrap import ratio_of_sums
from evaluator.statistics.clusters import new_repository
from evaluator.statistics.exact import mcnemar
from evaluator.statistics.policies import cross_fitted, size_rules, stands_out
from evaluator.statistics.power import power
from evaluator.statistics.ratio import cost_per_resolved
from evaluator.statistics.sequential import STOP_AT, e_value
from evaluator.statistics.weighted import PairedStratum, Stratum, strata_of, stratified, stratified_difference

# weights, tasks and rates of strata; the last has many small ones, as repositories x strata do
MIXES = {
    "3 strata": ([0.6, 0.3, 0.1], [40, 40, 40], [0.95, 0.8, 0.5]),
    "3 strata, near 1": ([0.7, 0.2, 0.1], [40, 40, 40], [0.97, 0.95, 0.9]),
    "12 strata of 4-16": ([0.2, 0.15, 0.15, 0.1, 0.1, 0.08, 0.06, 0.05, 0.05, 0.03, 0.02, 0.01],
                          [16, 12, 12, 10, 10, 10, 8, 8, 8, 6, 6, 4],
                          [0.95, 0.9, 0.85, 0.9, 0.8, 0.7, 0.9, 0.6, 0.5, 0.8, 0.4, 0.3]),
    "one task decides 40%": ([0.4, 0.6], [5, 100], [0.8, 0.9]),
}  # fmt: skip


def rows(draw: Draw) -> Iterator[Row]:
    yield from _strata(draw)
    yield from _weighted_differences(draw)
    yield from _costs(draw)
    yield from _clusters(draw)
    yield from (_attempts(draw, cells) for cells in (1, 12, 60))
    yield from _looking(draw)
    yield from (row for tasks in (25, 120) for row in _policies(draw, tasks))
    yield from _power(draw)


def _strata(draw: Draw) -> Iterator[Row]:
    for name, (weights, sizes, rates) in MIXES.items():
        truth, held = float(np.dot(weights, rates)), 0
        for _ in range(DRAWS):
            solved = draw.binomial(sizes, rates)
            found = stratified([Stratum(w, k / n, n) for w, k, n in zip(weights, solved, sizes, strict=True)])
            held += found is not None and found.low <= truth <= found.high
        yield Row(f"Yan-Su, {name}", ".95-.97", f"{held / DRAWS:.3f}")
        yield _repeated(draw, name)


def _repeated(draw: Draw, name: str) -> Row:
    """The same with three repeats of tasks that differ, each stratum by its effective number of tasks."""
    weights, sizes, rates = MIXES[name]
    logits = np.log(np.array(rates) / (1 - np.array(rates)))
    truth = sum(w * float(np.mean(_likely(draw, 200_000, x, 0)[0])) for w, x in zip(weights, logits, strict=True))
    held = 0
    for _ in range(DRAWS):
        means = [_means(draw, n, x, 0, 3)[0] for n, x in zip(sizes, logits, strict=True)]
        found = stratified(strata_of(list(zip(weights, means, strict=True))))
        held += found is not None and found.low <= truth <= found.high
    return Row(f"Yan-Su by n_eff, {name}, repeats 3", "about .95", f"{held / DRAWS:.3f}")


def _weighted_differences(draw: Draw) -> Iterator[Row]:
    """The second format is as good on every stratum, or worse by a logit; repeats 1 and 3."""
    for name, (weights, sizes, rates) in MIXES.items():
        for worse, r in [(0.0, 1), (1.0, 1), (1.0, 3)]:
            logits = np.log(np.array(rates) / (1 - np.array(rates)))
            truth = sum(w * _difference(draw, 200_000, x, worse) for w, x in zip(weights, logits, strict=True))
            held = 0
            for _ in range(DRAWS // 2):
                strata = [
                    PairedStratum(w, *_means(draw, n, x, worse, r))
                    for w, n, x in zip(weights, sizes, logits, strict=True)
                ]
                found = stratified_difference(strata)
                held += found is not None and found.low <= truth <= found.high
            what = f"weighted difference, {name}, truth {truth:+.3f}, repeats {r}"
            yield Row(what, ".947-.996", f"{held / (DRAWS // 2):.3f}")


def _likely(draw: Draw, n: int, logit: float, worse: float) -> tuple[np.ndarray, np.ndarray]:
    shared = logit + 1.5 * draw.standard_normal(n)
    return expit(shared), expit(shared - worse)


def _difference(draw: Draw, n: int, logit: float, worse: float) -> float:
    p, q = _likely(draw, n, logit, worse)
    return float(np.mean(p - q))


def _means(draw: Draw, n: int, logit: float, worse: float, r: int) -> tuple[np.ndarray, np.ndarray]:
    p, q = _likely(draw, n, logit, worse)
    return draw.binomial(r, p) / r, draw.binomial(r, q) / r


def _costs(draw: Draw) -> Iterator[Row]:
    """A task's cost has a long tail, and the failed ones were retried: three times the price."""
    for n, p in [(120, 0.88), (120, 0.4), (40, 0.7), (120, 0.05)]:
        mean = float(np.exp(-3 + 0.8**2 / 2))
        truth, held, none = mean * (p + 3 * (1 - p)) / p, 0, 0
        for _ in range(DRAWS):
            solved = draw.random(n) < p
            found = cost_per_resolved(draw.lognormal(-3, 0.8, n) * np.where(solved, 1, 3), solved.astype(float))
            none += found is None
            held += found is not None and (found.low or 0) <= truth <= (found.high or np.inf)
        yield Row(f"cost per resolved, n {n}, rate {p}", ".92-.97", f"{held / (DRAWS - none):.3f}")


def _clusters(draw: Draw) -> Iterator[Row]:
    """Repositories whose rates differ (sd .12), 30 tasks each: the truth is the mean over repositories."""
    truth = float(np.clip(0.75 + 0.12 * draw.standard_normal(400_000), 0, 1).mean())
    for groups in (4, 8, 20):
        robust = student = 0
        for _ in range(DRAWS):
            rates = np.clip(0.75 + 0.12 * draw.standard_normal(groups), 0, 1)
            solved = draw.binomial(30, rates) / 30
            sandwich = np.sqrt(((solved - solved.mean()) ** 2).sum()) / groups
            robust += abs(solved.mean() - truth) <= Z * sandwich
            found = new_repository({str(n): [m] for n, m in enumerate(solved)})
            student += found is not None and found.low <= truth <= found.high
        stated = {4: "about .8: not used", 8: "too low below about 20", 20: "nearly .95"}[groups]
        yield Row(f"cluster-robust, {groups} repositories", stated, f"{robust / DRAWS:.3f}")
        yield Row(f"t interval over {groups} repositories", "about .95", f"{student / DRAWS:.3f}")


def _attempts(draw: Draw, cells: int) -> Row:
    """Of the attempts that reached the applier, those that applied; the attempts of a fixture hang together.

    Fixtures are in so many cells, which are alike.
    """
    truth_top = truth_bottom = 0.0
    held, draws = 0, 1_500
    for n in [200_000] + [120] * draws:
        likely = expit(1.5 + 1.5 * draw.standard_normal(n))
        tried = 1 + draw.binomial(2, 1 - likely)
        applied = draw.binomial(tried, likely)
        if n > 120:
            truth_top, truth_bottom = float(applied.sum()), float(tried.sum())
            continue
        found = ratio_of_sums(applied, tried, [i % cells for i in range(n)], seed=held, draws=1_000)
        held += found is not None and found.low <= truth_top / truth_bottom <= found.high
    return Row(f"bootstrap of a rate over attempts, 120 fixtures in {cells} cells", ".94-.95", f"{held / draws:.3f}")


def _looking(draw: Draw) -> Iterator[Row]:
    """A fair pair of 120 blocks, 30% of which disagree, looked at after every block."""
    e_stops = p_stops = 0
    for _ in range(DRAWS):
        steps = draw.choice([1, -1, 0], p=[0.15, 0.15, 0.7], size=120)
        b, c = np.cumsum(steps == 1), np.cumsum(steps == -1)
        seen = set(zip(b.tolist(), c.tolist(), strict=True))
        e_stops += any(e_value(x, y) >= STOP_AT for x, y in seen)
        p_stops += any(mcnemar(x, y) <= 0.05 for x, y in seen)
    yield Row("E >= 20 on a fair pair, looked at 120 times", "at most .05", f"{e_stops / DRAWS:.3f}")
    yield Row("exact p <= .05 on a fair pair, looked at 120 times", "taken once only", f"{p_stops / DRAWS:.3f}")


def _policies(draw: Draw, tasks: int) -> Iterator[Row]:
    """Three formats that are alike on every task: no size rule is better, but the luckiest looks it."""
    flattered, wrong, told, draws = 0.0, 0, 0, DRAWS // 2
    for n in range(draws):
        likely = expit(1 + 1.5 * draw.standard_normal(tasks))
        formats = {name: (draw.random(tasks) < likely).astype(float).tolist() for name in "ABC"}
        rules = size_rules(draw.lognormal(0, 1, tasks).tolist(), formats, [0.3, 0.6, 1.0, 1.5, 3.0])
        flattered += (max(map(sum, rules.values())) - likely.sum()) / tasks
        found = cross_fitted(rules, formats, str(n))
        wrong += found is not None and not found.difference.low <= 0 <= found.difference.high
        told += found is not None and stands_out(found, formats)
    of = f"{tasks} tasks, no size rule better"
    yield Row(f"{of}: the best of 30, scored on what chose it", "flatters", f"{100 * flattered / draws:+.1f} points")
    yield Row(f"{of}: the cross-fitted interval leaves 0 out", "at most .08", f"{wrong / draws:.3f}")
    yield Row(f"{of}: a rule stands out", "at most .01", f"{told / draws:.3f}")


def _power(draw: Draw) -> Iterator[Row]:
    """What `evaluator plan` promises against tests of drawn tables."""
    for n, psi, d in [(120, 0.10, 0.081), (120, 0.20, 0.118), (120, 0.30, 0.144), (920, 0.10, 0.03), (40, 0.5, 0.3)]:
        tables = draw.multinomial(n, [(psi + d) / 2, (psi - d) / 2, 1 - psi], size=DRAWS)
        found = np.mean([mcnemar(int(b), int(c)) <= 0.05 for b, c, _ in tables])
        yield Row(f"power, n {n}, psi {psi}, difference {d}", f"{power(n, psi, d):.3f} planned, within .03",
                  f"{found:.3f}")  # fmt: skip
