"""How a clone's pull requests were merged, and how many of the last commits of its main line are recognised.

    python benchmarks/recognised.py CLONE [CLONE ...]
"""

import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

from miner.git import borrow, read_only
from miner.sources.history import History
from miner.sources.model import MergedChange, Method, Unit
from miner.sources.pull_refs import Pulls, read_pull_refs
from miner.sources.recognise import Recogniser, recognised

LAST = 400
COLUMNS = (
    "clone", "heads", "seconds", f"of {LAST}", "merges", "squashes", "rebases", "their commits", "by head alone",
    "other second parent", "in all", "seconds",
)  # fmt: skip


def main() -> None:
    print("| " + " | ".join(COLUMNS) + " |")
    print("| --- |" + " ---: |" * (len(COLUMNS) - 1))
    for path in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as scratch:
            print("| " + " | ".join(map(str, row(Path(path), Path(scratch)))) + " |", flush=True)


def row(path: Path, scratch: Path) -> list[object]:
    """One clone's line of the table; the last commits are those of the first-parent chain."""
    git, head = borrow(path, scratch / "mined.git", tags=False)
    started = time.perf_counter()
    heads = read_pull_refs(read_only(path))
    with History(git, head) as history:
        recogniser = Recogniser(git, history, Pulls(git, history, heads))
        found = list(recogniser.among(islice(history.down(head), LAST)))
        seconds = time.perf_counter() - started
        ways = Counter(change.method for change in found)
        merges = [change for change in found if change.method is Method.MERGE]
        silent = sum(not change.branch and change.number not in history[change.merged].message for change in merges)
    landed = sum(change.commits for change in found if change.method is Method.REBASE)
    started = time.perf_counter()
    every = sum(1 for _ in recognised(git, head, Unit.PULL, heads))
    return [
        path.parent.name if path.name == "repo" else path.name, len(heads), f"{seconds:.1f}", len(found),
        *(ways[way] for way in (Method.MERGE, Method.SQUASH, Method.REBASE)), landed, silent, elsewhere(merges, heads),
        every, f"{time.perf_counter() - started:.1f}",
    ]  # fmt: skip


def elsewhere(merges: Iterable[MergedChange], heads: dict[str, tuple[str, ...]]) -> int:
    """Merges whose second parent is not the head of the pull request that they are taken for."""
    return sum(change.number not in heads.get(change.tip, ()) for change in merges)


if __name__ == "__main__":
    main()
