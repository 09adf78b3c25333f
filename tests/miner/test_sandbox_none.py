"""`--sandbox none`: no confinement, but the same places, limits on time and output, and an end of the whole group."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from miner import sandbox
from miner.errors import ToolError
from miner.sandbox import Limits, Mount, Stopped
from tests.miner.jobs import MB, shell

pytestmark = pytest.mark.skipif(not os.access("/", os.W_OK), reason="links in / need the right to write there")


@pytest.fixture(autouse=True)
def without_sandbox() -> Iterator[None]:
    sandbox.use("none")
    yield
    sandbox.use("bubblewrap")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    folder = tmp_path / "tree"
    folder.mkdir()
    (folder / "a.txt").write_text("inside")
    return folder


def test_asking_for_it_warns_once(capsys: pytest.CaptureFixture[str]) -> None:
    sandbox.use("bubblewrap")
    sandbox.use("none")
    sandbox.use("none")
    assert capsys.readouterr().err.count("unconfined") == 1


def test_command_sees_the_same_places_and_leaves_none(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "cover").write_text("cover")
    out = tmp_path / "out"
    script = "cat /tree/a.txt /tree/b.txt /probe-env; echo x > a.txt; echo y > {results}/y; exit 3"
    (tree / "b.txt").write_text("covered")
    mounts = [Mount(tmp_path / "cover", "/tree/b.txt"), Mount(tmp_path / "cover", "/probe-env")]
    outcome = shell(tree, script, mounts=mounts, results=out)
    assert (outcome.exit_code, outcome.output) == (3, "insidecovercover")
    assert (out / "y").read_text() == "y\n"
    assert (tree / "a.txt").read_text() == "inside"
    assert not os.path.lexists("/tree")
    assert not os.path.lexists("/probe-env")


def test_place_that_is_taken_is_left_alone(tree: Path, tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="must be free: /usr"):
        shell(tree, "true", mounts=[Mount(tmp_path, "/usr")])
    assert not Path("/usr").is_symlink()


def test_environment_is_only_what_is_named(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    assert "OPENAI_API_KEY" not in shell(tree, "env").output


@pytest.mark.parametrize(
    ("script", "limits", "stopped"),
    [("sleep 60", Limits(0.5), Stopped.TIME), ("yes", Limits(20, output_bytes=MB), Stopped.OUTPUT)],
)
def test_limits_on_time_and_output_hold(tree: Path, script: str, limits: Limits, stopped: Stopped) -> None:
    outcome = shell(tree, script, limits=limits)
    assert (outcome.exit_code, outcome.stopped) == (None, stopped)


def test_children_in_the_background_end_with_the_command(tree: Path, tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    shell(tree, f"(while :; do echo x >> {beat}; sleep 0.05; done) & sleep 0.3")
    size = beat.stat().st_size
    time.sleep(0.3)
    assert beat.stat().st_size == size > 0


def test_command_that_is_not_there_is_an_exit_code(tree: Path) -> None:
    assert shell(tree, "no-such-command").exit_code == 127
    assert sandbox.run(sandbox.Job(["/no/such"], {}, Limits(5), tree=tree)).exit_code == 127


KILLED = """
import sys
from pathlib import Path
from miner import sandbox
from miner.sandbox import Job, Limits, Mount
sandbox.use("none")
script = "(trap '' TERM HUP; while :; do echo x >> $BEAT; sleep 0.05; done) & sleep 60"
places = [Mount(Path(sys.argv[2]), "/probe-env"), Mount(Path(sys.argv[2]), "/tree/a.txt")]
told = {"PATH": "/usr/bin:/bin", "BEAT": sys.argv[3]}
sandbox.run(Job(["/bin/sh", "-c", script], told, Limits(60), Path(sys.argv[1]), places))
"""


def test_killed_outright_its_processes_end_and_its_links_go_with_the_next_job(tree: Path, tmp_path: Path) -> None:
    beat, env = tmp_path / "beat", tmp_path / "env"
    env.mkdir()
    root = Path(__file__).parents[2]
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tree), str(env), str(beat)], cwd=root)
    deadline = time.monotonic() + 20
    while not beat.exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    time.sleep(0.5)
    size = beat.stat().st_size
    time.sleep(0.4)
    assert beat.stat().st_size == size > 0
    assert Path("/probe-env").is_symlink()
    assert shell(tree, "cat a.txt; test -e /probe-env || echo , and no more").output == "inside, and no more\n"
    assert not os.path.lexists("/tree")


def test_link_that_is_no_longer_what_a_killed_run_made_stays(tree: Path, tmp_path: Path) -> None:
    lock = Path("/tmp/edit-format-evaluator.lock")
    if lock.exists() and lock.stat().st_uid != os.geteuid():
        pytest.skip("another user's")
    mine = tmp_path / "probe-mine"
    mine.symlink_to(tmp_path)
    lock.write_bytes(os.fsencode(mine) + b"\0/elsewhere\n" + os.fsencode(mine) + b"\0" + os.fsencode(tmp_path))  # torn
    assert shell(tree, "cat a.txt").output == "inside"
    assert mine.is_symlink()
    assert lock.read_bytes() == b""
