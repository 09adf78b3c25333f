"""SIGKILL a run at random moments, go on with it, and compare it with one that nobody killed.

    python -m benchmarks.kill_resume --kills 100

Every kill is of a real process with a journal on disk. The model writes down each call when it begins. Wanted: no call
is made whose reply was stored, no attempt is made that has its line, and in the end the attempts are those of an
unbroken run, up to order and times. Tests of fixtures are faked (they pass after 5 ms).
"""

import argparse
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from evaluator.bench import TaskBench, Tested
from evaluator.formats import FORMATS
from evaluator.journal import AttemptLine, DiskJournal, RunFile, read_attempts, read_calls
from evaluator.models.model import Reply, Request
from evaluator.models.simulated import Article
from evaluator.running.driver import run
from evaluator.scoring import Tests
from miner.fixtures import FixtureFolder
from miner.symbols.files import Files

FIXTURES = Path(__file__).parents[1] / "fixtures"
WORKERS = 4
Call = tuple[str, str, int, int]  # fixture, format, repeat, attempt


class Untested(TaskBench):
    """Tests that always pass, after a while."""

    def _run(self, laid: Files) -> Tested:  # noqa: ARG002
        time.sleep(0.005)
        return Tested(Tests.PASS)


class Counted:
    """Answers as another model, a little later, and writes down that it was asked: one line, one write."""

    name = "simulated:counted"
    simulated = True

    def __init__(self, model: Article, log: Path, seconds: float) -> None:
        self.model, self.seconds = model, seconds
        self.log = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def reply(self, request: Request) -> Reply:
        key = f"{request.task.id}\t{request.format.name}\t{request.repeat}\t{request.attempt}\n"
        os.write(self.log, key.encode())
        time.sleep(self.seconds)
        return self.model.reply(request)


@dataclass(frozen=True)
class Plan:
    """A run over the first `fixtures` fixtures, twice each; a call takes `seconds`."""

    fixtures: int
    seconds: float

    @property
    def expected(self) -> float:
        """Seconds that the calls of the run take, about, at one attempt a trial."""
        return self.fixtures * 2 * len(FORMATS) * self.seconds / WORKERS

    def make(self, folder: Path, log: Path) -> None:
        """Make the run, or go on with it."""
        store = FixtureFolder(FIXTURES)
        ids = [name for name in store.ids() if not name.endswith("-impossible")][: self.fixtures]
        settings = RunFile(
            set_digest="0", cap=8_000, model="counted", simulated=True, formats=list(FORMATS), attempts=3, seed=1,
            fixtures=ids, started="", version="", repeats=2,
        )  # fmt: skip
        benches = {name: Untested(store.task(name), threading.Lock()) for name in ids}
        model = Counted(Article(ids, list(FORMATS), 1), log, self.seconds)
        journal = DiskJournal(folder, settings)
        print("begun", flush=True)
        run(settings, FORMATS, benches, model, journal, WORKERS, lambda _line: None, 2)
        journal.close()


@dataclass(frozen=True)
class Found:
    """What killing gave: kills that hit a running process, calls in all, and what must be empty or true."""

    kills: int
    calls: int
    made_twice: int  # calls in flight at a kill, which nobody could know the reply of
    again: list[Call]  # calls made although their reply was stored: none
    same: bool  # the attempts are those of an unbroken run


def killed(plan: Plan, kills: int, seed: int, work: Path) -> Found:
    """Kill a run so often at random moments, let it end, and compare; `work` is an empty folder."""
    dice, log, folder = random.Random(seed), work / "calls", work / "run"
    again, hit = list[Call](), 0
    for n in range(kills):
        stored, before = _stored(folder), len(_asked(log))
        process = _started(plan, folder, log)
        try:
            # On the average every process gets its share of the run done: the last ones still have some to do.
            process.wait(dice.uniform(0, 2 * plan.expected / kills))
            break
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            hit = n + 1
        again += [call for call in _asked(log)[before:] if call in stored]
    stored, before = _stored(folder), len(_asked(log))
    assert _started(plan, folder, log).wait(300) == 0
    again += [call for call in _asked(log)[before:] if call in stored]
    assert _started(plan, work / "whole", work / "others").wait(300) == 0
    asked = Counter(_asked(log))
    same = _untimed(folder) == _untimed(work / "whole") and set(asked) == set(_asked(work / "others"))
    return Found(hit, asked.total(), asked.total() - len(asked), again, same)


def _started(plan: Plan, folder: Path, log: Path) -> "subprocess.Popen[bytes]":
    command = [sys.executable, "-m", "benchmarks.kill_resume", "--make", folder, "--log", log]
    command += ["--fixtures", str(plan.fixtures), "--seconds", str(plan.seconds)]
    root = Path(__file__).parents[1]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, cwd=root)
    assert process.stdout is not None
    process.stdout.readline()  # the moments are drawn from when the run begins
    process.stdout.close()
    return process


def _stored(folder: Path) -> set[Call]:
    """The calls whose reply is stored, or whose attempt has its line, whole."""
    calls = {key[:4] for key in read_calls(folder / "calls.jsonl")}
    path = folder / "attempts.jsonl"
    return calls | {line.key[:4] for line in (read_attempts(path) if path.exists() else ())}


def _asked(log: Path) -> list[Call]:
    rows = log.read_text().splitlines() if log.exists() else []
    parts = (row.split("\t") for row in rows)
    return [(fixture, fmt, int(repeat), int(attempt)) for fixture, fmt, repeat, attempt in parts]


def _untimed(folder: Path) -> list[AttemptLine]:
    lines = read_attempts(folder / "attempts.jsonl")
    return sorted((line.model_copy(update={"ended": ""}) for line in lines), key=lambda a: a.key)


def main() -> None:
    """Print what was found; exit with 1 where something was made twice, or the runs differ."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--kills", type=int, default=100)
    options.add_argument("--fixtures", type=int, default=20)
    options.add_argument("--seconds", type=float, default=0.05)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--make", type=Path, help="(for itself) the run's folder")
    options.add_argument("--log", type=Path, help="(for itself) where calls are written down")
    asked = options.parse_args()
    plan = Plan(asked.fixtures, asked.seconds)
    if asked.make is not None:
        plan.make(asked.make, asked.log)
        return
    with TemporaryDirectory() as work:
        found = killed(plan, asked.kills, asked.seed, Path(work))
    print(f"{found.kills} of {asked.kills} kills hit a running run; {found.calls:,} calls in all")
    print(f"{found.made_twice} were in flight at a kill and made again; {len(found.again)} were made though stored")
    print("the attempts are those of an unbroken run" if found.same else "the attempts DIFFER from an unbroken run's")
    sys.exit(bool(found.again) or not found.same)


if __name__ == "__main__":
    main()
