"""`evaluator` as people type it, on the checked-in set."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

FIXTURES = Path(__file__).parents[2] / "fixtures"


def evaluator(*arguments: object, timeout: float = 400) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evaluator.cli", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=timeout)


def attempts(run: Path) -> list[dict[str, object]]:
    lines = [json.loads(row) for row in (run / "attempts.jsonl").read_text().splitlines()]
    return sorted(lines, key=lambda a: (a["fixture"], a["format"], a["attempt"]))


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

    replayed = evaluator("run", FIXTURES, "--model", f"replay:{whole}", "--runs", tmp_path / "c")
    verdicts = [[(a["fixture"], a["format"], a["failure_category"], a["detail"]) for a in attempts(run)]
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


BAD = {
    "no set": (lambda folder: (folder / "set.yaml").unlink(), [], "miner stratify"),
    "no model": (without_model, [], "--model"),
    "unknown model": (lambda folder: None, ["--model", "gpt"], "unknown model: gpt"),
    "unknown format": (lambda folder: None, ["--format", "xml"], "unknown edit format: xml"),
    "edited patch": (with_edited_patch, [], "no longer rebuilds the solved tree"),
    "unreadable fixture": (with_broken_record, [], "unreadable fixture"),
    "damaged bundle": (with_broken_bundle, [], "starting trees are damaged"),
    "missing lock": (without_locks, [], "cannot read the lock"),
    "no replies": (lambda folder: None, ["--model", "replay:/nowhere"], "no stored replies"),
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


def test_usage_errors_exit_two_and_help_exits_zero() -> None:
    assert evaluator("run", "--nonsense").returncode == 2
    assert evaluator("--help").returncode == 0
    assert evaluator("run", "--help").returncode == 0
