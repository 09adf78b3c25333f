"""Whether the formats of a run are compared, and their pairs: all that is done of a run that is one of thousands."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.across import is_across
from evaluator.report.counts import finished
from evaluator.statistics.comparison import Comparison, compare, outcomes
from evaluator.trials import Trial


@dataclass(frozen=True)
class Refused:
    """Why the formats of a run are not compared."""

    why: str


def compared(run: RunFile, lines: Sequence[AttemptLine]) -> Comparison | Refused:
    """The pairs of a run's formats, or why they are not compared."""
    return compared_trials(run, served(lines), finished(run, lines))


def served(lines: Iterable[AttemptLine]) -> list[str]:
    """The names under which the provider served the model."""
    return sorted({a.served_model for a in lines if a.served_model})


def compared_trials(run: RunFile, names: Sequence[str], done: Sequence[Trial]) -> Comparison | Refused:
    """The same of trials that ended and the names that the model was served under."""
    if len(names) > 1:
        return Refused(f"the served model changed within the run ({', '.join(names)})")
    ended = {(t.fixture, t.format, t.repeat) for t in done}
    repeats = range(1, run.repeats + 1)
    left = sum((f, name, n) not in ended for f in run.fixtures for name in run.formats for n in repeats)
    if left:
        unfinished = "1 trial has" if left == 1 else f"{left} trials have"
        return Refused(f"{unfinished} not ended, and the test is taken once, when all have")
    return compare(run.formats, outcomes(run.formats, done), is_across)
