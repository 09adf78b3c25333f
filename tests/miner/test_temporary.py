"""What a killed process leaves in the place for temporary files, and who removes it when."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from miner import temporary
from miner.errors import ToolError

ROOT = Path(__file__).parents[2]
LIMIT = 20.0
LIVING = """
import sys, time
from miner import temporary
folder = temporary.make("tree-")
(folder / "file").write_text("x")
(folder / "closed").mkdir()
(folder / "closed" / "file").write_text("x")
(folder / "closed").chmod(0)
print(folder, flush=True)
time.sleep(60)
"""


def wait_until(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + LIMIT
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
    return holds()


@pytest.fixture
def tmpdir_of_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that $TMPDIR names, of this process and of those that it starts."""
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    monkeypatch.setattr(temporary, "_ours", [])
    return folder


@pytest.fixture
def place(tmpdir_of_all: Path) -> Path:
    return tmpdir_of_all / f"edit-format-evaluator-{os.geteuid()}"


@pytest.fixture
def start(tmpdir_of_all: Path) -> Iterator[Callable[[], tuple[subprocess.Popen[str], Path]]]:
    started: list[subprocess.Popen[str]] = []

    def one() -> tuple[subprocess.Popen[str], Path]:
        process = subprocess.Popen([sys.executable, "-c", LIVING], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout is not None
        return process, Path(process.stdout.readline().strip())

    yield one
    for process in started:
        process.kill()
        process.communicate()


def command(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize("words", [("miner.cli", "stratify", "nowhere"), ("evaluator.cli", "formats")])
def test_next_command_removes_what_a_kill_left_and_nothing_of_the_living(
    start: Callable[[], tuple[subprocess.Popen[str], Path]], place: Path, words: tuple[str, ...]
) -> None:
    killed, left = start()
    _, living = start()
    killed.kill()
    killed.wait()
    assert left.is_relative_to(place)
    assert left.exists()
    command(*words)
    assert wait_until(lambda: not left.parent.exists())  # also after the command: rm goes on by itself
    assert (living / "file").read_text() == "x"


def test_ordinary_end_leaves_nothing(place: Path) -> None:
    program = "from miner import temporary\nwith temporary.folder('tree-') as f: print(f.parent.parent)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == str(place)
    assert list(place.iterdir()) == []


def test_process_that_is_stopped_for_a_while_is_not_dead(
    start: Callable[[], tuple[subprocess.Popen[str], Path]],
) -> None:
    process, folder = start()
    process.send_signal(signal.SIGSTOP)
    command("evaluator.cli", "formats")
    time.sleep(0.5)
    assert (folder / "file").exists()


def test_links_and_files_in_the_place_are_left_alone_and_not_followed(place: Path, tmp_path: Path) -> None:
    temporary.make("tree-")
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("x")
    (place / "link").symlink_to(precious)
    (place / "file").write_text("x")
    dead = place / "dead"
    dead.mkdir()
    (dead / "link").symlink_to(precious)
    temporary.remove_what_the_dead_left()
    assert wait_until(lambda: not dead.exists())
    assert (precious / "file").read_text() == "x"
    assert (place / "link").is_symlink()
    assert (place / "file").exists()


def a_link(place: Path, elsewhere: Path) -> None:
    place.symlink_to(elsewhere)


def a_file(place: Path, _: Path) -> None:
    place.write_text("x")


def open_to_others(place: Path, _: Path) -> None:
    place.mkdir()
    place.chmod(0o777)


def of_another_user(place: Path, _: Path) -> None:
    if os.geteuid():
        pytest.skip("only root can make another user's folder")
    place.mkdir(mode=0o700)
    os.chown(place, 12345, 12345)


@pytest.mark.parametrize("prepare", [a_link, a_file, open_to_others, of_another_user])
def test_place_that_somebody_prepared_is_neither_used_nor_swept(
    place: Path, tmp_path: Path, prepare: Callable[[Path, Path], None]
) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "dead").mkdir(parents=True)
    prepare(place, elsewhere)
    if place.is_dir():
        (place / "dead").mkdir(exist_ok=True)
    temporary.remove_what_the_dead_left()
    with pytest.raises(ToolError, match=r"place for temporary files is .*TMPDIR"):
        temporary.make("tree-")
    time.sleep(0.3)
    assert (elsewhere / "dead").exists()
    assert not place.is_dir() or (place / "dead").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make another user's folder")
def test_folder_of_another_user_is_left_alone(place: Path) -> None:
    temporary.make("tree-")
    theirs, ours = place / "theirs", place / "ours"
    theirs.mkdir()
    ours.mkdir()
    os.chown(theirs, 12345, 12345)
    temporary.remove_what_the_dead_left()
    assert wait_until(lambda: not ours.exists())
    assert theirs.exists()


def test_own_folder_that_was_cleaned_away_is_made_anew(place: Path) -> None:
    first = temporary.make("tree-")
    first.rmdir()
    first.parent.rmdir()
    second = temporary.make("tree-")
    assert second.exists()
    assert second.parent != first.parent


def test_forked_process_leaves_the_folder_to_the_one_that_made_it(place: Path) -> None:
    program = """
import os, sys
from miner import temporary
folder = temporary.make("tree-")
folder.rmdir()
child = os.fork()
if not child:
    sys.exit(0)
os.waitpid(child, 0)
print(folder.parent.exists())
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n", "")
    assert list(place.iterdir()) == []


def test_beside_a_place_what_is_not_renamed_goes_and_what_a_kill_left_too(tmp_path: Path) -> None:
    (tmp_path / ".making-dead").mkdir()
    (tmp_path / "other").mkdir()
    with temporary.beside(tmp_path / "made", ".making-") as folder, temporary.beside(tmp_path / "x", ".making-"):
        (folder / "file").write_text("x")
        assert wait_until(lambda: not (tmp_path / ".making-dead").exists())
        folder.rename(tmp_path / "made")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["made", "other"]
    assert (tmp_path / "made" / "file").exists()
