"""Thousands of attempts over a provider on loopback that does everything a provider can do wrong, both wire formats.

Every trial must end in one classification, the counts must add up, and nothing may be paid for twice: the server, a
process of its own, counts what it was asked and what it answered. Tests are not run: a reply passes where every line
that the ground truth adds is there. Exits with 1 where a count is off. Prints what a call costs this process besides.
"""

import argparse
import multiprocessing
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from benchmarks.simulated_coverage import ByTruth
from evaluator.bench import TaskBench
from evaluator.formats import FORMATS
from evaluator.journal import AttemptLine, CallSettings, DiskJournal, RunFile, read_attempts
from evaluator.messages import first_messages
from evaluator.models import close_model
from evaluator.models.model import NoEvidence, Request
from evaluator.models.pacing import Patience
from evaluator.models.provider import Provider
from evaluator.running.driver import run
from evaluator.taxonomy import Discard
from evaluator.trials import Trial, trials
from miner.fixtures import FixtureFolder, Task
from tests.evaluator.models.acts import ANTHROPIC, OPENAI
from tests.evaluator.models.model_server import serving
from tests.evaluator.models.odd_answers import ANSWERS, WEIGHTS, OddAnswers

HERE = Path(__file__).parent
CAP = 8_000
PATIENCE = Patience(tries=4, total=300, first_wait=0.02, longest_wait=0.2)


@dataclass(frozen=True)
class Counts:
    """What the server was asked, and what it did."""

    requests: int
    connections: int
    done: Counter[str]


def serve(pipe: Connection, tasks: Sequence[Task], seed: int) -> None:
    """Serve until told to end; answer every line on the pipe with the counts so far."""
    with serving() as server:
        server.answer = answers = OddAnswers(tasks, list(FORMATS), seed, WEIGHTS)
        pipe.send({wire: server.base_url(wire) for wire in (OPENAI, ANTHROPIC)})
        while pipe.recv() == "count":
            pipe.send(Counts(len(server.asked), server.connections, answers.done))


def attempts(wire: str, url: str, tasks: Sequence[Task], repeats: int, workers: int, place: Path) -> None:
    """Run all formats over all tasks, and once more over what is finished."""
    call = CallSettings(base_url=url, timeout_seconds=30)
    settings = RunFile(
        set_digest="0", cap=CAP, model=f"{wire}:some-model", simulated=False, formats=list(FORMATS), attempts=3,
        seed=1, fixtures=[task.id for task in tasks], started="", version="", repeats=repeats, call=call,
    )  # fmt: skip
    benches: dict[str, TaskBench] = {task.id: ByTruth(task, threading.Lock()) for task in tasks}
    for _ in range(2):
        model, journal = Provider(settings.model, call, CAP, PATIENCE), DiskJournal(place, settings)
        try:
            run(settings, FORMATS, benches, model, journal, workers, lambda _line: None)
        finally:
            journal.close()
            close_model(model)


def wrong(lines: Sequence[AttemptLine], planned: int, before: Counts, after: Counts) -> list[str]:
    """What does not add up."""
    ended, done = trials(lines), after.done - before.done
    requests = after.requests - before.requests
    answered = [line for line in lines if line.discarded in (None, Discard.REFUSAL)]
    checks = {
        "every trial ended": len(ended) == planned,
        "in one classification": all(_classes(t) == 1 for t in ended),
        "tries are the requests": sum(line.tries for line in lines) == requests == done.total(),
        "every answer is one attempt": len(answered) == sum(done[name] for name in ANSWERS),
        "refusals": sum(a.discarded is Discard.REFUSAL for a in lines) == done["refused"],
        "timeouts after a token": sum(a.stop_reason == "timeout" for a in lines) == done["hangs midway"],
        "no fault of ours": not [a for a in lines if a.discarded is Discard.HARNESS_ERROR],
    }
    return [what for what, holds in checks.items() if not holds]


def _classes(trial: Trial) -> int:
    return trial.resolved + (trial.category is not None) + (trial.last.discarded is not None)


def cost_of_a_call(wire: str, url: str, task: Task, calls: int, workers: int) -> tuple[float, float]:
    """CPU of this process in milliseconds a call, and calls a second; no engine, no scoring, the faults included."""
    model = Provider(f"{wire}:some-model", CallSettings(base_url=url, timeout_seconds=30), CAP, PATIENCE)
    request = Request(
        first_messages(task, FORMATS["whole_file"].instructions()), CAP, task, FORMATS["whole_file"], 1, 1
    )
    try:
        _quietly(model, request)
        cpu, start = time.process_time(), time.monotonic()
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda _: _quietly(model, request), range(calls)))
        return (time.process_time() - cpu) * 1000 / calls, calls / (time.monotonic() - start)
    finally:
        model.close()


def _quietly(model: Provider, request: Request) -> None:
    with suppress(NoEvidence):
        model.reply(request)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fixtures", type=Path, nargs="?", default=HERE.parent / "fixtures")
    parser.add_argument("--attempts", type=int, default=10_000, help="at least so many in all")
    parser.add_argument("--workers", type=int, default=64)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    folder = FixtureFolder(given.fixtures)
    tasks = [task for task in map(folder.task, (r.id for r in folder.records())) if not task.impossible]
    planned = len(tasks) * len(FORMATS)
    repeats = -(-given.attempts // (2 * planned))
    here, there = multiprocessing.get_context("fork").Pipe()
    server = multiprocessing.get_context("fork").Process(target=serve, args=(there, tasks, given.seed), daemon=True)
    server.start()
    urls, off, made = here.recv(), [], 0
    for wire in (OPENAI, ANTHROPIC):
        with tempfile.TemporaryDirectory() as place:
            here.send("count")
            before, start = here.recv(), time.monotonic()
            attempts(wire, urls[wire], tasks, repeats, given.workers, Path(place) / "run")
            took = time.monotonic() - start
            here.send("count")
            after = here.recv()
            lines = read_attempts(Path(place) / "run" / "attempts.jsonl")
        found = wrong(lines, planned * repeats, before, after)
        off, made = off + found, made + len(lines)
        ends = Counter(str(t.last.discarded or t.category or "resolved") for t in trials(lines))
        print(f"{wire}: {len(lines)} attempts, {after.requests - before.requests} requests over "
              f"{after.connections - before.connections} connections in {took:.0f} s")  # fmt: skip
        print("  the server:", dict((after.done - before.done).most_common()))
        print("  the trials:", dict(ends.most_common()), "; off:", ", ".join(found) or "nothing")
        cpu, rate = cost_of_a_call(wire, urls[wire], tasks[0], 1_000, given.workers)
        print(f"  a call alone: {cpu:.2f} ms of CPU, {rate:.0f} calls a second with {given.workers} threads")
    here.send("end")
    server.join(10)
    print(f"{made} attempts; {'counts are off' if off else 'every count adds up'}")
    return 1 if off or made < given.attempts else 0


if __name__ == "__main__":
    sys.exit(main())
