"""How a run stands, kept up to date line by line. Pure: no clock, no terminal."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

from evaluator.journal import AttemptLine, RunFile
from evaluator.statistics.interval import Interval
from evaluator.statistics.sequential import e_value
from evaluator.statistics.wilson import clipped, wilson_effective
from evaluator.taxonomy import Discard
from evaluator.trials import is_finished

_ROUNDING = 1e-9
_E_REPEAT = 1  # blocks of one fixture are not independent: the E-value looks at one of them


@dataclass
class Standing:
    """One format so far, over possible tasks; `attempts` and `paid` (USD) are of impossible ones too."""

    resolved: int = 0
    failed: int = 0
    discarded: int = 0
    attempts: int = 0
    paid: float = 0.0
    tasks: int = 0  # with evidence
    means: float = 0.0  # the sum of their means over repeats
    squares: float = 0.0  # and of the squares of those

    @property
    def interval(self) -> Interval | None:
        """The rate resolved with Wilson's interval at 95%, None without evidence.

        With repeats it is the mean of task means, by its effective number of tasks (rule 3 of docs/statistics.md).
        """
        if not self.tasks:
            return None
        mean = clipped(self.means / self.tasks)
        variance = self.squares / self.tasks - mean * mean
        # Sums that were added to and taken from leave a little where all are alike.
        return wilson_effective(mean, variance if variance > _ROUNDING else 0.0, self.tasks)


@dataclass
class Disagreements:
    """Complete blocks of a pair that only the first resolved, and only the second."""

    first: str
    second: str
    only_first: int = 0
    only_second: int = 0

    @property
    def e(self) -> float:
        """The sequential evidence that they differ."""
        return e_value(self.only_first, self.only_second)


class Tally:
    """A run so far. Adding a line takes the same time however many there are.

    `ended` and `planned` are trials, those of impossible tasks included.
    """

    def __init__(self, settings: RunFile, done: Iterable[AttemptLine] = ()) -> None:
        self.settings = settings
        self.formats = {name: Standing() for name in settings.formats}
        self.pairs = [Disagreements(*pair) for pair in combinations(settings.formats, 2)]
        each = len(settings.formats) * settings.repeats
        self.planned = (len(settings.fixtures) + len(settings.impossible)) * each
        self.planned_impossible = len(settings.impossible) * each
        self.ended = 0
        self.ended_impossible = 0
        self.attempts = 0
        self._possible = frozenset(settings.fixtures)
        self._verdicts: dict[tuple[str, str, int], bool | None] = {}  # of trials that ended; None: discarded
        self._reasons: dict[tuple[str, str, int], str] = {}  # of those that were discarded
        self._tasks: dict[tuple[str, str], tuple[int, int]] = {}  # fixture, format -> resolved, with evidence
        for line in done:
            # What the money or time of an earlier process left no room for is made now.
            self.add(line, still_to_make=line.discarded is Discard.BUDGET_EXHAUSTED)

    @property
    def paid(self) -> float | None:
        """What was paid so far in USD; None: unpriced."""
        return None if self.settings.price is None else sum(standing.paid for standing in self.formats.values())

    @property
    def commonest_discard(self) -> tuple[str, int, int] | None:
        """Why most of the discarded trials are, how many for that, and how many in all; None where none is."""
        found = Counter(self._reasons.values()).most_common(1)
        return (*found[0], len(self._reasons)) if found else None

    def add(self, line: AttemptLine, still_to_make: bool = False) -> None:
        """One more line; a call that is made again takes the place of the one that was lost."""
        standing = self.formats[line.format]
        standing.attempts += 1
        standing.paid += line.paid_usd or 0.0
        self.attempts += 1
        key = (line.fixture, line.format, line.repeat)
        self._withdraw(key)
        if not still_to_make and is_finished([line], self.settings.attempts, self.settings.retry_on):
            verdict = None if line.discarded is not None else line.failure_category is None
            self._verdicts[key] = verdict
            if line.discarded is not None:
                self._reasons[key] = f"{line.discarded.value}: {line.error}" if line.error else line.discarded.value
            self.ended += 1
            self._count(key, verdict, 1)

    def _withdraw(self, key: tuple[str, str, int]) -> None:
        if key in self._verdicts:
            self._count(key, self._verdicts[key], -1)
            del self._verdicts[key]
            self._reasons.pop(key, None)
            self.ended -= 1

    def _count(self, key: tuple[str, str, int], verdict: bool | None, by: int) -> None:
        """Count a verdict, or take it back; both while it stands in `_verdicts`, so that its block shows it."""
        fixture, fmt, repeat = key
        if fixture not in self._possible:
            self.ended_impossible += by
            return
        standing = self.formats[fmt]
        if verdict is None:
            standing.discarded += by
            return
        standing.resolved += by * verdict
        standing.failed += by * (not verdict)
        self._count_task(standing, (fixture, fmt), verdict, by)
        if repeat == _E_REPEAT:
            self._count_block(fixture, by)

    def _count_task(self, standing: Standing, task: tuple[str, str], verdict: bool, by: int) -> None:
        resolved, trials = self._tasks.get(task, (0, 0))
        for k, n, sign in ((resolved, trials, -1), (resolved + by * verdict, trials + by, 1)):
            if n:
                standing.tasks += sign
                standing.means += sign * k / n
                standing.squares += sign * (k / n) ** 2
        self._tasks[task] = resolved + by * verdict, trials + by

    def _count_block(self, fixture: str, by: int) -> None:
        row = {name: self._verdicts.get((fixture, name, _E_REPEAT)) for name in self.formats}
        if None in row.values():
            return
        for pair in self.pairs:
            if row[pair.first] is not row[pair.second]:
                pair.only_first += by * bool(row[pair.first])
                pair.only_second += by * bool(row[pair.second])
