"""A harvest that is stopped, however and whenever, ends with the same fixtures, and never leaves half of one."""

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from miner.asked import Options
from miner.errors import ToolError
from miner.fixtures import FixtureFolder, load_fixture
from miner.harvest import harvest
from tests.miner.shell import CHECK

ROOT = Path(__file__).parents[2]
FOUR = ("fixture.yaml", "change.patch", "tests.patch", "prompt.md")
LAST = 20  # merged changes: enough for kills to fall anywhere, and quick
LIMIT = 60  # seconds for what takes one or two


def quiet(line: object) -> None:
    """No progress is shown."""


def contents(folder: Path) -> dict[str, bytes]:
    """Every file but the bundle, whose packing may differ while its trees are the same, and what kills left hidden."""
    files = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return {name: content for name, content in files.items() if "/." not in name and not name.endswith(".bundle")}


def heads(out: Path) -> list[str]:
    """The commits of the bundle and the trees that they are of."""
    command = ["git", "bundle", "list-heads", str(out / "billing/trees.bundle")]
    return sorted(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines())


def start(repo: Path, out: Path, *options: str) -> subprocess.Popen[bytes]:
    """A harvest in a process group of its own."""
    command = [sys.executable, "-m", "miner.cli", "harvest", "--repo", str(repo), "--out", str(out)]
    return subprocess.Popen(
        [*command, "--name", "billing", "--no-prove", "--last", str(LAST), *options], cwd=ROOT, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def wait_for(process: subprocess.Popen[bytes], out: Path, pattern: str, count: int = 1) -> None:
    """Until so many files match, or the harvest has ended."""
    deadline = time.monotonic() + LIMIT
    while len(list(out.glob(pattern))) < count and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.001)


@dataclass(frozen=True)
class Unbroken:
    """What a harvest makes that nobody stops, and how long it is at it, in seconds."""

    out: Path
    files: Mapping[str, bytes]
    seconds: float


@pytest.fixture(scope="module")
def unbroken(demonstration: Path, tmp_path_factory: pytest.TempPathFactory, private_cache: Path) -> Unbroken:
    out = tmp_path_factory.mktemp("unbroken") / "fixtures"
    process = start(demonstration, out)
    wait_for(process, out, "*/harvest.jsonl")
    began = time.monotonic()
    assert process.wait(LIMIT) == 0
    return Unbroken(out, contents(out), time.monotonic() - began)


def assert_no_half_fixture(out: Path, unbroken: Unbroken) -> int:
    """Every record that is there can be loaded and has its four files whole; the number of them."""
    records = sorted(out.glob("*/*/fixture.yaml"))
    for record in records:
        load_fixture(record.parent)
        for name in FOUR:
            place = record.parent / name
            assert place.read_bytes() == unbroken.files[str(place.relative_to(out))], place
    return len(records)


def assert_usable_or_says_why(out: Path) -> None:
    """A set that a kill left is loaded, or the error says to harvest again."""
    folder = FixtureFolder(out)
    for record in folder.records():
        try:
            found = folder.task(record.id).solved_tree
        except ToolError as error:
            found = str(error)
        assert found == record.solved_tree or "Harvest the repository again" in found


@pytest.mark.parametrize("seed", range(5))
def test_harvest_killed_at_four_random_moments_ends_as_an_unbroken_one(
    demonstration: Path, unbroken: Unbroken, tmp_path: Path, seed: int
) -> None:
    """Half of the kills take git with them; the other half leave it running without its parent."""
    chance, out = random.Random(seed), tmp_path / "fixtures"
    for turn in range(4):
        process = start(demonstration, out)
        wait_for(process, out, "*/repo.yaml")
        time.sleep(chance.uniform(0, unbroken.seconds * 1.05))
        (os.killpg if turn % 2 else os.kill)(process.pid, signal.SIGKILL)
        assert process.wait(LIMIT) in (-signal.SIGKILL, 0)
        assert_no_half_fixture(out, unbroken)
        assert_usable_or_says_why(out)
    harvest(Options(demonstration, out, "billing", prove=False, last=LAST), quiet)
    assert contents(out) == unbroken.files
    assert heads(out) == heads(unbroken.out) != []
    assert assert_no_half_fixture(out, unbroken) == len(FixtureFolder(out).records()) > 10


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["interrupted", "terminated"])
def test_harvest_that_was_asked_to_stop_keeps_what_it_did_in_good_order(
    demonstration: Path, unbroken: Unbroken, tmp_path: Path, number: signal.Signals
) -> None:
    out = tmp_path / "fixtures"
    process = start(demonstration, out, "--workers", "1")
    wait_for(process, out, "*/*/fixture.yaml", 5)
    process.send_signal(number)
    assert process.wait(LIMIT) in (130, 0)
    assert assert_no_half_fixture(out, unbroken) >= 5
    folder = FixtureFolder(out)
    journal = {line for line in (out / "billing/harvest.jsonl").read_text().splitlines() if '"fixture": "' in line}
    loaded = [record.id for record in folder.records() if f'"fixture": "{record.id}"' in "\n".join(journal)]
    assert loaded
    assert all(folder.task(fixture_id).solved_tree for fixture_id in loaded)  # the bundle was written at the end
    harvest(Options(demonstration, out, "billing", prove=False, last=LAST), quiet)
    assert contents(out) == unbroken.files


PROVING = """
import sys
from pathlib import Path
from miner import recipes
from miner.cli import main
from tests.miner.shell import ShellRecipe

recipes.RECIPES = (ShellRecipe(),)
sys.argv = ["miner", "harvest", "--repo", sys.argv[1], "--out", sys.argv[2], "--name", "billing", "--workers", "1"]
main()
"""


def test_harvest_interrupted_while_it_proves_ends_at_once_and_judges_nothing_by_it(repo, tmp_path: Path) -> None:
    """A test command that was killed says nothing of its change."""
    turns = "if grep -q 2 a.txt; then echo a passed; else echo a failed; fi\n"
    repo.commit("Start", {"check.mf": "", "a.txt": "1\n", CHECK: "echo b passed\n"})
    repo.commit("Slow (#2)", {"a.txt": "2\n", CHECK: turns + "sleep 100\n"})
    repo.commit("Slower (#3)", {"a.txt": "3 2\n", CHECK: turns + "sleep 200\n"})
    out = tmp_path / "fixtures"
    process = subprocess.Popen(
        [sys.executable, "-c", PROVING, str(repo.path), str(out)], cwd=ROOT, stderr=subprocess.PIPE, text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    wait_for(process, out, "*/harvest.jsonl")
    time.sleep(1.5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=LIMIT)
    assert process.returncode == 130
    assert said == "miner: interrupted; what was finished is kept\n"
    assert (out / "billing/harvest.jsonl").read_text() == ""
    assert list(out.glob("*/*/fixture.yaml")) == []
