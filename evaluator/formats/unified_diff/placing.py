"""Placing a file's hunks: by git's rule to the letter, then with the steps that are admitted, one more at a time."""

from collections.abc import Sequence

from evaluator.formats.model import Leniency
from evaluator.formats.unified_diff.git_rule import by_git, only_places
from evaluator.formats.unified_diff.hunks import Hunk
from evaluator.formats.unified_diff.patch_rule import by_patch
from evaluator.formats.unified_diff.placed import CONTEXT_FUZZ, PLACING, Misfit, Placed
from miner.text import split_lines


def place(hunks: Sequence[Hunk], text: str, leniency: Leniency) -> Placed | Misfit:
    """The hunks placed at the first step at which all of them fit; else what git's rule to the letter says.

    The steps that are recorded are those without which they do not fit alike.
    """
    if (found := only_places(hunks, text)) is not None:
        return found
    lines = split_lines(text)
    refused = by_git(hunks, lines, ())
    if isinstance(refused, Placed):
        return refused
    steps: tuple[str, ...] = ()
    for tolerance in PLACING:
        if tolerance.name in leniency:
            steps = (*steps, tolerance.name)
            fitting = _at(steps, hunks, lines)
            if isinstance(fitting, Placed):
                return _needed(fitting, hunks, lines)
    return refused


def _at(steps: tuple[str, ...], hunks: Sequence[Hunk], lines: list[str]) -> Placed | Misfit:
    return (by_patch if CONTEXT_FUZZ.name in steps else by_git)(hunks, lines, steps)


def _needed(found: Placed, hunks: Sequence[Hunk], lines: list[str]) -> Placed:
    milder = found.steps[:-1]
    for left_out in (milder, *([step] for step in milder)):
        fewer = tuple(step for step in found.steps if step not in left_out)
        if len(fewer) < len(found.steps):
            again = _at(fewer, hunks, lines)
            if isinstance(again, Placed) and again.text == found.text:
                found = again
    return found
