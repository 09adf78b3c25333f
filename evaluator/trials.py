"""Verdicts: one per trial, from its attempts; the counts that a report is made of."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from evaluator.journal import AttemptLine
from evaluator.taxonomy import DEFAULT_SIGNALS, Category, Signal, signal_of


@dataclass(frozen=True)
class Trial:
    """A fixture under a format, with its attempts in order. The verdict is the last one's.

    `lost` are calls that gave no evidence and were made again: they are in no count but that of what was paid.
    """

    fixture: str
    format: str
    attempts: tuple[AttemptLine, ...]
    lost: tuple[AttemptLine, ...] = ()

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
    def signal(self) -> Signal | None:
        """What an agent in production sees of how the trial ended; None: nothing, as where it was resolved."""
        return _shown_by(self.last)

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
    return [_trial(key[0], key[1], found) for key, found in grouped.items()]


def _trial(fixture: str, fmt: str, found: Sequence[AttemptLine]) -> Trial:
    last_calls = {line.attempt: line for line in sorted(found, key=lambda a: a.call)}
    lost = tuple(line for line in found if last_calls[line.attempt] is not line)
    return Trial(fixture, fmt, tuple(last_calls[number] for number in sorted(last_calls)), lost)


def is_finished(
    attempts: Sequence[AttemptLine], budget: int, retry_on: Collection[Signal] = DEFAULT_SIGNALS
) -> bool:  # fmt: skip
    """Whether a trial needs no further attempt: none left, none wanted, or no evidence to be had."""
    if not attempts:
        return False
    last = max(attempts, key=lambda a: (a.attempt, a.call))
    return last.discarded is not None or last.attempt >= budget or _shown_by(last) not in retry_on


def _shown_by(attempt: AttemptLine) -> Signal | None:
    """The signal that was noted; lines of before there was one have that of their category."""
    return attempt.signal or signal_of(attempt.failure_category, attempt.detail)
