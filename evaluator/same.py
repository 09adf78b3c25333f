"""A/A: a format against itself under two names. Whoever wins there is noise, so winners are counted."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from evaluator.bench import TaskBench
from evaluator.formats.model import EditFormat
from evaluator.formats.renamed import ENDINGS, Renamed
from evaluator.journal import AttemptLine, MemoryJournal, RunFile
from evaluator.memo import Memo
from evaluator.models.model import Model
from evaluator.report.pairs import Refused, compared
from evaluator.running.attempt import Scores
from evaluator.running.driver import run
from evaluator.running.keeping import Extras
from evaluator.statistics.comparison import Comparison, outcomes
from evaluator.statistics.exact import ALPHA, holm, mcnemar, most_winners, size
from evaluator.trials import trials
from miner.errors import ToolError

_SCORES = 20_000  # judgements that are remembered: a few for every fixture and kind of mistake


@runtime_checkable
class Seeded(Model, Protocol):
    """A model that draws what it answers, by a seed and the name of the format."""

    def seeded(self, seed: int) -> Model:
        """The same model, drawing anew."""


@dataclass(frozen=True)
class Counted:
    """What A/A runs gave so far.

    `winners` are the runs that declared the first name, and the second. `trials` have evidence and `resolved` are
    theirs. `incomplete` counts blocks that a discarded trial took out, `disagreed` per fixture the runs in which
    one name alone resolved it. `decidable`: runs with enough disagreements for any split of them to be significant.
    """

    names: tuple[str, str]
    runs: int
    winners: tuple[int, int]
    trials: int
    resolved: int
    incomplete: int
    decidable: int
    disagreed: Mapping[str, int]

    @property
    def limit(self) -> int:
        """More winners than this are more than chance (1%) gives a test at 5%."""
        return most_winners(self.runs)

    @property
    def passed(self) -> bool:
        """Whether no more winners were declared than chance gives, in runs that could have declared one."""
        return self.decidable > 0 and sum(self.winners) <= self.limit

    @property
    def expected(self) -> float:
        """The share of runs in which the exact test finds a winner, for fixtures that disagree as often as seen."""
        return size([count / self.runs for count in self.disagreed.values()]) if self.runs else 0.0


def same(settings: RunFile, fmt: EditFormat, benches: Mapping[str, TaskBench], model_of: Callable[[int], Model],
         runs: int, workers: int) -> Iterator[Counted]:  # fmt: skip
    """Runs of `fmt` under two names, each with a seed of its own from the settings' on; the counts after each run.

    The whole line is run: model, attempt, score, journal, trials, blocks, McNemar, Holm. Equal replies are scored
    once. Raises `ToolError` where a run cannot be compared.
    """
    names = (f"{fmt.name}{ENDINGS[0]}", f"{fmt.name}{ENDINGS[1]}")
    formats: dict[str, EditFormat] = {name: Renamed(fmt, name) for name in names}
    granted = {name: settings.applier.get(fmt.name, []) for name in names}
    settings = settings.model_copy(update={"formats": list(names), "applier": granted, "simulated": True})
    scores: Scores = Memo(_SCORES)
    counted = Counted(names, 0, (0, 0), 0, 0, 0, 0, dict.fromkeys(settings.fixtures, 0))
    for seed in range(settings.seed, settings.seed + runs):
        journal, seeded = MemoryJournal(), settings.model_copy(update={"seed": seed})
        run(seeded, formats, benches, model_of(seed), journal, workers, lambda _line: None, extras=Extras(scores))
        counted = add(counted, seeded, journal.lines)
        yield counted


def add(counted: Counted, settings: RunFile, lines: Sequence[AttemptLine]) -> Counted:
    """The counts with one more run; raises `ToolError` where it cannot be compared."""
    found = compared(settings, lines)
    if isinstance(found, Refused):
        raise ToolError("an A/A run cannot be compared", settings.model, f"{found.why}.")
    (pair,) = found.pairs
    first, second = counted.names
    done = [t for t in trials(lines) if t.has_evidence]
    disagreements = pair.split.only_first + pair.split.only_second
    return replace(
        counted, runs=counted.runs + 1,
        winners=(counted.winners[0] + (pair.winner == first), counted.winners[1] + (pair.winner == second)),
        trials=counted.trials + len(done), resolved=counted.resolved + sum(t.resolved for t in done),
        incomplete=counted.incomplete + found.blocks - found.complete,
        decidable=counted.decidable + _decidable(found, disagreements),
        disagreed={f: n + (f in _apart(counted.names, settings, lines)) for f, n in counted.disagreed.items()},
    )  # fmt: skip


def _decidable(found: Comparison, disagreements: int) -> bool:
    """Whether so many disagreements, all one way, are significant."""
    return holm([mcnemar(disagreements, 0)] * len(found.pairs))[0] <= ALPHA


def _apart(names: tuple[str, str], settings: RunFile, lines: Sequence[AttemptLine]) -> set[str]:
    """The fixtures that one name alone resolved, of those with evidence of both."""
    rows = outcomes(settings.formats, trials(lines))
    return {
        fixture for (fixture, _), row in rows.items()
        if None not in row.values() and row[names[0]] is not row[names[1]]
    }  # fmt: skip
