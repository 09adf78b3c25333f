"""A mined repository while it is harvested: everything that reads it, opened once."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from miner.crew import Crew
from miner.diffs import Diffs
from miner.git import Git, Objects
from miner.tokens import count_tokens
from miner.tree_objects import Trees


@dataclass(frozen=True)
class Mined:
    """Our repository over the mined one, and the long-lived readers of it; safe to share between threads."""

    git: Git
    objects: Objects
    diffs: Diffs
    trees: Trees
    incomplete: bool  # objects of the changes' trees may be missing
    crew: Crew

    def tree_of(self, commit: str) -> str | None:
        """The id of a commit's tree, or None where the clone lacks it."""
        return self.objects.resolve(f"{commit}^{{tree}}")


@contextmanager
def mined(git: Git, incomplete: bool = True, workers: int = 0) -> Iterator[Mined]:
    """The readers of a repository, ended with the block, and as many processes for pure work."""
    if workers:
        count_tokens("")  # the vocabulary is read before the fork, and shared
    with Crew(workers) as crew, Objects(git) as objects, Diffs(git) as diffs:
        yield Mined(git, objects, diffs, Trees(objects.read), incomplete, crew)
