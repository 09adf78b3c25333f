"""What a set is short of, and how much more harvest would fill it (pure)."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from miner.cells import Member
from miner.drawing import LARGE, Draw
from miner.mix import History
from miner.record import HarvestLine
from miner.strata import Definition, Stratum


@dataclass(frozen=True)
class Shortfall:
    """How many are missing from a cell; `harvest` more merged changes would give as many, at the yield so far.

    `harvest` is None where none was proved of `looked` merged changes; `capped`: there are more in the pool, which the
    caps (or what was chosen before) leave no room for. `put_off`: candidates of the cell that are still to be proved.
    """

    cell: str
    missing: int
    looked: int
    harvest: int | None
    capped: bool = False
    put_off: int = 0

    @property
    def stratum(self) -> str:
        """What `miner harvest --want` calls it: a size, or `large`."""
        return self.cell.split(", ")[-1]


def shortfalls(
    drawn: Draw, pool: Collection[Member], history: History, definition: Definition, cap: int
) -> list[Shortfall]:
    """What is missing of each size, then the large changes that are missing in each; what is tolerated is not."""
    lines = [line for one in history.values() for line in one]
    ids = {member.id for member in pool}
    found = []
    for quota in drawn.quotas[:-1]:
        if not quota.met:
            there = [m for m in pool if m.stratum == quota.name]
            found.append(_shortfall(quota.name, quota.missing, len(there) > quota.taken, lines, ids,
                                    _of_cell(Stratum(quota.name), None, definition, cap)))  # fmt: skip
    if not drawn.quotas[-1].met:
        found += _of_large(drawn, pool, lines, ids, definition, cap)
    return found


def _of_large(
    drawn: Draw, pool: Collection[Member], lines: Collection[HarvestLine], ids: Collection[str],
    definition: Definition, cap: int,
) -> Iterable[Shortfall]:  # fmt: skip
    """The sizes that have too few, those that lack most first, until they come to what the set lacks in all."""
    lacking = {}
    for stratum in Stratum:
        taken = [m.large for m in drawn.members if m.stratum is stratum]
        lacking[stratum] = round(len(taken) * definition.large_quota) - sum(taken)
    left = drawn.quotas[-1].missing
    for stratum in sorted(Stratum, key=lambda s: -lacking[s]):
        missing = min(lacking[stratum], left)
        if missing > 0:
            left -= missing
            large = [m.id for m in drawn.members if m.large and m.stratum is stratum]
            more = sum(m.large and m.stratum is stratum for m in pool) > len(large)
            yield _shortfall(f"{stratum}, {LARGE}", missing, more, lines, ids,
                             _of_cell(stratum, True, definition, cap))  # fmt: skip


def _shortfall(
    cell: str, missing: int, capped: bool, lines: Collection[HarvestLine], ids: Collection[str],
    belongs: Callable[[HarvestLine], bool],
) -> Shortfall:  # fmt: skip
    share = observed_yield(lines, ids, belongs)
    harvest = ceil(missing / share) if share and not capped else None
    put_off = sum(line.fixture is None and line.rejection is None and belongs(line) for line in lines)
    return Shortfall(cell, missing, len(lines), harvest, capped, put_off)


def observed_yield(
    lines: Collection[HarvestLine], ids: Collection[str], belongs: Callable[[HarvestLine], bool]
) -> Fraction:
    """How many fixtures of the pool of one cell come of a merged change that is looked at.

    The share of candidates of the cell, times the share of these that were tried and came to be in the pool: those
    whose proof was put off (`--want`) say nothing of the second. Without these it is simply fixtures / looked at.
    """
    candidates = [line for line in lines if line.is_candidate and belongs(line)]
    tried = [line for line in candidates if line.was_tried]
    if not tried:
        return Fraction(0)
    good = sum(line.fixture in ids for line in tried)
    return Fraction(len(candidates), len(lines)) * Fraction(good, len(tried))


def _of_cell(stratum: Stratum, large: bool | None, definition: Definition, cap: int) -> Callable[[HarvestLine], bool]:
    def belongs(line: HarvestLine) -> bool:
        if line.rewrite_tokens is None or line.change_fraction is None:
            return False
        right_size = definition.stratum(line.rewrite_tokens, cap) is stratum
        return right_size and (large is None or definition.is_large(line.change_fraction) is large)

    return belongs
