"""Line numbers that a model copied from a listing into what it quotes."""

import itertools
import re
from collections.abc import Sequence

from evaluator.formats.model import Tolerance

LINE_NUMBERS = Tolerance(
    "line_numbers", "numbers of lines, counting up, in front of every line of an edit, as `12| ` (Roo Code)"
)
_NUMBERED = re.compile(r"[ \t]*(\d{1,7})(?:[ \t]?[|:→][ ]?|\t)(.*)\Z", re.DOTALL)


def unnumbered(lines: Sequence[str]) -> tuple[str, ...] | None:
    """The lines without the numbers in front of them, or None where not every one has its own, counting up."""
    matches = [_NUMBERED.match(line) for line in lines]
    numbers = [int(match[1]) for match in matches if match]
    if not lines or len(numbers) < len(lines) or any(b <= a for a, b in itertools.pairwise(numbers)):
        return None
    return tuple(match[2] for match in matches if match)
