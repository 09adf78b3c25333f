"""Where in the file before an edit lands."""

from collections.abc import Sequence

from evaluator.formats.index import Text
from evaluator.formats.model import Placement


def touched(path: str, text: Text, first: int, last: int, new: Sequence[str]) -> Placement | None:
    """The lines of the file before that change as new lines are about to stand for the present ones of a range.

    Those that both have at their ends do not change. None where all of the range is of earlier edits.
    """
    old = text.lines[first:last]
    same = min(len(old), len(new))
    above = next((n for n in range(same) if old[n] != new[n]), same)
    below = next((n for n in range(same - above) if old[-1 - n] != new[-1 - n]), same - above)
    chosen = text.before(first + above, last - below)
    return None if chosen is None else Placement(path, chosen)
