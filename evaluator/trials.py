"""Verdicts: one per trial, from its attempts; the counts that a report is made of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluator.journal import AttemptLine
from evaluator.taxonomy import Category, is_retried


@dataclass(frozen=True)
class Trial:
    """A fixture under a format, with its attempts in order. The verdict is the last one's."""

    fixture: str
    format: str
    attempts: tuple[AttemptLine, ...]

    @property
    def last(self) -> AttemptLine:
        """The attempt that decides."""
        return self.attempts[-1]

    @property
    def repeat(self) -> int:
        """Which repeat of the fixture it is, from 1."""
        return self.last.repeat

    @property
    def has_evidence(self) -> bool:
        """Whether the trial says something about its format."""
        return self.last.discarded is None

    @property
    def category(self) -> Category | None:
        """The category the task failed in, or None where it was resolved."""
        return self.last.failure_category

    @property
    def resolved(self) -> bool:
        """Tests pass and nothing unintended changed."""
        return self.has_evidence and self.category is None

    @property
    def silent_defect(self) -> bool:
        """Tests pass on the last attempt, and something unintended and not excused changed."""
        unintended = set(self.last.unintended_changes).difference(self.last.excused)
        return self.has_evidence and self.last.valid and bool(unintended)


def trials(lines: Iterable[AttemptLine]) -> list[Trial]:
    """The attempts grouped by fixture, format and repeat, in order of first appearance."""
    grouped: dict[tuple[str, str, int], list[AttemptLine]] = {}
    for line in lines:
        grouped.setdefault((line.fixture, line.format, line.repeat), []).append(line)
    return [
        Trial(key[0], key[1], tuple(sorted(found, key=lambda a: a.attempt))) for key, found in grouped.items()
    ]


def is_finished(attempts: Sequence[AttemptLine], budget: int) -> bool:
    """Whether a trial needs no further attempt."""
    if not attempts:
        return False
    last = max(attempts, key=lambda a: a.attempt)
    return last.discarded is not None or last.attempt >= budget or not is_retried(last.failure_category, last.detail)
