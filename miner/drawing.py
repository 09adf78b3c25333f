"""Drawing a set from a pool of fixtures: counts per cell, then uniformly within the cells (pure)."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from miner.cells import Cell, Member, balanced_quotas, counts
from miner.programme import Programme
from miner.strata import Definition, Stratum, seeded

LARGE = "large"
K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True)
class Quota:
    """How many were wanted of a stratum, how many the pool holds, how many were taken; `tolerated` may be missing."""

    name: str
    wanted: int
    available: int
    taken: int
    tolerated: int = 0

    @property
    def missing(self) -> int:
        """How many are missing from the quota."""
        return max(self.wanted - self.taken, 0)

    @property
    def met(self) -> bool:
        """Whether no more are missing than the tolerance allows."""
        return self.missing <= self.tolerated


@dataclass(frozen=True)
class Draw:
    """A set: the members chosen, sorted by id, what became of the quotas, and how many were chosen before."""

    members: tuple[Member, ...]
    quotas: tuple[Quota, ...]
    kept: int = 0


def draw(
    pool: Iterable[Member], definition: Definition, size: int, balanced: bool = False, kept: Collection[str] = ()
) -> Draw:
    """A set of at most `size` members, among them all of the pool whose ids are `kept`.

    A stratum that is short gives what it has; the others keep their quota (but for the tolerance), unless `balanced`,
    which cuts all to the same fill. Within a cell every subset is as likely as another, over all seeds.
    """
    members = sorted(pool, key=lambda m: seeded(definition.seed, m.id))
    held = [m for m in members if m.id in kept]
    wanted = definition.wanted(size)
    if balanced:
        wanted = balanced_quotas(members, held, definition, wanted)
    chosen = _within(members, held, counts(members, held, definition, wanted), definition)

    def quota(name: str, number: int, belongs: Callable[[Member], bool]) -> Quota:
        there, taken = (sum(map(belongs, some)) for some in (members, chosen))
        return Quota(name, number, there, taken, definition.tolerated(number))

    quotas = [quota(s.value, wanted[s], partial(_is_of, s)) for s in Stratum]
    quotas.append(quota(LARGE, round(len(chosen) * definition.large_quota), lambda m: m.large))
    return Draw(tuple(sorted(chosen, key=lambda m: m.id)), tuple(quotas), len(held))


def _is_of(stratum: Stratum, member: Member) -> bool:
    return member.stratum is stratum


def _within(
    members: Sequence[Member], held: Sequence[Member], wanted: Mapping[Cell, int], definition: Definition
) -> list[Member]:
    """So many members of each cell: those held, then the first in the order given, so far as their authors allow."""
    kept = set(held)
    if definition.per_author is not None:
        return _within_authors(members, kept, wanted, definition.per_author)
    by_cell = _by(members, lambda m: m.cell)
    return [
        member for cell, there in by_cell.items()
        for member in sorted(there, key=lambda m: m not in kept)[: wanted.get(cell, 0)]
    ]  # fmt: skip


def _within_authors(
    members: Sequence[Member], kept: Set[Member], wanted: Mapping[Cell, int], most: int
) -> list[Member]:
    """The same under a cap: of all sets that it allows the one whose places in the order have the least sum."""
    programme = Programme()
    taken = {member: programme.variable(int(member in kept), 1) for member in members}
    for cell, there in _by(members, lambda m: m.cell).items():
        count = wanted.get(cell, 0)
        programme.limit({taken[m]: 1 for m in there}, least=count, most=count)
    for author, theirs in _by(members, lambda m: m.author).items():
        if author:
            programme.limit({taken[m]: 1 for m in theirs}, most=max(most, sum(m in kept for m in theirs)))
    values = programme.minimise({variable: place for place, variable in enumerate(taken.values())})
    return [member for member, variable in taken.items() if values[variable]]


def _by(members: Iterable[Member], key: Callable[[Member], K]) -> dict[K, list[Member]]:
    found: dict[K, list[Member]] = {}
    for member in members:
        found.setdefault(key(member), []).append(member)
    return found
