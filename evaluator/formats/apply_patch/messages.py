"""What the author of a patch is told of a hunk that does not fit."""

from collections import Counter
from itertools import islice

from evaluator.formats.apply_patch.body import Body, Coded
from evaluator.formats.apply_patch.patch import Hunk

_COMMON = 50  # a line that stands so often in a file says nothing about where a hunk belongs


def unfit(hunk: Hunk, number: int, path: str, body: Body, position: int) -> str:
    """Which hunk, and what is known of where it was meant to go: in earlier lines, done already, or nearly so."""
    head = f"{path}: hunk {number} (line {hunk.line} of the reply) does not fit"
    exact = body.coded(*body.ladder[0])
    loose = body.coded(("messages",), str.strip)
    missing = [scope for scope in hunk.scopes if next(loose.places([scope], 0, body.end), None) is None]
    if missing:
        return f"{head}: its scope {missing[0][:80]!r} is no line of the file."
    places = [n + 1 for n in exact.places(hunk.old, 0, len(body.lines))] if hunk.old else []
    if places:
        after = "at the end of the file" if hunk.at_end else f"after line {position} and below its scopes"
        where = ", ".join(map(str, places[:5]))
        return f"{head} {after}: its lines stand on line {where}. Hunks go from top to bottom and do not overlap."
    new = next(exact.places(hunk.new, 0, len(body.lines)), None) if hunk.new else None
    if new is not None:
        return f"{head}: its new lines stand in the file already, on line {new + 1}. Was it applied before?"
    nearest = _nearest(hunk, body, loose)
    return f"{head}: its context and removed lines do not stand in the file after line {position}.{nearest}"


def _nearest(hunk: Hunk, body: Body, loose: Coded) -> str:
    """The place where most of the hunk's lines stand, white space aside, and the first line that differs there."""
    votes: Counter[int] = Counter()
    seen: dict[str, list[int]] = {}
    for n, line in enumerate(hunk.old):
        if not line.strip():
            continue
        if line not in seen:
            seen[line] = list(islice(loose.places([line], 0, body.end), _COMMON))
        if len(seen[line]) < _COMMON:
            votes.update(place - n for place in seen[line] if place >= n)
    if not votes:
        return " None of them does."
    best = min(votes, key=lambda at: (-votes[at], at))
    for n, line in enumerate(hunk.old):
        there = body.lines[best + n] if best + n < body.end else None
        if there is None:
            return f" Nearest: line {best + 1}, but the file ends before {line[:80]!r}."
        if there != line:
            return f" Nearest: line {best + 1}, but line {best + n + 1} is {there[:80]!r}, not {line[:80]!r}."
    return f" Nearest: line {best + 1}."
