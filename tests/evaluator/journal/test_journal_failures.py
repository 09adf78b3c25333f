"""What can go wrong around a journal: kills, full disks, folders that cannot be written, a second process."""

import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evaluator.journal import (
    AttemptLine,
    DiskJournal,
    Kept,
    RunFile,
    read_attempts,
    read_calls,
    read_transcript,
    transcript_path,
)
from evaluator.models.model import Reply
from miner.errors import ToolError

Line = Callable[..., AttemptLine]
Open = Callable[[], DiskJournal]
NOBODY = 65534
WRITER = """
import itertools, sys
from pathlib import Path
from evaluator.journal import AttemptLine, DiskJournal, Kept, RunFile
from evaluator.models.model import Reply
run = RunFile(set_digest="", cap=1, model="m", simulated=True, formats=["f"], attempts=1, seed=1, fixtures=[],
              started="", version="")
journal = DiskJournal(Path(sys.argv[1]), run)
print("open", flush=True)
for n in itertools.count(len(journal.lines) + 1):
    line = AttemptLine(fixture=f"r/{n}-x", format="f", model="m", repeat=1, attempt=1, valid=False, feedback="x" * 9000)
    journal.store(line.key, Reply(f"reply {n}", "stop", 1, 1, 1, "m"))
    journal.add(line, Kept((), f"reply {n}"))
"""


@contextmanager
def writer(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that writes the run, and has opened it."""
    command = [sys.executable, "-c", WRITER, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "open\n"
            yield process
        finally:
            process.kill()


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Meanwhile a file that grows past so many bytes takes a part of a write and refuses the rest, like a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def without_rights() -> Iterator[None]:
    """Meanwhile the process is no longer root, which may write anything."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(before)


def keep(journal: DiskJournal, line: AttemptLine, kept: Kept, reply: Reply) -> None:
    journal.store(line.key, reply)
    journal.add(line, kept)


def until_it_fails(journal: DiskJournal, line: Line, kept: Kept, reply: Reply) -> Iterator[AttemptLine]:
    """The lines that were kept; a thousand at most."""
    for n in range(1, 1_001):
        keep(journal, line(n), kept, reply)
        yield line(n)


def test_a_killed_process_leaves_whole_lines_with_all_that_they_speak_of(opened: Open, tmp_path: Path) -> None:
    path = tmp_path / "run/attempts.jsonl"
    for size in (1, 300_000):
        with writer(tmp_path / "run") as process:
            while path.stat().st_size < size:
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
            process.wait()
        journal = opened()
        journal.close()
        assert journal.lines
        assert read_attempts(journal.path) == journal.lines
        for line in journal.lines:
            text = f"reply {line.fixture[2:-2]}"
            assert journal.reply(line) == text
            assert read_transcript(transcript_path(journal.replies, *line.key)).reply == text
        assert len({line.key for line in journal.lines}) == len(journal.lines)
        assert {line.key for line in journal.lines} <= set(read_calls(journal.folder / "calls.jsonl"))


def test_a_second_process_is_refused_until_the_first_has_ended(opened: Open, tmp_path: Path) -> None:
    with writer(tmp_path / "run") as process:
        with pytest.raises(ToolError, match=r"another process is writing this run: .*run\. .*--resume"):
            opened()
        process.kill()
        process.wait()
        opened().close()
    journal = opened()
    with pytest.raises(ToolError, match="another process is writing"):
        opened()
    journal.close()
    opened().close()


@pytest.mark.parametrize("size", range(900, 3_900, 250))
def test_a_full_disk_is_named_and_leaves_what_the_next_opening_reads(
    opened: Open, line: Line, kept: Kept, reply: Reply, size: int
) -> None:
    journal = opened()
    added: list[AttemptLine] = []
    with files_of_at_most(size), pytest.raises(ToolError, match=r"cannot write: .*File too large\. Free some space"):
        added.extend(until_it_fails(journal, line, kept, reply))
    journal.close()
    assert read_attempts(journal.path) == added
    again = opened()
    assert again.lines == added
    lost = line(len(added) + 1)
    if again.stored(lost.key) is None:
        again.store(lost.key, reply)
    again.add(lost, kept)
    again.close()
    assert read_attempts(journal.path) == [*added, lost]
    assert set(read_calls(again.folder / "calls.jsonl")) == {a.key for a in (*added, lost)}


@pytest.mark.parametrize("name", ["attempts.jsonl", "calls.jsonl"])
def test_a_line_that_could_not_be_written_whole_is_written_again(
    opened: Open, line: Line, kept: Kept, reply: Reply, name: str
) -> None:
    journal = opened()
    keep(journal, line(1), kept, reply)
    size = (journal.folder / name).stat().st_size
    with files_of_at_most(size + 20), pytest.raises(ToolError, match="cannot write"):
        keep(journal, line(2), kept, reply)
    assert (journal.folder / name).stat().st_size == size, "the part of a line is taken back at once"
    keep(journal, line(2), kept, reply)
    journal.close()
    assert read_attempts(journal.path) == [line(1), line(2)]


def test_a_full_disk_of_its_own(line: Line, kept: Kept, reply: Reply, run_file: RunFile, tmp_path: Path) -> None:
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", place], capture_output=True)
    if mounted.returncode:
        pytest.skip("this user may not mount")
    try:
        journal = DiskJournal(place / "run", run_file)
        with pytest.raises(ToolError, match=r"No space left on device\. Free some space"):
            list(until_it_fails(journal, line, kept, reply))
        journal.close()
        with pytest.raises(ToolError, match="No space left"):
            DiskJournal(place / "another", run_file)
        done = read_attempts(journal.path)
        (place / "run/replies/r/1-x/whole_file.r1.a1.md").unlink()
        again = DiskJournal(place / "run", run_file)
        assert again.lines == done == [line(n) for n in range(1, len(done) + 1)]
        again.close()
    finally:
        subprocess.run(["umount", place], check=True)


def test_a_folder_that_cannot_be_written_is_named_with_what_to_do(
    run_file: RunFile, line: Line, kept: Kept, reply: Reply
) -> None:
    with tempfile.TemporaryDirectory() as place:  # pytest's own folders are shut to any other user
        Path(place).chmod(0o755)
        folder = Path(place, "run")
        journal = DiskJournal(folder, run_file)
        keep(journal, line(1), kept, reply)
        journal.close()
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        with without_rights():
            with pytest.raises(ToolError, match=r"cannot write: .*run/\.lock\. Permission denied\. Make the folder"):
                DiskJournal(folder, run_file)
            with pytest.raises(ToolError, match="Make the folder writable"):
                DiskJournal(folder / "new", run_file)
            assert read_attempts(folder / "attempts.jsonl") == [line(1)], "it can still be reported"
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755)


def test_a_run_folder_that_is_a_file_is_an_error(tmp_path: Path, run_file: RunFile) -> None:
    (tmp_path / "run").write_text("")
    with pytest.raises(ToolError, match="cannot write"):
        DiskJournal(tmp_path / "run", run_file)
