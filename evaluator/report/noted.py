"""What a run notes of its set, so that it can be reported without its fixtures."""

from collections.abc import Iterable

from evaluator.journal import RunFile, TaskFacts
from evaluator.report.warned import THIN
from miner.record import Fixture
from miner.set_file import SetFile


def noted(run: RunFile, chosen: SetFile, records: Iterable[Fixture]) -> RunFile:
    """The run with what its tasks are grouped by, and the history's mix."""
    return run.model_copy(update={"mix": chosen.mix, "tasks": {r.id: task_facts(r, chosen) for r in records}})


def task_facts(record: Fixture, chosen: SetFile) -> TaskFacts:
    """What reports group a fixture by; that its prompt is thin is one of its tags, unless somebody edited it since."""
    definition = chosen.definition()
    thin = record.prompt is not None and record.prompt.thin and record.id not in chosen.edited
    return TaskFacts(
        stratum=definition.stratum(record.rewrite_tokens, chosen.cap),
        large=definition.is_large(record.change_fraction), rewrite_tokens=record.rewrite_tokens,
        tags=[*chosen.tags.get(record.id, []), *([THIN] if thin else [])],
    )  # fmt: skip
