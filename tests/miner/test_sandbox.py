import os
import socket
import threading
import time
from pathlib import Path

import pytest

from miner import sandbox
from miner.errors import ToolError
from miner.sandbox import Mount, Outcome, Stopped, run
from miner.sandbox.runner import overlays_work
from tests.miner.jobs import PREFIX, job, python, shell


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.txt").write_text("inside")
    return folder


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
    script = "pwd; cat a.txt; echo more >> a.txt; echo new > b.txt; cat a.txt b.txt"
    assert shell(tree, script).output == "/tree\ninsideinsidemore\nnew\n"


def test_tree_itself_is_never_changed(tree: Path) -> None:
    (tree / "d").mkdir()
    (tree / "d" / "x").write_text("x")
    outcome = shell(tree, "rm -r d && mkdir d && ls -A d; mv a.txt d/; chmod 777 .; echo > b; ls d")
    assert (outcome.exit_code, outcome.output) == (0, "a.txt\n")
    assert sorted(p.name for p in tree.rglob("*")) == ["a.txt", "d", "x"]
    assert (tree / "a.txt").read_text() == "inside"


@pytest.mark.parametrize("mode", [0o755, 0o700, 0o775])
def test_tree_shows_modes_and_links_as_they_are(tree: Path, mode: int) -> None:
    tree.chmod(mode)
    (tree / "run").write_text("#!/bin/sh\n")
    (tree / "run").chmod(0o755)
    (tree / "link").symlink_to("a.txt")
    outcome = shell(tree, "stat -c %a . run a.txt; readlink link")
    assert outcome.output.split() == [f"{mode:o}", "755", "644", "a.txt"]


def test_copied_tree_is_like_an_overlaid_one(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = "stat -c '%a %U' . a.txt; echo x >> a.txt; cat a.txt; mkdir d; ls"
    overlaid = shell(tree, script)
    monkeypatch.setenv("MINER_SANDBOX_TREE", "copy")
    overlays_work.cache_clear()
    try:
        assert not overlays_work()
        copied = shell(tree, script)
    finally:
        monkeypatch.undo()
        overlays_work.cache_clear()
    assert (copied.exit_code, copied.output) == (0, overlaid.output)
    assert (tree / "a.txt").read_text() == "inside"


def test_mount_covers_a_file_of_the_tree(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "cover").write_text("cover")
    outcome = shell(tree, "cat a.txt; echo x > a.txt", mounts=[Mount(tmp_path / "cover", "/tree/a.txt")])
    assert outcome.output.startswith("cover")
    assert outcome.exit_code != 0
    assert (tmp_path / "cover").read_text() == "cover"


def test_writable_mount_keeps_what_is_written_and_what_was_there_is_the_jobs(tmp_path: Path) -> None:
    (tmp_path / "cache" / "deep").mkdir(parents=True)
    (tmp_path / "cache" / "deep" / "old").write_text("old")
    mounts = [Mount(tmp_path / "cache", "/cache", writable=True)]
    assert shell(None, "echo new >> /cache/deep/old; echo y > /cache/deep/y", mounts=mounts).exit_code == 0
    assert (tmp_path / "cache" / "deep" / "old").read_text() == "oldnew\n"
    assert shell(None, "cat /cache/deep/y", mounts=mounts).output == "y\n"


def test_results_are_handed_back_and_only_those(tree: Path, tmp_path: Path) -> None:
    script = "echo $OUT; mkdir {results}/deep; echo a > {results}/deep/a.xml; echo b > $OUT/b.xml; echo c > /tmp/c"
    out = tmp_path / "out"
    outcome = shell(tree, script, env={"PATH": "/usr/bin:/bin", "OUT": "{results}"}, results=out)
    assert outcome.exit_code == 0
    assert outcome.output.startswith("/results/")
    assert len(outcome.output.strip()) == len("/results/") + 24
    assert {str(p.relative_to(out)): p.read_text() for p in out.rglob("*.xml")} == {
        "deep/a.xml": "a\n", "b.xml": "b\n"
    }  # fmt: skip


def test_results_folder_has_another_name_each_time(tmp_path: Path) -> None:
    names = {shell(None, "echo {results}", results=tmp_path / str(n)).output for n in range(2)}
    assert len(names) == 2


def test_command_that_is_not_there_is_an_exit_code(tree: Path) -> None:
    outcome = run(job(tree, "no-such-command"))
    assert outcome.exit_code == 127
    assert "no-such-command" in outcome.output


def test_sandbox_that_cannot_be_set_up_is_no_outcome(tree: Path) -> None:
    with pytest.raises(ToolError, match=r"did not start.*no-such-folder"):
        shell(tree, "true", directory="/no-such-folder")


def test_unknown_sandbox_is_refused() -> None:
    with pytest.raises(ToolError, match="chroot"):
        sandbox.use("chroot")


def test_empty_job_is_quick(tree: Path) -> None:
    shell(tree, "true")
    assert min(shell(tree, "true").seconds for _ in range(5)) < 0.5  # 0.02 on a quiet machine


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
    places |= {"/m", "/rw", "/oldroot"}  # of the outer stage, and of bubblewrap while it sets up
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
    assert (outcome.exit_code, outcome.stopped, outcome.output) == (None, Stopped.TIME, "begun\n")
    assert outcome.timed_out
    assert 0.7 <= outcome.seconds < 10
    assert time.monotonic() - started < 10


def grows(path: Path) -> bool:
    before = path.stat().st_size
    time.sleep(0.4)
    return path.stat().st_size > before


@pytest.mark.parametrize(
    ("end", "timeout"), [("sleep 60", 1.0), ("sleep 0.5", 20.0)], ids=["at the time limit", "at its end"]
)
def test_detached_children_end_with_the_job(tmp_path: Path, end: str, timeout: float) -> None:
    (tmp_path / "out").mkdir()
    beat = tmp_path / "out" / "beat"
    script = f"(setsid sh -c 'while :; do echo x >> /out/beat; sleep 0.05; done' >/dev/null 2>&1 &) ; {end}"
    outcome = shell(None, script, timeout=timeout, mounts=[Mount(tmp_path / "out", "/out", writable=True)])
    assert outcome.timed_out is (timeout == 1.0)
    assert beat.stat().st_size > 0
    assert not grows(beat)


def test_stop_all_ends_running_jobs_at_once(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    mounts = [Mount(tmp_path / "out", "/out", writable=True)]
    found: list[Outcome] = []
    worker = threading.Thread(
        target=lambda: found.append(shell(None, "echo x > /out/begun; sleep 60", timeout=60, mounts=mounts))
    )
    worker.start()
    deadline = time.monotonic() + 10
    while not (tmp_path / "out" / "begun").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    sandbox.stop_all()
    worker.join(10)
    assert not worker.is_alive()
    assert found[0].exit_code not in (0, None)


def test_bubblewrap_that_is_found_starts() -> None:
    assert sandbox.find_bubblewrap().exists()
