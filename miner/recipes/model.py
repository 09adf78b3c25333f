"""The seam between proving and ecosystems: what a tree looks like to a recipe, and what a recipe does."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from miner.sandbox import Mount, Outcome

TREE, ENV, WORK, CACHE = "/tree", "/env", "/work", "/cache"  # where the sandbox shows them, for every tree the same

ReadFile = Callable[[str], bytes | None]  # path in the tree -> contents, None where there is no such file


class EnvironmentFailed(Exception):
    """An environment that cannot be built; the message says what to do or what the builder said last."""


class Result(StrEnum):
    """What one test did."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"


Results = Mapping[str, Result]  # test id -> result


@dataclass(frozen=True)
class Settings:
    """What a repository's owner says about building and testing it (repo.yaml, or options of harvest).

    `cwd` is the sub-project ("." for the whole tree); `python` an interpreter's version; `setup` shell
    commands run after the recipe's own build; `test` a command in place of the recipe's, where `{tests}`
    and `{results}` stand for the targets and the folder for results; `env` variables for both.
    """

    cwd: str = "."
    python: str = ""
    setup: tuple[str, ...] = ()
    test: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Project:
    """A tree as a recipe sees it: paths relative to the sub-project, and the date its packages are of."""

    paths: frozenset[str]
    read: ReadFile
    date: datetime  # aware
    settings: Settings = field(default_factory=Settings)

    def text(self, path: str) -> str:
        """The contents of a file, empty where there is none."""
        return (self.read(path) or b"").decode("utf-8", "replace") if path in self.paths else ""

    @property
    def folder(self) -> str:
        """The sub-project inside the sandbox."""
        return TREE if self.settings.cwd == "." else f"{TREE}/{self.settings.cwd}"


@dataclass(frozen=True)
class Toolchain:
    """An installed interpreter or compiler; `prefixes` are the folders that it must be able to read."""

    name: str
    version: str
    executable: Path
    prefixes: tuple[Path, ...]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True)
class Lock:
    """The exact packages of an environment: `text` rebuilds it, `source` says what it was resolved from.

    `notes` name each fallback that was needed. `undated`: some version may be newer than the date,
    because the registry carries no dates.
    """

    text: str
    source: str
    notes: tuple[str, ...] = ()
    undated: bool = False


class Workshop(Protocol):
    """Where a recipe resolves and builds: the sandbox with the registries' network, on one tree.

    The tree is at /tree (changes to it are forgotten after each run), /work is a small folder that
    outlives a run, /cache the repository's own download cache, /env the environment while it is built.
    """

    @property
    def work(self) -> Path:
        """The folder /work on this machine."""

    @property
    def env(self) -> Path | None:
        """The folder /env on this machine; None while resolving."""

    def write(self, name: str, text: str) -> None:
        """Write a file at the top of /work."""

    def read(self, name: str) -> str | None:
        """The text of a file at the top of /work; None where there is none, or something else."""

    def run(
        self, command: Sequence[str], toolchain: Toolchain, environment: Mapping[str, str] | None = None,
        mounts: Sequence[Mount] = (),
    ) -> Outcome:
        """Run a command in the sub-project's folder."""


def last_words(outcome: Outcome, lines: int = 6) -> str:
    """The end of a job's output on one line, for a message."""
    if outcome.stopped is not None:
        return f"stopped: {outcome.stopped.value} limit"
    kept = [line.strip() for line in outcome.output.splitlines() if line.strip()]
    return " | ".join(kept[-lines:])[-600:] or f"exit code {outcome.exit_code}"


class Recipe(Protocol):
    """One ecosystem: how an environment is resolved and built, and how tests are named, run and read."""

    @property
    def name(self) -> str:
        """What repo.yaml calls it."""

    @property
    def manifests(self) -> tuple[str, ...]:
        """File names that mark a project of this ecosystem."""

    @property
    def variants(self) -> tuple[str, ...]:
        """Ways to build an environment, tried in order; the one that worked is recorded."""

    def applies_to(self, project: Project) -> bool:
        """Whether a tree is of this ecosystem and has tests that this recipe can run."""

    def summary(self, project: Project) -> str:
        """What was detected, in one line for a person."""

    def toolchains(self, project: Project) -> Sequence[Toolchain]:
        """The installed toolchains that suit the tree and its date, best first.

        Raises `EnvironmentFailed`, saying what to install, where there is none.
        """

    def like(self, recorded: str, project: Project) -> Toolchain:
        """The installed toolchain nearest to a recorded one (`python 3.11.7`); raises `EnvironmentFailed`."""

    def pinned(self, project: Project) -> Sequence[bytes]:
        """What of the tree shapes an environment besides its lock."""

    def resolve(self, project: Project, toolchain: Toolchain, shop: Workshop) -> Lock:
        """The packages that the tests need, as of the project's date; raises `EnvironmentFailed`."""

    def build(self, project: Project, toolchain: Toolchain, lock: str, variant: str, shop: Workshop) -> None:
        """Fill the environment's folder from a lock's text; raises `EnvironmentFailed`."""

    def mounts(self, env: Path, project: Project) -> Sequence[Mount]:
        """What a test run mounts besides the environment at /env and the toolchain."""

    def variables(self, toolchain: Toolchain) -> Mapping[str, str]:
        """The environment variables of a test run."""

    def runnable(self, test_files: Collection[str]) -> list[str]:
        """Those of the changed test files (relative to the sub-project) that the runner can be pointed at."""

    def command(self, targets: Sequence[str], plain: bool = False) -> list[str]:
        """The command for these targets, all tests where there are none.

        It writes its results below `{results}` or to its output. `plain` ignores the project's own options.
        """

    def targets(self, test_ids: Sequence[str], seen: Collection[str] = ()) -> list[str]:
        """The narrowest targets that run all these tests, in the order given.

        `seen` are all the tests that the files hold, as far as known: a file may be named whole where it
        holds no other test.
        """

    def read(self, results: Path, outcome: Outcome, targets: Sequence[str]) -> Results | None:
        """The result of each test of a run, from the results folder or the output; None where it left none."""
