"""Which of two formats resolves more tasks: exact tests on complete blocks, adjusted over a run's pairs.

Rules 1, 3, 4 and 8 of docs/statistics.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from evaluator.statistics.exact import ALPHA, holm, mcnemar, mid_p
from evaluator.trials import Trial

Block = tuple[str, int]  # fixture, repeat
Outcomes = Mapping[Block, Mapping[str, bool | None]]  # block -> format -> whether resolved; None: discarded


@dataclass(frozen=True)
class Split:
    """How a pair of formats disagrees: blocks that only the first resolved, and only the second, of so many."""

    only_first: int
    only_second: int
    blocks: int

    @property
    def difference(self) -> float:
        """The first's rate less the second's, a fraction; 0 over no blocks."""
        return (self.only_first - self.only_second) / self.blocks if self.blocks else 0.0

    @property
    def p(self) -> float:
        """McNemar's exact p, not adjusted."""
        return mcnemar(self.only_first, self.only_second)


@dataclass(frozen=True)
class Pair:
    """Two formats compared over a run's complete blocks.

    `resolved` are both formats' counts there. `p` is adjusted over the run's pairs, `mid_p` is not adjusted (data
    only). `winner` resolves more; None: not distinguishable. `worst` and `best` are the splits over all blocks, for
    the first format, had the discarded trials gone against it, or for it; `depends`: then the verdict could change.
    """

    first: str
    second: str
    resolved: tuple[int, int]
    split: Split
    p: float
    mid_p: float
    winner: str | None
    worst: Split
    best: Split
    depends: bool


@dataclass(frozen=True)
class Comparison:
    """The pairs of a run, in the order of its formats, over `complete` of its `blocks`."""

    blocks: int
    complete: int
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


def compare(formats: Sequence[str], found: Outcomes) -> Comparison:
    """Every pair of formats over the same complete blocks.

    Raises `ValueError` where a fixture has more than one repeat: blocks of one fixture are not independent, and
    McNemar's test of them finds winners that are none up to 12% of the time.
    """
    if len({fixture for fixture, _ in found}) < len(found):
        raise ValueError("McNemar's test does not apply to more than one repeat of a fixture")
    complete = [row for row in found.values() if all(row[name] is not None for name in formats)]
    everything = list(found.values())
    pairs = list(combinations(formats, 2))
    observed = [_split(complete, pair) for pair in pairs]
    worst = [_split(everything, pair, (False, True)) for pair in pairs]
    best = [_split(everything, pair, (True, False)) for pair in pairs]
    adjusted = holm([split.p for split in observed])
    verdicts = [_sign(split, p) for split, p in zip(observed, adjusted, strict=True)]
    possible = [_possible(n, worst, best) for n in range(len(pairs))]
    return Comparison(
        len(found), len(complete),
        tuple(
            Pair(
                a, b, (sum(row[a] is True for row in complete), sum(row[b] is True for row in complete)), observed[n],
                adjusted[n], mid_p(observed[n].only_first, observed[n].only_second), {1: a, -1: b}.get(verdicts[n]),
                worst[n], best[n], possible[n] != {verdicts[n]},
            )
            for n, (a, b) in enumerate(pairs)
        ),
    )  # fmt: skip


def _split(rows: Sequence[Mapping[str, bool | None]], pair: tuple[str, str], discarded: tuple[bool, bool] | None = None
           ) -> Split:  # fmt: skip
    """The disagreements of a pair, with what its discarded trials are taken to have been."""
    both = [
        tuple(row[name] if row[name] is not None else (discarded and discarded[n]) for n, name in enumerate(pair))
        for row in rows
    ]
    return Split(both.count((True, False)), both.count((False, True)), len(rows))


def _sign(split: Split, p: float) -> int:
    """Who resolves more at the adjusted p: 1 the first, -1 the second, 0 neither can be told."""
    if p > ALPHA:
        return 0
    return 1 if split.only_first > split.only_second else -1


def _possible(n: int, worst: Sequence[Split], best: Sequence[Split]) -> set[int]:
    """The verdicts that a pair could have had, whatever the discarded trials were.

    Between its two ends a pair's evidence moves one way, so its own ends are enough. Its adjusted p grows with the
    p of every pair: the others count once at their smallest and once at their greatest. These may not all come
    about together, so a verdict that is said to hold does hold, and one that is said to depend may.
    """
    spans = [_span(*ends) for ends in zip(worst, best, strict=True)]
    return {
        _sign(split, holm([split.p if other == n else span[extreme] for other, span in enumerate(spans)])[n])
        for split in (worst[n], best[n]) for extreme in (0, 1)
    } | ({0} if worst[n].difference <= 0 <= best[n].difference else set())  # fmt: skip


def _span(worst: Split, best: Split) -> tuple[float, float]:
    """The smallest and greatest p between two ends; 1 where they are on two sides."""
    ps = (worst.p, best.p)
    return min(ps), 1.0 if worst.difference <= 0 <= best.difference else max(ps)
