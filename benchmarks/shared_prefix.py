"""How much of the prompts every format shares, and what a provider's prompt cache saves by it.

    python -m benchmarks.shared_prefix FIXTURES... [--context N] [--show-tests]

Per fixtures folder (one that holds folders of repositories): the share of prompt tokens (o200k) that stand in the
prefix which is the same for every format, over all formats and by format; and what the input of a plan of 120 such
fixtures costs, every format once, with a cache against without one: a read costs a tenth of the input price, a write
the input price and a quarter ("written dear") or the input price ("written free"). A prefix below 1,024 tokens is not
cached. That is the least a cache saves: repeats and retries are read from it as well. Calls of one fixture that are
made at the same moment all find it cold; such a run saves less.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from evaluator.formats import FORMATS
from evaluator.messages import SYSTEM, shared_part
from miner.fixtures import FixtureFolder, Task
from miner.tokens import count_tokens

_PLAN = 120  # fixtures
_LEAST = 1024  # tokens of a prefix that is cached
_READ = 0.1  # of the input price
_WRITES = {"written dear": 1.25, "written free": 1.0}


@dataclass(frozen=True)
class Share:
    """Tokens of a set's prompts: those shared per fixture, and those of each format's instructions."""

    shared: Sequence[int]
    instructions: dict[str, int]

    def of(self, formats: Sequence[str]) -> float:
        """The shared share of all prompt tokens of these formats."""
        shared = len(formats) * sum(self.shared)
        return shared / (shared + len(self.shared) * sum(self.instructions[name] for name in formats))

    def plan_tokens(self, write: float | None) -> float:
        """Input tokens of the plan, in tokens at the full price; `write` None: without a cache."""
        own, times = sum(self.instructions.values()), len(self.instructions)
        factors = [times if write is None or s < _LEAST else write + _READ * (times - 1) for s in self.shared]
        return _PLAN / len(self.shared) * sum(s * f + own for s, f in zip(self.shared, factors, strict=True))


def measured(tasks: Sequence[Task], show_tests: bool, context: int) -> Share:
    """The tokens of the prompts of these tasks."""
    shared = [count_tokens(SYSTEM) + count_tokens(shared_part(task, show_tests, context)) for task in tasks]
    return Share(shared, {name: count_tokens(fmt.instructions()) for name, fmt in FORMATS.items()})


def report(name: str, share: Share) -> None:
    """Print what was measured of a set."""
    by_format = ", ".join(f"{fmt} {share.of([fmt]):.1%}" for fmt in FORMATS)
    below = sum(s / (s + max(share.instructions.values())) < 0.95 for s in share.shared)
    print(f"{name}: {len(share.shared)} fixtures, shared {share.of(list(FORMATS)):.2%} of prompt tokens")
    print(f"  by format: {by_format}")
    middle = sorted(share.shared)[len(share.shared) // 2]
    print(f"  shared tokens: median {middle:,}; {below} fixtures below 95% in some format")
    plain = share.plan_tokens(None)
    for what, write in _WRITES.items():
        cached = share.plan_tokens(write)
        print(f"  {_PLAN} fixtures, {what}: {plain / 1e6:.2f} M input tokens cost as {cached / 1e6:.2f} M, "
              f"{1 - cached / plain:.0%} less")  # fmt: skip


def main() -> None:
    """Measure every folder by repository, then all real ones together."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--context", type=int, default=0)
    parser.add_argument("--show-tests", action="store_true")
    asked = parser.parse_args()
    for root in asked.folders:
        folder = FixtureFolder(root)
        by_repository: dict[str, list[Task]] = {}
        for fixture_id in folder.ids():
            by_repository.setdefault(fixture_id.partition("/")[0], []).append(folder.task(fixture_id))
        shares = {name: measured(tasks, asked.show_tests, asked.context) for name, tasks in by_repository.items()}
        for name, share in shares.items():
            report(name, share)
        if len(shares) > 1:
            every = [tokens for share in shares.values() for tokens in share.shared]
            report(f"all of {root}", Share(every, next(iter(shares.values())).instructions))


if __name__ == "__main__":
    main()
