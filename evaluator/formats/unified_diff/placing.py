"""Placing a file's hunks: by git's rule to the letter, then with the steps that are admitted, one more at a time."""

from collections.abc import Sequence

from evaluator.formats.model import Leniency
from evaluator.formats.unified_diff.git_rule import by_git
from evaluator.formats.unified_diff.hunks import Hunk
from evaluator.formats.unified_diff.patch_rule import by_patch
from evaluator.formats.unified_diff.placed import CONTEXT_FUZZ, PLACING, Misfit, Placed


def place(hunks: Sequence[Hunk], lines: list[str], leniency: Leniency) -> Placed | Misfit:
    """The hunks placed at the first step at which all of them fit; else what git's rule to the letter says.

    The steps that are recorded are those without which they do not fit alike.
    """
    refused = by_git(hunks, lines, ())
    if isinstance(refused, Placed):
        return refused
    steps: tuple[str, ...] = ()
    for tolerance in PLACING:
        if tolerance.name in leniency:
            steps = (*steps, tolerance.name)
            found = _at(steps, hunks, lines)
            if isinstance(found, Placed):
                return _needed(found, hunks, lines)
    return refused


def _at(steps: tuple[str, ...], hunks: Sequence[Hunk], lines: list[str]) -> Placed | Misfit:
    return (by_patch if CONTEXT_FUZZ.name in steps else by_git)(hunks, lines, steps)


def _needed(found: Placed, hunks: Sequence[Hunk], lines: list[str]) -> Placed:
    for step in found.steps[:-1]:
        fewer = _at(tuple(other for other in found.steps if other != step), hunks, lines)
        if isinstance(fewer, Placed) and fewer.lines == found.lines:
            found = fewer
    return found
