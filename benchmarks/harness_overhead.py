"""What the harness itself costs: a model that answers at once, tests off, files of at most 200 lines.

    python -m benchmarks.harness_overhead --inspect /path/to/python-with-inspect-ai
    python -m benchmarks.harness_overhead --seconds 0.2 --workers 64
    python -m benchmarks.harness_overhead --attempts 100000 --rounds 1 --fixtures FOLDER --lines 10000
    python -m benchmarks.harness_overhead --edits allowed --least-lines 3000 --lines 4000 --attempts 300

Samples a second of a run of ours, its journal on disk; with --inspect (or INSPECT_PYTHON) beside Inspect AI with its
mock model over the same prompts, measured in turn within this one run, and the ratio. Every reply of ours is parsed,
applied, compared by symbols and kept with its diff; all differ in a sentence before the edits. What differs of the
edits is --edits, as what is remembered of equal files must not flatter:

    equal       the right answer every time, so that a task's edits come again with every repeat (a lower bound of work)
    repeats     those of a repeat are others, a remark in them has its number; all formats of a block write them
    allowed     every attempt's edits are others: a remark with its own number where the task may change something
    unintended  the same at the end of every file, where it may not, so that each is excused, put back and described

Inspect's samples are generated and scored by `includes()`, and logged; none of their work depends on the edits. On a
busy machine processor time is the fairer ratio. What the rounds write is deleted at the end: ext4 without a journal
passes over every inode that was deleted in the last minutes, at ten times the time of a new file (TMPDIR says where).
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

from evaluator.appliers import granted
from evaluator.bench import Benches, TaskBench, Tested
from evaluator.formats import FORMATS
from evaluator.journal import DiskJournal, RunFile
from evaluator.messages import first_messages
from evaluator.models.model import Reply, Request
from evaluator.parsing import errors
from evaluator.running.driver import run
from evaluator.scoring import Tests
from miner.fixtures import FixtureFolder, Task
from miner.symbols.files import Files, unintended

FIXTURES = Path(__file__).parents[1] / "fixtures"
_NUMBER = "1000000001"  # stands for a call's number, of as many digits
_NUMBERS = count(int(_NUMBER) + 1)  # of all rounds, so that no round knows the edits of another
REMARK = f"# {_NUMBER}".encode()
_INSPECT = Path(__file__).with_name("inspect_samples.py")


class Untested(TaskBench):
    """Tests off: every tree passes."""

    def _run(self, laid: Files) -> Tested:  # noqa: ARG002
        return Tested(Tests.PASS)


class UntestedBenches(Benches):
    """Those of a run, whose files come and go, with the tests off."""

    def __getitem__(self, fixture: str) -> TaskBench:
        bench = super().__getitem__(fixture)
        made = Untested(bench.task, bench.lock, bench.verdicts, bench.outputs, bench.seen_by_agents, bench.drawn)
        made.__dict__["tree"] = bench.tree  # read once while the bench is open
        return made


class Instant:
    """An answer worked out before the clock starts, with the call's number in it; `seconds` later, where not 0."""

    name = "simulated:instant"
    simulated = True

    def __init__(self, replies: dict[tuple[str, str], str], seconds: float, by_repeat: bool = False) -> None:
        self.replies, self.seconds, self.by_repeat = replies, seconds, by_repeat
        self.before = next(_NUMBERS) + 1_000_000_000

    def reply(self, request: Request) -> Reply:
        if self.seconds:
            time.sleep(self.seconds)
        number = next(_NUMBERS)
        said = self.before + request.repeat if self.by_repeat else number
        text = self.replies[request.task.id, request.format.name].replace(_NUMBER, str(said))
        return Reply(f"Answer {number}:\n\n{text}", "stop", 1_000, 100, 1, self.name)


def answer(task: Task, edits: str) -> Files:
    """The task's solved files, with a numbered remark in them where `edits` are not to be equal."""
    if edits == "equal":
        return task.after
    if edits == "unintended":
        return {p: c + REMARK + b"\n" if c and p.endswith(".py") else c for p, c in task.after.items()}
    found = (made for path, content in task.after.items() for made in _remarked(task, path, content))
    return next(found, task.after)


def _remarked(task: Task, path: str, content: bytes | None) -> Iterator[Files]:
    """The solved files with a remark behind a line of one of them, where all formats resolve the task all the same."""
    lines = (content or b"").splitlines(keepends=True)
    known = {*(task.before.get(path) or b"").splitlines(keepends=True)}
    for n, line in enumerate(lines):
        if path.endswith(".py") and line not in known and line.strip():
            made = b"".join([*lines[:n], line.rstrip() + b"  " + REMARK + b"\n", *lines[n + 1 :]])
            files = {**task.after, path: made}
            if not errors(path, made) and not unintended(task.before, files, task.allowed):
                yield files


@dataclass(frozen=True)
class Rate:
    """Attempts, seconds on the clock and of processor time, and the greatest memory of the process in MB."""

    attempts: int
    seconds: float
    cpu: float
    memory: float

    @property
    def a_second(self) -> float:
        """Attempts a second."""
        return self.attempts / self.seconds


def chosen_tasks(folder: Path, least: int, most: int) -> list[Task]:
    """The possible fixtures whose longest file has so many lines, and whose truth every format can write."""
    fixtures = FixtureFolder(folder)
    tasks = [fixtures.task(record.id) for record in fixtures.records() if record.impossible is None]
    return [task for task in tasks if least <= _longest(task) <= most and _all_write(task)]


def _longest(task: Task) -> int:
    return max((c or b"").count(b"\n") for files in (task.before, task.after) for c in files.values())


def _all_write(task: Task) -> bool:
    return all(isinstance(fmt.encode(task.before, task.after), str) for fmt in FORMATS.values())


def ours(tasks: Sequence[Task], attempts: int, workers: int, seconds: float, edits: str, place: Path) -> Rate:
    """A run of about so many attempts, in a new folder at `place`."""
    wanted = {task.id: answer(task, edits) for task in tasks}
    replies = {(t.id, name): str(fmt.encode(t.before, wanted[t.id])) for t in tasks for name, fmt in FORMATS.items()}
    settings = RunFile(
        set_digest="0", cap=8_000, model=Instant.name, simulated=True, formats=list(FORMATS), attempts=3, seed=1,
        fixtures=[task.id for task in tasks], started="", version="", applier=granted("standard", FORMATS.values()),
        repeats=max(attempts // (len(tasks) * len(FORMATS)), 1),
    )  # fmt: skip
    benches = UntestedBenches(tasks)
    model = Instant(replies, seconds, edits == "repeats")
    journal = DiskJournal(Path(mkdtemp(dir=place)) / "run", settings)
    began, cpu = time.perf_counter(), time.process_time()
    run(settings, FORMATS, benches, model, journal, workers, lambda _line: None)
    journal.close()
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    lost = [line for line in journal.lines if line.discarded or (line.failure_category and edits != "unintended")]
    assert not lost, lost[0]
    return Rate(len(journal.lines), took, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def inspects(python: str, tasks: Sequence[Task], samples: int) -> Rate:
    """Inspect's samples over the same prompts."""
    with TemporaryDirectory() as work:
        path = Path(work) / "prompts.jsonl"
        rows = (
            json.dumps("\n".join(m.content for m in first_messages(task, fmt.instructions())))
            for task in tasks for fmt in FORMATS.values()
        )  # fmt: skip
        path.write_text("\n".join(rows) + "\n")
        done = subprocess.run([python, _INSPECT, path, str(samples)], capture_output=True, text=True, check=True)
    seconds, cpu = map(float, done.stdout.split()[-2:])
    return Rate(samples, seconds, cpu, 0)


def main() -> None:
    """Print the rates; exit with 1 where the ratio asked for is not met."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--attempts", type=int, default=5_000)
    options.add_argument("--workers", type=int, default=1, help="a model that answers at once gains nothing by more")
    options.add_argument("--seconds", type=float, default=0.0, help="that a call takes")
    options.add_argument("--lines", type=int, default=200, help="that the longest file has at most")
    options.add_argument("--least-lines", type=int, default=0, help="that the longest file has at least")
    options.add_argument("--fixtures", type=Path, default=FIXTURES)
    options.add_argument("--edits", choices=("equal", "repeats", "allowed", "unintended"), default="equal")
    options.add_argument("--rounds", type=int, default=3, help="measured in turn, beside Inspect or not")
    options.add_argument("--inspect", default=os.environ.get("INSPECT_PYTHON"))
    asked = options.parse_args()
    tasks = chosen_tasks(asked.fixtures, asked.least_lines, asked.lines)
    with TemporaryDirectory() as place:
        ours(tasks, 1, asked.workers, 0, asked.edits, Path(place))  # grammars are loaded, files read
        ratios = [ratio for _ in range(asked.rounds) if (ratio := measured(asked, tasks, Path(place))) is not None]
    if ratios:
        middle = sorted(ratios)[len(ratios) // 2]
        print(f"ours / Inspect, the median of {len(ratios)}: {middle:.1f}")
        sys.exit(middle < 10)


def measured(asked: argparse.Namespace, tasks: Sequence[Task], place: Path) -> float | None:
    """Print what a round came to; the ratio of the rates, where Inspect's was measured."""
    rate = ours(tasks, asked.attempts, asked.workers, asked.seconds, asked.edits, place)
    print(
        f"{rate.attempts:,} attempts over {len(tasks)} fixtures: {rate.a_second:,.0f} a second, "
        f"{1000 * rate.cpu / rate.attempts:.2f} ms of processor time each, {rate.memory:,.0f} MB"
    )
    if asked.seconds:
        ideal = asked.workers / asked.seconds
        print(f"{rate.a_second / ideal:.1%} of the ideal rate, {ideal:,.0f} a second")
    if not asked.inspect:
        return None
    theirs = inspects(asked.inspect, tasks, max(asked.attempts // 4, 500))
    ratio, own, other = rate.a_second / theirs.a_second, rate.cpu / rate.attempts, theirs.cpu / theirs.attempts
    print(
        f"Inspect: {theirs.a_second:,.0f} a second, {1000 * other:.2f} ms of processor time each; "
        f"ours / Inspect {ratio:.1f} on the clock, {other / own:.1f} in processor time"
    )
    return ratio


if __name__ == "__main__":
    main()
