"""How long mining without proving takes, as a multiple of one `git log -p -m` over the same commits."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

from miner.git import borrow
from miner.history import merged_changes, read_commits

LAST = 200


def best_of_three(action: Callable[[], object]) -> float:
    def once() -> float:
        started = time.perf_counter()
        action()
        return time.perf_counter() - started

    return min(once() for _ in range(3))


def commits_read(repo: Path) -> int:
    """How far down the main line the last merged changes reach."""
    with tempfile.TemporaryDirectory() as scratch:
        git, head = borrow(repo, Path(scratch) / "mined.git")
        numbers = count(1)
        tagged = ((next(numbers), commit) for commit in read_commits(git, head))
        seen, reach = 0, 0
        for number, commit in tagged:
            seen += any(True for _ in merged_changes([commit]))
            reach = number
            if seen == LAST:
                break
        return reach


def main() -> None:
    repo = Path(sys.argv[1])
    commits = commits_read(repo)

    def mine() -> None:
        # A process of its own each time, so that no cache of an earlier round helps.
        with tempfile.TemporaryDirectory() as out:
            options = ["--repo", str(repo), "--name", "bench", "--out", out, "--last", str(LAST), "--no-prove"]
            subprocess.run([sys.executable, "-m", "miner.cli", "harvest", *options], capture_output=True, check=True)

    def log() -> None:
        command = ["git", "-C", str(repo), "log", "-p", "-m", "--first-parent", f"-{commits}"]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)

    mining, logging = best_of_three(mine), best_of_three(log)
    print(f"harvest --no-prove --last {LAST}: {mining:.2f} s; git log -p -m over {commits} commits: {logging:.2f} s")
    print(f"ratio {mining / logging:.1f}")


if __name__ == "__main__":
    main()
