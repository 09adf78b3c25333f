"""Which of two formats resolves more tasks: exact tests on complete blocks, adjusted over a run's pairs.

Rules 1, 3, 4 and 8 of docs/statistics.md. Tasks are what is compared: over several repeats, their means.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from evaluator.statistics.exact import ALPHA, holm_within, mid_p
from evaluator.statistics.interval import Interval
from evaluator.statistics.paired import paired_means
from evaluator.statistics.splits import Block, Outcomes, Split, by_task, complete_blocks, means, split_of
from evaluator.trials import Trial

__all__ = ["Block", "Comparison", "Outcomes", "Pair", "Split", "compare", "outcomes"]  # the rest: splits.py


@dataclass(frozen=True)
class Pair:
    """Two formats compared over a run's complete blocks.

    `resolved` are both formats' counts of blocks there. `p` is adjusted over the pairs of its family, `mid_p` is not
    (data only; None over repeats). `interval` is the difference's, not adjusted; None over no block. `winner` resolves
    more; None: not distinguishable. `worst` and `best` are the splits over all blocks, for the first format, had the
    discarded trials gone against it, or for it; `depends`: then the verdict could change.
    """

    first: str
    second: str
    resolved: tuple[int, int]
    split: Split
    p: float
    mid_p: float | None
    interval: Interval | None
    winner: str | None
    worst: Split
    best: Split
    depends: bool


@dataclass(frozen=True)
class Comparison:
    """The pairs of a run, in the order of its formats, over `complete` of its `blocks`, and as many `tasks`."""

    blocks: int
    complete: int
    tasks: int
    pairs: tuple[Pair, ...]


def outcomes(formats: Sequence[str], done: Iterable[Trial]) -> dict[Block, dict[str, bool | None]]:
    """The blocks of finished trials; raises `ValueError` where a block lacks the trial of a format."""
    found: dict[Block, dict[str, bool | None]] = {}
    for trial in done:
        found.setdefault((trial.fixture, trial.repeat), {})[trial.format] = (
            trial.resolved if trial.has_evidence else None
        )
    for block, row in found.items():
        if lacking := [name for name in formats if name not in row]:
            raise ValueError(f"the trial of {lacking[0]} on {block[0]} has not ended")
    return found


def compare(
    formats: Sequence[str], found: Outcomes, family: Callable[[str, str], Hashable] = lambda *_: None
) -> Comparison:  # fmt: skip
    """Every pair of formats over the same complete blocks.

    The blocks of one fixture are not independent: McNemar's test of them would find winners that are none two or three
    times as often as it says. So over several repeats each task is one difference of means. `family`: of a pair, the
    family that its p is adjusted in; all are one where it is not given.
    """
    complete, everything = by_task(complete_blocks(formats, found)), by_task(found)
    pairs = list(combinations(formats, 2))
    observed = [split_of(complete, pair) for pair in pairs]
    worst = [split_of(everything, pair, (False, True)) for pair in pairs]
    best = [split_of(everything, pair, (True, False)) for pair in pairs]
    families = [family(*pair) for pair in pairs]
    adjusted = holm_within([split.p for split in observed], families)
    verdicts = [_sign(split, p) for split, p in zip(observed, adjusted, strict=True)]
    possible = _possible(worst, best, families)
    resolved = {name: sum(row[name] is True for rows in complete.values() for row in rows) for name in formats}
    rates = {name: list(means(name, complete).values()) for name in formats}
    return Comparison(
        len(found), sum(len(rows) for rows in complete.values()), len(complete),
        tuple(
            Pair(
                a, b, (resolved[a], resolved[b]), split, adjusted[n],
                None if split.repeated else mid_p(split.only_first, split.only_second),
                paired_means(rates[a], rates[b]), {1: a, -1: b}.get(verdicts[n]),
                worst[n], best[n], possible[n] != {verdicts[n]},
            )
            for n, ((a, b), split) in enumerate(zip(pairs, observed, strict=True))
        ),
    )  # fmt: skip


def _sign(split: Split, p: float) -> int:
    """Who resolves more at the adjusted p: 1 the first, -1 the second, 0 neither can be told."""
    if p > ALPHA:
        return 0
    return 1 if split.difference > 0 else -1


def _possible(worst: Sequence[Split], best: Sequence[Split], families: Sequence[Hashable]) -> list[set[int]]:
    """The verdicts that each pair could have had, whatever the discarded trials were.

    Between its two ends a pair's evidence moves one way, so its own ends are enough (over repeats too: the p of the
    sign-flip test is the chance that a random part of the differences sums to at most 0, and each of them lowers it).
    Its adjusted p grows with the p of every pair of its family: the others count once at their smallest and
    once at their greatest. These may not all come about together, so a verdict that is said to hold does hold, and one
    that is said to depend may.
    """
    spans = [_span(*ends) for ends in zip(worst, best, strict=True)]
    return [
        {
            _sign(split, _adjusted(n, split.p, [span[extreme] for span in spans], families))
            for split in ends for extreme in (0, 1)
        } | ({0} if ends[0].difference <= 0 <= ends[1].difference else set())
        for n, ends in enumerate(zip(worst, best, strict=True))
    ]  # fmt: skip


def _adjusted(n: int, p: float, others: Sequence[float], families: Sequence[Hashable]) -> float:
    """The n-th pair's adjusted p where its own is `p`, and those of its family are as in `others`."""
    return holm_within([p if other == n else theirs for other, theirs in enumerate(others)], families)[n]


def _span(worst: Split, best: Split) -> tuple[float, float]:
    """The smallest and greatest p between two ends; 1 where they are on two sides."""
    ps = (worst.p, best.p)
    return min(ps), 1.0 if worst.difference <= 0 <= best.difference else max(ps)
