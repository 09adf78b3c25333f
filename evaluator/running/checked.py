"""A set's tasks, and what a run to go on with holds, looked at before anything is paid for."""

from collections.abc import Iterable
from pathlib import Path

from evaluator.journal import AttemptLine, RunFile
from miner import recipes
from miner.errors import ToolError
from miner.fixtures import FixtureFolder, Task
from miner.set_file import SetFile, changed, set_digest


def checked_tasks(folder: FixtureFolder, chosen: SetFile) -> list[Task]:
    """The set's tasks, checked: proved, unchanged since the set was drawn, rebuilding their solved trees."""
    tasks = [folder.task(fixture) for fixture in (*chosen.fixtures, *chosen.impossible)]
    for n, task in enumerate(tasks):
        if task.impossible is not (n >= len(chosen.fixtures)):
            what = "impossible" if task.impossible else "possible"
            raise ToolError(f"the set has a fixture in the wrong list: it is {what}", task.id, "Draw the set again.")
        if task.fixture.proof is None:
            raise ToolError("the fixture is not proved", task.folder, "Run `miner harvest` without --no-prove.")
        recipes.by_name(task.repository.recipe)  # raises where there is no such recipe
        assert task.solved_tree  # raises where an edited patch no longer matches
        assert task.lock is not None  # raises where a file that the run needs later is missing
        assert task.prompt is not None
    edited = {task.id: task.prompt_digest for task in tasks if task.prompt_edited}
    records = [task.fixture for task in tasks]
    if set_digest(records, chosen.cap, edited, chosen.show_tests) != chosen.digest:
        what, names = "a fixture changed since the set was drawn", changed(records, chosen, edited)
        remedy = f"Restore it, or run `miner stratify {folder.root}` again."
        raise ToolError(what, ", ".join(names) or folder.root, remedy)
    return tasks


def check_lines(settings: RunFile, lines: Iterable[AttemptLine], model: str, place: Path) -> None:
    """Raise `ToolError` where a run holds attempts of what its run.yaml does not name: one of them is another run's."""
    fixtures, formats = {*settings.fixtures, *settings.impossible}, {*settings.formats}
    for line in lines:
        if line.fixture in fixtures and line.format in formats and line.model == model:
            continue
        what = f"an attempt of what the run does not name ({line.fixture}, {line.format}, {line.model})"
        raise ToolError(what, place / "attempts.jsonl", "Restore run.yaml, or start a new run.")
