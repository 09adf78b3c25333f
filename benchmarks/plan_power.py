"""What `evaluator plan` says of power, against runs that are drawn: share of draws that the exact test decides.

    python benchmarks/plan_power.py [DRAWS]

Draws the disagreements of a pair (multinomial, seeded), puts each to McNemar's exact test by the tables of
`exact.mcnemar`, and prints enumerated and drawn power. Exit 1 where they are 3 points apart.
"""

import sys
from functools import cache

import numpy as np

from evaluator.statistics.exact import ALPHA, mcnemar
from evaluator.statistics.power import power, smallest_difference

SEED = 20_261_130
CASES = [(n, psi) for n in (27, 60, 120, 400, 920) for psi in (0.05, 0.1, 0.2, 0.3)]


@cache
def significant(b: int, c: int, pairs: int) -> bool:
    """Whether so many disagreements are, at Holm's first step over so many pairs."""
    return mcnemar(b, c) <= ALPHA / pairs


def drawn(n: int, psi: float, d: float, pairs: int, draws: int) -> float:
    """The share of draws in which the pair is told apart."""
    random = np.random.default_rng([SEED, n, round(psi * 100), pairs])
    tables = random.multinomial(n, [(psi + d) / 2, (psi - d) / 2, 1 - psi], size=draws)
    return float(np.mean([significant(int(b), int(c), pairs) for b, c, _ in tables]))


def main() -> int:
    """Print the table."""
    draws = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    worst = 0.0
    print(f"{'tasks':>6}{'psi':>6}{'points':>8}{'pairs':>6}{'enumerated':>12}{'drawn':>8}")
    for n, psi in CASES:
        for pairs in (1, 3, 15):
            d = smallest_difference(n, psi, pairs=pairs) or psi
            enumerated, seen = power(n, psi, d, pairs), drawn(n, psi, d, pairs, draws)
            worst = max(worst, abs(enumerated - seen))
            print(f"{n:>6}{psi:>6.2f}{d * 100:>8.1f}{pairs:>6}{enumerated:>12.3f}{seen:>8.3f}")
    print(f"largest gap {worst * 100:.2f} points over {len(CASES) * 3} cases of {draws:,} draws")
    return int(worst >= 0.03)


if __name__ == "__main__":
    sys.exit(main())
