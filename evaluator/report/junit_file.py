"""The trials of a run as JUnit XML, for the pages that CI systems make of it: a suite a format, a case a trial.

A failure has the category as its type. `infra_error` and `harness_error` are errors: something broke that somebody
should mend. `refusal` and `budget_exhausted` are skipped, as is a trial that never ended: nothing broke, and nothing is
known. None of these is a pass: what CI should fail on is `evaluator gate`'s to say.
"""

from collections.abc import Sequence

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.counts import by_format, finished
from evaluator.sentence import sentence
from evaluator.taxonomy import Discard
from evaluator.trials import Trial
from miner.errors import printable

BROKEN = (Discard.INFRA_ERROR, Discard.HARNESS_ERROR)


def as_junit(run: RunFile, lines: Sequence[AttemptLine]) -> str:
    """All trials of a run, of impossible tasks too."""
    xml = JUnitXml(printable(f"{run.model}, set {run.set_digest[:12]}"))
    for name, done in by_format(run, finished(run, lines)).items():
        suite = TestSuite(printable(name))
        ended = {(t.fixture, t.repeat): t for t in done}
        suite.add_testcases([  # at once: one by one, each would be counted again with all before it
            _case(name, _named(fixture, repeat, run), ended.get((fixture, repeat)))
            for fixture in (*run.fixtures, *run.impossible) for repeat in range(1, run.repeats + 1)
        ])  # fmt: skip
        xml.add_testsuite(suite)
    xml.update_statistics()  # type: ignore[no-untyped-call]
    return str(xml.tostring().decode("utf-8"))  # type: ignore[no-untyped-call]


def _named(fixture: str, repeat: int, run: RunFile) -> str:
    return fixture if run.repeats == 1 else f"{fixture} repeat {repeat}"


def _case(name: str, called: str, trial: Trial | None) -> TestCase:
    case = TestCase(printable(called), printable(name))
    case.time = sum(a.latency_ms for a in trial.attempts) / 1000 if trial else 0.0
    if trial is None:
        case.result = [Skipped("the trial has not ended")]
    elif trial.last.discarded is not None:
        said = printable(sentence(trial.last))
        broken = trial.last.discarded in BROKEN
        case.result = [Error(said, trial.last.discarded.value) if broken else Skipped(said)]
    elif trial.category is not None:
        named = ", ".join([trial.category.value, *([trial.last.detail.value] if trial.last.detail else [])])
        case.result = [Failure(printable(f"{named}: {sentence(trial.last)}"), trial.category.value)]
    return case
