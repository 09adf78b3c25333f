"""A run over a provider on loopback that answers after a while: what share of the ideal rate it reaches.

    python -m benchmarks.provider_rate [--seconds 0.2] [--workers 64] [--pieces 4]

The whole of a run: any-llm, the engine, scoring (tests off), the journal on disk. The server is a process of its own
that answers rightly, in so many pieces. A second line has the calls alone, without engine and scoring. Both processes
take their share of the machine, so that on few cores the server's is missing in the rate.
"""

import argparse
import multiprocessing
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.harness_overhead import FIXTURES, UntestedBenches, chosen_tasks
from evaluator.appliers import granted
from evaluator.formats import FORMATS
from evaluator.journal import CallSettings, DiskJournal, RunFile
from evaluator.messages import first_messages
from evaluator.models.model import Request
from evaluator.models.provider import Provider
from evaluator.running.driver import run
from miner.fixtures import Task
from tests.evaluator.models.acts import ANTHROPIC, OPENAI, Act
from tests.evaluator.models.model_server import Asked, serving

CAP = 8_000


def serve(pipe: Connection, tasks: Sequence[Task], seconds: float, pieces: int) -> None:
    """Serve until told to end."""
    right = {
        first_messages(task, fmt.instructions())[1].content: str(fmt.encode(task.before, task.after))
        for task in tasks for fmt in FORMATS.values()
    }  # fmt: skip
    over = threading.Event()

    def answer(asked: Asked) -> Act:
        content = next(m["content"] for m in asked.body["messages"] if m["role"] == "user")
        asked_for = content if isinstance(content, str) else "".join(block["text"] for block in content)
        over.wait(seconds)
        return Act(right[asked_for], served="some-model", pieces=pieces)

    with serving() as server:
        server.answer = answer
        pipe.send({wire: server.base_url(wire) for wire in (OPENAI, ANTHROPIC)})
        pipe.recv()


def whole(wire: str, url: str, tasks: Sequence[Task], repeats: int, workers: int) -> tuple[float, float, int]:
    """Seconds on the clock, of processor time, and the attempts of a run."""
    call = CallSettings(base_url=url)
    settings = RunFile(
        set_digest="0", cap=CAP, model=f"{wire}:some-model", simulated=False, formats=list(FORMATS), attempts=3,
        seed=1, fixtures=[task.id for task in tasks], started="", version="", repeats=repeats, call=call,
        applier=granted("standard", FORMATS.values()),
    )  # fmt: skip
    model = Provider(settings.model, call, CAP)
    with TemporaryDirectory() as work, DiskJournal(Path(work) / "run", settings) as journal:
        began, cpu = time.perf_counter(), time.process_time()
        run(settings, FORMATS, UntestedBenches(tasks), model, journal, workers, lambda _line: None)
        took = time.perf_counter() - began, time.process_time() - cpu
        model.close()
        lost = [line for line in journal.lines if line.failure_category or line.discarded]
        assert not lost, lost[0]
        return *took, len(journal.lines)


def calls_alone(wire: str, url: str, task: Task, calls: int, workers: int) -> tuple[float, float, int]:
    """The same of so many calls, without engine and scoring."""
    model, fmt = Provider(f"{wire}:some-model", CallSettings(base_url=url), CAP), FORMATS["search_replace"]
    request = Request(first_messages(task, fmt.instructions()), CAP, task, fmt, 1, 1)
    try:
        with ThreadPoolExecutor(workers) as pool:
            list(pool.map(model.reply, [request] * workers))  # connections are made
            began, cpu = time.perf_counter(), time.process_time()
            list(pool.map(model.reply, [request] * calls))
            return time.perf_counter() - began, time.process_time() - cpu, calls
    finally:
        model.close()


def main() -> None:
    """Print the rates of both wire formats."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--attempts", type=int, default=4_000)
    options.add_argument("--workers", type=int, default=64)
    options.add_argument("--seconds", type=float, default=0.2)
    options.add_argument("--pieces", type=int, default=4, help="that an answer is streamed in")
    given = options.parse_args()
    tasks = chosen_tasks(FIXTURES, 0, 200)
    here, there = multiprocessing.get_context("fork").Pipe()
    server = multiprocessing.get_context("fork").Process(
        target=serve, args=(there, tasks, given.seconds, given.pieces), daemon=True
    )
    server.start()
    urls, ideal = here.recv(), given.workers / given.seconds
    for wire in (OPENAI, ANTHROPIC):
        repeats = max(given.attempts // (len(tasks) * len(FORMATS)), 1)
        for what, (seconds, cpu, made) in (
            ("a run", whole(wire, urls[wire], tasks, repeats, given.workers)),
            ("calls alone", calls_alone(wire, urls[wire], tasks[0], given.attempts, given.workers)),
        ):
            print(f"{wire}, {what}: {made / seconds:,.0f} a second of {ideal:,.0f}, {made / seconds / ideal:.1%}; "
                  f"{1000 * cpu / made:.2f} ms of processor time each")  # fmt: skip
    here.send("end")
    server.join(10)


if __name__ == "__main__":
    main()
