"""Placing a file's hunks: by git's rule to the letter, then with the steps that are admitted, one more at a time."""

from collections.abc import Sequence

from evaluator.formats.model import Leniency
from evaluator.formats.unified_diff.git_rule import by_git
from evaluator.formats.unified_diff.hunks import Hunk
from evaluator.formats.unified_diff.patch_rule import by_patch
from evaluator.formats.unified_diff.placed import CONTEXT_FUZZ, PLACING, Misfit, Placed


def place(hunks: Sequence[Hunk], lines: list[str], leniency: Leniency) -> Placed | Misfit:
    """The hunks placed at the first step at which all of them fit; else what git's rule to the letter says."""
    found = refused = by_git(hunks, lines, ())
    steps: tuple[str, ...] = ()
    for tolerance in PLACING:
        if isinstance(found, Misfit) and tolerance.name in leniency:
            steps = (*steps, tolerance.name)
            found = (by_patch if tolerance is CONTEXT_FUZZ else by_git)(hunks, lines, steps)
    return found if isinstance(found, Placed) else refused
