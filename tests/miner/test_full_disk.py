"""A disk that is full while a job or git writes: an error that says so, not failed tests or a wrong patch."""

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from miner.errors import ToolError
from miner.git import create_bare
from miner.sandbox import Limits, Outcome
from tests.miner.jobs import MB, shell


@pytest.fixture
def small() -> Iterator[Path]:
    """A disk of 4 MB of its own, with the files of others."""
    with tempfile.TemporaryDirectory() as place:  # pytest's own folders are shut to the sandbox's user
        Path(place).chmod(0o755)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "none", place], capture_output=True)
        if mounted.returncode:
            pytest.skip("this user may not mount")
        try:
            yield Path(place)
        finally:
            subprocess.run(["umount", "-l", place], check=True)  # this process still holds its folder there


def results_in(place: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> Outcome:
    """A job whose results are on that disk."""
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    with tempfile.TemporaryDirectory() as results:
        return shell(None, script, limits=Limits(20, disk_bytes=20 * MB), results=Path(results))


WRITES = "head -c {} /dev/zero > {{results}}/x; {}"


@pytest.mark.parametrize("then", ["exit 0", "exit 1", "sleep 60"])
def test_results_that_find_no_room_are_no_results(small: Path, then: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (small / "of others").write_bytes(bytes(2 * MB))
    assert results_in(small, WRITES.format("500k", "exit 3"), monkeypatch).exit_code == 3
    (small / "of others").write_bytes(bytes(3 * MB))
    with pytest.raises(ToolError, match=r"the disk is full: .*Free some space \(a job may need 20 MB"):
        results_in(small, WRITES.format("500k", then), monkeypatch)


def test_git_says_that_the_disk_is_full_and_not_that_a_patch_is_wrong(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = create_bare(tmp_path / "git")
    blob = git.line("hash-object", "-w", "--stdin")
    row = f"100644 blob {blob}\tfile\n".encode()
    tree = git.run("mktree", stdin=row).decode().strip()
    monkeypatch.setattr(tempfile, "tempdir", str(small))
    with git.index(tree):
        pass
    subprocess.run(["cp", "/dev/zero", small / "of others"], capture_output=True)  # until there is no room
    with pytest.raises(ToolError, match="the disk is full"), git.index(tree):
        pass
