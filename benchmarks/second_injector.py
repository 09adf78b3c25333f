"""A second injector of faults, made from docs/taxonomy.md and docs/formats.md alone, against the scorer.

    python -m benchmarks.second_injector FIXTURES [--only REPO] [--most N] [--tested N] [--share 0.3]
        [--workers 2] [--json OUT]

It shares nothing with `evaluator.faults`, `evaluator.scoring`, the encoders or the symbols: outlines are those of `ast`
and regular expressions, replies are written by writers of its own, labels follow from the page and from the tests,
run on files that it built itself. Every label is compared with what `score_reply` says. Printed are a table of labels
by scores and every disagreement; exits with 1 where there is one.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from pathlib import Path

from benchmarks.second_scored import Extent, Row, scored
from benchmarks.second_table import printed
from miner.errors import ToolError
from miner.fixtures import FixtureFolder


def main() -> None:
    """Score, print, write."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("fixtures", type=Path)
    options.add_argument("--only", action="append", help="a repository, or the beginning of an id; again for more")
    options.add_argument("--most", type=int, default=1_000_000, help="fixtures of each repository")
    options.add_argument("--share", type=float, default=1.0, help="share of the replies that are scored")
    options.add_argument("--tested", type=int, default=1_000_000, help="damages a fixture that the tests must judge")
    options.add_argument(
        "--endless", type=int, default=0, help="fixtures with an endless loop, which takes the time limit"
    )
    options.add_argument("--minutes", type=float, default=600, help="no fixture is begun after that many")
    options.add_argument("--workers", type=int, default=2)
    options.add_argument("--json", type=Path, help="every row; the replies of disagreements go to a folder beside it")
    given = options.parse_args()
    ids = [
        one
        for one in FixtureFolder(given.fixtures).ids()
        if not given.only or any(one.startswith(only) for only in given.only)
    ]
    taken = [one for at, one in enumerate(ids) if _rank(ids, at) < given.most]
    began = time.monotonic()
    rows: list[Row] = []
    with ProcessPoolExecutor(given.workers) as pool:
        waiting = {}
        for at, name in enumerate(taken):
            extent = Extent(given.tested, given.share, at < given.endless)
            until = time.time() + 60 * given.minutes
            waiting[pool.submit(of_fixture, given.fixtures, name, extent, until)] = name
        for done in as_completed(waiting):
            found, spent = done.result(), time.monotonic() - began
            odd = sum(not row.agrees for row in found)
            print(f"{spent:6.0f} s {waiting[done]}: {len(found)} scored, {odd} disagree", file=sys.stderr, flush=True)
            rows += found
            if given.json:
                _write(given.json, rows)
    print(printed(rows))
    sys.exit(any(not row.agrees for row in rows))


def of_fixture(root: Path, name: str, extent: Extent, until: float) -> list[Row]:
    """The rows of one fixture; none where it is too late, or it cannot be used, with the reason on standard error."""
    if time.time() > until:
        return []
    try:
        task = FixtureFolder(root).task(name)
        return list(scored(task, extent)) if task.fixture.proof and not task.impossible and task.solved_tree else []
    except ToolError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return []


def _rank(ids: Sequence[str], at: int) -> int:
    repository = ids[at].partition("/")[0]
    return sum(one.partition("/")[0] == repository for one in ids[:at])


def _write(path: Path, rows: Sequence[Row]) -> None:
    replies = path.with_suffix(".replies")
    replies.mkdir(parents=True, exist_ok=True)
    made = []
    for number, row in enumerate(rows):
        record = asdict(row) | {"reply": None}
        if not row.agrees:
            record["reply"] = str(replies / f"{number}.txt")
            (replies / f"{number}.txt").write_bytes(row.reply.encode())
        made.append(record)
    path.write_text("".join(json.dumps(record) + "\n" for record in made))


if __name__ == "__main__":
    main()
