"""What a reader must know before any number of a report."""

from collections.abc import Sequence

from evaluator.journal import AttemptLine, RunFile
from evaluator.taxonomy import Discard
from evaluator.trials import trials
from miner.wording import plural

SIMULATED = "simulated: says nothing about any model"
DEALT = "its cut-offs are dealt, whatever the cap, so cost, tokens and latency may be of replies that it would cut"
MEETS_THE_CAP = "simulated:perfect"  # the only simulated model that does
THIN = "thin"  # the tag of a fixture whose prompt says too little to act on


def warnings(run: RunFile, names: Sequence[str], ended: int, lines: Sequence[AttemptLine] = ()) -> list[str]:
    """A sentence for everything that qualifies all numbers: `names` served the model, `ended` trials have ended."""
    said = [_simulated(run)] if run.simulated else []
    if left := _left(run, lines):
        planned = (len(run.fixtures) + len(run.impossible)) * run.repeats * len(run.formats)
        were = "was" if left == 1 else "were"
        said.append(f"Budget used up: {left:,} of {plural(planned, 'trial')} {were} not run to the end, and "
                    f"{'has' if left == 1 else 'have'} no result; `--resume RUN` goes on")  # fmt: skip
    if len(names) > 1:
        said.append(f"Warning: the served model changed within this run ({', '.join(names)}); do not compare formats")
    if run.set_tasks is not None and (part := len(run.fixtures) + len(run.impossible)) < run.set_tasks:
        were = "was" if part == 1 else "were"
        said.append(f"Part of a set: {part:,} of its {plural(run.set_tasks, 'task')} {were} asked for, impossible ones "
                    "counted")  # fmt: skip
    planned = len(run.fixtures) * run.repeats * len(run.formats)
    if ended < planned:
        said.append(f"Unfinished: {ended:,} of {planned:,} trials have ended")
    asked = {*run.fixtures, *run.impossible}
    if foreign := sum(a.fixture not in asked or a.format not in run.formats for a in lines):
        named = "of fixtures or formats that run.yaml does not name"
        said.append(f"Warning: {plural(foreign, 'attempt')} {named}: in no number")
    if thin := [f for f in run.fixtures if f in run.tasks and THIN in run.tasks[f].tags]:
        say = "says" if len(thin) == 1 else "say"
        said.append(f"{len(thin)} of {plural(len(run.fixtures), 'prompt')} {say} too little to act on (thin)")
    return said


def _simulated(run: RunFile) -> str:
    if run.model == MEETS_THE_CAP:
        return SIMULATED
    return f"{SIMULATED}; {DEALT} ({MEETS_THE_CAP} meets the cap)"


def _left(run: RunFile, lines: Sequence[AttemptLine]) -> int:
    """Trials, impossible ones too, that the run's money or time did not last for."""
    asked = {*run.fixtures, *run.impossible}
    own = [line for line in lines if line.fixture in asked and line.format in run.formats]
    return sum(trial.last.discarded is Discard.BUDGET_EXHAUSTED for trial in trials(own))
