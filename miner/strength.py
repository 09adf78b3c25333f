"""Verifier strength: what of a change its tests would miss."""

from collections.abc import Sequence

from miner.hunks import Hunk, hunks
from miner.proof import Run, missing
from miner.record import Strength
from miner.trees import TreeStore
from miner.workbench import Workbench, on_disk


def strength(
    store: TreeStore, solved_tree: str, change_patch: bytes, required: Sequence[str], commands: Sequence[list[str]],
    bench: Workbench,
) -> Strength:  # fmt: skip
    """Each hunk of the change set left out in turn: which of them no required test misses.

    The commands are run in order until one notices, so the quickest comes first and the last names all.
    """

    def noticed(part: Hunk) -> bool:
        tree = store.patched(solved_tree, [part.patch], reverse=True)
        if tree is None:
            return False  # it cannot be left out alone, so nothing is claimed for it
        with on_disk(store, tree) as folder:
            return any(_notices(bench.run(folder, command), command is commands[-1], required) for command in commands)

    parts = hunks(change_patch)
    unnoticed = [part.name for part in parts if len(parts) > 1 and not noticed(part)]
    return Strength(hunks=max(len(parts), 1), unnoticed=unnoticed)


def _notices(run: Run, names_all: bool, required: Sequence[str]) -> bool:
    """Whether a required test fails; one that is missing counts only where the command names them all."""
    failed = missing(run.found, required)
    return bool(failed) if names_all or not run.found else any(test in run.found for test in failed)
