"""The seam between proving and ecosystems."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

ReadFile = Callable[[str], bytes | None]  # path in the tree -> contents, None where there is no such file


@dataclass(frozen=True)
class Needs:
    """What a project says it needs to be built and tested.

    `inputs` are argument lists for one resolution each, tried in order; `pinned` is what a digest of
    the environment must cover besides the packages.
    """

    requires_python: str
    classified: frozenset[tuple[int, int]]
    inputs: tuple[tuple[str, ...], ...]
    pinned: tuple[bytes, ...]
    source_folder: str


class Recipe(Protocol):
    """One ecosystem: what a tree needs, and the command that runs tests and writes JUnit XML."""

    name: str

    def applies_to(self, paths: Collection[str]) -> bool:
        """Whether a tree with these files is of this ecosystem."""

    def needs(self, paths: Collection[str], read: ReadFile) -> Needs:
        """What the tree says it needs."""

    def runnable(self, test_files: Collection[str]) -> list[str]:
        """Those of the changed test files that the test runner can be pointed at."""

    def command(self, targets: Sequence[str], plain: bool = False) -> list[str]:
        """The command for these targets, without the results option; `plain` ignores the project's own options."""

    def results_option(self, path: str) -> list[str]:
        """The options that make the command write JUnit XML to `path`."""

    def targets(self, test_ids: Collection[str]) -> list[str]:
        """The narrowest targets that run all these tests."""
