# ruff: noqa: E501
"""Real Python projects from a history to proven fixtures. Uses the network: uv fetches pytest from the package index."""

import json
from collections.abc import Mapping
from pathlib import Path

from miner.asked import Options
from miner.fixtures import FixtureFolder, Task
from miner.harvest import harvest
from miner.interpreters import installed
from miner.proving import Effort
from miner.record import HarvestLine, Proof
from miner.rejection import Rejection
from miner.repository import Overrides
from miner.verify import verify

PYPROJECT = '[project]\nname = "tiny"\nversion = "1"\nrequires-python = ">=3.8"\ndependencies = []\n'
WRONG, RIGHT = "def double(x):\n    return x + x + 1\n", "def double(x):\n    return 2 * x\n"
RUNS = "import tiny\n\n\ndef test_runs():\n    tiny.double(1)\n"
DOUBLES = (
    "import pytest\nimport tiny\n\n\ndef test_runs():\n    tiny.double(1)\n\n\n"
    "@pytest.mark.parametrize('x', [1, 2], ids=['a - b::c', '[2]'])\ndef test_double(x):\n    assert tiny.double(x) == 2 * x\n"
)


def mined(repo, out: Path, **options: object) -> HarvestLine:
    """The one change of a repository, harvested."""
    (line,) = harvest(Options(repo.path, out, "tiny", **options), lambda _: None)
    return line


def task(out: Path, line: HarvestLine) -> tuple[Task, Proof]:
    assert line.fixture is not None, line
    found = FixtureFolder(out).task(line.fixture)
    assert found.fixture.proof is not None
    return found, found.fixture.proof


def history(repo, before: Mapping[str, str], after: Mapping[str, str], folder: str = "") -> None:
    """A history of one change, its files below a folder."""
    for message, files in (("Start", before), ("Double it (#2)", after)):
        repo.commit(message, {f"{folder}{path}": content for path, content in files.items()})


def test_tiny_change_is_proved_by_its_own_tests(repo, tmp_path: Path) -> None:
    history(
        repo, {"pyproject.toml": PYPROJECT, "tiny.py": WRONG, "test_tiny.py": RUNS},
        {"tiny.py": RIGHT, "test_tiny.py": DOUBLES},
    )  # fmt: skip
    line = mined(repo, tmp_path / "out", effort=Effort(2, 60))
    assert (line.fixture, line.proved) == ("tiny/2-double-it", True), line
    found, proof = task(tmp_path / "out", line)
    assert proof.fail_to_pass == ["test_tiny.py::test_double[[2]]", "test_tiny.py::test_double[a - b::c]"]
    assert proof.pass_to_pass == ["test_tiny.py::test_runs"]
    assert (proof.collected_after, proof.flaky, proof.collects_only_after) == ([], [], False)
    assert proof.command[-1] == "test_tiny.py"
    assert proof.strength is not None
    assert (proof.strength.hunks, proof.strength.unnoticed) == (1, [])
    assert proof.environment.source == "pyproject.toml"
    assert proof.environment.toolchain.startswith("python 3.")
    assert "pytest==" in found.lock
    (row,) = map(json.loads, (tmp_path / "out/tiny/harvest.jsonl").read_text().splitlines())
    assert row["proved"] is True
    assert row["test_seconds"] > 0
    (verdict,) = verify(FixtureFolder(tmp_path / "out"), [found.id], 1, 1, lambda _: None)
    assert verdict.rotted == ""


# What a sub-project's tests see: where they are, the owner's variable, set-up and Python, and an order that matters.
INNER = """
import os, pathlib, sys
import tiny

seen = []

def test_place():
    assert pathlib.Path.cwd() == pathlib.Path("/tree/services/api")

def test_owner():
    assert os.environ["WORD"] == "two words"
    assert pathlib.Path("/env/said").read_text() == "two words\\n"

def test_python():
    assert "{}.{}".format(*sys.version_info[:2]) == VERSION

def test_first():
    assert seen == []

def test_second():
    seen.append(1)

def test_third():
    seen.append(1)

def test_fourth():
    seen.append(1)
"""


def test_sub_project_is_proved_as_its_owner_says(miner, repo, tmp_path: Path) -> None:
    oldest = next(i for i in installed() if i.minor >= (3, 8))
    version = ".".join(map(str, oldest.minor))
    tests = INNER.replace("VERSION", repr(version))
    repo.commit("Top", {"README.md": "x\n", "tiny.py": "raise ImportError\n"})
    history(
        repo, {"pyproject.toml": PYPROJECT, "tiny.py": WRONG, "tests/test_tiny.py": tests},
        {"tiny.py": RIGHT, "tests/test_tiny.py": tests + "\ndef test_double():\n    assert tiny.double(2) == 4\n"},
        "services/api/",
    )  # fmt: skip
    out = tmp_path / "out"
    refused = miner("harvest", "--repo", repo.path, "--out", out, "--name", "tiny")
    assert refused.code == 1
    assert "Sub-projects: services/api (--cwd)" in refused.err
    newest = max(i for i in installed() if i.minor == oldest.minor)
    said = ["--env", "WORD=two words", "--setup", 'echo "$WORD" > /env/said', "--python", version, "--cwd", "services/api"]
    result = miner("harvest", "--repo", repo.path, "--out", out, "--name", "tiny", "--repeats", 4, *said)
    assert result.code == 0, result
    (record,) = FixtureFolder(out).records()
    proof = record.proof
    assert proof is not None
    assert record.source_files == ["services/api/tiny.py"]
    assert record.allowed == {"services/api/tiny.py": ["double"]}
    assert proof.environment.toolchain == f"python {newest}"
    assert proof.fail_to_pass == ["tests/test_tiny.py::test_double"]
    assert proof.flaky == ["tests/test_tiny.py::test_first"]
    assert [test.split("::")[1] for test in proof.pass_to_pass] == [
        "test_fourth", "test_owner", "test_place", "test_python", "test_second", "test_third",
    ]  # fmt: skip
    checked = miner("verify", out, "--repeats", 1)
    assert checked.code == 0, checked


BASE = "import tiny\n\nclass Base:\n    factor = 2\n    def test_inherited(self):\n        assert tiny.double(self.factor) > 0\n"
SUB = "from base import Base\n\nclass TestSub(Base):\n    factor = 3\n"
FULL = {"pyproject.toml": PYPROJECT, "tiny.py": WRONG, "test_tiny.py": RUNS, "base.py": BASE, "test_sub.py": SUB}


def test_whole_suite_is_looked_at_where_asked(miner, repo, tmp_path: Path) -> None:
    history(repo, FULL, {"tiny.py": RIGHT, "test_tiny.py": DOUBLES})
    options = ["--regression", "full", "--repeats", 2, "--no-strength"]
    result = miner("harvest", "--repo", repo.path, "--out", tmp_path / "out", "--name", "tiny", *options)
    assert result.code == 0, result
    (record,) = FixtureFolder(tmp_path / "out").records()
    assert record.proof is not None
    assert record.proof.regression == "full"
    assert record.proof.pass_to_pass == ["test_sub.py::TestSub::test_inherited", "test_tiny.py::test_runs"]
    assert record.proof.flaky == []
    assert record.proof.command[-2:] == ["test_sub.py", "test_tiny.py"]


def test_change_that_breaks_a_test_elsewhere_is_rejected_over_the_whole_suite(repo, tmp_path: Path) -> None:
    elsewhere = "import tiny\n\ndef test_odd():\n    assert tiny.double(1) == 3\n"
    history(
        repo, {"pyproject.toml": PYPROJECT, "tiny.py": WRONG, "test_tiny.py": RUNS, "test_other.py": elsewhere},
        {"tiny.py": RIGHT, "test_tiny.py": DOUBLES},
    )  # fmt: skip
    assert mined(repo, tmp_path / "files", effort=Effort(2, 60, False)).proved
    line = mined(repo, tmp_path / "full", effort=Effort(2, 60, False, full=True))
    assert line.rejection is Rejection.FAILS_AFTER
    assert "test_other.py::test_odd passes without the change and fails with it" in line.detail


def test_change_whose_new_module_its_tests_import_is_collected_only_after(repo, tmp_path: Path) -> None:
    tests = "from tiny import double\nfrom more import triple\n\ndef test_runs():\n    double(1)\n\ndef test_triple():\n    assert triple(1) == 3\n"
    history(
        repo, {"pyproject.toml": PYPROJECT, "tiny.py": RIGHT, "test_tiny.py": tests.split("\n", 2)[0] + "\n\ndef test_runs():\n    double(1)\n"},
        {"more.py": "def triple(x):\n    return 3 * x\n", "test_tiny.py": tests},
    )  # fmt: skip
    line = mined(repo, tmp_path / "out", effort=Effort(2, 60, False))
    _, proof = task(tmp_path / "out", line)
    assert proof.collects_only_after
    assert (proof.fail_to_pass, proof.collected_after) == (["test_tiny.py::test_triple"], ["test_tiny.py::test_runs"])


def test_python_that_is_not_there_is_named_with_what_to_do(repo, tmp_path: Path) -> None:
    history(
        repo, {"pyproject.toml": PYPROJECT, "tiny.py": WRONG, "test_tiny.py": RUNS},
        {"tiny.py": RIGHT, "test_tiny.py": DOUBLES},
    )  # fmt: skip
    line = mined(repo, tmp_path / "out", overrides=Overrides(python="3.2"))
    assert line.rejection is Rejection.ENVIRONMENT_FAILED
    assert "no Python for `3.2`" in line.detail
