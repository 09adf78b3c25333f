"""`command:CMD`: real programs."""

import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.journal import CallSettings
from evaluator.messages import Message
from evaluator.models.command import Command
from evaluator.models.descendants import VARIABLE, kill_all
from evaluator.models.model import NoEvidence, Request
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.tokens import count_tokens

Requests = Callable[..., Request]


def shell(script: str, **settings: float) -> Command:
    return Command(f"sh -c {shlex.quote(script)}", CallSettings(**settings))  # type: ignore[arg-type]


def test_the_prompt_is_read_and_the_reply_is_what_is_written(request_of: Requests) -> None:
    request = request_of()
    reply = Command("cat", CallSettings()).reply(request)
    assert reply.text == "Be good.\nChange it.\nAs a diff."
    assert (reply.stop_reason, reply.served_model, reply.tries) == (None, "command:cat", 1)
    assert reply.input_tokens == sum(count_tokens(m.content) for m in request.messages)
    assert reply.output_tokens == count_tokens(reply.text)
    assert reply.first_token_ms is not None
    assert reply.first_token_ms <= reply.latency_ms


def test_further_turns_stand_below_a_line_with_their_role(request_of: Requests) -> None:
    said = (Message("system", "S\n"), Message("user", "U\n"), Message("assistant", "A\udcff"), Message("user", "R\n"))
    reply = Command("cat", CallSettings()).reply(request_of(*said))
    assert reply.text == "S\n\nU\n\n\n<<< assistant >>>\nA\udcff\n\n<<< user >>>\nR\n"


def test_cap_format_and_seed_are_in_the_environment(request_of: Requests) -> None:
    said = "echo $EVALUATOR_CAP $EVALUATOR_FORMAT ${EVALUATOR_SEED-none}"
    assert shell(said).reply(request_of(cap=900, seed=5)).text == "900 whole_file 5\n"
    assert shell(said).reply(request_of(cap=900)).text == "900 whole_file none\n"


def test_no_shell_reads_the_command(request_of: Requests) -> None:
    assert Command("echo $HOME; true", CallSettings()).reply(request_of()).text == "$HOME; true\n"


def test_a_program_may_leave_the_prompt_unread(request_of: Requests) -> None:
    long = (Message("system", "s"), Message("user", "x" * 1_000_000))
    assert shell("echo done").reply(request_of(*long)).text == "done\n"


def test_a_failing_program_is_no_evidence_and_says_why(request_of: Requests) -> None:
    with pytest.raises(NoEvidence, match="exit code 3: out of luck") as caught:
        shell("echo half; echo out of luck >&2; exit 3").reply(request_of())
    assert caught.value.reason is Discard.INFRA_ERROR


def test_the_limit_before_any_output_is_no_evidence(request_of: Requests) -> None:
    with pytest.raises(NoEvidence, match="no output within 0 seconds") as caught:
        shell("sleep 60", timeout_seconds=0.3).reply(request_of())
    assert caught.value.reason is Discard.INFRA_ERROR


def test_the_limit_after_output_is_a_reply_cut_there_and_leaves_no_process(
    tmp_path: Path, request_of: Requests
) -> None:
    script = f"sleep 60 & echo $! > {tmp_path}/pid; echo some; wait"
    reply = shell(script, timeout_seconds=0.5).reply(request_of())
    assert (reply.text, reply.stop_reason) == ("some\n", "timeout")
    _ends(int((tmp_path / "pid").read_text()))


ELSEWHERE = "setsid sh -c 'echo $$ > {0}/pid; exec sleep 60'"


@pytest.mark.parametrize("start", [f"{ELSEWHERE} &", f"({ELSEWHERE} &);", f"{ELSEWHERE} > /dev/null 2>&1 &"])
@pytest.mark.parametrize(("then", "stop"), [("sleep 60", "timeout"), ("yes", "length")])
def test_what_is_cut_off_leaves_no_process_in_a_session_of_its_own(
    start: str, then: str, stop: str, tmp_path: Path, request_of: Requests
) -> None:
    script = f"{start.format(tmp_path)} while [ ! -s {tmp_path}/pid ]; do sleep 0.02; done; echo some; {then}"
    assert shell(script, timeout_seconds=2).reply(request_of(cap=1_000)).stop_reason == stop
    _ends(int((tmp_path / "pid").read_text()))


def test_what_a_program_leaves_in_a_session_of_its_own_when_it_ends_stays(tmp_path: Path, request_of: Requests) -> None:
    """A server that the first call started, and the next one uses."""
    script = f"{ELSEWHERE.format(tmp_path)} > /dev/null 2>&1 & while [ ! -s {tmp_path}/pid ]; do sleep 0.02; done"
    shell(script, timeout_seconds=20).reply(request_of())
    with pytest.raises(NoEvidence):
        shell("sleep 60", timeout_seconds=0.3).reply(request_of())  # which is cut off, and is another call
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGKILL)  # raises where it is gone


def test_a_call_of_a_run_that_is_itself_a_call_ends_with_either(
    tmp_path: Path, request_of: Requests, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "the-call-that-made-us")
    script = f"{ELSEWHERE.format(tmp_path)} > /dev/null 2>&1 & while [ ! -s {tmp_path}/pid ]; do sleep 0.02; done"
    shell(script, timeout_seconds=20).reply(request_of())
    kill_all(["another"])
    os.kill(pid := int((tmp_path / "pid").read_text()), 0)
    kill_all(["the-call-that-made-us"])
    _ends(pid)


def test_a_closed_output_does_not_end_the_call_before_the_program(request_of: Requests) -> None:
    with pytest.raises(NoEvidence, match="exit code 4"):
        shell("echo x; exec >&-; sleep 0.1; exit 4").reply(request_of())


@pytest.mark.parametrize("start", ["sleep 60 &", "(sleep 0.1; sleep 60) &", "setsid sleep 5 &"])
def test_what_a_program_left_behind_does_not_make_its_reply_late(start: str, request_of: Requests) -> None:
    reply = shell(f"{start} echo done", timeout_seconds=4).reply(request_of())
    assert (reply.text, reply.stop_reason) == ("done\n", None)


def test_all_that_was_written_is_read_though_something_was_left_behind(request_of: Requests) -> None:
    reply = shell("sleep 60 & head -c 600000 /dev/zero | tr '\\0' x; sleep 0.3; echo end", timeout_seconds=20)
    text = reply.reply(request_of(cap=20_000)).text
    assert (len(text), text[-4:]) == (600_004, "end\n")


def test_only_the_end_of_many_complaints_is_told(request_of: Requests) -> None:
    with pytest.raises(NoEvidence, match=f"exit code 2: {'x' * 490}\\nso it is$"):
        shell("head -c 3000000 /dev/zero | tr '\\0' x >&2; echo >&2; echo so it is >&2; exit 2").reply(request_of())


def test_an_endless_reply_is_cut(request_of: Requests) -> None:
    reply = Command("yes", CallSettings()).reply(request_of(cap=1_000))
    assert (len(reply.text), reply.stop_reason) == (64_000, "length")


def test_bytes_that_are_no_text_are_kept(request_of: Requests) -> None:
    assert shell(r"printf '\377\n'").reply(request_of()).text == "\udcff\n"


def test_many_at_once(request_of: Requests) -> None:
    command, found = Command(f"{shlex.quote(sys.executable)} -Sc 'print(1)'", CallSettings()), []
    threads = [threading.Thread(target=lambda: found.append(command.reply(request_of()).text)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["1\n"] * 8


def test_closing_kills_what_runs(tmp_path: Path, request_of: Requests) -> None:
    elsewhere = f"setsid sh -c 'echo $$ > {tmp_path}/elsewhere; exec sleep 60' & while [ ! -s {tmp_path}/elsewhere ]"
    waits = "do sleep 0.02; done"
    command, found = shell(f"{elsewhere}; {waits}; echo $$ > {tmp_path}/pid; exec sleep 60"), list[Exception]()

    def call() -> None:
        try:
            command.reply(request_of())
        except NoEvidence as error:
            found.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        time.sleep(0.01)
    command.close()
    thread.join(10)
    assert [str(error) for error in found] == ["the command failed with exit code -9: no message"]
    _ends(int((tmp_path / "elsewhere").read_text()))


@pytest.mark.parametrize(
    ("command", "what"), [("no-such-program-here", "no such program"), ("cat 'x", "not a command line")]
)
def test_what_is_no_command_is_refused(command: str, what: str) -> None:
    with pytest.raises(ToolError, match=what):
        Command(command, CallSettings())


def _ends(pid: int) -> None:
    """The process is gone, or a zombie that its new parent has yet to notice."""
    for _ in range(200):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return
        if state == "Z":
            return
        time.sleep(0.02)
    pytest.fail(f"process {pid} still runs")


PROGRAM = """
import sys
from evaluator.formats import FORMATS
from evaluator.journal import CallSettings
from evaluator.messages import Message
from evaluator.models.command import Command
from evaluator.models.model import Request
request = Request((Message("user", "x"),), 4000, None, FORMATS["whole_file"], 1, 1, None)
Command(sys.argv[1], CallSettings()).reply(request)
"""


def test_evaluator_that_is_killed_outright_takes_the_program_and_what_it_started_along(tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    script = f"(while :; do echo x >> {beat}; sleep 0.05; done) & sleep 60"
    root = Path(__file__).parents[3]
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, f"sh -c {shlex.quote(script)}"], cwd=root)
    deadline = time.monotonic() + 20
    while not beat.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    time.sleep(0.5)
    size = beat.stat().st_size
    time.sleep(0.3)
    assert beat.stat().st_size == size > 0
