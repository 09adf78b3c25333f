"""Work in processes of their own: its results and errors come back, and a process that dies ends nothing else."""

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from miner.crew import Crew


def where(_: object = None) -> int:
    return os.getpid()


def refuse(what: str) -> None:
    raise ValueError(what)


def die(_: object = None) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def unsendable() -> object:
    return threading.Lock()


def test_work_is_done_in_other_processes_and_its_result_comes_back() -> None:
    with Crew(2) as crew:
        assert crew.do(sorted, [3, 1, 2]) == [1, 2, 3]
        assert crew.do(where) != os.getpid()
        big = bytes(range(256)) * 10_000
        assert crew.do(bytes.upper, big) == big.upper()


def test_many_threads_share_a_crew() -> None:
    with Crew(2) as crew, ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda n: crew.do(pow, n, 2), range(200))) == [n * n for n in range(200)]
        assert len(set(pool.map(lambda _: crew.do(where), range(50)))) <= 2


def test_error_of_the_work_is_raised_where_it_was_asked_for() -> None:
    with Crew(1) as crew:
        with pytest.raises(ValueError, match="no such thing"):
            crew.do(refuse, "no such thing")
        assert crew.do(where) != os.getpid()


def test_result_that_cannot_be_sent_is_an_error_and_the_process_goes_on() -> None:
    with Crew(1) as crew:
        with pytest.raises(TypeError, match="pickle"):
            crew.do(unsendable)
        assert crew.do(where) != os.getpid()


def test_work_that_cannot_be_sent_is_an_error_and_the_process_goes_on() -> None:
    with Crew(1) as crew:
        with pytest.raises(Exception, match="pickle"):
            crew.do(lambda: 1)
        assert crew.do(where) != os.getpid()


def test_process_that_dies_is_an_error_and_later_work_is_done_here() -> None:
    with Crew(1) as crew:
        with pytest.raises(RuntimeError, match="died over die"):
            crew.do(die)
        assert crew.do(where) == os.getpid()


def test_crew_of_none_works_in_this_process() -> None:
    with Crew(0) as crew:
        assert crew.do(where) == os.getpid()


KILLED = """
import os, signal, sys
from miner.crew import Crew
crew = Crew(3)
idle = [crew._idle.get() for _ in range(3)]
for connection in idle:
    connection.send((os.getpid, ()))
print(*(connection.recv()[1] for connection in idle), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_processes_end_where_their_owner_is_killed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", KILLED], cwd=Path(__file__).parents[2], stdout=subprocess.PIPE, text=True, timeout=30
    )
    pids = [int(pid) for pid in done.stdout.split()]
    assert len(pids) == 3
    deadline = time.monotonic() + 20
    while any(map(runs, pids)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(runs, pids))


def runs(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False
