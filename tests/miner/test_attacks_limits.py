"""Hostile code that takes all it can get: each bomb is stopped, and the outcome says by which limit."""

import os
import socket
import stat
import time
from pathlib import Path

import pytest

from miner.sandbox import Limits, Mount, Network, Outcome, Stopped, read_output_file, remove
from miner.sandbox.watchdog import read_stat
from tests.miner.jobs import MB, python, shell


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    return folder


# Processes


def test_fork_bomb_is_stopped_at_the_limit(tree: Path) -> None:
    script = """
import os, time
for n in range(300):
    try:
        if os.fork() == 0:
            time.sleep(60)
    except BlockingIOError:
        print("stopped at", n, flush=True); os._exit(7)
"""
    outcome = python(tree, script, limits=Limits(20, processes=50))
    assert outcome.exit_code == 7
    assert 40 <= int(outcome.output.split()[-1]) <= 50


def test_classic_fork_bomb_ends_with_the_job(tree: Path) -> None:
    outcome = shell(tree, "f() { f | f & }; f; sleep 60", limits=Limits(1.5, processes=40))
    assert outcome.stopped in (Stopped.TIME, Stopped.CPU) or outcome.exit_code != 0
    assert outcome.seconds < 15


def test_limit_on_processes_is_each_jobs_own(tree: Path) -> None:
    """Jobs side by side run as one user: that another is at its limit must not matter."""
    from concurrent.futures import ThreadPoolExecutor

    script = "for i in $(seq 20); do sleep 1 & done; wait && echo fine"
    with ThreadPoolExecutor(4) as pool:
        outcomes = list(pool.map(lambda _: shell(tree, script, limits=Limits(20, processes=30)), range(4)))
    assert [outcome.output for outcome in outcomes] == ["fine\n"] * 4


# Memory


MEMORY = {
    "one process": "b = bytearray(2 << 30)\nfor i in range(0, len(b), 4096): b[i] = 1",
    "many processes": """
for _ in range(16):
    if os.fork() == 0:
        b = os.urandom(64 << 20); time.sleep(60)
time.sleep(60)""",
    "shared memory": "m = mmap.mmap(-1, 2 << 30)\nfor i in range(0, len(m), 4096): m[i] = 1",
    "a file in memory": """
f = os.memfd_create('x')
for _ in range(2048): os.write(f, bytes(1 << 20))
time.sleep(60)""",
    "a file in /dev/shm": "f = open('/dev/shm/x', 'wb')\nfor _ in range(1000): f.write(bytes(1 << 20))\ntime.sleep(60)",
}


@pytest.mark.parametrize("script", MEMORY.values(), ids=MEMORY)
def test_memory_bomb_is_stopped(tree: Path, script: str) -> None:
    limits = Limits(20, memory_bytes=300 * MB)
    outcome = python(tree, f"import mmap, os, time\n{script}\nprint('got it all')", limits=limits)
    assert (outcome.exit_code, outcome.stopped) == (None, Stopped.MEMORY)
    assert "got it all" not in outcome.output


def test_memory_that_forked_children_share_counts_once(tree: Path) -> None:
    script = """
import os, time
b = os.urandom(60 << 20)
children = []
for _ in range(9):
    if (child := os.fork()) == 0:
        time.sleep(0.5); os._exit(0)
    children.append(child)
print(sum(os.waitpid(child, 0)[1] for child in children))
"""
    outcome = python(tree, script, limits=Limits(20, memory_bytes=300 * MB))
    assert (outcome.output, outcome.stopped) == ("0\n", None)


# Time


def test_cpu_of_all_processes_together_is_limited(tree: Path) -> None:
    script = "for i in 1 2 3; do (while :; do :; done) & done; wait"
    outcome = shell(tree, script, limits=Limits(60, cpu_seconds=0.6))
    assert (outcome.exit_code, outcome.stopped, outcome.timed_out) == (None, Stopped.CPU, True)


def test_cpu_of_processes_that_have_ended_counts(tree: Path) -> None:
    script = "while :; do sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'; done"
    assert shell(tree, script, limits=Limits(60, cpu_seconds=0.6)).stopped is Stopped.CPU


IGNORING = {
    "TERM": "trap '' TERM INT HUP QUIT; while :; do sleep 1; done",
    "TERM in a session of its own": "trap '' TERM HUP; setsid sh -c 'trap \"\" TERM HUP; sleep 60' & wait",
    "being stopped": "kill -STOP $$",
    "output closed": "exec >&- 2>&-; sleep 60",
}


@pytest.mark.parametrize("script", IGNORING.values(), ids=IGNORING)
def test_nothing_outlasts_the_time_limit(tree: Path, script: str) -> None:
    outcome = shell(tree, script, timeout=0.7)
    assert outcome.stopped is Stopped.TIME
    assert outcome.seconds < 10


# Output and disk


@pytest.mark.parametrize("stream", ["yes", "yes >&2", "cat /dev/zero"])
def test_endless_output_is_stopped(tree: Path, stream: str) -> None:
    outcome = shell(tree, stream, limits=Limits(20, output_bytes=5 * MB))
    assert (outcome.exit_code, outcome.stopped) == (None, Stopped.OUTPUT)
    assert 0 < len(outcome.output) <= 64_000


@pytest.mark.parametrize("place", ["/tmp/x", "/tree/x", "/dev/shm/x"])
def test_filled_disk_is_stopped(tree: Path, place: str) -> None:
    # On a busy machine a job may be over before it is looked at for the first time.
    outcome = shell(tree, f"cat /dev/zero > {place}; sleep 1; exit 3", limits=Limits(20, disk_bytes=60 * MB))
    assert (outcome.exit_code, outcome.stopped) == (None, Stopped.DISK)


def test_many_small_files_are_stopped(tree: Path) -> None:
    script = "import os\nfor n in range(10**7): os.mkdir(f'/tmp/{n}')"
    outcome = python(tree, script, limits=Limits(20, memory_bytes=60 * MB))
    assert outcome.stopped is Stopped.MEMORY


@pytest.mark.parametrize("script", [
    "for i in 1 2 3 4 5 6 7 8 9; do head -c 15M /dev/zero > /out/$i; done; sleep 60",
    "exec 3>/out/x 4>/out/y; rm /out/x /out/y; for i in 3 4; do head -c 15M /dev/zero >&$i; done; sleep 60",
], ids=["many files", "deleted files"])  # fmt: skip
def test_filling_the_hosts_disk_through_a_writable_mount_is_stopped(tmp_path: Path, script: str) -> None:
    (tmp_path / "out").mkdir()
    mounts = [Mount(tmp_path / "out", "/out", writable=True)]
    outcome = shell(None, script, limits=Limits(30, disk_bytes=20 * MB), mounts=mounts)
    assert (outcome.exit_code, outcome.stopped) == (None, Stopped.DISK)


def test_one_file_cannot_be_longer_than_the_limit_on_disk(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    mounts = [Mount(tmp_path / "out", "/out", writable=True)]
    shell(None, "head -c 50M /dev/zero > /out/x", limits=Limits(20, disk_bytes=20 * MB), mounts=mounts)
    assert (tmp_path / "out" / "x").stat().st_size <= 20 * MB


# What is handed back


def left_behind(tmp_path: Path, script: str, **options: object) -> tuple[Outcome, Path]:
    out = tmp_path / "handed"
    return python(None, f"import os, socket\nos.chdir('{{results}}')\n{script}", results=out, **options), out


def test_only_regular_files_are_handed_back(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret")
    script = f"""
os.symlink({str(secret)!r}, 'link'); os.symlink('/', 'folder'); os.symlink('..', 'up'); os.mkfifo('fifo')
socket.socket(socket.AF_UNIX).bind('socket'); os.mkdir('d'); os.mkdir('closed'); open('closed/x', 'w').write('x')
os.chmod('closed', 0); open('d/good', 'w').write('good'); open('no', 'w').write('x'); os.chmod('no', 0)
"""
    outcome, out = left_behind(tmp_path, script)
    assert outcome.exit_code == 0
    assert (out / "d" / "good").read_text() == "good"
    found = [path for path in out.rglob("*") if not path.is_dir()]
    assert all(stat.S_ISREG(path.lstat().st_mode) for path in found)
    assert {path.name for path in found} <= {"good", "x", "no"}


def test_huge_and_many_files_are_left_out(tmp_path: Path) -> None:
    script = "open('a-huge', 'w').truncate(10**8)\nfor n in range(5000): open(f'f{n}', 'w').write('x')"
    outcome, out = left_behind(tmp_path, script, limits=Limits(20, disk_bytes=200 * MB))
    assert outcome.exit_code == 0
    assert 1000 <= len(list(out.iterdir())) <= 2000


def test_results_folder_cannot_be_listed(tmp_path: Path) -> None:
    script = "print(os.listdir('/results'))"
    outcome, _ = left_behind(tmp_path, script)
    assert outcome.exit_code == 1
    assert "PermissionError" in outcome.output


@pytest.mark.parametrize("kind", ["link", "fifo", "socket", "folder", "missing", "long", "endless", "dangling"])
def test_reading_a_planted_file_gives_nothing_and_never_waits(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "report.xml"
    (tmp_path / "other").write_text("other")
    with socket.socket(socket.AF_UNIX) as server:
        make = {
            "link": lambda: path.symlink_to("other"), "fifo": lambda: os.mkfifo(path),
            "socket": lambda: server.bind(str(path)), "folder": path.mkdir, "missing": lambda: None,
            "long": lambda: path.write_bytes(bytes(101)), "endless": lambda: path.symlink_to("/dev/zero"),
            "dangling": lambda: path.symlink_to("nowhere"),
        }  # fmt: skip
        make[kind]()
        started = time.monotonic()
        assert read_output_file(path, 100) is None
    assert time.monotonic() - started < 5


def test_reading_a_regular_file_gives_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"x" * 100)
    assert read_output_file(tmp_path / "x", 100) == b"x" * 100


@pytest.mark.parametrize("name", ["sh", "a b", ") R 1 (", "x)"])
def test_stat_of_a_process_with_an_odd_name(name: str) -> None:
    ticks, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    # proc(5): state .. cmajflt are fields 3-13, then utime stime cutime cstime (14-17), .., rss (24)
    text = f"7 ({name}) S {' '.join(['1'] * 10)} {ticks} {ticks} {ticks} {ticks} 20 0 1 0 99 4096 5 0\n"
    found = read_stat(text)
    assert (found.cpu_seconds, found.resident_bytes) == (4.0, 5 * page)


NESTED = "for _ in range(1200):\n    os.mkdir('d'); os.chdir('d')\nopen('x', 'w').write('x')"


def test_folders_nested_without_end_are_left_out_and_removed(tmp_path: Path) -> None:
    outcome, out = left_behind(tmp_path, f"open('good', 'w').write('good')\n{NESTED}")
    assert outcome.exit_code == 0
    assert [path.name for path in out.iterdir()] == ["good"]


def test_writable_mount_nested_without_end_can_be_removed(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    mounts = [Mount(tmp_path / "out", "/out", writable=True)]
    script = f"import os\nos.chdir('/out')\nos.mkdir('closed'); os.chmod('closed', 0)\n{NESTED}"
    assert python(None, script, mounts=mounts).exit_code == 0
    remove(tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_build_that_never_ends_is_stopped(tree: Path) -> None:
    outcome = shell(tree, "trap '' TERM; while :; do sleep 1; done", timeout=1.0, network=Network.REGISTRIES)
    assert (outcome.exit_code, outcome.stopped) == (None, Stopped.TIME)


def test_build_that_opens_connection_after_connection_leaves_us_able_to_work(tree: Path) -> None:
    script = """
import socket, time
held = [socket.create_connection(("127.0.0.1", 3128)) for _ in range(400)]
time.sleep(1)
taken = 0
for s in held:
    s.settimeout(0.01)
    try:
        s.recv(1)
    except TimeoutError:
        taken += 1
    except ConnectionError:
        pass
print(taken)
"""
    before = len(list(Path("/proc/self/fd").iterdir()))
    outcome = python(tree, script, network=Network.REGISTRIES, timeout=60)
    assert 50 <= int(outcome.output.split()[-1]) <= 100
    deadline = time.monotonic() + 10
    while (left := len(list(Path("/proc/self/fd").iterdir()))) > before + 5 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left <= before + 5


@pytest.mark.parametrize(("script", "code"), [("exit 5", 5), ("kill -9 $$", 137), ("nosuch", 127)])
def test_exit_code_comes_through_the_bridge(tree: Path, script: str, code: int) -> None:
    assert shell(tree, script, network=Network.REGISTRIES).exit_code == code
