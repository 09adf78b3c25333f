"""What to do about a set's shortfalls, in sentences (pure)."""

from collections.abc import Sequence
from math import ceil

from miner.mix import History
from miner.shortfall import Shortfall
from miner.wording import plural


def said_of(short: Shortfall) -> str:
    """One line: the cell, how many are missing, and how many merged changes have as many at the yield so far."""
    start = f"short of {short.missing:,} `{short.cell}`"
    if short.capped:
        return f"{start}: the pool has more, but the limits of strata.yaml or the set before leave no room"
    if short.put_off:
        return f"{start}: {plural(short.put_off, 'candidate')} found and not yet proved"
    if short.harvest is None:
        return f"{start}: how many more merged changes hold as many is not known, none of {short.looked:,} gave one"
    return f"{start}: at the yield so far about {short.harvest:,} more merged changes hold as many"


def advice(shorts: Sequence[Shortfall], history: History, cap: int) -> list[str]:
    """What to run for all that a harvest can help with. How long a history is, its harvest need not have seen."""
    helped = [short for short in shorts if not short.capped]
    want = f"`--want {','.join(_scarcest(helped))} --cap {cap}`"
    if any(short.put_off for short in helped):
        tried = sum(line.was_tried for lines in history.values() for line in lines)
        return [f"`miner harvest` with {want} and a greater --last proves candidates not yet proved, these first "
                f"({tried:,} were tried so far); where none is left, add repositories"]  # fmt: skip
    said = [_last(helped, history)] if any(short.harvest for short in helped) else []
    if helped:
        said.append(f"{want} looks through the whole history, and proves --last of it, these first; "
                    "where it holds too few, add repositories")  # fmt: skip
    return said


def _scarcest(helped: Sequence[Shortfall]) -> list[str]:
    """The strata that most is to be harvested for: with every stratum first, none would be."""
    most = max((short.harvest or 0 for short in helped), default=0)
    return list(dict.fromkeys(short.stratum for short in helped if short.harvest in (None, most) or short.put_off))


def _last(helped: Sequence[Shortfall], history: History) -> str:
    """One harvest serves all cells, so it is the greatest number that counts, shared among the repositories."""
    looked = [len(lines) for lines in history.values()]
    total = sum(looked) + max(short.harvest or 0 for short in helped)
    last = max(ceil(total / len(looked)), *looked) if len(looked) > 1 else total
    each = f" for each of {len(looked)} repositories" if len(looked) > 1 else ""
    return (f"to fill them: `miner harvest --last {last}`{each}, if the history has so many, which --dry-run says "
            f"({sum(looked):,} were looked at so far)")  # fmt: skip
