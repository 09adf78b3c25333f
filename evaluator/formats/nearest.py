"""What an agent is told of an anchor that fits nowhere: the lines of the file that are most like it."""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

_WORD = re.compile(r"\w{3,200}")
_SHOWN = 8  # lines
_TRIED = 40  # places


def nearest(lines: Sequence[str], anchor: Sequence[str]) -> int | None:
    """The line index from 0 at which most of the anchor's lines, white space aside, stand; None where none does.

    Where none does, that of the line most like its longest one. Linear in both.
    """
    wanted = [line.strip() for line in anchor]
    where: dict[str, list[int]] = {line: [] for line in wanted if line}
    for n in [n for n, line in enumerate(map(str.strip, lines)) if line in where]:
        if len(found := where[lines[n].strip()]) < _TRIED:
            found.append(n)
    votes = Counter(
        at - n for n, line in enumerate(wanted[:2000]) for at in where.get(line, ()) if 0 <= at - n < len(lines)
    )
    if votes:
        return min(votes, key=lambda place: (-votes[place], place))
    return _alike(lines, wanted)


def _alike(lines: Sequence[str], wanted: Sequence[str]) -> int | None:
    """Where the line most like the anchor's longest is, of those that share the longest word that any shares."""
    longest = max(wanted, key=len, default="")[:500]
    for word in sorted(set(_WORD.findall(longest)), key=lambda word: (-len(word), word))[:10]:
        places = [n for n, line in enumerate(lines) if word in line][:_TRIED]
        if places:
            ratios = {n: SequenceMatcher(None, lines[n].strip()[:500], longest).ratio() for n in places}
            best = max(places, key=lambda n: (ratios[n], -n))
            return max(best - max(range(len(wanted)), key=lambda n: len(wanted[n])), 0) if ratios[best] > 0.5 else None
    return None


def shown(lines: Sequence[str], anchor: Sequence[str]) -> str:
    """A sentence that shows the nearest lines with their numbers; empty where nothing is like the anchor."""
    at = nearest(lines, anchor)
    if at is None:
        return ""
    size = min(len(anchor), _SHOWN)
    text = "".join(f"\n{n + 1}| {lines[n].rstrip()[:200]}" for n in range(at, min(at + size, len(lines))))
    return f" The nearest lines are:{text}"


def counted(places: Sequence[int], count: int | None = None) -> str:
    """`3 times (lines 1, 5, 9)`, the first of them; `count` where not all the places are given."""
    count = len(places) if count is None else count
    where = ", ".join(str(place + 1) for place in places[:5])
    return f"{count} times (lines {where}{', ...' if count > 5 else ''})"
