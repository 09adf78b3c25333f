"""What a run notes of its set, so that it can be reported without its fixtures."""

from collections.abc import Collection, Mapping

from evaluator.journal import RunFile, TaskFacts
from evaluator.report.warned import THIN
from miner.record import Fixture
from miner.set_file import SetFile


def noted(run: RunFile, chosen: SetFile, fixtures: Mapping[str, Fixture], thin: Collection[str] = ()) -> RunFile:
    """The run with what its possible tasks are grouped by, and the history's mix; `thin` are thin prompts."""
    definition = chosen.definition()
    return run.model_copy(update={
        "mix": chosen.mix,
        "tasks": {
            name: TaskFacts(
                stratum=definition.stratum(fixtures[name].rewrite_tokens, chosen.cap),
                large=definition.is_large(fixtures[name].change_fraction),
                rewrite_tokens=fixtures[name].rewrite_tokens,
                tags=[*chosen.tags.get(name, []), *([THIN] if name in thin else [])],
            )
            for name in run.fixtures
        },
    })  # fmt: skip
