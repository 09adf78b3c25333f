"""`evaluator` as people type it, on the checked-in set."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from evaluator.journal import AttemptLine, load_run, read_attempts
from evaluator.running.place import folder_part
from evaluator.taxonomy import Discard, Signal

ROOT = str(Path(__file__).parents[2])
FIXTURES = Path(ROOT) / "fixtures"


def evaluator(*arguments: object, timeout: float = 400) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evaluator.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout)


def attempts(run: Path) -> list[AttemptLine]:
    """The attempts of a run in an order of their own, without their times."""
    lines = [line.model_copy(update={"ended": ""}) for line in read_attempts(run / "attempts.jsonl")]
    return sorted(lines, key=lambda a: a.key)


def test_a_killed_run_resumed_equals_an_unbroken_one_and_ranks_formats_in_reverse(tmp_path: Path) -> None:
    unbroken = evaluator("run", FIXTURES, "--runs", tmp_path / "a")
    assert unbroken.returncode == 0, unbroken.stderr
    whole = next((tmp_path / "a").iterdir())
    report = {f["name"]: f for f in json.loads((whole / "report.json").read_text())["formats"]}
    assert "simulated: says nothing about any model" in unbroken.stdout
    assert all(f["trials"] == f["planned"] for f in report.values())
    for name in ("unified_diff", "search_replace"):
        assert report["whole_file"]["apply_rate"]["value"] > report[name]["apply_rate"]["value"]
        assert report["whole_file"]["this_set"]["value"] < report[name]["this_set"]["value"]

    command = [sys.executable, "-m", "evaluator.cli", "run", str(FIXTURES), "--runs", str(tmp_path / "b")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    journal: list[Path] = []
    while not journal or journal[0].read_bytes().count(b"\n") < 20:
        time.sleep(0.05)
        journal = list((tmp_path / "b").glob("*/attempts.jsonl"))
    process.send_signal(signal.SIGKILL)
    process.wait()
    with journal[0].open("ab") as file:
        file.write(b'{"torn')
    resumed = evaluator("run", FIXTURES, "--resume", journal[0].parent)
    assert resumed.returncode == 0, resumed.stderr
    assert attempts(journal[0].parent) == attempts(whole)

    again = evaluator("run", FIXTURES, "--resume", journal[0].parent)
    assert again.returncode == 0, again.stderr
    assert attempts(journal[0].parent) == attempts(whole), "nothing is made twice"

    some = sorted({a.fixture for a in attempts(whole)})[::3]
    only = [word for fixture in some for word in ("--only", fixture)]
    replayed = evaluator("run", FIXTURES, "--model", f"replay:{whole}", "--runs", tmp_path / "c", *only)
    verdicts = [[(a.fixture, a.format, a.failure_category, a.detail) for a in attempts(run) if a.fixture in some]
                for run in (whole, next((tmp_path / "c").iterdir()))]  # fmt: skip
    assert replayed.returncode == 0, replayed.stderr
    assert verdicts[0] == verdicts[1]
    assert "simulated: says nothing" in replayed.stdout


def without_model(folder: Path) -> None:
    text = (folder / "set.yaml").read_text()
    (folder / "set.yaml").write_text(text.replace("model: simulated:article", "model: null"))


def with_edited_patch(folder: Path) -> None:
    patch = next(folder.glob("billing/149-*/change.patch"))
    patch.write_text(patch.read_text().replace("+            pause *= 2", "+            pause *= 3"))


def with_broken_record(folder: Path) -> None:
    next(folder.glob("billing/149-*/fixture.yaml")).write_text("id: [")


def with_broken_bundle(folder: Path) -> None:
    (folder / "billing/trees.bundle").write_bytes(b"nonsense")


def without_locks(folder: Path) -> None:
    shutil.rmtree(folder / "billing/locks")


ONE = "billing/149-retry-settlement-posts-on-transient-gateway"
SMALL = ["--only", ONE, "--format", "udiff", "--format", "whole_file"]
BAD = {
    "no set": (lambda folder: (folder / "set.yaml").unlink(), [], "miner stratify"),
    "no model": (without_model, [], "no model given: set.yaml names none. A mined set needs --model"),
    "unknown model": (lambda folder: None, ["--model", "gpt"], "unknown model: gpt"),
    "unknown format": (lambda folder: None, ["--format", "xml"], "unknown edit format: xml"),
    "edited patch": (with_edited_patch, [], "no longer rebuilds the solved tree"),
    "unreadable fixture": (with_broken_record, [], "unreadable fixture"),
    "damaged bundle": (with_broken_bundle, [], "starting trees are damaged"),
    "missing lock": (without_locks, [], "cannot read the lock"),
    "no replies": (lambda folder: None, ["--model", "replay:/nowhere"], "no stored replies"),
    "no key": (lambda folder: None, ["--model", "openai:gpt-5"], "OPENAI_API_KEY"),
    "a limit without a price": (lambda folder: None, ["--max-spend", "5"], "--max-spend needs a price"),
    "no time": (lambda folder: None, ["--max-time", "soon"], "no length of time: soon"),
    "a parameter without a value": (lambda folder: None, ["--param", "top_p"], "no parameter"),
    "a setting that goes nowhere": (lambda folder: None, ["--temperature", "0"], "takes no such setting"),
    "an unknown signal": (lambda folder: None, ["--retry-on", "smoke"], "unknown signal: smoke"),
    "an unknown fixture": (lambda folder: None, ["--only", "billing/1-nothing"], "no such fixture: billing/1-nothing"),
    "a part of an id": (lambda folder: None, ["--only", "billing/retry"], "Did you mean billing/149-retry"),
    "nothing left": (lambda folder: None, ["--only", ONE, "--stratum", "past"], "nothing is left to run"),
    "again, of no run": (lambda folder: None, ["--again"], "--again is for a run that was begun"),
}


@pytest.mark.parametrize(("damage", "options", "said"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_clear_line_and_exit_one(tmp_path, damage, options: list[str], said: str, monkeypatch) -> None:
    monkeypatch.delenv("EVALUATOR_MODEL", raising=False)
    folder = tmp_path / "fixtures"
    shutil.copytree(FIXTURES, folder)
    damage(folder)
    done = evaluator("run", folder, "--runs", tmp_path / "runs", *options)
    assert done.returncode == 1
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not (tmp_path / "runs").exists(), "nothing was begun"


FOLDERS = {
    "command:./answer.sh": "command-answer.sh", "command:../a b/-x": "command-a-b-x", "simulated:perfect":
    "simulated-perfect", "openai:gpt-4.1-mini": "openai-gpt-4.1-mini", "../..": "model", "x" * 99: "x" * 60,
    "command:.hidden": "command-hidden", "a_b": "a_b",
}  # fmt: skip


@pytest.mark.parametrize(("model", "name"), FOLDERS.items(), ids=FOLDERS.keys())
def test_a_model_names_its_runs_folder_without_dots_and_dashes_at_the_ends(model: str, name: str) -> None:
    assert folder_part(model) == name


def test_usage_errors_exit_two_and_help_exits_zero() -> None:
    assert evaluator("run", "--nonsense").returncode == 2
    assert evaluator("--help").returncode == 0
    assert evaluator("run", "--help").returncode == 0


def only_run(folder: Path) -> Path:
    (run,) = folder.iterdir()
    return run


def test_what_is_asked_for_is_recorded_and_done(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    row = {"model": "simulated:perfect", "as_of": "2026-01-01", "input": 1.0, "output": 2.0}
    prices.write_text(yaml.safe_dump({"schema": 1, "prices": [row]}))
    done = evaluator(
        "run", FIXTURES, *SMALL, "--model", "simulated:perfect", "--repeats", 2, "--feedback", "full", "--retry-on",
        "stop,tests", "--context", 1, "--no-seed", "--prices", prices, "--max-spend", 50, "--max-time", "1h", "--keep",
        "--test-workers", 1, "--runs", tmp_path / "runs",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    run = only_run(tmp_path / "runs")
    settings, lines = load_run(run), attempts(run)
    assert (settings.fixtures, settings.impossible, settings.repeats, settings.context) == ([ONE], [], 2, 1)
    assert (settings.feedback, settings.retry_on) == ("full", [Signal.STOP, Signal.TESTS])
    assert (settings.max_spend_usd, settings.max_seconds, settings.call.seeded) == (50, 3600, False)
    assert settings.set_tasks is not None
    assert settings.set_tasks > 1
    assert settings.tasks.keys() == {ONE}
    assert settings.price is not None
    assert [(a.format, a.repeat, a.failure_category) for a in lines] == [
        ("udiff", 1, None), ("udiff", 2, None), ("whole_file", 1, None), ("whole_file", 2, None),
    ]  # fmt: skip
    assert all(a.paid_usd == (a.input_tokens + 2 * a.output_tokens) / 1e6 for a in lines)
    trees = sorted(path.name for path in (run / "trees" / ONE).iterdir())
    assert trees == ["udiff.r1.a1", "udiff.r2.a1", "whole_file.r1.a1", "whole_file.r2.a1"]
    changed = next((run / "trees" / ONE / "udiff.r1.a1").rglob("settlement*.py"))
    assert changed.is_file()


def test_a_run_without_time_ends_cleanly_and_goes_on_with_more(tmp_path: Path) -> None:
    timed = ["--max-time", "0.000001", "--runs", tmp_path]
    begun = evaluator("run", FIXTURES, *SMALL, "--model", "simulated:perfect", *timed)
    assert begun.returncode == 0, begun.stderr
    run = only_run(tmp_path)
    assert {a.discarded for a in attempts(run)} == {Discard.BUDGET_EXHAUSTED}
    assert f"--resume {run}" in begun.stderr
    refused = evaluator("run", FIXTURES, "--resume", run, "--attempts", 2)
    assert (refused.returncode, "settings the run began with: --attempts" in refused.stderr) == (1, True)
    written = (run / "run.yaml").read_text()
    (run / "run.yaml").write_text(written.replace("attempts: 3", "attempts: 2"))
    for verb in (["run", FIXTURES, "--resume"], ["report"], ["rescore", "--fixtures", FIXTURES]):
        edited = evaluator(*verb, run)
        assert (edited.returncode, f"settings were edited: {run / 'run.yaml'}" in edited.stderr) == (1, True)
    (run / "run.yaml").write_text(written)
    done = evaluator("run", FIXTURES, "--resume", run, "--max-time", "1h")
    assert done.returncode == 0, done.stderr
    assert {(a.call, a.discarded) for a in attempts(run)} == {(1, Discard.BUDGET_EXHAUSTED), (2, None)}
    assert load_run(run).max_seconds == 3600


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP], ids=["ctrl_c", "the_terminal_is_closed"])
def test_a_signal_ends_waiting_calls_and_the_run_can_be_gone_on_with(tmp_path: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "evaluator.cli", "run", str(FIXTURES), *SMALL, "--runs", str(tmp_path), "--model"]
    process = subprocess.Popen(
        [*command, "command:sh -c 'echo $$ >> begun; exec sleep 600'"], cwd=tmp_path, stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": ROOT}, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    while not (begun := tmp_path / "begun").exists() or not begun.read_text():
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(number)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130
    assert "--resume" in said
    assert [pid for pid in begun.read_text().split() if Path("/proc", pid).exists()] == []


def test_runs_that_begin_at_one_moment_have_folders_of_their_own(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "evaluator.cli", "run", str(FIXTURES), *SMALL, "--runs", str(tmp_path)]
    runs = [subprocess.Popen([*command, "--model", "simulated:perfect", "--seed", str(n)]) for n in (1, 2, 3)]
    assert [run.wait(200) for run in runs] == [0, 0, 0]
    assert sorted(load_run(run).seed for run in tmp_path.iterdir()) == [1, 2, 3]
