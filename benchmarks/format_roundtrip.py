"""Whether every format writes the ground truth of real fixtures so that it comes out byte for byte, to the letter.

    python -m benchmarks.format_roundtrip FIXTURES...

Prints, per format, how many fixtures come out exactly, and every one that does not, or that the format says it
cannot express, with why. Exits with 1 where one does not come out although it was written.
"""

import argparse
from collections import Counter
from pathlib import Path

from evaluator.formats import FORMATS
from evaluator.formats.model import STRICT, Applied, CannotExpress, EditFormat, Tree, Unreadable
from miner.errors import ToolError
from miner.fixtures import FixtureFolder, Task


def outcome(task: Task, fmt: EditFormat) -> str:
    """`exact`, `cannot express: why`, or what went wrong."""
    reply = fmt.encode(task.before, task.after)
    if isinstance(reply, CannotExpress):
        return f"cannot express: {reply.why}"
    edits = fmt.parse(reply, STRICT)
    if isinstance(edits, Unreadable):
        return f"cannot be read: {edits.message}"
    blobs = task.store.blobs(task.fixture.starting_tree)
    modes = {path: mode for path, (mode, _) in blobs.items()}
    tree = Tree(modes, lambda path: task.store.objects.read(blobs[path][1]) or b"")
    applied = fmt.apply(edits, tree, STRICT)
    if not isinstance(applied, Applied):
        return f"does not apply: {applied.message}"
    wanted = {path: content for path, content in task.after.items() if content != task.before.get(path)}
    got = {path: content for path, content in applied.files.items() if content != task.before.get(path)}
    if got != wanted:
        return f"other bytes: {sorted(path for path in {*got, *wanted} if got.get(path, b'') != wanted.get(path, b''))}"
    took = sorted({step for steps in applied.steps for step in steps})
    return f"took {', '.join(took)}" if took else "exact"


def main() -> None:
    """Print the outcomes."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("fixtures", nargs="+", type=Path)
    counts: Counter[tuple[str, str]] = Counter()
    for root in options.parse_args().fixtures:
        folder = FixtureFolder(root)
        for fixture in folder.ids():
            try:
                task = folder.task(fixture)
                if task.impossible:
                    continue
                assert task.solved_tree
            except ToolError as error:
                print(f"{fixture}: {error}")
                continue
            for fmt in FORMATS.values():
                found = outcome(task, fmt)
                counts[fmt.name, found.partition(":")[0]] += 1
                if found != "exact":
                    print(f"{fixture} {fmt.name}: {found}")
    for (name, kind), count in sorted(counts.items()):
        print(f"{name:16} {kind:16} {count}")
    if any(kind not in ("exact", "cannot express") for _, kind in counts):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
