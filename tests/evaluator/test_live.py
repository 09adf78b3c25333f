"""What a person sees while a run goes on: on a real terminal, and through a pipe."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from typing import Any

import pytest

RUN = """
import itertools, json, sys
from datetime import date
from evaluator.journal import AttemptLine, Price, RunFile
from evaluator.live import Live
from evaluator.taxonomy import Category
from miner.progress import lasting

formats = ["search_replace", "whole_file", "odd\\x1b[31m"]
fixtures = [f"r/{n}-x" for n in range(20)]
settings = RunFile(
    set_digest="0", cap=100, model="m:\\x1b[2Jname", simulated=False, formats=formats, attempts=1, seed=1,
    fixtures=fixtures, impossible=json.loads(sys.argv[2]), repeats=int(sys.argv[3]),
    started="", version="0", price=Price(model="m", as_of=date(2026, 1, 1), input=1, output=1),
)
now = itertools.count(0, int(sys.argv[1]))
with Live(settings, (), clock=lambda: next(now)) as live:
    for n, fixture in enumerate(fixtures):
        for fmt in formats:
            failed = Category.WRONG_CHANGE if fmt == "whole_file" and n < 9 else None
            live.show(AttemptLine(fixture=fixture, format=fmt, model="m", repeat=1, attempt=1, valid=True,
                                  failure_category=failed, paid_usd=0.01))
        if n == 10:
            lasting("warning: the provider served another model")
    for fixture in settings.impossible:
        live.show(AttemptLine(fixture=fixture, format=formats[0], model="m", repeat=1, attempt=1, valid=True))
    for n in range(2, settings.repeats + 1):
        live.show(AttemptLine(fixture=fixtures[0], format="whole_file", model="m", repeat=n, attempt=1, valid=True))
    if sys.argv[4:] == ["stop"]:
        raise KeyboardInterrupt
print("the report")
"""


def command(seconds: str, *stop: str, impossible: str = "[]", repeats: int = 1, program: str = "") -> list[str]:
    return [sys.executable, "-c", program or RUN, seconds, impossible, str(repeats), *stop]


def test_through_a_pipe_a_plain_line_now_and_then() -> None:
    done = subprocess.run(command("0"), capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout) == (0, "the report\n"), done.stderr
    first, _, second, last = done.stderr.splitlines()
    assert first.startswith("25 attempts, 25 of 60 trials ended, ")
    assert second.startswith("50 attempts, 50 of 60 trials ended, ")
    assert last.startswith("60 attempts, 60 of 60 trials ended, $0.60 paid; search_replace 20/20 100% [84%, 100%]; ")
    assert "whole_file 11/20 55% [34%, 74%]" in last
    assert last.endswith(
        "E (so far; stop early only at E >= 20) search_replace 9 v 0 whole_file: 51.2, "
        "whole_file 0 v 9 odd\\x1b[31m: 51.2"
    )
    assert "\x1b" not in done.stderr


def test_what_ended_of_impossible_tasks_is_told_apart_and_rates_over_repeats_are_named() -> None:
    done = subprocess.run(
        command("0", impossible='["r/9-x-impossible"]', repeats=9), capture_output=True, text=True, timeout=60
    )
    last = done.stderr.splitlines()[-1]
    assert last.startswith("69 attempts, 69 of 567 trials ended (impossible: 1 of 27), "), done.stderr
    assert "; resolved of trials, mean over tasks [95%]: search_replace 20/20, 100% [84%, 100%]; " in last
    assert "whole_file 19/28, 59% [" in last, "19 of 28 trials are 68%, the mean over tasks is (11 + 8/9) / 20"


def test_a_slow_run_says_something_every_minute() -> None:
    done = subprocess.run(command("20"), capture_output=True, text=True, timeout=60)
    lines = [line for line in done.stderr.splitlines() if "attempts" in line]
    assert len(lines) == 15, "each look at the clock is 20 s later, so that every fourth is more than a minute after"
    assert re.search(r"attempts/s, about \d+ (min|h \d\d min) left, \$0\.\d+ paid; ", lines[0])


def on_a_terminal(*arguments: str, **rest: Any) -> str:
    """All that the run writes to a terminal of 40 lines of 110 characters."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 110, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES", "TTY_COMPATIBLE")}
    process = subprocess.Popen(
        command(*arguments, **rest), stdin=theirs, stdout=theirs, stderr=theirs, env=environment | {"TERM": "xterm"}
    )
    os.close(theirs)
    written = b""
    try:
        while piece := os.read(ours, 65_536):
            written += piece
    except OSError:  # how Linux says that the other end was closed
        pass
    os.close(ours)
    process.wait(timeout=60)
    return written.decode()


def test_on_a_terminal_a_table_that_is_drawn_anew() -> None:
    written = on_a_terminal("1")
    assert written.count("\x1b[1A") > 100, "the cursor goes up to draw over what stands"
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written[written.rindex("60 of 60") - 60 :])
    rows = [line.split() for line in last.splitlines()]
    assert ["search_replace", "20/20", "100%", "[84%,", "100%]", "0", "0", "20", "$0.20"] in rows
    assert ["whole_file", "11/20", "55%", "[34%,", "74%]", "9", "0", "20", "$0.20"] in rows
    assert ["search_replace,", "whole_file", "9", "v", "0", "51.2"] in rows
    assert "E (so far; stop early only at E >= 20)" in last
    assert last.rstrip().endswith("the report")
    assert "warning: the provider served another model" in written
    assert "m:\\x1b[2Jname: 60 attempts" in last, "what a model is called drives no terminal"
    assert "\x1b[2Jname" not in written
    assert written.count("\x1b[?25h") >= 1, "the cursor is given back"


def test_on_a_terminal_a_rate_over_repeats_has_a_column_of_its_own() -> None:
    written = on_a_terminal("1", repeats=2)
    assert "mean over tasks" in written
    last = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", written[written.rindex("61 of 120") - 60 :])
    rows = [line.split() for line in last.splitlines()]
    assert ["search_replace", "20/20", "100%", "[84%,", "100%]", "0", "0", "20", "$0.20"] in rows


@pytest.mark.parametrize("seconds", ["0", "1"])
def test_interrupted_it_leaves_the_terminal_as_it_was(seconds: str) -> None:
    written = on_a_terminal(seconds, "stop")
    assert "60 of 60 trials ended" in written
    assert written.rindex("\x1b[?25h") > written.rindex("60 of 60")


DISCARDED = """
import itertools
from evaluator.journal import AttemptLine, RunFile
from evaluator.live import Live
from evaluator.taxonomy import Discard

settings = RunFile(
    set_digest="0", cap=100, model="m", simulated=False, formats=["udiff"], attempts=1, seed=1,
    fixtures=[f"r/{n}-x" for n in range(20)], started="", version="0",
)
now = itertools.count()
with Live(settings, (), clock=lambda: next(now)) as live:
    for n, fixture in enumerate(settings.fixtures):
        error = "" if n in (0, 1) else "nothing \x1b[2J listens " + "x" * 200 if n % 5 else "503"
        live.show(AttemptLine(fixture=fixture, format="udiff", model="m", repeat=1, attempt=1, valid=True,
                              discarded=Discard.INFRA_ERROR if error else None, error=error))
"""


def test_the_first_discard_is_told_at_once_and_then_the_commonest_reason() -> None:
    done = subprocess.run([sys.executable, "-c", DISCARDED], capture_output=True, text=True, timeout=60)
    first, *_, last = done.stderr.splitlines()
    assert first.startswith("3 attempts, 3 of 20 trials ended"), done.stderr
    assert "udiff 2/2 100% [34%, 100%], 1 discarded; discarded: infra_error: nothing \\x1b[2J listens xxx" in first
    assert "udiff 2/2 100% [34%, 100%], 18 discarded; discarded, 15 of 18: infra_error: nothing" in last
    assert last.endswith("xxx...")
    assert len(last) < 300


def test_on_a_terminal_the_reason_has_a_row() -> None:
    written = on_a_terminal("0", program=DISCARDED)
    row = next(line for line in reversed(written.splitlines()) if "discarded, 15 of 18: infra_error: nothing" in line)
    assert "\\x1b[2J listens" in row
