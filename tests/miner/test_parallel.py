"""Work over threads: order of completion, bounded, ended by an exception or Ctrl-C with what runs in sandboxes."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from miner import sandbox
from miner.parallel import in_parallel
from miner.sandbox import Job, Limits

ROOT = Path(__file__).parents[2]
SOON = 20  # seconds in which a thing must happen that happens at once on an idle machine


def test_results_come_in_the_order_in_which_they_are_done() -> None:
    gates = {"slow": threading.Event(), "quick": threading.Event()}
    gates["quick"].set()

    def work(name: str) -> str:
        assert gates[name].wait(SOON)
        return name

    results = in_parallel(work, ["slow", "quick"], 2)
    assert next(results) == "quick"
    gates["slow"].set()
    assert list(results) == ["slow"]


@pytest.mark.parametrize("workers", [1, 3])
def test_every_item_is_done_once(workers: int) -> None:
    assert sorted(in_parallel(lambda n: n * n, range(50), workers)) == [n * n for n in range(50)]


def test_nothing_to_do_gives_nothing() -> None:
    assert list(in_parallel(str, [], 2)) == []


def test_items_are_taken_a_few_at_a_time() -> None:
    taken: list[int] = []

    def items():
        for n in range(1000):
            taken.append(n)
            yield n

    results = in_parallel(str, items(), 2)
    next(results)
    assert len(taken) <= 16
    results.close()
    assert len(taken) <= 16


def test_no_more_than_the_workers_are_at_it_at_once() -> None:
    lock, now, most = threading.Lock(), 0, 0

    def work(_: int) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.01)
        with lock:
            now -= 1

    list(in_parallel(work, range(20), 3))
    assert 1 <= most <= 3


def test_exception_of_one_item_reaches_the_caller_and_cancels_what_waits() -> None:
    begun: list[int] = []

    def work(number: int) -> int:
        begun.append(number)
        if number == 0:
            raise ValueError("no good")
        return number

    with pytest.raises(ValueError, match="no good"):
        list(in_parallel(work, range(1000), 1))
    assert len(begun) < 10


def test_caller_that_stops_early_cancels_what_waits() -> None:
    begun: list[int] = []
    for result in in_parallel(lambda n: begun.append(n) or n, range(1000), 1):
        if result == 2:
            break
    assert len(begun) < 15


def sleeping(seconds: int = 60) -> int | None:
    limits = Limits(wall_seconds=seconds)
    return sandbox.run(Job(["sleep", str(seconds)], {"PATH": "/usr/bin:/bin"}, limits, directory="/tmp")).exit_code


def test_exception_ends_what_runs_in_sandboxes() -> None:
    sandbox.find_bubblewrap()
    started = time.monotonic()

    def work(number: int) -> int | None:
        if number == 0:
            return sleeping()
        time.sleep(1)
        raise ValueError("no good")

    with pytest.raises(ValueError, match="no good"):
        list(in_parallel(work, range(2), 2))
    assert time.monotonic() - started < 50


WORK = """
import os
from tests.miner.test_parallel import sleeping
from miner.parallel import in_parallel

def work(number):
    os.write(1, b"begun\\n")
    return [sleeping() for _ in range(5)]

try:
    list(in_parallel(work, range(20), 2))
except KeyboardInterrupt:
    os.write(1, b"interrupted\\n")
"""


def test_interrupt_ends_the_work_at_once() -> None:
    """Also work that would start a job after another: none is started any more."""
    process = subprocess.Popen(
        [sys.executable, "-c", WORK], stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=50)
    finally:
        process.kill()
    assert output.splitlines()[-1] == "interrupted"
    assert output.count("begun") <= 1  # the second worker's; nothing that waited
