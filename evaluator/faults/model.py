"""A fault: a right answer damaged so that its label is known by construction (docs/taxonomy.md)."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Protocol

from evaluator.formats.model import EditFormat, Leniency, Tree
from evaluator.scoring import Tests
from evaluator.taxonomy import Category, Detail, StopReason
from miner.fixtures import Task
from miner.symbols.files import Files


@dataclass(frozen=True)
class Label:
    """What a scorer must say of a reply; both None: resolved."""

    category: Category | None = None
    detail: Detail | None = None

    def __str__(self) -> str:
        if self.category is None:
            return "resolved"
        return f"{self.category.value}/{self.detail.value}" if self.detail else self.category.value


RESOLVED = Label()


@dataclass(frozen=True)
class Site:
    """Where faults are injected: a task, its tree, and its tests.

    `tests_of` is the verdict of the task's tests on changed files laid over the starting tree. A fault may ask it
    for the label of what it made (do the tests see this logic change?); it never asks the scorer.
    """

    task: Task
    tree: Tree
    tests_of: Callable[[Files], Tests]
    leniency: Callable[[EditFormat], Leniency]

    @cached_property
    def truth(self) -> Files:
        """The ground truth's files that differ from the starting tree."""
        return {p: c for p, c in self.task.after.items() if c != self.task.before[p]}


@dataclass(frozen=True)
class Damaged:
    """The files of a damaged answer, every one that it changes, with what they were; any format can write them."""

    before: Files
    after: Files
    label: Label


@dataclass(frozen=True)
class Injected:
    """A damaged reply as a model would give it, and its label."""

    text: str
    label: Label
    stop: StopReason | None = "stop"


class FileFault(Protocol):
    """A fault of the answer itself, which any format can write: `damages` gives as many as there are places, lazily.

    Order is drawn with `random`, so that the first is a random one; nothing where the task has no such place.
    `labels` are those that it can give. `needs_tests`: it runs the task's tests to know which.
    """

    @property
    def name(self) -> str:
        """What it is called, in snake_case."""

    @property
    def labels(self) -> tuple[Label, ...]:
        """Every label that it can give."""

    @property
    def needs_tests(self) -> bool:
        """Whether it runs the task's tests."""

    def damages(self, site: Site, random: Random) -> Iterable[Damaged]:
        """Damaged answers, in random order."""


class ReplyFault(Protocol):
    """A fault of the text of a reply in one format; otherwise as `FileFault`."""

    @property
    def name(self) -> str:
        """What it is called, in snake_case."""

    @property
    def labels(self) -> tuple[Label, ...]:
        """Every label that it can give."""

    @property
    def needs_tests(self) -> bool:
        """Whether it runs the task's tests."""

    def replies(self, site: Site, fmt: EditFormat, random: Random) -> Iterable[Injected]:
        """Damaged replies, in random order; nothing where the format cannot have the fault."""
