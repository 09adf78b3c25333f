"""What a test run costs before its command starts: a tree written to disk, and the sandbox started on it.

Usage: python benchmarks/sandbox_start.py CLONE [RUNS]. The ratio is to writing the same tree and starting the same
command without a sandbox, in turn, in one run: machines are noisy.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from miner.git import borrow
from miner.sandbox import Job, Limits, run
from miner.trees import TreeStore
from miner.workbench import on_disk


def sandboxed(store: TreeStore, tree: str) -> float:
    started = time.perf_counter()
    with on_disk(store, tree) as folder:
        done = run(Job(["/bin/true"], {"PATH": "/usr/bin:/bin"}, Limits(wall_seconds=60), folder))
        ended = time.perf_counter()
    assert done.exit_code == 0, done.output
    return ended - started


def bare(store: TreeStore, tree: str) -> float:
    started = time.perf_counter()
    with on_disk(store, tree) as folder:
        subprocess.run(["/bin/true"], cwd=folder, check=True)
        return time.perf_counter() - started


def main() -> None:
    clone, runs = Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 20
    with tempfile.TemporaryDirectory() as scratch:
        git, head = borrow(clone, Path(scratch, "mined.git"))
        store, tree = TreeStore(git), git.line("rev-parse", f"{head}^{{tree}}")
        sandboxed(store, tree)  # the first run probes what this machine can do
        pairs = [(sandboxed(store, tree), bare(store, tree)) for _ in range(runs)]
        inside, outside = (median(column) * 1000 for column in zip(*pairs, strict=True))
    times = f"{inside:.0f} ms in the sandbox, {outside:.0f} ms without"
    print(f"{len(pairs)} runs, medians: {times}; {inside / outside:.1f} x")


if __name__ == "__main__":
    main()
