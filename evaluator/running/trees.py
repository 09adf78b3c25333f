"""`--keep`: the tree that an attempt left, to be looked at."""

import shutil
from pathlib import Path

from evaluator.running.attempt import Made
from miner.trees import write_files


def keep_tree(folder: Path, made: Made) -> None:
    """Write the starting tree with what the attempt changed of it, below `folder`, as its tests saw it but for these.

    Nothing where nothing was applied. What an impossible task withholds is not in it.
    """
    if not made.line.applied:
        return
    fixture, fmt, repeat, number, call = made.attempt.key
    place = folder / fixture / (f"{fmt}.r{repeat}.a{number}" + (f".c{call}" if call > 1 else ""))
    shutil.rmtree(place, ignore_errors=True)  # of a process that was killed
    place.mkdir(parents=True)
    task = made.attempt.bench.task
    task.store.checkout(task.fixture.starting_tree, place)
    write_files(place, dict.fromkeys(task.withheld))
    write_files(place, made.files)
