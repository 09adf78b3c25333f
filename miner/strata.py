"""Strata, and drawing a balanced set: pure functions over fixture records."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction


class Stratum(StrEnum):
    """A fixture's size: what a whole-file rewrite must emit, against the output cap."""

    INSIDE = "inside"
    NEAR = "near"
    PAST = "past"


@dataclass(frozen=True)
class Definition:
    """Bounds and quotas (strata.yaml)."""

    inside_below: float = 0.6
    past_above: float = 1.5
    large_above: float = 0.5
    size_quota: dict[Stratum, Fraction] = field(default_factory=lambda: dict.fromkeys(Stratum, Fraction(1, 3)))
    large_quota: Fraction = Fraction(1, 4)
    set_size: int = 120
    seed: int = 1
    impossible: int = 0

    def stratum(self, rewrite_tokens: int, cap: int) -> Stratum:
        """The size stratum of a rewrite of that many tokens under a cap."""
        ratio = rewrite_tokens / cap
        if ratio < self.inside_below:
            return Stratum.INSIDE
        return Stratum.PAST if ratio > self.past_above else Stratum.NEAR

    def is_large(self, change_fraction: float) -> bool:
        """Whether a change is large."""
        return change_fraction > self.large_above


@dataclass(frozen=True)
class Member:
    """A fixture as far as drawing needs it."""

    id: str
    stratum: Stratum
    large: bool


@dataclass(frozen=True)
class Quota:
    """How many were wanted of a stratum, how many the pool holds, how many were taken."""

    name: str
    wanted: int
    available: int
    taken: int

    @property
    def missing(self) -> int:
        """How many are missing from the quota."""
        return max(self.wanted - self.taken, 0)


@dataclass(frozen=True)
class Draw:
    """A set: the members chosen, sorted by id, and what became of the quotas."""

    members: tuple[Member, ...]
    quotas: tuple[Quota, ...]


def draw(pool: Iterable[Member], definition: Definition, size: int, balanced: bool = False) -> Draw:
    """A set of at most `size` members: size quotas lead, the share of large changes is filled as far as it goes.

    A stratum that is short gives what it has; the others keep their quota, unless `balanced`, which
    cuts all to the same fill. Within a cell members are drawn in the order of a seeded hash.
    """
    members = sorted(pool, key=lambda m: seeded(definition.seed, m.id))
    by_stratum = {stratum: [m for m in members if m.stratum is stratum] for stratum in Stratum}
    wanted = _wanted(definition, size)
    if balanced:
        fill = min((Fraction(len(by_stratum[s]), wanted[s]) for s in Stratum if wanted[s]), default=Fraction(0))
        wanted = {s: min(wanted[s], int(wanted[s] * fill)) for s in Stratum}
    chosen = [m for s in Stratum for m in _fill(by_stratum[s], wanted[s], definition.large_quota)]
    large_wanted = round(sum(wanted.values()) * definition.large_quota)
    quotas = [
        Quota(s.value, wanted[s], len(by_stratum[s]), sum(m.stratum is s for m in chosen)) for s in Stratum
    ]
    quotas.append(Quota("large", large_wanted, sum(m.large for m in members), sum(m.large for m in chosen)))
    return Draw(tuple(sorted(chosen, key=lambda m: m.id)), tuple(quotas))


def _wanted(definition: Definition, size: int) -> dict[Stratum, int]:
    """Whole numbers per stratum that sum to the set's size; remainders go to the largest fractions first."""
    exact = {s: definition.size_quota[s] * size for s in Stratum}
    whole = {s: int(exact[s]) for s in Stratum}
    left = round(sum(exact.values())) - sum(whole.values())
    for stratum in sorted(Stratum, key=lambda s: whole[s] - exact[s])[:left]:
        whole[stratum] += 1
    return whole


def _fill(members: Sequence[Member], wanted: int, large_quota: Fraction) -> list[Member]:
    """Members of one stratum: the large quota first as far as it goes, then whatever is there."""
    large = [m for m in members if m.large]
    small = [m for m in members if not m.large]
    take_large = min(len(large), max(round(wanted * large_quota), wanted - len(small)))
    return large[:take_large] + small[: max(wanted - take_large, 0)]


def seeded(seed: int, identity: str) -> bytes:
    """A key to sort by that looks random and is the same on every machine."""
    return hashlib.sha256(f"{seed}\0{identity}".encode()).digest()
