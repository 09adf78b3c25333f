"""What a long run's journal costs: processor time to add an attempt, memory and time to read all of them.

    python -m benchmarks.journal_scale [ATTEMPTS] [FOLDER]

A run of ATTEMPTS attempts (100,000) is written through the journal into FOLDER (a new one, removed at the end), and
read again by a fresh process. A third of the attempts fail with feedback of their own. Each writes three files' worth:
its reply, its transcript, its lines.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from evaluator.journal import AttemptLine, DiskJournal, Kept, RunFile, read_attempts
from evaluator.messages import Message
from evaluator.models.model import Reply
from evaluator.taxonomy import Category, Detail, Signal

FORMATS = ("search_replace", "unified_diff", "whole_file", "str_replace")
REPLY = "a line of a reply, as models write them\n" * 100
ASKED = (Message("system", "Be brief.\n" * 5, 50), Message("user", "a line of a file that is shown\n" * 300, 9_000))


def attempt(number: int) -> AttemptLine:
    """The line of an attempt: much of it, like in a real run, is the same for many."""
    fixture, failed = number // len(FORMATS), number % 3 == 0
    return AttemptLine(
        fixture=f"repository-{fixture % 7}/{fixture}-a-change-of-some-name", format=FORMATS[number % len(FORMATS)],
        model="anthropic:some-model-1", served_model="some-model-1-20260105", repeat=1, attempt=1, valid=not failed,
        unintended_changes=(f"src/module_{fixture}.py::Class.method",) if number % 5 == 0 else (),
        output_tokens=900, input_tokens=7_000, cached_tokens=6_000, latency_ms=14_000, stop_reason="stop",
        failure_category=Category.NOT_APPLIED if failed else None,
        detail=Detail.ANCHOR_MISSING if failed else None, signal=Signal.APPLIER if failed else None,
        feedback=f"Edit {number}: these lines are not in the file:\n" + REPLY[:400] if failed else "",
        cost_usd=0.0123, paid_usd=0.0101, applied=not failed, edits=2, edits_applied=1, tests="pass",
        edit_steps=("", "trailing_space"), prompt_digest=f"{fixture:064x}", ended="2026-01-01T00:00:00+00:00",
    )  # fmt: skip


def written(folder: Path, attempts: int) -> None:
    """Write the run; print the processor time of an attempt, apart from what the kernel took to write."""
    run = RunFile(
        set_digest="0", cap=8000, model="m", simulated=False, formats=list(FORMATS), attempts=3, seed=1, fixtures=[],
        started="", version="",
    )  # fmt: skip
    reply = Reply(REPLY, "stop", 7_000, 900, 14_000, "some-model-1-20260105")
    kept = Kept(ASKED, REPLY, REPLY[:2000], REPLY[:2000], "The anchor of edit 1 is not in the file.")
    journal = DiskJournal(folder, run)
    before, clock = os.times(), time.perf_counter()
    for line in map(attempt, range(attempts)):
        journal.store(line.key, reply)
        journal.add(line, kept)
    after, took = os.times(), time.perf_counter() - clock
    held = resident()
    journal.close()
    user, system = (1000 * (b - a) / attempts for a, b in zip(before[:2], after[:2], strict=True))
    print(f"store and add: {user:.3f} ms of processor time an attempt, and {system:.3f} ms of the kernel's to write")
    size = (folder / "attempts.jsonl").stat().st_size / 1e6
    print(f"{attempts / took:,.0f} attempts/s; attempts.jsonl {size:.0f} MB; {held:.0f} MB held at the end")


def resident() -> float:
    """Megabytes that this process holds now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def highest() -> float:
    """The most megabytes that this process held; `getrusage` would count those of its parent."""
    rows = (row.split() for row in Path("/proc/self/status").read_text().splitlines())
    return next(int(row[1]) for row in rows if row[0] == "VmHWM:") * 1024 / 1e6


def read(how: str, folder: Path) -> None:
    """Read the run as a report does (`lines`), or as a run that is resumed does (`journal`); print what it took."""
    start, clock = resident(), time.perf_counter()
    if how == "lines":
        held: object = read_attempts(folder / "attempts.jsonl")
    else:
        held = DiskJournal(folder, RunFile.model_construct())
    took, size = time.perf_counter() - clock, f"{resident() - start:.0f} MB held beside the program's {start:.0f}"
    print(f"{how}: read in {took:.1f} s, {size}, {highest():.0f} at most")
    del held


def main() -> None:
    attempts = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    folder = Path(tempfile.mkdtemp(dir=sys.argv[2] if len(sys.argv) > 2 else None))
    try:
        written(folder, attempts)
        for how in ("lines", "journal"):
            subprocess.run([sys.executable, "-m", "benchmarks.journal_scale", "--read", how, str(folder)], check=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--read"]:
        read(sys.argv[2], Path(sys.argv[3]))
    else:
        main()
