"""How `evaluator run` ends where it cannot do all, as people type it."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluator.journal import load_run, read_attempts
from evaluator.running.place import remove_if_unused
from evaluator.taxonomy import Discard
from tests.evaluator.models.model_server import Act, ModelServer, serving

ROOT = Path(__file__).parents[2]
ONE = ["--only", "billing/149-retry-settlement-posts-on-transient-gateway", "--attempts", "1"]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving() as running:
        yield running


def run(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "evaluator.cli", "run", ROOT / "fixtures", "--runs", "runs", *arguments]
    return subprocess.run(
        [*map(str, command)], capture_output=True, text=True, timeout=200, cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def begun(folder: Path) -> Path:
    (place,) = (folder / "runs").iterdir()
    return place


def test_the_hint_comes_though_a_call_that_was_under_way_ended_last(tmp_path: Path) -> None:
    slow = ["--model", "command:sh -c 'sleep 3; echo hello'", "--workers", 1, "--max-time", "1"]
    done = run(tmp_path, *ONE, "--format", "udiff", "--format", "whole_file", *slow)
    assert done.returncode == 0, done.stderr
    lines = read_attempts(begun(tmp_path) / "attempts.jsonl")
    assert [line.discarded for line in lines] == [Discard.BUDGET_EXHAUSTED, None]
    assert "The run's money or time is used up. Go on with: evaluator run" in done.stderr


def test_a_run_that_ends_at_its_first_call_leaves_no_folder(tmp_path: Path, server: ModelServer) -> None:
    server.answer = lambda asked: Act(status=401, error={"message": "who are you"})
    done = run(tmp_path, *ONE, "--model", "openai:m", "--base-url", server.base_url("openai"))
    assert (done.returncode, "who are you" in done.stderr, "never awaited" in done.stderr) == (1, True, False)
    assert "there is no run to go on with" in done.stderr
    assert list((tmp_path / "runs").iterdir()) == []


def test_what_was_stored_stays_and_a_folder_with_anything_else_too(tmp_path: Path) -> None:
    place = tmp_path / "run"
    place.mkdir()
    for name in ("run.yaml", ".lock", "attempts.jsonl", "calls.jsonl"):
        (place / name).touch()
    (place / "calls.jsonl").write_text("{}\n")
    assert not remove_if_unused(place)
    (place / "calls.jsonl").write_text("")
    (place / "notes.txt").touch()
    assert not remove_if_unused(place)
    assert len(list(place.iterdir())) == 5, "nothing of it was taken"
    (place / "notes.txt").unlink()
    assert remove_if_unused(place)
    assert not place.exists()


def test_a_time_limit_that_cut_nothing_may_be_another_when_a_run_is_gone_on_with(tmp_path: Path) -> None:
    slow = ["--format", "udiff", "--model", "command:sh -c 'test -e fast || sleep 60; echo hello'"]
    done = run(tmp_path, *ONE, *slow, "--timeout", 1)
    assert done.returncode == 1
    assert "none of the 2 calls was answered: no output within 1 seconds (--timeout)" in done.stderr
    assert "discarded: infra_error: no output within 1 seconds" in done.stderr
    (tmp_path / "fast").touch()
    place = begun(tmp_path)
    done = run(tmp_path, "--resume", place, "--again", "--timeout", 60)
    assert done.returncode == 0, done.stderr
    assert load_run(place).call.timeout_seconds == 60
    assert [line.discarded for line in read_attempts(place / "attempts.jsonl")][2:] == [None]


def test_replies_are_spoken_of_where_there_are_some(tmp_path: Path) -> None:
    done = run(tmp_path, *ONE, "--format", "udiff", "--model", "simulated:perfect")
    assert "every prompt and reply: " in done.stdout
    replies = begun(tmp_path) / "replies"
    replies.rename(tmp_path / "elsewhere")
    again = subprocess.run(
        [sys.executable, "-m", "evaluator.cli", "report", str(begun(tmp_path))], capture_output=True, text=True,
        timeout=100, cwd=ROOT,
    )  # fmt: skip
    assert (again.returncode, "every prompt and reply" in again.stdout) == (0, False), again.stderr
