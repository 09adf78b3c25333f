"""Lines left out of a quotation with dots."""

import re
from collections.abc import Sequence

from evaluator.formats.model import Tolerance

DOTS = Tolerance(
    "dots", "lines of only `...`, as many in SEARCH as in REPLACE, stand for any lines; what is between them is "
    "replaced piece by piece, each piece there once and in order (Aider)"
)  # fmt: skip
_DOTS = re.compile(r"[ \t]*\.\.\.[ \t]*\r?\Z")

Pieces = list[tuple[tuple[str, ...], tuple[str, ...]]]


def between_dots(old: Sequence[str], new: Sequence[str]) -> Pieces | None:
    """The pieces of two sides between their lines of dots, empty ones left out; None where these do not match."""
    ours, theirs = _pieces(old), _pieces(new)
    if len(ours) == 1 or len(ours) != len(theirs):
        return None
    pairs = [(a, b) for a, b in zip(ours, theirs, strict=True) if a or b]
    return pairs if pairs and all(a for a, _ in pairs) else None


def _pieces(lines: Sequence[str]) -> list[tuple[str, ...]]:
    found: list[list[str]] = [[]]
    for line in lines:
        if _DOTS.match(line):
            found.append([])
        else:
            found[-1].append(line)
    return [tuple(piece) for piece in found]
