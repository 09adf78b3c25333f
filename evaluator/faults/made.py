"""Faults that are made of edits: with a label that the edits fix, or one that the tests decide."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from random import Random

from evaluator.faults.answer import Edit, edited, is_unmistakable, solved, untouched
from evaluator.faults.model import RESOLVED, Damaged, Label, Site
from evaluator.scoring import Tests
from evaluator.taxonomy import Category, Detail

TESTS_FAIL = Label(Category.WRONG_CHANGE, Detail.TESTS_FAIL)
TESTS_TIMEOUT = Label(Category.WRONG_CHANGE, Detail.TESTS_TIMEOUT)
BY_TESTS = {Tests.PASS: RESOLVED, Tests.FAIL: TESTS_FAIL, Tests.TIMEOUT: TESTS_TIMEOUT}
_TRIED = 20  # places whose tests are run in search of one that shows what is asked for


@dataclass(frozen=True)
class Fixed:
    """Edits on the ground truth (or on nothing: `from_nothing`), one after the other, whose label is fixed."""

    name: str
    label: Label
    edits: tuple[Edit, ...] = ()
    from_nothing: bool = False
    needs_tests: bool = False
    slow: bool = False

    @property
    def labels(self) -> tuple[Label, ...]:
        """The one label."""
        return (self.label,)

    def damages(self, site: Site, random: Random) -> Iterator[Damaged]:
        """Damaged answers, in random order; none of an impossible task."""
        if site.task.impossible:
            return
        start = untouched(site) if self.from_nothing else solved(site)
        for answer in edited(start, self.edits, random):
            if answer.differing() and is_unmistakable(answer):
                yield answer.damaged(self.label)


@dataclass(frozen=True)
class Tried:
    """Edits inside allowed symbols: resolved where the tests do not see them (R5), else what the tests say.

    `wanted`: only damage on which the tests say so.
    """

    name: str
    edits: tuple[Edit, ...]
    wanted: tuple[Tests, ...] = (Tests.PASS, Tests.FAIL, Tests.TIMEOUT)
    slow: bool = False
    needs_tests: bool = True

    @property
    def labels(self) -> tuple[Label, ...]:
        """A label for each thing that the tests may say."""
        return tuple(BY_TESTS[tests] for tests in self.wanted)

    def damages(self, site: Site, random: Random) -> Iterator[Damaged]:
        """Damaged answers, in random order; none of an impossible task."""
        if site.task.impossible:
            return
        answers = (a for a in edited(solved(site), self.edits, random) if a.differing() and is_unmistakable(a))
        for answer in islice(answers, 3 if self.slow else _TRIED):
            tests = site.tests_of(answer.differing())
            if tests in self.wanted:
                yield answer.damaged(BY_TESTS[tests])


@dataclass(frozen=True)
class Beside:
    """An edit outside the allowed symbols on which the tests say `wanted`, on the ground truth or on nothing.

    The label is fixed (R4): on the ground truth the answer is right with the edit put back, on nothing none is left.
    """

    name: str
    label: Label
    edit: Edit
    wanted: Tests = Tests.FAIL
    from_nothing: bool = False
    needs_tests: bool = True
    slow: bool = False

    @property
    def labels(self) -> tuple[Label, ...]:
        """The one label."""
        return (self.label,)

    def damages(self, site: Site, random: Random) -> Iterator[Damaged]:
        """Damaged answers, in random order; none of an impossible task."""
        if site.task.impossible:
            return
        start = untouched(site) if self.from_nothing else solved(site)
        answers = (answer for answer in self.edit(start, random) if is_unmistakable(answer))
        for answer in islice(answers, _TRIED):
            if site.tests_of(answer.differing()) is self.wanted:
                yield answer.damaged(self.label)


@dataclass(frozen=True)
class Both:
    """A wrong change inside an allowed symbol and an unintended one beside it: wrong with the latter put back (R4)."""

    name: str
    wrong: Edit
    unintended: Edit
    needs_tests: bool = True
    slow: bool = False

    @property
    def labels(self) -> tuple[Label, ...]:
        """The tests fail either way."""
        return (TESTS_FAIL,)

    def damages(self, site: Site, random: Random) -> Iterator[Damaged]:
        """Damaged answers, in random order; none of an impossible task."""
        if site.task.impossible:
            return
        for wrong in islice(self.wrong(solved(site), random), _TRIED):
            if not wrong.differing() or site.tests_of(wrong.differing()) is not Tests.FAIL:
                continue
            for answer in islice(edited(wrong, (self.unintended,), random), 1):
                if is_unmistakable(answer) and site.tests_of(answer.differing()) is Tests.FAIL:
                    yield answer.damaged(TESTS_FAIL)
