import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from miner import errors
from miner.environments import Kind, entries, measure
from miner.prune import prune
from miner.trees import write_bundle

ROOT = Path(__file__).parents[2]
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="gives files to another user")
DAY = 86400
OLD, OTHER, NEW = "a1" * 10, "a2" * 10, "b1" * 10


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's, not made yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    return tmp_path / "xdg" / "edit-format-evaluator"


def age(path: Path, days: float) -> None:
    then = time.time() - days * DAY
    os.utime(path, (then, then))


def fill(folder: Path, days: float = 0, size: int = 20_000) -> Path:
    (folder / "lib").mkdir(parents=True)
    (folder / "lib" / "module.py").write_bytes(b"x" * size)
    age(folder, days)
    return folder


def environment(cache: Path, repository: str, digest: str, days: float = 0) -> Path:
    folder = fill(cache / "environments-2" / repository / digest, days)
    about = {"recipe": "python-pytest", "toolchain": "python 3.11.7", "variant": "editable", "built": "2026-01-01"}
    folder.with_suffix(".json").write_text(json.dumps(about))
    return folder


@pytest.fixture
def full(cache: Path) -> Path:
    """Two repositories, and everything else that a cache may hold."""
    environment(cache, "attrs", OLD, 40)
    environment(cache, "attrs", OTHER, 5)
    environment(cache, "click", NEW)
    for name, days in (("attrs", 40), ("click", 0)):
        fill(cache / "downloads" / name, days)
        fill(cache / "locks" / name, days)
    fill(cache / "trees" / ("c" * 32), 40)
    fill(cache / "uv", 40)
    return cache


def left(cache: Path) -> set[str]:
    """Where a filled folder still is, relative to the cache; `lib` is what `fill` makes."""
    return {str(path.parent.relative_to(cache)) for path in cache.rglob("lib")}


ALL = {
    f"environments-2/attrs/{OLD}", f"environments-2/attrs/{OTHER}", f"environments-2/click/{NEW}",
    "downloads/attrs", "downloads/click", "locks/attrs", "locks/click", f"trees/{'c' * 32}", "uv",
}  # fmt: skip

PRUNINGS = {
    "nothing asked for": ([], set()),
    "by digest": (["--prune", OTHER], {f"environments-2/attrs/{OTHER}"}),
    "by the beginning of a digest": (["--prune", "b1b1"], {f"environments-2/click/{NEW}"}),
    "by two digests": (
        ["--prune", OLD, "--prune", NEW], {f"environments-2/attrs/{OLD}", f"environments-2/click/{NEW}"},
    ),
    "older": (
        ["--prune-older", "30"],
        {f"environments-2/attrs/{OLD}", "downloads/attrs", "locks/attrs", f"trees/{'c' * 32}"},
    ),
    "older than part of a day": (
        ["--prune-older", "0.5"],
        {f"environments-2/attrs/{OLD}", f"environments-2/attrs/{OTHER}", "downloads/attrs", "locks/attrs",
         f"trees/{'c' * 32}"},
    ),
    "older, of one repository": (["--prune-older", "30", "--repository", "click"], set()),
    "all of one repository": (
        ["--prune-all", "--repository", "click"], {f"environments-2/click/{NEW}", "downloads/click", "locks/click"},
    ),
    "all": (["--prune-all"], ALL),
}  # fmt: skip


@pytest.mark.parametrize(("arguments", "gone"), PRUNINGS.values(), ids=PRUNINGS.keys())
def test_pruning_removes_what_was_asked_for_and_no_more(
    miner, full: Path, arguments: list[str], gone: set[str]
) -> None:
    result = miner("environments", *arguments)
    assert (result.code, result.err) == (0, "")
    assert left(full) == ALL - gone
    described = {str(path.with_suffix("").relative_to(full)) for path in full.glob("environments-2/*/*.json")}
    assert described == {path for path in left(full) if path.startswith("environments-2")}
    assert not list(full.rglob(".removing-*"))


def test_list_names_each_environment_and_totals_each_kind(miner, full: Path) -> None:
    result = miner("environments")
    rows = [row.split() for row in result.out.splitlines()]
    assert ["attrs", OLD, "python", "3.11.7", "editable"] in [row[:5] for row in rows]
    day = (datetime.now(UTC) - timedelta(days=40)).strftime("%Y-%m-%d")
    assert next(row for row in rows if OLD in row)[-2] == day
    assert {"environments 3", "download caches 2", "resolved locks 2", "starting trees 1", "in all 9"} <= {
        " ".join(row[:-2]) for row in rows
    }
    assert " ".join(miner("environments", "--repository", "click").out.split()).count(NEW) == 1
    assert OLD not in miner("environments", "--repository", "click").out


def test_pruning_says_what_it_freed(miner, full: Path) -> None:
    size = sum(measure(full / path) for path in ALL)
    before, result = measure(full), miner("environments", "--prune-all")
    words = result.out.split()
    assert words[0] == "freed"
    assert words[2].startswith("kB")
    assert float(words[1]) * 1000 == pytest.approx(size, rel=0.01)
    assert measure(full) < before - size + 1


@pytest.mark.parametrize("arguments", [[], ["--prune-all"], ["--prune-older", "1"], ["--repository", "no-such"]])
@pytest.mark.parametrize("made", [False, True], ids=["no folder", "empty folder"])
def test_empty_cache_is_no_error(miner, cache: Path, arguments: list[str], made: bool) -> None:
    if made:
        cache.mkdir(parents=True)
    result = miner("environments", *arguments)
    assert (result.code, result.err) == (0, "")
    assert "0 bytes" in result.out
    assert cache.exists() is made


@pytest.mark.parametrize(("digest", "message"), [
    ("ffff", "no such environment"), ("a", "more than one environment"), ("", "no such environment"),
    ("../attrs", "no such environment"), (f"{NEW}.json", "no such environment"),
])  # fmt: skip
def test_digest_that_names_not_one_environment_is_refused(miner, full: Path, digest: str, message: str) -> None:
    result = miner("environments", "--prune", digest)
    assert result.code == errors.EXPECTED
    assert message in result.err
    assert left(full) == ALL


@pytest.mark.parametrize("arguments", [
    ["--prune-all", "--prune-older", "1"], ["--prune-all", "--prune", "a"], ["--prune-older", "-1"],
])  # fmt: skip
def test_contradicting_options_are_wrong_usage(miner, full: Path, arguments: list[str]) -> None:
    assert miner("environments", *arguments).code == errors.USAGE
    assert left(full) == ALL


@pytest.mark.parametrize("arguments", [["--prune-all"], ["--prune-older", "1000"], ["--prune", NEW]], ids=str)
def test_builds_stay_for_a_day_and_then_are_litter(miner, full: Path, arguments: list[str]) -> None:
    names = ("environments-2/attrs/.building-x", "trees/.unpack-x", "downloads/.removing-x-y")
    young, old, removing = (fill(full / name) for name in names)
    age(old, 1.1)
    orphan = full / "environments-2/attrs/0000.json"
    orphan.write_text("{}")
    age(orphan, 2)
    result = miner("environments", *arguments)
    assert result.code == 0
    assert [path.exists() for path in (young, old, removing, orphan)] == [True, False, False, False]
    assert ("being built" in result.out) is (arguments == ["--prune-all"])


def test_size_is_what_du_says(tmp_path: Path) -> None:
    folder = fill(tmp_path / "sized")
    os.link(folder / "lib/module.py", folder / "again.py")
    fill(tmp_path / "outside", size=5_000_000)
    (folder / "out").symlink_to(tmp_path / "outside")
    (folder / "file-out").symlink_to(tmp_path / "outside/lib/module.py")
    (folder / "round").symlink_to(".")
    with (folder / "holes").open("wb") as file:
        file.truncate(50_000_000)
    said = subprocess.run(["du", "-sk", str(folder)], capture_output=True, text=True, check=True).stdout
    assert measure(folder) == int(said.split()[0]) * 1024
    assert measure(tmp_path / "nothing") == 0


def test_links_are_neither_followed_nor_removed_as_ours(miner, cache: Path, tmp_path: Path) -> None:
    outside = fill(tmp_path / "outside")
    folder = environment(cache, "attrs", OLD)
    (folder / "out").symlink_to(outside)
    for place in (f"environments-2/attrs/{OTHER}", "environments-2/linked", "downloads/linked", "trees/linked", "link"):
        (cache / place).parent.mkdir(parents=True, exist_ok=True)
        (cache / place).symlink_to(outside)
    assert [entry.path for entry in entries()] == [folder]
    assert miner("environments", "--prune-all").code == 0
    assert not folder.exists()
    assert (outside / "lib/module.py").exists()


def test_deep_folders_and_odd_names_are_removed(miner, cache: Path) -> None:
    folder = environment(cache, "attrs", OLD)
    (folder / "-rf\n\x1b[31m").write_text("x")
    descriptor = os.open(folder, os.O_RDONLY)
    for _ in range(1200):  # Python's own removal gives up at 1000
        os.mkdir("nested", dir_fd=descriptor)
        below = os.open("nested", os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = below
    os.close(descriptor)
    assert miner("environments").code == 0
    assert miner("environments", "--prune-all").code == 0
    assert list((cache / "environments-2/attrs").iterdir()) == []


@pytest.mark.parametrize("content", [None, b"", b"[1]", b"{", b"\xff", b'{"toolchain": 3}'])
def test_environment_with_a_damaged_description_is_listed_and_goes(miner, cache: Path, content: bytes | None) -> None:
    folder = environment(cache, "attrs", OLD)
    folder.with_suffix(".json").unlink()
    if content is not None:
        folder.with_suffix(".json").write_bytes(content)
    assert f"attrs {OLD}" in " ".join(miner("environments").out.split())
    assert miner("environments", "--prune", OLD).code == 0
    assert list(folder.parent.iterdir()) == []


def test_what_is_listed_cannot_drive_a_terminal(miner, cache: Path) -> None:
    folder = environment(cache, "attrs", OLD)
    folder.with_suffix(".json").write_text(json.dumps({"toolchain": "\x1b[31mred", "variant": "[bold]loud"}))
    out = miner("environments").out
    assert "\x1b" not in out
    assert "[bold]loud" in out


def test_prunings_at_once_do_not_trip_over_each_other(cache: Path) -> None:
    folders = [environment(cache, "attrs", f"{n:020x}") for n in range(12)]
    everything = entries()
    with ThreadPoolExecutor(4) as pool:
        outcomes = [one for many in pool.map(lambda _: prune(everything, everything), range(4)) for one in many]
    assert not any(outcome.failed for outcome in outcomes)
    assert not any(folder.exists() for folder in folders)
    assert sum(outcome.freed > 0 for outcome in outcomes) == len(folders)
    assert not list(cache.rglob(".removing-*"))


ASKED = """
from datetime import UTC, datetime
from pathlib import Path
from miner import environment
from miner.recipes.model import Project, Toolchain
from miner.recipes.python import PythonRecipe
project = Project(frozenset(), lambda path: None, datetime.now(UTC))
environment.cached(PythonRecipe(), project, Toolchain("python", "3.11.7", Path("python"), ()), "attrs", "", "path")
"""
OPENED = """
import sys
from pathlib import Path
from miner.trees import open_bundle
open_bundle(Path(sys.argv[1]))
"""


@pytest.fixture
def holding(cache: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts processes that use the cache as a harvest or a run would, until they are killed."""
    started: list[subprocess.Popen[str]] = []

    def start(script: str, *arguments: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", f"{script}\nprint('held', flush=True)\ninput()", *arguments]
        process = subprocess.Popen(command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def test_what_a_running_command_uses_of_a_repository_stays_until_it_ends(miner, full: Path, holding) -> None:
    process = holding(ASKED)
    result = miner("environments", "--prune-all")
    assert result.code == 0
    assert left(full) == {path for path in ALL if "attrs" in path}
    assert result.out.count("in use by a running command") == 4
    process.kill()
    process.wait()
    assert miner("environments", "--prune-all").code == 0
    assert left(full) == set()


def test_starting_trees_in_use_stay_until_the_command_ends(
    miner, repo, borrowed, tmp_path: Path, cache: Path, holding
) -> None:
    repo.commit("Start", {"a.py": "x = 1\n"})
    write_bundle(borrowed(repo)[0], [repo.git("rev-parse", "HEAD^{tree}")], tmp_path / "trees.bundle")
    first, process = (holding(OPENED, str(tmp_path / "trees.bundle")) for _ in range(2))
    first.kill()
    first.wait()  # the second found the trees unpacked, and holds them too
    (trees,) = (cache / "trees").iterdir()
    assert "in use" in miner("environments", "--prune-all").out
    assert (trees / "objects").is_dir()
    process.kill()
    process.wait()
    assert miner("environments", "--prune-all").code == 0
    assert not trees.exists()


def as_nobody(do: Callable[[], None]) -> None:
    """Run in a process of a user without privileges; an assertion that fails there fails here."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setgid(65534)
            os.setuid(65534)
            do()
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0


@pytest.fixture
def shared(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A cache that everybody may write to."""
    folder = Path(tempfile.mkdtemp(prefix="shared-"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    yield folder / "edit-format-evaluator"
    shutil.rmtree(folder)


def open_up(folder: Path, owner: int) -> None:
    for path in (folder, *folder.rglob("*")):
        os.chown(path, owner, owner)
        path.chmod(0o777)


@as_root
def test_root_removes_what_the_sandbox_user_owns(miner, cache: Path) -> None:
    folder = environment(cache, "attrs", OLD)
    open_up(folder, 60613)
    assert miner("environments", "--prune-all").code == 0
    assert not folder.exists()


@as_root
def test_another_users_environment_is_left_whole_and_said(shared: Path) -> None:
    theirs, ours = environment(shared, "attrs", OLD), environment(shared, "attrs", NEW)
    open_up(shared.parent, 65534)
    open_up(theirs, 60613)
    (ours / "kept").mkdir()
    (ours / "kept" / "file").write_text("x")
    (ours / "kept").chmod(0o755)

    def do() -> None:
        everything = [entry for entry in entries() if entry.kind is Kind.ENVIRONMENT]
        said = {outcome.entry.path.name: outcome for outcome in prune(everything, everything)}
        assert said[OLD].failed
        assert "belongs to user 60613" in said[OLD].kept
        assert said[NEW].failed  # a folder of root's inside it cannot be emptied
        assert "Permission denied" in said[NEW].kept
        assert said[NEW].freed > 0

    as_nobody(do)
    assert (theirs / "lib/module.py").exists()
    assert theirs.with_suffix(".json").exists()
    assert not ours.exists()


@as_root
def test_read_only_folders_of_ones_own_are_removed(shared: Path) -> None:
    folder = fill(shared / "downloads" / "attrs")
    open_up(shared.parent, 65534)
    for path in (folder / "lib/module.py", folder / "lib", folder):
        path.chmod(0o555)

    def do() -> None:
        everything = entries()
        assert [outcome.failed for outcome in prune(everything, everything)] == [False]

    as_nobody(do)
    assert not list((shared / "downloads").iterdir())
