"""How two formats disagree over the same blocks, counted by block and by task."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluator.statistics.exact import mcnemar
from evaluator.statistics.interval import CONFIDENCE, Interval
from evaluator.statistics.paired import paired_means
from evaluator.statistics.repeats import sign_flip

Block = tuple[str, int]  # fixture, repeat
Row = Mapping[str, bool | None]  # format -> whether resolved; None: discarded
Outcomes = Mapping[Block, Row]


@dataclass(frozen=True)
class Split:
    """How a pair of formats disagrees: blocks that only the first resolved, and only the second, of so many.

    `tasks` has per task by how many of its blocks the first resolved more, and how many those are. At one repeat a
    task is a block.
    """

    only_first: int
    only_second: int
    blocks: int
    tasks: tuple[tuple[int, int], ...]

    @property
    def repeated(self) -> bool:
        """Whether a task has more than one block."""
        return len(self.tasks) < self.blocks

    @property
    def difference(self) -> float:
        """The first's rate less the second's, all tasks equal, a fraction; 0 over no blocks."""
        if not self.repeated:
            return (self.only_first - self.only_second) / self.blocks if self.blocks else 0.0
        return sum(more / blocks for more, blocks in self.tasks) / len(self.tasks)

    @cached_property
    def p(self) -> float:
        """The exact p, not adjusted: the sign-flip test's over repeats, which at one repeat is McNemar's."""
        return sign_flip(self.tasks) if self.repeated else mcnemar(self.only_first, self.only_second)


def complete_blocks(formats: Sequence[str], found: Outcomes) -> dict[Block, Row]:
    """The blocks that have evidence of every format, which every pair is compared over."""
    return {block: row for block, row in found.items() if all(row[name] is not None for name in formats)}


def task_means(name: str, complete: Outcomes) -> dict[str, float]:
    """Per fixture the share of its complete blocks that a format resolved, fixtures in order of appearance."""
    return means(name, by_task(complete))


def means(name: str, tasks: Mapping[str, Sequence[Row]]) -> dict[str, float]:
    """The same of blocks that are grouped by fixture."""
    return {fixture: sum(row[name] is True for row in rows) / len(rows) for fixture, rows in tasks.items()}


def difference(first: str, second: str, complete: Outcomes, confidence: float = CONFIDENCE) -> Interval | None:
    """The difference of two formats' rates over complete blocks, all tasks equal; None over none. Not adjusted."""
    tasks = by_task(complete)
    return paired_means(list(means(first, tasks).values()), list(means(second, tasks).values()), confidence)


def by_task(blocks: Outcomes) -> dict[str, list[Row]]:
    """The blocks of each fixture."""
    tasks: dict[str, list[Row]] = {}
    for (fixture, _), row in blocks.items():
        tasks.setdefault(fixture, []).append(row)
    return tasks


def split_of(tasks: Mapping[str, Sequence[Row]], pair: tuple[str, str], discarded: tuple[bool, bool] = (False, False)
             ) -> Split:  # fmt: skip
    """The disagreements of a pair, with what its discarded trials are taken to have been."""
    first, second = pair
    as_first, as_second = discarded
    counted, only_first, only_second = [], 0, 0
    for rows in tasks.values():
        more = fewer = 0
        for row in rows:
            x, y = row[first], row[second]
            x, y = as_first if x is None else x, as_second if y is None else y
            more, fewer = more + (x and not y), fewer + (y and not x)
        counted.append((more - fewer, len(rows)))
        only_first, only_second = only_first + more, only_second + fewer
    return Split(only_first, only_second, sum(blocks for _, blocks in counted), tuple(counted))
