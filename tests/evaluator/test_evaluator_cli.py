"""What `evaluator` refuses before it begins, and what it reports again; test_run_command.py has whole runs."""

import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaluator import cli, cli_run
from evaluator.journal import AttemptLine, DiskJournal, Kept, RunFile
from evaluator.messages import Message
from evaluator.taxonomy import Category, Detail
from miner import errors
from miner.set_file import SetFile, load_set

FIXTURES = Path(__file__).parents[2] / "fixtures"
Evaluator = Callable[..., SimpleNamespace]


@pytest.fixture
def evaluator(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Evaluator:
    """Runs the command in this process: its exit code, standard output and standard error."""
    monkeypatch.delenv("EVALUATOR_MODEL", raising=False)

    def run(*arguments: object) -> SimpleNamespace:
        monkeypatch.setattr(sys, "argv", ["evaluator", *map(str, arguments)])
        code = errors.run_command_line(cli.app, "evaluator")
        captured = capsys.readouterr()
        return SimpleNamespace(code=code, out=captured.out, err=captured.err)

    return run


@pytest.fixture(scope="module")
def chosen() -> SetFile:
    return load_set(FIXTURES)


def a_run(folder: Path, chosen: SetFile, **settings: object) -> Path:
    """A finished run of one format: the first fixture cut off, the others resolved."""
    run = RunFile(
        set_digest=chosen.digest, cap=chosen.cap, model="m", simulated=False, formats=["whole_file"], attempts=1,
        seed=1, fixtures=chosen.fixtures, impossible=chosen.impossible, started="", version="",
    )  # fmt: skip
    journal = DiskJournal(folder, run.model_copy(update=settings))
    for n, fixture in enumerate(chosen.fixtures):
        line = AttemptLine(
            fixture=fixture, format="whole_file", model="m", repeat=1, attempt=1, valid=n > 0, applied=n > 0,
            failure_category=None if n else Category.TRUNCATED, detail=None if n else Detail.STOP_LENGTH,
        )  # fmt: skip
        journal.add(line, Kept([Message("user", "x")], "y"))
    journal.close()
    return folder


def refused(done: SimpleNamespace, said: str) -> None:
    assert done.code == 1
    assert said in done.err
    assert done.err.count("\n") == 1
    assert "Traceback" not in done.err
    assert done.out == ""


def test_a_run_is_reported_again_from_its_journal(evaluator: Evaluator, chosen: SetFile, tmp_path: Path) -> None:
    place = a_run(tmp_path / "run", chosen)
    done = evaluator("report", place, "--fixtures", FIXTURES, "--full")
    n = len(chosen.fixtures)
    assert done.code == 0, done.err
    assert f"| {n - 1}/{n} " in next(row for row in done.out.split("\n") if row.startswith("| whole_file"))
    assert (place / "report.md").read_text() in done.out
    first = (place / "report.json").read_bytes()
    evaluator("report", place, "--fixtures", FIXTURES)
    assert (place / "report.json").read_bytes() == first


def test_a_report_prints_no_control_characters_of_what_a_server_said(
    evaluator: Evaluator, chosen: SetFile, tmp_path: Path
) -> None:
    place = a_run(tmp_path / "run", chosen, model="m\x1b[31m")
    assert "\x1b" not in evaluator("report", place, "--fixtures", FIXTURES).out


def test_a_damaged_line_is_named(evaluator: Evaluator, chosen: SetFile, tmp_path: Path) -> None:
    place = a_run(tmp_path / "run", chosen)
    journal = place / "attempts.jsonl"
    journal.write_bytes(b"{}\n" + journal.read_bytes())
    refused(evaluator("report", place, "--fixtures", FIXTURES), "attempts.jsonl:1")


def test_a_run_of_another_set_is_not_reported(evaluator: Evaluator, chosen: SetFile, tmp_path: Path) -> None:
    place = a_run(tmp_path / "run", chosen, set_digest="0" * 64)
    refused(evaluator("report", place, "--fixtures", FIXTURES), "the run is of another set")


def test_a_run_of_another_set_is_not_gone_on_with(evaluator: Evaluator, chosen: SetFile, tmp_path: Path) -> None:
    place = a_run(tmp_path / "run", chosen, set_digest="0" * 64)
    refused(evaluator("run", FIXTURES, "--resume", place), "the set has changed since the run began")


@pytest.mark.parametrize("verb", ["report", "resume"])
def test_a_folder_that_is_no_run_is_refused(evaluator: Evaluator, tmp_path: Path, verb: str) -> None:
    arguments = ["report", tmp_path, "--fixtures", FIXTURES]
    refused(evaluator(*(arguments if verb == "report" else ["run", FIXTURES, "--resume", tmp_path])), "run.yaml")


def test_a_run_of_a_format_that_is_gone_is_refused(evaluator: Evaluator, chosen: SetFile, tmp_path: Path) -> None:
    place = a_run(tmp_path / "run", chosen, formats=["gone"], model="simulated:perfect")
    refused(evaluator("run", FIXTURES, "--resume", place), "unknown edit format: gone")


@pytest.mark.parametrize("there", [True, False], ids=["without a set.yaml", "not there"])
def test_a_folder_without_a_set_points_to_the_miner(evaluator: Evaluator, tmp_path: Path, there: bool) -> None:
    folder = tmp_path / "fixtures"
    if there:
        folder.mkdir()
    refused(evaluator("run", folder), "miner ")


def test_a_set_drawn_over_other_records_is_refused(evaluator: Evaluator, tmp_path: Path) -> None:
    folder = tmp_path / "fixtures"
    shutil.copytree(FIXTURES, folder)
    settings = load_set(folder)
    text = (folder / "set.yaml").read_text()
    (folder / "set.yaml").write_text(text.replace(settings.digest, "0" * len(settings.digest)))
    done = evaluator("run", folder, "--runs", tmp_path / "runs")
    refused(done, "miner stratify")
    assert not (tmp_path / "runs").exists()


def test_a_fixture_that_changed_since_the_set_was_drawn_is_named(evaluator: Evaluator, tmp_path: Path) -> None:
    folder = tmp_path / "fixtures"
    shutil.copytree(FIXTURES, folder)
    record = next(folder.glob("billing/149-*/fixture.yaml"))
    record.write_text(record.read_text().replace("title: Retry", "title: Please retry"))
    done = evaluator("run", folder, "--runs", tmp_path / "runs")
    refused(done, f"a fixture changed since the set was drawn: billing/{record.parent.name}. ")


@pytest.mark.parametrize(
    "arguments", [["--attempts", "0"], ["--workers", "0"], ["--seed", "x"], ["--nonsense"]], ids=" ".join
)
def test_a_usage_error_exits_two(evaluator: Evaluator, arguments: list[str]) -> None:
    done = evaluator("run", FIXTURES, *arguments)
    assert done.code == 2
    assert "Traceback" not in done.err


def test_a_bug_of_ours_exits_three(
    evaluator: Evaluator, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def explode(path: Path) -> None:
        raise ZeroDivisionError("of ours")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli_run, "load_set", explode)
    assert evaluator("run", FIXTURES).code == 3
