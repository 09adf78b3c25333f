"""`evaluator calibrate --same` as people type it."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from miner.fixtures import FixtureFolder

FIXTURES = Path(__file__).parents[2] / "fixtures"
# Half of the replies have no edit, and nothing is retried into an edit: only the ground truth is ever tested.
HALF = "schema: 1\ndefault: {malformed: {no_edit: 0.5}}\n"


@pytest.fixture
def calibrate(tmp_path: Path) -> list[str]:
    """The command over eight of the checked-in fixtures and a model that gets half of them right."""
    shutil.copytree(FIXTURES, tmp_path / "fixtures")
    possible = [i for i in FixtureFolder(FIXTURES).ids() if not i.endswith("-impossible")]
    for fixture in set(FixtureFolder(FIXTURES).ids()) - set(possible[:8]):
        shutil.rmtree(tmp_path / "fixtures" / fixture)
    (tmp_path / "half.yaml").write_text(HALF)
    return [sys.executable, "-m", "evaluator.cli", "calibrate", str(tmp_path / "fixtures"), "--attempts", "1",
            "--model", f"simulated:{tmp_path}/half.yaml"]  # fmt: skip


def done(command: list[str], *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*command, *more], capture_output=True, text=True, timeout=400)


def test_a_format_against_itself_passes_and_says_what_was_seen(calibrate: list[str]) -> None:
    found = done(calibrate, "--same", "60", "--format", "whole_file")
    assert found.returncode == 0, found.stderr
    head, *_, verdict = found.stdout.splitlines()
    assert head.startswith("whole_file against itself under two names, 8 fixtures, simulated:")
    assert head.endswith("60 runs")
    assert verdict == "PASS"
    assert "more than 7 fail" in found.stdout
    assert "of 960 trials" in found.stdout
    assert "50 of 60 runs" in found.stderr, "it says how far it is"


def test_interrupted_it_prints_what_was_counted(calibrate: list[str]) -> None:
    command = [*calibrate, "--same", "1000000"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    assert process.stderr.readline().startswith("25 of 1000000 runs")
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=300)
    assert process.returncode == 130
    assert "search_replace against itself" in out
    assert "a winner was declared in" in out


REFUSED = {
    "two formats": (["--same", "5", "--format", "all"], 1, "--same compares one format with itself"),
    "too few fixtures": (
        ["--same", "5", "billing/101-never-allocate-a-cent-to-a-weight-of-zero"], 1, "too few possible fixtures",
    ),
    "no runs": (["--same", "0"], 2, "--same"),
    "a model that draws nothing": (["--same", "5", "--model", "simulated:perfect"], 1, "does not draw by a seed"),
    "an unknown model": (["--same", "5", "--model", "gpt"], 1, "unknown model: gpt"),
    "an unknown format": (["--same", "5", "--format", "xml"], 1, "unknown edit format: xml"),
}  # fmt: skip


@pytest.mark.parametrize(("options", "code", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_bad_input_is_refused(calibrate: list[str], options: list[str], code: int, said: str) -> None:
    found = done(calibrate, *options)
    assert found.returncode == code
    assert said in found.stderr


def test_a_folder_without_proven_fixtures_is_refused(tmp_path: Path) -> None:
    found = done([sys.executable, "-m", "evaluator.cli", "calibrate", str(tmp_path), "--same", "5"])
    assert found.returncode == 1
    assert "no proven fixture" in found.stderr


def test_runs_in_which_nothing_differs_fail(calibrate: list[str], tmp_path: Path) -> None:
    (tmp_path / "half.yaml").write_text("schema: 1\n")
    found = done(calibrate, "--same", "2")
    assert found.returncode == 1
    assert "nothing was tested" in found.stdout


def test_a_place_that_cannot_be_written_to_is_refused_before_anything_is_scored(calibrate: list[str]) -> None:
    taken = Path(calibrate[4]) / "set.yaml"
    found = done(calibrate[:5], "--out", str(taken))
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == f"evaluator: File exists: {taken}. Check the path and the disk.\n"
