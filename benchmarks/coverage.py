"""Do intervals hold the truth as often, and tests err as seldom, as docs/statistics.md states?

python -m benchmarks.coverage [exact|repeats|mix ...] prints a table of stated and measured figures: enumerated where
every outcome can be, drawn with a fixed seed where not (4,000 draws: a figure near .95 is good to .007; fewer of
what takes long, to .011). It takes a minute or two.
"""

import sys
import time

import numpy as np

from benchmarks import coverage_exact, coverage_mix, coverage_repeats

SEED = 20_260_901
PARTS = {
    "exact": coverage_exact.rows,
    "repeats": lambda: coverage_repeats.rows(np.random.default_rng(SEED)),
    "mix": lambda: coverage_mix.rows(np.random.default_rng(SEED + 1)),
}


def main(names: list[str]) -> None:
    print("| what | stated | measured |\n| --- | --- | --- |")
    for name in names or PARTS:
        started = time.monotonic()
        for row in PARTS[name]():
            print(f"| {row.what} | {row.stated} | {row.measured} |", flush=True)
        print(f"{name}: {time.monotonic() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1:])
