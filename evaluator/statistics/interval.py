"""What an interval is, and the normal quantile that most of them use."""

from dataclasses import dataclass
from functools import cache
from statistics import NormalDist

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """An estimate between its two ends; fractions for rates and differences of rates, else the unit of what is said."""

    value: float
    low: float
    high: float

    def within(self, margin: float) -> bool:
        """Whether all of it lies between -margin and +margin, ends excluded."""
        return -margin < self.low and self.high < margin


@cache
def quantile(confidence: float = CONFIDENCE) -> float:
    """z = Phi^-1(1 - alpha/2) of a two-sided confidence; raises `ValueError` outside (0, 1)."""
    if not 0 < confidence < 1:
        raise ValueError(f"not a confidence between 0 and 1: {confidence}")
    return NormalDist().inv_cdf(0.5 + confidence / 2)
