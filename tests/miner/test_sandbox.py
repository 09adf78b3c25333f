import os
import socket
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

import pytest

from miner import sandbox
from miner.sandbox import Job, Mount, Outcome, run

PREFIX = Path(sys.base_prefix)
PYTHON = str(Path(getattr(sys, "_base_executable", sys.executable)).resolve())


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.txt").write_text("inside")
    return folder


def job(
    tree: Path, *command: str, env: Mapping[str, str] | None = None, timeout: float = 20, **options: object
) -> Job:
    environment = {"PATH": "/usr/bin:/bin"} if env is None else env
    mounts = [Mount(tree, "/tree", writable=True), *options.pop("mounts", ())]
    return Job(command, mounts, environment, "/tree", timeout, interpreter_prefixes=[PREFIX], **options)


def shell(tree: Path, script: str, **options: object) -> Outcome:
    return run(job(tree, "/bin/sh", "-c", script, **options))


def python(tree: Path, script: str, **options: object) -> Outcome:
    return run(job(tree, PYTHON, "-I", "-c", script, **options))


@pytest.mark.parametrize("code", [0, 1, 3, 127])
def test_exit_code_is_passed_through(tree: Path, code: int) -> None:
    outcome = shell(tree, f"exit {code}")
    assert (outcome.exit_code, outcome.timed_out) == (code, False)


def test_both_output_streams_are_kept(tree: Path) -> None:
    outcome = shell(tree, "echo out; echo err >&2")
    assert sorted(outcome.output.split()) == ["err", "out"]


def test_only_the_end_of_long_output_is_kept(tree: Path) -> None:
    outcome = shell(tree, "yes abc | head -c 300000; echo; echo last")
    assert outcome.output.endswith("last\n")
    assert len(outcome.output) <= 64_000


def test_output_that_is_no_text_is_replaced(tree: Path) -> None:
    assert "\ufffd" in shell(tree, r"printf '\377'").output


def test_command_runs_in_its_tree_and_may_write_there(tree: Path) -> None:
    assert shell(tree, "pwd; cat a.txt; echo new > b.txt").output == "/tree\ninside"
    assert (tree / "b.txt").read_text() == "new\n"


@pytest.mark.parametrize("place", ["/usr/x", "/usr/bin/x", "/usr/local/x", "/ro/x", "/etc/passwd"])
def test_writing_outside_the_tree_fails(tree: Path, tmp_path: Path, place: str) -> None:
    other = tmp_path / "other"
    other.mkdir()
    outcome = shell(tree, f"echo x > {place}", mounts=[Mount(other, "/ro")])
    assert outcome.exit_code != 0
    assert list(other.iterdir()) == []


@pytest.mark.parametrize("folder", ["/tmp", "/etc", "/"])
def test_writing_to_a_private_folder_leaves_nothing_on_the_host(tree: Path, folder: str) -> None:
    name = f"{folder}/sandbox-probe-{os.getpid()}"
    outcome = shell(tree, f"echo x > {name} && cat {name}")
    assert (outcome.output == "x\n") is (outcome.exit_code == 0)
    assert folder != "/tmp" or outcome.exit_code == 0
    assert not Path(name).exists()


@pytest.mark.parametrize("address", ["1.1.1.1", "127.0.0.1"])
def test_connecting_fails(tree: Path, address: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1] if address.startswith("127") else 443
        script = f"import socket; socket.create_connection(('{address}', {port}), 3)"
        outcome = python(tree, script)
    assert outcome.exit_code == 1
    assert "OSError" in outcome.output or "ConnectionRefused" in outcome.output


def test_no_interface_but_a_private_loopback_is_there(tree: Path) -> None:
    outcome = shell(tree, "cat /proc/net/dev")
    assert [row.split(":")[0].strip() for row in outcome.output.splitlines() if ":" in row] == ["lo"]


def test_home_and_other_folders_of_the_host_are_not_visible(tree: Path) -> None:
    places = {str(Path.home()), str(tree), "/root", "/home", "/work", "/var", "/opt", "/srv", "/mnt", "/run"}
    hidden = sorted(place for place in places if not PREFIX.is_relative_to(place))
    outcome = shell(tree, "ls -d " + " ".join(hidden) + " 2>/dev/null")
    assert outcome.output == ""


def test_names_of_the_host_users_are_not_visible(tree: Path) -> None:
    outcome = shell(
        tree, "cut -d: -f1 /etc/passwd; ls /etc/shadow; hostname || cat /proc/sys/kernel/hostname"
    )
    assert outcome.output.startswith("worker\nnobody\n")
    assert "sandbox" in outcome.output
    assert "cannot access" in outcome.output


def test_processes_of_the_host_are_not_visible(tree: Path) -> None:
    script = "import os; print(sorted(int(n) for n in os.listdir('/proc') if n.isdigit())[-1])"
    assert int(python(tree, script).output) < 20


def test_environment_holds_the_named_variables_and_nothing_else(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    outcome = python(tree, "import os; print(sorted(os.environ))", env={"LANG": "C.UTF-8", "A": "1"})
    assert outcome.output.strip() == "['A', 'LANG', 'PWD']"


def test_standard_input_is_empty(tree: Path) -> None:
    assert shell(tree, "cat; echo end").output == "end\n"


def test_job_ends_at_its_time_limit(tree: Path) -> None:
    started = time.monotonic()
    outcome = shell(tree, "echo begun; sleep 60", timeout=0.7)
    assert (outcome.exit_code, outcome.timed_out, outcome.output) == (None, True, "begun\n")
    assert 0.7 <= outcome.seconds < 10
    assert time.monotonic() - started < 10


def grows(path: Path) -> bool:
    before = path.stat().st_size
    time.sleep(0.4)
    return path.stat().st_size > before


@pytest.mark.parametrize(
    ("end", "timeout"), [("sleep 60", 1.0), ("sleep 0.5", 20.0)], ids=["at the time limit", "at its end"]
)
def test_detached_children_end_with_the_job(tree: Path, end: str, timeout: float) -> None:
    script = "(setsid sh -c 'while :; do echo x >> beat; sleep 0.05; done' >/dev/null 2>&1 &) ; " + end
    outcome = shell(tree, script, timeout=timeout)
    assert outcome.timed_out is (timeout == 1.0)
    assert (tree / "beat").stat().st_size > 0
    assert not grows(tree / "beat")


def test_stop_all_ends_running_jobs_at_once(tree: Path) -> None:
    found: list[Outcome] = []
    worker = threading.Thread(
        target=lambda: found.append(shell(tree, "echo x > begun; sleep 60", timeout=60))
    )
    worker.start()
    deadline = time.monotonic() + 10
    while not (tree / "begun").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    sandbox.stop_all()
    worker.join(10)
    assert not worker.is_alive()
    assert found[0].exit_code not in (0, None)


def test_bubblewrap_that_is_found_starts() -> None:
    assert sandbox.find_bubblewrap().exists()
