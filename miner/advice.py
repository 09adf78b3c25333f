"""What to do about a set's shortfalls, in sentences (pure)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf
from pathlib import Path

from miner.history_file import HistoryFile
from miner.mix import History
from miner.shortfall import Shortfall
from miner.wording import plural

_UNTOLD = HistoryFile(source="REPO")


@dataclass(frozen=True)
class Mined:
    """What was looked at below the fixtures folder `root`, and by repository what is known of its history."""

    root: Path
    looked: History
    histories: Mapping[str, HistoryFile | None]

    def command(self, name: str, *more: str) -> str:
        """The harvest that goes on in a repository."""
        return f"`{(self.histories.get(name) or _UNTOLD).command(name, self.root, more)}`"

    def length(self, name: str) -> int | None:
        """How many merged changes a repository's history holds, where that is known."""
        known = self.histories.get(name)
        return known.merged_changes if known else None


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


def advice(shorts: Sequence[Shortfall], mined: Mined, cap: int) -> list[str]:
    """What to run for all that a harvest can help with."""
    helped = [short for short in shorts if not short.capped]
    want = ("--want", ",".join(_scarcest(helped)), "--cap", str(cap))
    if any(short.put_off for short in helped):
        return [f"{mined.command(name, *want, '--last', 'N')} with N above {sum(line.was_tried for line in lines):,}, "
                f"as many as were tried so far, proves candidates not yet proved, these first; "
                "where none is left, add repositories" for name, lines in mined.looked.items()]  # fmt: skip
    if not helped:
        return []
    needed = max((short.harvest or 0 for short in helped), default=0)
    shares = _shares(mined, needed)
    if mined.looked and not shares:
        return ["all merged changes that the history held at the last harvest were looked at: add repositories"]
    said = [_harvest(mined, name, last) for name, last in shares.items() if last > len(mined.looked[name])]
    looks = "looks through the whole history, and proves --last of it, these first"
    if said:
        said.append(f"or with `{' '.join(want)}`, which {looks}")
    elif not shares:  # fixtures whose harvest.jsonl is gone
        said.append(f"`miner harvest --repo REPO {' '.join(want)}` {looks}")
    else:
        said += [f"{mined.command(name, *want)} {looks}" for name in shares]
    return [*said, "where the history holds too few, add repositories"]


def _scarcest(helped: Sequence[Shortfall]) -> list[str]:
    """The strata that most is to be harvested for: with every stratum first, none would be."""
    most = max((short.harvest or 0 for short in helped), default=0)
    return list(dict.fromkeys(short.stratum for short in helped if short.harvest in (None, most) or short.put_off))


def _shares(mined: Mined, needed: int) -> dict[str, int]:
    """How many of each repository's merged changes to look at for `needed` more in all, where there are more of them.

    About equally many of each, and of none more than its history is known to hold.
    """
    looked = {name: len(lines) for name, lines in mined.looked.items()}
    left = sum(looked.values()) + needed
    ends = {name: inf if (length := mined.length(name)) is None else length for name in looked}
    found = {}
    for place, name in enumerate(sorted(looked, key=lambda one: (ends[one], -looked[one]))):
        share = min(ceil(left / (len(looked) - place)), ends[name])
        found[name] = max(looked[name], int(share))
        left -= found[name]
    return {name: found[name] for name, count in looked.items() if ends[name] > count}


def _harvest(mined: Mined, name: str, last: int) -> str:
    """One harvest serves all cells, so it is for the greatest number that is missing."""
    length = mined.length(name)
    if length is None:
        holds = ", if the history has so many, which --dry-run says"
    else:
        holds = ", all that its history holds" if last == length else f" of the {length:,} that its history holds"
    return (f"to fill them: {mined.command(name, '--last', str(last))}{holds} "
            f"({len(mined.looked[name]):,} were looked at so far)")  # fmt: skip
