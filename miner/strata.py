"""Strata: what they are, and what of each a set is to have (pure)."""

import hashlib
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
    """Bounds, quotas and limits (strata.yaml).

    `tolerance` is the share of its quota that a stratum may be off; `per_repository` and `per_author` how many
    fixtures of one may be drawn (None: any number); `min_strength` the least share of hunks that the tests notice.
    """

    inside_below: float = 0.6
    past_above: float = 1.5
    large_above: float = 0.5
    size_quota: dict[Stratum, Fraction] = field(default_factory=lambda: dict.fromkeys(Stratum, Fraction(1, 3)))
    large_quota: Fraction = Fraction(1, 4)
    set_size: int = 120
    seed: int = 1
    impossible: int = 0
    tolerance: Fraction = Fraction(0)
    balance: bool = True
    per_repository: int | None = None
    per_author: int | None = None
    min_strength: float = 0

    def stratum(self, rewrite_tokens: int, cap: int) -> Stratum:
        """The size stratum of a rewrite of that many tokens under a cap."""
        ratio = rewrite_tokens / cap
        if ratio < self.inside_below:
            return Stratum.INSIDE
        return Stratum.PAST if ratio > self.past_above else Stratum.NEAR

    def is_large(self, change_fraction: float) -> bool:
        """Whether a change is large."""
        return change_fraction > self.large_above

    def wanted(self, size: int) -> dict[Stratum, int]:
        """Whole numbers per stratum that sum to the set's size; remainders go to the largest fractions first."""
        exact = {s: self.size_quota[s] * size for s in Stratum}
        whole = {s: int(exact[s]) for s in Stratum}
        left = round(sum(exact.values())) - sum(whole.values())
        for stratum in sorted(Stratum, key=lambda s: whole[s] - exact[s])[:left]:
            whole[stratum] += 1
        return whole

    def tolerated(self, wanted: int) -> int:
        """How many fixtures a stratum may be off a quota."""
        return int(wanted * self.tolerance)


def seeded(seed: int, identity: str) -> bytes:
    """A key to sort by that looks random and is the same on every machine."""
    return hashlib.sha256(f"{seed}\0{identity}".encode()).digest()
