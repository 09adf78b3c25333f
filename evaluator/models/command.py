"""`command:CMD`: any program that reads a prompt on its standard input and writes a reply to its standard output."""

import contextlib
import os
import secrets
import selectors
import shlex
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO

from evaluator.journal import CallSettings
from evaluator.messages import Message
from evaluator.models.descendants import VARIABLE, kill_all, within
from evaluator.models.limits import BYTES_PER_TOKEN, limits
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.taxonomy import Discard, StopReason
from miner.errors import ToolError
from miner.sandbox.orphans import ending_with_us
from miner.text import to_bytes
from miner.tokens import count_tokens

_READ = 65_536
_SHOWN = 500  # characters of what a failed command said
_LOOK = 0.2  # seconds between two looks at whether the program ended while something else holds its output


@dataclass(frozen=True)
class _Output:
    """What was read: until the end, or until a limit was met."""

    content: bytes
    stop: StopReason | None
    first_ms: int | None


class Command:
    """A program as a model: run once a call, in a process group of its own, without a shell."""

    simulated = False

    def __init__(self, command: str, call: CallSettings) -> None:
        """Raises `ToolError` where it is no command line, or its program is not found."""
        self.name, self._call = f"command:{command}", call
        try:
            self._words = shlex.split(command)
        except ValueError as error:
            raise ToolError("not a command line", command, f"{error}. Quote it as for a shell.") from None
        if not self._words or shutil.which(self._words[0]) is None:
            raise ToolError("no such program", command, "Give a program on the PATH, or its path.")
        self._running: dict[subprocess.Popen[bytes], str] = {}  # with what its `EVALUATOR_CALL` is
        self._lock, self._closed = threading.Lock(), False

    def reply(self, request: Request) -> Reply:
        """What the program wrote; raises `NoEvidence` where it failed, or wrote nothing within the time limit."""
        start = time.monotonic()
        with tempfile.TemporaryFile() as prompt, tempfile.TemporaryFile() as complaints:
            prompt.write(to_bytes(spoken(request.messages)))
            prompt.seek(0)
            call = secrets.token_hex(16)
            process = self._start(request, call, prompt, complaints)
            try:
                with ending_with_us(process.pid):
                    output = self._read(process, request.cap, start)
            finally:
                self._end(process)
            if output.stop is not None:
                kill_all([call])
            code = process.returncode
            complaints.seek(max(complaints.seek(0, os.SEEK_END) - _SHOWN, 0))
            said = complaints.read().decode("utf-8", "replace").strip()
        if output.stop is None and code != 0:
            raise NoEvidence(Discard.INFRA_ERROR, f"the command failed with exit code {code}: {said or 'no message'}")
        if output.stop == "timeout" and not output.content:
            limit = f"{self._limit(request.cap):.0f} seconds (--timeout)"
            raise NoEvidence(Discard.INFRA_ERROR, f"no output within {limit}")
        text = output.content.decode("utf-8", "surrogateescape")
        asked = sum(count_tokens(m.content) for m in request.messages)
        took = round((time.monotonic() - start) * 1000)
        made = count_tokens(text)
        return Reply(
            text, output.stop, asked, made, took, self.name, first_token_ms=output.first_ms, counted_here=True,
            input_counted_here=True,
        )  # fmt: skip

    def close(self) -> None:
        """Kill what still runs; what is started later ends at once."""
        with self._lock:
            self._closed = True
            for process in self._running:
                _kill(process)
            calls = [*self._running.values()]
        kill_all(calls)

    def _limit(self, cap: int) -> float:
        return limits(cap, self._call.timeout_seconds).whole

    def _start(
        self, request: Request, call: str, prompt: IO[bytes], complaints: IO[bytes]
    ) -> subprocess.Popen[bytes]:  # fmt: skip
        told = {"EVALUATOR_CAP": str(request.cap), "EVALUATOR_FORMAT": request.format.name, VARIABLE: within(call)}
        if request.seed is not None:
            told["EVALUATOR_SEED"] = str(request.seed)
        try:
            process = subprocess.Popen(
                self._words, stdin=prompt, stdout=subprocess.PIPE, stderr=complaints, env={**os.environ, **told},
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise ToolError("the command cannot be started", self.name, f"{error.strerror}.") from None
        with self._lock:
            self._running[process] = call
            if self._closed:
                _kill(process)
        return process

    def _read(self, process: subprocess.Popen[bytes], cap: int, start: float) -> _Output:
        """Everything up to the end of the program, the time limit or far more than the cap.

        What it started and left behind may hold its output open: that is no reason to wait.
        """
        assert process.stdout is not None
        found, first, until = bytearray(), None, start + self._limit(cap)
        with selectors.DefaultSelector() as ready:
            ready.register(process.stdout, selectors.EVENT_READ)
            while (left := until - time.monotonic()) > 0:
                over = process.poll() is not None
                if not ready.select(0 if over else min(left, _LOOK)):
                    if over:
                        return _Output(bytes(found), None, first)
                    continue
                piece = os.read(process.stdout.fileno(), _READ)
                if not piece:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        process.wait(max(until - time.monotonic(), 0))
                        return _Output(bytes(found), None, first)
                    break
                if first is None:
                    first = round((time.monotonic() - start) * 1000)
                found += piece
                if len(found) > BYTES_PER_TOKEN * cap:
                    return _Output(bytes(found[: BYTES_PER_TOKEN * cap]), "length", first)
        return _Output(bytes(found), "timeout", first)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """Leave no process of the group behind; what went into a session of its own was meant to stay."""
        _kill(process)
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
        with self._lock:
            self._running.pop(process, None)


def spoken(messages: Sequence[Message]) -> str:
    """The conversation as text: system and first turn as they are, then every further turn below a line with its role.

    A first attempt is thus a prompt to be read as it stands.
    """
    opening = [m.content for m in messages[:2]]
    return "\n".join([*opening, *(f"\n<<< {m.role} >>>\n{m.content}" for m in messages[2:])])


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
