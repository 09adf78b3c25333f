"""Looking at a comparison while it grows (rule 8 of docs/statistics.md)."""

import math

import scipy

STOP_AT = 20.0  # by Ville's inequality a fair pair ever reaches it with a probability of at most 1/20


def e_value(b: int, c: int) -> float:
    """The evidence that b against c disagreements are no fair coin's: 2^(b+c) B(b+1, c+1).

    It is the likelihood of a coin of unknown bias, uniform, over that of a fair one, so under a fair coin a martingale
    that begins at 1: it may be looked at after every block, and stopped on at `STOP_AT`. Infinite beyond 1e308.
    """
    if b < 0 or c < 0:
        raise ValueError(f"not a count of disagreements: {b} v {c}")
    log = (b + c) * math.log(2) + float(scipy.special.betaln(b + 1, c + 1))
    return math.exp(log) if log < 709 else math.inf
