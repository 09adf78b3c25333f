"""How long mining without proving takes, beside one `git log -p -m` and beside PyDriller over the same commits."""

import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from miner.git import borrow
from miner.sources.log import read_commits
from miner.sources.subjects import merged_changes

LAST, ROUNDS = 200, 3
# What harvest asks of each change, the files' text before and after and which definitions differ, as PyDriller has it.
ASK_PYDRILLER = """
import sys
from pydriller import Git
repository = Git(sys.argv[1])
for commit in sys.argv[2:]:
    for file in repository.get_commit(commit).modified_files:
        file.changed_methods
"""


def seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def commits_read(repo: Path) -> list[str]:
    """The main line's commits down to the last of the merged changes."""
    with tempfile.TemporaryDirectory() as scratch:
        git, head = borrow(repo, Path(scratch) / "mined.git")
        commits, changes = [], 0
        for commit in read_commits(git, head):
            commits.append(commit.id)
            changes += any(True for _ in merged_changes([commit]))
            if changes == LAST:
                break
        return commits


def mine(repo: Path) -> None:
    """In a process of its own each time, so that no cache of an earlier round helps."""
    with tempfile.TemporaryDirectory() as out:
        options = ["--repo", str(repo), "--name", "bench", "--out", out, "--last", str(LAST), "--no-prove"]
        subprocess.run([sys.executable, "-m", "miner.cli", "harvest", *options], capture_output=True, check=True)


def log(repo: Path, commits: int) -> None:
    command = ["git", "-C", str(repo), "log", "-p", "-m", "--first-parent", f"-{commits}"]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)


def ask_pydriller(repo: Path, commits: list[str]) -> None:
    subprocess.run([sys.executable, "-c", ASK_PYDRILLER, str(repo), *commits], check=True)


def main() -> None:
    repo = Path(sys.argv[1]).resolve()
    commits = commits_read(repo)
    # In turn, so that what else the machine does weighs on both alike.
    rounds = [(seconds(lambda: mine(repo)), seconds(lambda: log(repo, len(commits)))) for _ in range(ROUNDS)]
    mining, logging = (min(times) for times in zip(*rounds, strict=True))
    print(f"harvest --no-prove --last {LAST}: {mining:.2f} s")
    print(f"git log -p -m over {len(commits)} commits: {logging:.2f} s")
    print(f"harvest takes {mining / logging:.1f} times as long as git log")
    if importlib.util.find_spec("pydriller") is None:
        print("no pydriller here: see the README")
        return
    with tempfile.TemporaryDirectory() as scratch:  # a clone of its own, because it writes to the configuration
        subprocess.run(["git", "clone", "--quiet", "--bare", "--shared", str(repo), scratch], check=True)
        driving = seconds(lambda: ask_pydriller(Path(scratch), commits))
    print(f"PyDriller over them: {driving:.2f} s; harvest is {driving / mining:.1f} times as fast")


if __name__ == "__main__":
    main()
