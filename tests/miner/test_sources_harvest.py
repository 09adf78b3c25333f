"""`miner harvest --repo URL`: the same outcome as from a local clone, few contents, kills and races survived."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from miner.asked import Options
from miner.fixtures import load_fixture
from miner.harvest import harvest
from miner.rare import Rare
from miner.sources.remote import RemoteSource
from miner.sources.urls import parse_url
from miner.strata import Definition
from tests.miner.clone_history import build_long_history, git
from tests.miner.conftest import Harvested, Repo
from tests.miner.git_server import GitServer, serving_git
from tests.miner.test_sources_clone import unpack

ROOT = Path(__file__).parents[2]
LIMIT = 60


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """500 changes. Read it only."""
    return build_long_history(tmp_path_factory.mktemp("served") / "x.git", 500)


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def server(history: Path) -> Iterator[GitServer]:
    with serving_git(history.parent) as serving:
        yield serving


def start(url: str, out: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "miner.cli", "harvest", "--repo", url, "--no-prove", "--out", str(out)]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [*command, *options], cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def lines(out: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in next(out.glob("*/harvest.jsonl")).read_text().splitlines()]


def contents_here(cache: Path) -> int:
    (folder,) = (cache / "edit-format-evaluator/clones").iterdir()
    return git(folder, "cat-file", "--batch-all-objects", "--batch-check=%(objecttype)").split().count("blob")


def test_a_harvest_of_a_few_changes_fetches_few_contents(
    miner: Callable[..., SimpleNamespace], server: GitServer, tmp_path: Path, own_cache: Path
) -> None:
    done = miner("harvest", "--repo", server.url("x.git"), "--last", 5, "--no-prove", "--out", tmp_path / "out")
    assert done.code == 0, done.err
    assert [line["fixture"] is not None for line in lines(tmp_path / "out")] == [True] * 5
    # Of 1,050: those of the newest tree, and two for each of five changes.
    assert contents_here(own_cache) == 50 + 10
    assert len([each for each in server.packs if each.size > 2000]) <= 5
    record = (tmp_path / "out/x/repo.yaml").read_text()
    assert server.url("x.git") in record


def test_from_a_url_comes_what_comes_from_a_clone(
    demonstration: Path, unproved: Harvested, tmp_path: Path, own_cache: Path
) -> None:
    url = served(demonstration, tmp_path / "billing.git").as_uri()
    source = RemoteSource(parse_url(url))
    found = harvest(Options(url, tmp_path / "out", "billing", prove=False, source=source), lambda line: None)
    assert contents_here(own_cache) > 0
    assert found == unproved.lines
    for line in found:
        if line.fixture:
            folders = [out / line.fixture for out in (tmp_path / "out", unproved.out)]
            assert load_fixture(folders[0]) == load_fixture(folders[1])
            for name in ("change.patch", "tests.patch", "prompt.md"):
                assert (folders[0] / name).read_bytes() == (folders[1] / name).read_bytes()


def test_rare_strata_come_first_from_a_url_as_from_a_clone(demonstration: Path, tmp_path: Path) -> None:
    url = served(demonstration, tmp_path / "billing.git").as_uri()
    first = Rare(("large", "past"), 800, Definition())
    asked = Options(demonstration, tmp_path / "clone", "billing", last=4, prove=False, rare=first)
    from_clone = harvest(asked, lambda line: None)
    remote = replace(asked, repo=url, out=tmp_path / "url", source=RemoteSource(parse_url(url)))
    assert harvest(remote, lambda line: None) == from_clone
    kept = [line for line in from_clone if line.fixture]
    assert len(kept) == 4
    assert all({"large", "past"} & first.of(line) for line in kept)
    assert any(line.is_candidate and not line.fixture for line in from_clone)


def served(repository: Path, path: Path) -> Path:
    """A bare copy of a repository that gives parts of itself."""
    git(repository, "clone", "--quiet", "--bare", str(repository), str(path))
    git(path, "config", "uploadpack.allowFilter", "true")
    return path


def test_odd_names_endings_renames_and_binary_files_come_through(
    repo: Repo, tmp_path: Path, miner: Callable[..., SimpleNamespace]
) -> None:
    body = "".join(f"    # line {row}\n" for row in range(30))
    repo.commit("Start", {
        "src/a b.py": "x = 1\r\ny = 2\r\n", "src/ü\"q.py": "x = 1\n", "src/old.py": f"def f():\n{body}    return 1\n",
        "tests/test_a.py": "def test(): pass\n", "logo.py": b"\0\1\2" * 100,
    })  # fmt: skip
    repo.commit("Endings (#1)", {"src/a b.py": "x = 3\r\ny = 2\r\n", "tests/test_a.py": "def test(): assert 1\n"})
    repo.commit("Names (#2)", {"src/ü\"q.py": "x = 2\n", "tests/test_ä\tb.py": "def test(): pass\n"})
    repo.commit("Names (#3)", {"src/ü\"q.py": "x = 3", "tests/test_ä.py": "def test(): pass\n"})
    repo.git("mv", "src/old.py", "src/new.py")
    repo.commit("Move (#4)", {"src/a b.py": "x = 4\r\n", "tests/test_a.py": "def test(): assert 2\n"})
    repo.commit("Picture (#5)", {"logo.py": b"\0\2\1" * 90, "tests/test_a.py": "def test(): assert 3\n"})
    results = []
    for kind in ("url", "path"):
        place = served(repo.path, tmp_path / "sample.git").as_uri() if kind == "url" else str(repo.path)
        done = miner("harvest", "--repo", place, "--no-prove", "--out", tmp_path / kind)
        assert done.code == 0, done.err
        results.append((tmp_path / kind / "sample/harvest.jsonl").read_text())
    assert results[0] == results[1]
    rejections = {line["number"]: line["rejection"] for line in lines(tmp_path / "url")}
    assert rejections == {"1": None, "2": "unusable_name", "3": None, "4": None, "5": "binary_or_submodule"}
    for line in lines(tmp_path / "url"):
        if line["fixture"]:
            checked_out = tmp_path / "trees" / str(line["number"])
            done = miner("checkout", line["fixture"], checked_out, "--fixtures", tmp_path / "url")
            assert done.code == 0, done.err
            for patch in ("tests.patch", "change.patch"):
                git(checked_out, "apply", str(tmp_path / "url" / str(line["fixture"]) / patch))


def test_what_the_server_lacks_is_a_rejection(tmp_path: Path, miner: Callable[..., SimpleNamespace]) -> None:
    source = build_long_history(tmp_path / "served/x.git", 6)
    names = ("main:pkg/m5.py", "main~1:pkg/m6.py")  # of change 5 the file's new contents, of change 6 the old
    gone = [git(source, "rev-parse", name) for name in names]
    unpack(source)
    for each in gone:
        (source / "objects" / each[:2] / each[2:]).unlink()
    done = miner("harvest", "--repo", source.as_uri(), "--no-prove", "--out", tmp_path / "out")
    assert done.code == 0, done.err
    # The contents that change 6 lacks are in the starting trees of all before it.
    assert {line["rejection"] for line in lines(tmp_path / "out")} == {"missing_blob"}
    gone_after = [line["detail"] for line in lines(tmp_path / "out")]
    assert gone_after == ["", "", *["a file of the starting tree"] * 4]


@pytest.mark.parametrize("moment", ["history", "contents"])
def test_a_kill_in_a_fetch_leaves_a_clone_that_is_gone_on_with(
    server: GitServer, tmp_path: Path, own_cache: Path, moment: str
) -> None:
    if moment == "contents":
        process = start(server.url("x.git"), tmp_path / "first", "--last", "1")
        assert process.wait(LIMIT) == 0
    server.does.stall = over = threading.Event()
    process = start(server.url("x.git"), tmp_path / "out", "--last", "8")
    assert server.does.stalled.wait(LIMIT)
    process.kill()
    process.communicate(timeout=LIMIT)
    (folder,) = (own_cache / "edit-format-evaluator/clones").iterdir()
    left = list(folder.rglob("objects/pack/*tmp_*"))
    with (folder / "fetching").open("rb") as lock, pytest.raises(BlockingIOError):
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)  # its git is still at work there
    server.answered.clear()
    again = start(server.url("x.git"), tmp_path / "out", "--last", "8")
    over.set()  # the git of the one that was killed may end, and lets the other go on
    _, err = again.communicate(timeout=LIMIT)
    assert again.returncode == 0, err
    assert len(lines(tmp_path / "out")) == 8
    assert not [path for path in left if path.exists()]
    if moment == "contents":
        assert max(each.size for each in server.packs) < 50_000  # the history did not come again


def test_an_interrupt_in_a_fetch_ends_it(server: GitServer, tmp_path: Path) -> None:
    server.does.stall = threading.Event()
    process = start(server.url("x.git"), tmp_path / "out", "--last", "8")
    assert server.does.stalled.wait(LIMIT)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=LIMIT)
    assert process.returncode == 130, err
    assert "Traceback" not in err


def test_harvests_of_one_url_at_the_same_time(server: GitServer, tmp_path: Path, own_cache: Path) -> None:
    processes = [start(server.url("x.git"), tmp_path / str(i), "--last", "6") for i in range(3)]
    for process in processes:
        _, err = process.communicate(timeout=LIMIT)
        assert process.returncode == 0, err
    assert len({(tmp_path / str(i) / "x/harvest.jsonl").read_text() for i in range(3)}) == 1
    assert contents_here(own_cache) == 50 + 12


def test_a_history_with_no_merged_change_says_so(
    repo: Repo, tmp_path: Path, miner: Callable[..., SimpleNamespace]
) -> None:
    repo.commit("Start", {"a.py": "x\n"})
    done = miner("harvest", "--repo", repo.path.as_uri(), "--no-prove", "--out", tmp_path / "out")
    assert done.code == 1
    assert done.err.splitlines()[-1].startswith(f"miner: no merged change found: {repo.path.as_uri()}.")
    assert "GitHub" not in done.err
