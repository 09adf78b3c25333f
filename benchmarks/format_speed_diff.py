"""How many unified diffs a second are parsed and applied, beside whatthepatch, in one run.

    uv run --with whatthepatch python -m benchmarks.format_speed_diff [--lines 2000] [--hunks 20]

A file of so many lines and a diff of so many hunks spread over it, as `diff -u` writes it; each side takes and gives
the file in its own way. In turn, so that what else the machine does weighs on both alike; the best of the rounds
counts. Both must give the same lines.
"""

import argparse
import difflib
import importlib.util
import time
from collections.abc import Callable

from evaluator.formats.model import STRICT, Applied, Tree, Unreadable
from evaluator.formats.unified_diff import UnifiedDiff

_SECONDS = 0.5  # a round
_ROUNDS = 7
FORMAT = UnifiedDiff()


def texts(lines: int, hunks: int) -> tuple[str, str, str]:
    """The file before, after, and the diff between them."""
    before = [f"    value_{n} = compute({n % 97}, other={n % 13})\n" for n in range(lines)]
    after = list(before)
    for n in range(hunks):
        at = (2 * n + 1) * lines // (2 * hunks)
        after[at] = f"    value_{at} = changed({n})\n    added = {n}\n"
    diff = "".join(difflib.unified_diff(before, "".join(after).splitlines(True), "a/x.py", "b/x.py"))
    return "".join(before), "".join(after), diff


def ours(content: bytes, diff: str) -> bytes:
    """The file after, by this project: bytes from bytes."""
    parsed = FORMAT.parse(diff, STRICT)
    assert not isinstance(parsed, Unreadable)
    applied = FORMAT.apply(parsed, Tree({"x.py": "100644"}, lambda _: content), STRICT)
    assert isinstance(applied, Applied)
    return applied.files["x.py"] or b""


def theirs(before: str, diff: str) -> list[str]:
    """The lines after, by whatthepatch: lines from text."""
    import whatthepatch

    (part,) = whatthepatch.parse_patch(diff)
    return list(whatthepatch.apply_diff(part, before))


def rate(action: Callable[[], object]) -> float:
    """How often a second it is done."""
    done, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < _SECONDS:
        action()
        done += 1
    return done / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--hunks", type=int, default=20)
    options = parser.parse_args()
    before, after, diff = texts(options.lines, options.hunks)
    content = before.encode()
    assert ours(content, diff) == after.encode()
    if importlib.util.find_spec("whatthepatch") is None:
        print(f"unified_diff: {rate(lambda: ours(content, diff)):.0f} a second; no whatthepatch here: see --help")
        return
    assert theirs(before, diff) == after.split("\n")[:-1]
    rounds = [(rate(lambda: ours(content, diff)), rate(lambda: theirs(before, diff))) for _ in range(_ROUNDS)]
    mine, other = (max(rates) for rates in zip(*rounds, strict=True))
    print(f"{options.lines} lines, {options.hunks} hunks: unified_diff {mine:.0f} a second, whatthepatch {other:.0f}")
    print(f"unified_diff / whatthepatch: {mine / other:.1f}")


if __name__ == "__main__":
    main()
