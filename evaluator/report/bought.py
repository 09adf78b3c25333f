"""What each leniency of an applier bought: first attempts that only it applied, and what became of them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evaluator.journal import AttemptLine
from evaluator.taxonomy import Category


@dataclass(frozen=True)
class Bought:
    """One format's first attempts that took a tolerance and that its specification to the letter did not apply.

    `misapplied` and `unintended` are of those that ended in these categories; what is left failed its tests.
    """

    format: str
    tolerance: str
    attempts: int
    resolved: int
    misapplied: int
    unintended: int


def bought(formats: Sequence[str], lines: Iterable[AttemptLine]) -> list[Bought]:
    """A row for every format and tolerance that bought anything; an attempt counts in the row of each that it took."""
    only = [a for a in lines if a.attempt == 1 and a.applied and a.strict_applied is False and a.discarded is None]
    rows: list[Bought] = []
    for name in formats:
        mine = [(a, _steps(a)) for a in only if a.format == name]
        for tolerance in dict.fromkeys(step for _, steps in mine for step in sorted(steps)):
            took = [a.failure_category for a, steps in mine if tolerance in steps]
            rows.append(
                Bought(
                    name, tolerance, len(took), took.count(None), took.count(Category.MISAPPLIED),
                    took.count(Category.UNINTENDED_CHANGE),
                )
            )  # fmt: skip
    return rows


def _steps(attempt: AttemptLine) -> set[str]:
    return {step for edit in attempt.edit_steps for step in edit.split("+") if step}
