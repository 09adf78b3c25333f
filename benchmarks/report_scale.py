"""Processor time and memory of a report over 100,000 attempts, as shares of what is allowed.

Run in a process of its own, as memory is the process's greatest: python -m benchmarks.report_scale [--attempts N].
"""

import argparse
import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from evaluator.cli_report import write_report
from evaluator.journal import AttemptLine, RunFile, TaskFacts, load_run, read_attempts
from evaluator.report.build import build
from evaluator.report.csv_file import as_csv
from evaluator.report.html.page import write_html
from evaluator.report.junit_file import as_junit
from evaluator.taxonomy import Category, Detail
from miner.mix import MixCell
from miner.record import dump_yaml
from miner.strata import Stratum

FORMATS = ["whole_file", "unified_diff", "search_replace", "udiff", "apply_patch", "str_replace"]
REPEATS, MEAN_ATTEMPTS, REPOSITORIES = 5, 1.19, 8
ALLOWED_SECONDS, ALLOWED_MEGABYTES = 10, 500
ENDS = [
    (Category.TRUNCATED, Detail.STOP_LENGTH), (Category.NOT_APPLIED, Detail.ANCHOR_MISSING),
    (Category.UNINTENDED_CHANGE, Detail.REMOVED), (Category.WRONG_CHANGE, Detail.TESTS_FAIL),
]  # fmt: skip


def settings(fixtures: int) -> RunFile:
    names = [f"repository-{n % REPOSITORIES}/{n}-a-change-of-some-sort" for n in range(fixtures)]
    sizes = list(Stratum)
    return RunFile(
        set_digest="d" * 64, cap=8000, model="m", simulated=False, formats=FORMATS, attempts=3, seed=1, fixtures=names,
        started="2026-01-01T00:00:00+00:00", version="0", repeats=REPEATS,
        tasks={
            name: TaskFacts(stratum=sizes[n % 3], large=n % 4 == 0, rewrite_tokens=5000, tags=["crlf"] if n % 5 else [])
            for n, name in enumerate(names)
        },
        mix=[MixCell(repository=f"repository-{n}", stratum=s, changes=10 + n) for n in range(REPOSITORIES)
             for s in sizes],
    )  # fmt: skip


def lines(run: RunFile, seed: int) -> Iterator[AttemptLine]:
    draw = random.Random(seed)
    for fixture in run.fixtures:
        for repeat in range(1, run.repeats + 1):
            for n, name in enumerate(run.formats):
                for attempt in (1, 2, 3):
                    end = None if draw.random() < 0.55 + 0.05 * n else draw.choice(ENDS)
                    yield AttemptLine(
                        fixture=fixture, format=name, model="m", repeat=repeat, attempt=attempt, valid=end is None,
                        failure_category=end and end[0], detail=end and end[1], output_tokens=draw.randrange(8000),
                        input_tokens=9000, latency_ms=draw.randrange(60_000), cost_usd=0.01, paid_usd=0.01,
                        served_model="m-1", applied=end is None or end[0] not in (ENDS[0][0], ENDS[1][0]), edits=2,
                        edits_applied=1, tests="pass" if end is None else "fail", prompt_digest="a" * 64,
                        feedback="The text that the edit is to replace does not occur in the file." if end else "",
                        unintended_changes=("src/module.py::Class.method",) if end == ENDS[2] else (),
                        edit_steps=("", "indentation"), strict_applied=False, ended="2026-01-01T00:00:00+00:00",
                    )  # fmt: skip
                    if end is None or end[0] not in (ENDS[0][0], ENDS[1][0]):
                        break


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--attempts", type=int, default=100_000)
    wanted = arguments.parse_args().attempts
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        run = settings(max(1, round(wanted / len(FORMATS) / REPEATS / MEAN_ATTEMPTS)))
        (folder / "run.yaml").write_text(dump_yaml(run))
        with (folder / "attempts.jsonl").open("w") as file:
            file.writelines(json.dumps(line.model_dump(mode="json", by_alias=True)) + "\n" for line in lines(run, 1))
        megabytes = (folder / "attempts.jsonl").stat().st_size / 1e6
        marks = [time.process_time()]
        found = read_attempts(folder / "attempts.jsonl")
        loaded = load_run(folder)
        marks.append(time.process_time())
        report = build(loaded, found)
        marks.append(time.process_time())
        write_report(folder, report)
        write_html(folder, report, found)
        marks.append(time.process_time())
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        as_csv(found), as_junit(loaded, found)
        marks.append(time.process_time())
    spent = [after - before for before, after in pairwise(marks)]
    print(f"{len(found):,} attempts ({megabytes:.0f} MB), {len(run.fixtures)} fixtures x {len(FORMATS)} formats x "
          f"{REPEATS} repeats")  # fmt: skip
    for name, seconds in zip(("read", "build", "write", "csv and junit"), spent, strict=True):
        print(f"{name:<14} {seconds:6.2f} s")
    took = sum(spent[:3])
    print(f"report         {took:6.2f} s, {took / ALLOWED_SECONDS:.0%} of what is allowed")
    print(f"memory         {peak:6.0f} MB, {peak / ALLOWED_MEGABYTES:.0%} of what is allowed")
    return int(took > ALLOWED_SECONDS or peak > ALLOWED_MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
