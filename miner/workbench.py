"""Trees on disk, and test commands run on them in a ready environment."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from miner import environment, sandbox, temporary
from miner.environment import Ready, TestRun
from miner.proof import Run
from miner.recipes.command import command_for, results_of
from miner.recipes.model import Recipe, Results
from miner.sandbox import Limits, Outcome
from miner.trees import TreeStore


@contextmanager
def on_disk(store: TreeStore, tree: str) -> Iterator[Path]:
    """A tree written to a temporary folder that the sandbox's user can read."""
    with temporary.folder("tree-") as folder:
        folder.chmod(0o755)
        store.checkout(tree, folder)
        yield folder


@dataclass(frozen=True)
class Workbench:
    """Runs a recipe's commands on trees in a ready environment; a run may take `seconds`.

    `times` collects what each run took, in seconds.
    """

    recipe: Recipe
    ready: Ready
    seconds: float
    times: list[float] = field(default_factory=list)

    def command(self, targets: Sequence[str], plain: bool = False) -> list[str]:
        """The command for these targets: the owner's, else the recipe's."""
        return command_for(self.recipe, self.ready.project.settings, targets, plain)

    def run(self, tree: Path, command: Sequence[str], protected: Collection[str] = ()) -> Run:
        """Run a command on a copy of a tree and read its results; `protected` files cannot be changed by it."""
        with temporary.folder("results-") as results:
            run = TestRun(tree, command, Limits(wall_seconds=self.seconds), results, protected)
            done = sandbox.run(environment.test_job(self.recipe, self.ready, run))
            self.times.append(done.seconds)
            found = None if done.timed_out else self._read(results, done, command)
            ended = f"\nended by the limit on {done.stopped.value}" if done.stopped else ""
            return Run(found, done.timed_out, done.seconds, done.output + ended)

    def _read(self, results: Path, outcome: Outcome, command: Sequence[str]) -> Results | None:
        return results_of(self.recipe, self.ready.project.settings, results, outcome, command)
