"""A fault of the text of a reply, as a row: its name, its labels, and the function that makes it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from random import Random

from evaluator.faults.model import Injected, Label, Site
from evaluator.formats.model import EditFormat
from evaluator.taxonomy import Category, Detail

Replies = Callable[[Site, EditFormat, Random], Iterator[Injected]]


@dataclass
class TextFault:
    """A `ReplyFault` made by one function."""

    name: str
    labels: tuple[Label, ...]
    make: Replies
    needs_tests: bool = False

    def replies(self, site: Site, fmt: EditFormat, random: Random) -> Iterable[Injected]:
        """Damaged replies, in random order."""
        return self.make(site, fmt, random)


def truncated(detail: Detail) -> Label:
    """The label of a reply that was cut off."""
    return Label(Category.TRUNCATED, detail)


def malformed(detail: Detail) -> Label:
    """The label of a reply without an edit that can be read."""
    return Label(Category.MALFORMED, detail)


def not_applied(detail: Detail) -> Label:
    """The label of a reply with an edit that does not fit."""
    return Label(Category.NOT_APPLIED, detail)


def wrong_change(detail: Detail) -> Label:
    """The label of a reply that did not do the task."""
    return Label(Category.WRONG_CHANGE, detail)
