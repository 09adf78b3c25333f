"""What a reader must know before any number of a report."""

from collections.abc import Sequence

from evaluator.journal import AttemptLine, RunFile
from miner.wording import plural

SIMULATED = "simulated: says nothing about any model"
THIN = "thin"  # the tag of a fixture whose prompt says too little to act on


def warnings(run: RunFile, names: Sequence[str], ended: int, lines: Sequence[AttemptLine] = ()) -> list[str]:
    """A sentence for everything that qualifies all numbers: `names` served the model, `ended` trials have ended."""
    said = [SIMULATED] if run.simulated else []
    if len(names) > 1:
        said.append(f"Warning: the served model changed within this run ({', '.join(names)}); do not compare formats")
    if run.set_tasks is not None and (part := len(run.fixtures) + len(run.impossible)) < run.set_tasks:
        said.append(f"Part of a set: {part:,} of its {run.set_tasks:,} tasks were asked for")
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
