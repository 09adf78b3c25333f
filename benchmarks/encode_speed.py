"""How long the formats take to write many small changes of a large file, as a multiple of a file of half the size.

    python -m benchmarks.encode_speed [--lines 50000] [--hunks 1250] [--rounds 3]

Both files have a change every so many lines, and lines that are all different, or repeat every 500. Linear work gives
2, quadratic work 4. They are measured in turn, round by round, so that other work on the machine weighs on both alike.
"""

import argparse
import time
from collections.abc import Sequence

from benchmarks.format_speed import source
from evaluator.formats import FORMATS

_REPEAT = 500


def changed(old: Sequence[str], hunks: int) -> list[str]:
    """The lines with one in each of so many equal parts replaced."""
    new, step = list(old), len(old) // hunks
    for number in range(hunks):
        new[number * step + step // 2] = f"    total = value - other * {number}\n"
    return new


def seconds(name: str, old: Sequence[str], new: Sequence[str]) -> float:
    """Processor seconds that one encoding takes."""
    before, after = {"x.py": "".join(old).encode()}, {"x.py": "".join(new).encode()}
    started = time.process_time()
    assert isinstance(FORMATS[name].encode(before, after), str)
    return time.process_time() - started


def main() -> None:
    """Print for each format the seconds for the whole file, and the ratio to those for half of it."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--lines", type=int, default=50_000)
    options.add_argument("--hunks", type=int, default=1_250)
    options.add_argument("--rounds", type=int, default=3)
    asked = options.parse_args()
    unique = source(asked.lines)
    for kind, old in (("unique", unique), ("repeated", (unique[:_REPEAT] * asked.lines)[: asked.lines])):
        half = old[: asked.lines // 2]
        sides = [(old, changed(old, asked.hunks)), (half, changed(half, asked.hunks // 2))]
        for name in FORMATS:
            spent = [0.0, 0.0]
            for _ in range(asked.rounds):
                for at, (before, after) in enumerate(sides):
                    spent[at] += seconds(name, before, after)
            print(f"{kind:9} {name:15} {spent[0] / asked.rounds:6.2f} s  whole / half {spent[0] / spent[1]:.1f}")


if __name__ == "__main__":
    main()
