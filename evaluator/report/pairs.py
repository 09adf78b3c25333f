"""Whether the formats of a run are compared, and their pairs: all that is done of a run that is one of thousands."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.counts import finished
from evaluator.statistics.comparison import Comparison, compare, outcomes


@dataclass(frozen=True)
class Refused:
    """Why the formats of a run are not compared."""

    why: str


def compared(run: RunFile, lines: Sequence[AttemptLine]) -> Comparison | Refused:
    """The pairs of a run's formats, or why they are not compared."""
    served = sorted({a.served_model for a in lines if a.served_model})
    if len(served) > 1:
        return Refused(f"the served model changed within the run ({', '.join(served)})")
    done = finished(run, lines)
    ended = {(t.fixture, t.format, t.repeat) for t in done}
    repeats = range(1, run.repeats + 1)
    left = sum((f, name, n) not in ended for f in run.fixtures for name in run.formats for n in repeats)
    if left:
        unfinished = "1 trial has" if left == 1 else f"{left} trials have"
        return Refused(f"{unfinished} not ended, and the test is taken once, when all have")
    return compare(run.formats, outcomes(run.formats, done))
