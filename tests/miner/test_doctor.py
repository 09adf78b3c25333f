import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from miner import errors
from miner.doctor import examination, machine, outside
from miner.doctor.clone import examine
from miner.doctor.model import Check, Status, dotted, said_by, version_in
from miner.sandbox import find_bubblewrap

ROOT = Path(__file__).parents[2]
OK, OPTIONAL, MISSING = Status.OK, Status.OPTIONAL, Status.MISSING
GIB = 1 << 30

VERSIONS = {
    "git": ("git version 2.39.5", "git", (2, 39, 5)),
    "Apple's git": ("git version 2.39.5 (Apple Git-154)", "git", (2, 39, 5)),
    "node": ("v20.20.2\n", "node", (20, 20, 2)),
    "go": ("go version go1.19.8 linux/amd64", "go", (1, 19, 8)),
    "java": ('openjdk version "17.0.15" 2025-04-15', "java", (17, 0, 15)),
    "gradle, which names its Java first": ('openjdk version "17.0.15"\nGradle 4.4.1\n', "gradle", (4, 4, 1)),
    "maven": ("\x1b[1mApache Maven 3.8.7\x1b[m\nJava version: 17.0.15", "mvn", (3, 8, 7)),
    "none": ("command not found", "git", ()),
    "no number with a dot": ("version 7", "git", ()),
}


@pytest.mark.parametrize(("said", "name", "version"), VERSIONS.values(), ids=VERSIONS.keys())
def test_version_is_read_from_what_a_program_says(said: str, name: str, version: tuple[int, ...]) -> None:
    assert version_in(said, name) == version


GITS = {
    "current": ("git version 2.51.0", OK, ""),
    "Debian 12": ("git version 2.39.5", OK, ""),
    "without protected configuration": ("git version 2.37.1", OPTIONAL, "another user"),
    "the oldest that serves": ("git version 2.36.0", OPTIONAL, "another user"),
    "Ubuntu 22.04": ("git version 2.34.1", MISSING, "cat-file --batch-command"),
    "before GIT_CONFIG_COUNT": ("git version 2.30.2", MISSING, "GIT_CONFIG_COUNT"),
    "not git": ("hello", MISSING, "2.36"),
}


@pytest.mark.parametrize(("said", "status", "remedy"), GITS.values(), ids=GITS.keys())
def test_git_is_judged_by_what_our_commands_need(said: str, status: Status, remedy: str) -> None:
    check = machine.git_version(said)
    assert check.status is status
    assert remedy in check.remedy


ROOMS = [
    (machine.disk(50 * GIB), OK), (machine.disk(5 * GIB), OPTIONAL), (machine.disk(GIB // 2), MISSING),
    (machine.memory(16 * GIB), OK), (machine.memory(2 * GIB), OPTIONAL), (machine.memory(None), OPTIONAL),
]  # fmt: skip


@pytest.mark.parametrize(("check", "status"), ROOMS, ids=str)
def test_room_is_judged_by_what_is_free(check: Check, status: Status) -> None:
    assert check.status is status
    assert bool(check.remedy) is (status is not OK and check.found != "not known")


SETTINGS = {
    "a kernel without the settings": ({}, OK),
    "allowed": ({"user/max_user_namespaces": "63000", "kernel/unprivileged_userns_clone": "1"}, OK),
    "none at all": ({"user/max_user_namespaces": "0"}, OPTIONAL),
    "Debian's switch": ({"kernel/unprivileged_userns_clone": "0"}, OPTIONAL),
    "Ubuntu's AppArmor": ({"kernel/apparmor_restrict_unprivileged_userns": "1"}, OPTIONAL),
}


@pytest.mark.parametrize(("settings", "status"), SETTINGS.values(), ids=SETTINGS.keys())
def test_user_namespaces_are_judged_by_the_kernels_settings(settings: dict[str, str], status: Status) -> None:
    check = machine.user_namespaces(settings)
    assert check.status is status
    assert all((name.replace("/", ".") in check.remedy) is (status is not OK) for name in settings)


NEEDS = {
    "npm": (("package.json",), {"package.json", "yarn.lock"}, ["node", "npm"]),
    "go": (("go.mod",), {"go.mod"}, ["go"]),
    "rust": (("Cargo.toml",), {"Cargo.toml", "package.json"}, ["cargo"]),
    "maven": (("pom.xml", "build.gradle"), {"pom.xml"}, ["java", "mvn"]),
    "gradle": (("pom.xml", "build.gradle"), {"build.gradle"}, ["java", "gradle"]),
    "python beside a front end": (("pyproject.toml",), {"pyproject.toml", "package.json"}, []),
}


@pytest.mark.parametrize(("manifests", "paths", "names"), NEEDS.values(), ids=NEEDS.keys())
def test_programs_are_needed_by_the_recipe_that_was_chosen(
    manifests: tuple[str, ...], paths: set[str], names: list[str]
) -> None:
    assert outside.needed_programs(manifests, paths) == names


def script(folder: Path, name: str, body: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def one(checks: list[Check], name: str) -> Check:
    (found,) = [check for check in checks if check.name == name]
    return found


def test_needed_program_that_is_absent_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    script(tmp_path, "cargo", "echo 'cargo 1.95.0 (f2d3ce0bd 2026-03-21)'")
    script(tmp_path, "node", "exit 3")
    checks = outside.programs(["go", "node", "cargo"])
    assert (one(checks, "go").status, one(checks, "go").found) == (MISSING, "not found")
    assert "Install go" in one(checks, "go").remedy
    assert one(checks, "node") == Check(
        "node", MISSING, f"{tmp_path}/node does not start", "Install node: this repository's tests need it."
    )
    assert one(checks, "cargo") == Check("cargo", OK, "1.95.0")
    assert one(checks, "mvn") == Check("mvn", OPTIONAL, "not found")


def test_programs_beside_the_toolchain_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    script(tmp_path / "nvm", "npm", "echo 11.19.1")
    assert one(outside.programs(["npm"], [str(tmp_path / "nvm")]), "npm") == Check("npm", OK, "11.19.1")


def test_program_that_fails_or_is_absent_says_nothing(tmp_path: Path) -> None:
    assert said_by(str(script(tmp_path, "both", "echo out; echo err >&2"))) == "out\nerr\n"
    assert said_by(str(script(tmp_path, "fails", "echo 1.2; exit 1"))) is None
    assert said_by(str(tmp_path / "absent")) is None
    assert said_by(str(script(tmp_path, "asks", "read line || echo no input"))) == "no input\n"


@pytest.fixture
def index() -> Iterator[Callable[[int], str]]:
    """Starts an index on loopback that answers with a status; its address without the scheme."""
    servers: list[ThreadingHTTPServer] = []

    def start(status: int) -> str:
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(status if self.path == "/simple/pip/" else 500)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *arguments: object) -> None:
                pass

        servers.append(ThreadingHTTPServer(("127.0.0.1", 0), Handler))
        threading.Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"127.0.0.1:{servers[-1].server_address[1]}/simple"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize("status", [200, 401, 404])
def test_index_that_answers_is_ok(
    index: Callable[[int], str], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("no_proxy", "*")
    address = index(status)
    check = outside.package_index({"UV_INDEX_URL": f"http://user:s3cret@{address}/", "GOPROXY": "https://x:y@go"})
    assert (check.status, check.found) == (OK, f"http://{address}/, also GOPROXY")


def test_index_that_does_not_answer_is_said(index: Callable[[int], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "*")
    port = index(200)
    for address in ("http://user:s3cret@127.0.0.1:1/simple", "not an address", f"https://{port}"):
        check = outside.package_index({"UV_DEFAULT_INDEX": address, "UV_INDEX_URL": f"http://{port}"})
        assert check.status is OPTIONAL, address
        assert "UV_DEFAULT_INDEX" in check.remedy
        assert "s3cret" not in str(check)


def test_token_is_found_and_never_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert outside.github_token({}).status is OPTIONAL
    assert outside.github_token({"GITHUB_TOKEN": ""}).status is OPTIONAL
    for name in ("GITHUB_TOKEN", "GH_TOKEN"):
        assert outside.github_token({name: "ghp_s3cret"}) == Check("GitHub token", OK, f"{name} is set")
    script(tmp_path, "gh", 'test "$*" = "auth token" && echo ghp_s3cret')
    assert outside.github_token({}) == Check("GitHub token", OK, "gh is logged in")
    script(tmp_path, "gh", "echo not logged in >&2; exit 1")
    assert outside.github_token({}).status is OPTIONAL


def test_cache_that_cannot_be_written_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "new"))
    assert machine.cache_writable().status is OK
    assert machine.room()[0].found.endswith("GiB free")
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    check = machine.cache_writable()
    assert check.status is MISSING
    assert "XDG_CACHE_HOME" in check.remedy
    assert machine.room()[0].name == "disk"


def test_sandbox_of_this_machine_starts() -> None:
    check = machine.sandbox_starts()
    assert check.status in (OK, OPTIONAL)
    assert check.found.startswith("bubblewrap 0.")
    assert ("with overlays" in check.found) is (check.status is OK)


def test_sandbox_that_does_not_start_is_missing_with_the_remedy() -> None:
    code = "from miner.doctor.machine import sandbox_starts as s; c = s(); print(c.status, c.found, c.remedy, sep='|')"
    confined = [str(find_bubblewrap()), "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--"]
    done = subprocess.run([*confined, sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    status, found, remedy = done.stdout.strip().split("|")
    assert status == "missing", done.stderr
    assert found.startswith("the sandbox does not start: ")
    assert "user namespaces" in remedy


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives trees to the sandbox's user")
def test_sandbox_without_its_tools_on_the_path_is_missing(tmp_path: Path) -> None:
    (tmp_path / "true").symlink_to(shutil.which("true") or "")
    code = "from miner.doctor.machine import sandbox_starts as s; c = s(); print(c.status, c.found, c.remedy, sep='|')"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env={"PATH": str(tmp_path)}
    )
    assert done.stdout.startswith("missing|No such file or directory: chown|Have /usr/bin"), done.stderr


def statuses(checks: list[Check]) -> dict[str, Status]:
    return {check.name: check.status for check in checks}


PYTHON = {"pyproject.toml": '[project]\nname = "a"\nversion = "1"\n', "a.py": "x = 1\n", "tests/test_a.py": "1\n"}


def test_repository_that_lacks_nothing(repo) -> None:
    repo.commit("Start", PYTHON)
    repo.commit("Change (#2)", {"a.py": "x = 2\n"})
    examined = examine(repo.path)
    assert statuses(examined.checks) == dict.fromkeys(
        ["clone", "history", "merged changes", "recipe", "toolchain"], OK
    )
    assert one(examined.checks, "merged changes").found == "1 among the last 2 commits of the main line"
    assert one(examined.checks, "recipe").found.startswith("python-pytest: ")
    assert one(examined.checks, "toolchain").found.startswith("python 3.")
    assert examined.needed == []


def test_repository_whose_changes_carry_no_number(repo) -> None:
    repo.commit("Start", PYTHON)
    assert one(examine(repo.path).checks, "merged changes").status is MISSING
    repo.commit("Change", {"a.py": "x = 2\n"})
    check = one(examine(repo.path).checks, "merged changes")
    assert check.status is OPTIONAL
    assert "--unit commit" in check.remedy


def test_toolchain_that_is_not_installed_is_missing_with_the_recipes_words(repo) -> None:
    repo.commit("Start", PYTHON | {"pyproject.toml": '[project]\nname = "a"\nrequires-python = ">=3.99"\n'})
    check = one(examine(repo.path).checks, "toolchain")
    assert check.status is MISSING
    assert "uv python install" in check.remedy


def test_sub_projects_are_named_and_one_can_be_examined(repo) -> None:
    repo.commit("Start", {f"services/{name}/{path}": text for name in "ab" for path, text in PYTHON.items()})
    checks = examine(repo.path).checks
    assert one(checks, "recipe").status is MISSING
    assert "--cwd" in one(checks, "recipe").remedy
    assert one(checks, "sub-projects").found.startswith(
        "services/a (python-pytest), services/b (python-pytest); harvest one with --cwd"
    )
    assert one(examine(repo.path, "services/a").checks, "recipe").status is OK
    assert one(examine(repo.path, "services/c").checks, "recipe").status is MISSING


def clone(repo, place: Path, *options: str) -> Path:
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "--quiet", *options, f"file://{repo.path}", str(place))
    return place


def test_clones_that_lack_something_are_told_from_whole_ones(repo, tmp_path: Path) -> None:
    repo.commit("Start", PYTHON)
    repo.commit("Change (#2)", {"a.py": "x = 2\n"})
    repo.commit("Change (#3)", {"a.py": "x = 3\n"})
    found = {
        "whole": one(examine(clone(repo, tmp_path / "whole", "--bare")).checks, "history"),
        "shallow": one(examine(clone(repo, tmp_path / "shallow", "--depth=2")).checks, "history"),
        "partial": one(examine(clone(repo, tmp_path / "partial", "--filter=blob:none")).checks, "history"),
        "bare": one(examine(clone(repo, tmp_path / "bare", "--filter=blob:none", "--bare")).checks, "history"),
    }
    expected = {"whole": OK, "shallow": OPTIONAL, "partial": OPTIONAL, "bare": MISSING}
    assert {name: check.status for name, check in found.items()} == expected
    assert "--unshallow" in found["shallow"].remedy
    assert "--refetch" in found["partial"].remedy
    repo.git("-C", str(tmp_path / "partial"), "fetch", "--quiet", "--refetch", "--no-filter")
    assert one(examine(tmp_path / "partial").checks, "history").status is OK


def test_history_without_its_trees_is_missing(repo, tmp_path: Path) -> None:
    repo.commit("Start", PYTHON)
    repo.commit("Change (#2)", {"a.py": "x = 2\n"})
    repo.loose("HEAD^^{tree}").unlink()
    check = one(examine(repo.path).checks, "history")
    assert check.status is MISSING
    assert check.remedy


def test_what_is_no_repository_is_missing(repo, tmp_path: Path) -> None:
    for place, message in ((tmp_path / "nothing", "not a git repository"), (repo.path, "no commit")):
        (check,) = examine(place).checks
        assert check.status is MISSING
        assert message in check.found


def test_command_prints_a_row_for_each_check_and_exits_by_them(
    miner, repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    for name in ("git", "true", "chown"):  # and no program that is slow to say its version
        (tmp_path / "bin" / name).symlink_to(shutil.which(name) or "")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:1/simple")
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_s3cret")
    repo.commit("Start", PYTHON)
    repo.commit("Change (#2)", {"a.py": "x = 2\n"})
    names = [check.name for check in examination(repo.path)]
    result = miner("doctor", "--repo", repo.path)
    rows = [row.split() for row in result.out.splitlines()]
    found = {name: row[0] for name in names for row in rows if row[1 : 1 + len(name.split())] == name.split()}
    assert list(found) == names
    assert set(found.values()) <= {"ok", "optional", "missing"}
    assert result.code == (errors.EXPECTED if "missing" in found.values() else 0)
    assert {"git", "sandbox", "user namespaces", "uv", "package index", "python", "go", "cache", "disk"} <= set(names)
    assert "s3cret" not in result.out
    assert "bubblewrap" not in miner("doctor", "--sandbox", "none").out
    missing = miner("doctor", "--repo", repo.path / "nothing")
    assert missing.code == errors.EXPECTED
    assert missing.out.splitlines()[-1].endswith("clone.")
    assert missing.err == ""


def run_without_git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": str(folder), "UV_DEFAULT_INDEX": "http://127.0.0.1:1/simple"}
    command = [sys.executable, "-m", "miner.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)


def test_machine_without_git_is_told_so(repo, tmp_path: Path) -> None:
    repo.commit("Start", PYTHON)
    done = run_without_git(tmp_path, "doctor", "--repo", str(repo.path))
    assert (done.returncode, done.stderr) == (errors.EXPECTED, "")
    assert ["missing", "git", "not", "found"] in [row.split()[:4] for row in done.stdout.splitlines()]
    assert done.stdout.splitlines()[-1].startswith("Missing and needed: git")


def test_harvest_without_git_is_refused_in_one_line(repo, tmp_path: Path) -> None:
    repo.commit("Start", PYTHON)
    done = run_without_git(tmp_path, "harvest", "--repo", str(repo.path), "--out", str(tmp_path / "out"))
    assert (done.returncode, done.stdout) == (errors.EXPECTED, "")
    assert done.stderr == "miner: not found: git. Install it: `miner doctor` says what this machine lacks.\n"


def test_old_git_is_missing_with_what_it_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    script(tmp_path, "git", "echo git version 2.30.2")
    check = machine.git()
    assert (check.status, check.found) == (MISSING, dotted((2, 30, 2)))
    script(tmp_path, "git", "exit 127")
    assert machine.git().found == "not found"
