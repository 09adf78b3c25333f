"""`miner harvest --repo org/svc` as a process: its outcome, that a kill costs nothing, that the token stays secret."""

import base64
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from miner.fixtures import load_fixture
from miner.kind import Kind
from tests.miner.github_history import History, build_history
from tests.miner.github_server import TOKEN, Fault, GitHub, serving

ROOT = Path(__file__).parents[2]
LIMIT = 60
SECRETS = [TOKEN.encode(), base64.b64encode(f"x-access-token:{TOKEN}".encode())]


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    """260 closed pull requests, 174 of them merged: two pages. Read it only."""
    return build_history(tmp_path_factory.mktemp("github") / "svc.git", 260)


@pytest.fixture
def github(history: History) -> Iterator[GitHub]:
    with serving(history) as server:
        yield server


def start(github: GitHub, tmp_path: Path, *options: str, token: str | None = TOKEN) -> subprocess.Popen[str]:
    """A harvest below `tmp_path`, where everything that it can write is."""
    kept = {name: value for name, value in os.environ.items() if "TOKEN" not in name}
    env = kept | ({"GITHUB_TOKEN": token} if token else {}) | {
        "HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home/cache"), "TMPDIR": str(tmp_path / "tmp"),
        "GITHUB_API_URL": github.api,
    }  # fmt: skip
    (tmp_path / "tmp").mkdir(exist_ok=True)
    command = [sys.executable, "-m", "miner.cli", "harvest", "--repo", "org/svc", "--no-prove", "--last", "120"]
    return subprocess.Popen(
        [*command, "--out", str(tmp_path / "out"), *options], cwd=ROOT, env=env | {"PYTHONPATH": str(ROOT)}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def lines_of(tmp_path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (tmp_path / "out/svc/harvest.jsonl").read_text().splitlines()]


class CommandLines(threading.Thread):
    """Reads the command lines of a process and all its descendants, as often as it can."""

    def __init__(self, root: int) -> None:
        super().__init__(daemon=True)
        self.root, self.seen, self.over = root, set(), threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.005):
            waiting = [self.root]
            while waiting:
                process = waiting.pop()
                try:
                    self.seen.add(Path(f"/proc/{process}/cmdline").read_bytes())
                    children = Path(f"/proc/{process}/task/{process}/children").read_text()
                except OSError:
                    continue
                waiting += map(int, children.split())


def test_nothing_that_a_run_writes_says_or_starts_has_the_token(github: GitHub, tmp_path: Path) -> None:
    github.faults = [None, Fault(500, {}, {"message": "Server Error"})]
    process = start(github, tmp_path)
    watch = CommandLines(process.pid)
    watch.start()
    out, err = process.communicate(timeout=LIMIT)
    watch.over.set()
    watch.join()
    assert process.returncode == 0, err
    assert "asking again in" in out + err
    assert len(lines_of(tmp_path)) == 120
    assert any(asked.authorization.endswith(TOKEN) for asked in github.asked)  # it was used,
    assert any(asked.authorization.encode().endswith(SECRETS[1]) for asked in github.fetched)  # by git as well
    assert any(b"fetch" in line for line in watch.seen)  # git was seen at work
    written = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert len(written) > 100
    said = {"stdout": out.encode(), "stderr": err.encode(), "command lines": b"\n".join(watch.seen)}
    for secret in SECRETS:
        assert [name for name, content in {**said, **written}.items() if secret in content] == []


@pytest.mark.parametrize("fault", [Fault(401, {}, {"message": "Bad credentials"}), Fault(500, {}, None)])
def test_neither_has_what_is_left_of_one_that_was_killed_or_refused(
    github: GitHub, tmp_path: Path, fault: Fault
) -> None:
    github.faults = [None, fault, *([Fault(hang=True)] if fault.status == 500 else [])]
    process = start(github, tmp_path)
    if fault.status == 500:
        wait_for(github, 3)
        process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == (130 if fault.status == 500 else 1), err
    written = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    for secret in SECRETS:
        assert [name for name, content in {"out": out.encode(), "err": err.encode(), **written}.items()
                if secret in content] == []  # fmt: skip


def wait_for(github: GitHub, questions: int) -> None:
    deadline = time.monotonic() + LIMIT
    while len(github.asked) < questions and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(github.asked) == questions


@pytest.mark.parametrize("token", [TOKEN, None], ids=["graphql", "rest"])
def test_a_kill_repeats_no_finished_question_and_the_outcome_is_the_same(
    github: GitHub, tmp_path: Path, token: str | None
) -> None:
    if token is None:
        github.open_to_all = True
    github.faults = [None, None, Fault(hang=True)]
    process = start(github, tmp_path, token=token)
    wait_for(github, 3)
    process.kill()
    process.communicate(timeout=LIMIT)
    finished = [(asked.path, asked.query, asked.body) for asked in github.asked[:2]]
    github.asked.clear()
    process = start(github, tmp_path, token=token)
    _, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, err
    assert not [asked for asked in github.asked if (asked.path, asked.query, asked.body) in finished]
    assert [line["number"] for line in lines_of(tmp_path)] == [str(p.number) for p in github.history.newest_merged(120)]
    listings = list((tmp_path / "home/cache").rglob("pages.jsonl"))
    assert listings == []  # it has ended: nothing is left to go on with


def test_what_is_asked_for_is_told_by_github_and_no_page_of_older_ones_is_read(github: GitHub, tmp_path: Path) -> None:
    newest = github.history.newest_merged(30)
    asked = ["--label", "BUG", "--author", "@ann", "--since", newest[-1].merged or ""]
    process = start(github, tmp_path, *asked, "--dry-run")
    out, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, err
    wanted = [pull.number for pull in newest if "bug" in pull.labels]
    assert ["looked", "at", str(len(wanted))] in [row.split() for row in out.splitlines()]
    assert not (tmp_path / "out").exists()
    questions = len(github.asked)
    process = start(github, tmp_path, *asked)
    _, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, err
    assert [int(str(line["number"])) for line in lines_of(tmp_path)] == wanted
    assert questions == 2, "the repository and a page"


def test_labels_and_closed_issues_reach_the_fixture(github: GitHub, tmp_path: Path) -> None:
    process = start(github, tmp_path, "--last", "20")
    _, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, err
    kept = {str(line["number"]): str(line["fixture"]) for line in lines_of(tmp_path) if "fixture" in line}
    folders = {number: tmp_path / "out" / fixture for number, fixture in kept.items()}
    told = {number: load_fixture(folder) for number, folder in folders.items()}
    posted = [pull for pull in github.history.newest_merged(20) if str(pull.number) in told]
    assert {pull.number: told[str(pull.number)].kind is Kind.BUG_FIX for pull in posted} == {
        pull.number: "bug" in pull.labels for pull in posted
    }
    closing = [pull for pull in posted if pull.closes]
    assert closing
    for pull in closing:
        issue = pull.closes[0]
        prompt = (folders[str(pull.number)] / "prompt.md").read_text()
        assert prompt.startswith(f"# {pull.title}\n")
        assert prompt.endswith(f"## Issue {issue.number}: {issue.title}\n\n{issue.body}\n")
