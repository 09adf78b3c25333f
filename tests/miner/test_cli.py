# ruff: noqa: E501
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from miner import errors
from miner.fixtures import FixtureFolder
from miner.record import load_yaml
from miner.set_file import SetFile

STRATA = Path(__file__).parents[2] / "strata.yaml"


def one_line(result) -> str:
    """The message of an expected error: one line on standard error, nothing else anywhere."""
    assert result.code == errors.EXPECTED, result
    assert result.out == ""
    (line,) = result.err.splitlines()
    assert line.startswith("miner: ")
    return line


@pytest.fixture
def fixtures(unproved, tmp_path: Path) -> Path:
    """A copy of the demonstration's fixtures that a test may damage."""
    return Path(shutil.copytree(unproved.out, tmp_path / "fixtures"))


@pytest.fixture
def proved(fixtures: Path) -> Path:
    """The fixtures with a proof written into each record, as far as drawing a set looks at it."""
    proof = {
        "command": ["true"], "fail_to_pass": ["t"], "repeats": 2, "timeout_seconds": 60, "seconds": 0.1,
        "environment": {"digest": "0" * 20, "recipe": "python-pytest", "toolchain": "python 3.11.7", "variant": "path"},
    }  # fmt: skip
    for path in fixtures.glob("*/*/fixture.yaml"):
        path.write_text(yaml.safe_dump(yaml.safe_load(path.read_text()) | {"proof": proof}))
    return fixtures


FIRST = "billing/149-retry-settlement-posts-on-transient-gateway"


def test_harvest_of_something_else_than_a_repository_is_refused(miner, tmp_path: Path) -> None:
    assert "not a git repository" in one_line(miner("harvest", "--repo", tmp_path, "--name", "x"))


def test_harvest_of_nothing_is_refused(miner, tmp_path: Path) -> None:
    assert "not a git repository" in one_line(miner("harvest", "--repo", tmp_path / "nothing", "--name", "x"))


def test_harvest_of_a_folder_inside_a_repository_is_refused(miner, repo) -> None:
    repo.commit("Start", {"sub/a.py": "x\n"})
    assert "not a git repository" in one_line(miner("harvest", "--repo", repo.path / "sub"))


def test_harvest_of_an_empty_repository_is_refused(miner, repo) -> None:
    assert "no commit" in one_line(miner("harvest", "--repo", repo.path))


def test_harvest_of_a_history_without_recognised_changes_is_refused(miner, repo, tmp_path: Path) -> None:
    repo.commit("Start", {"a.py": "x\n"})
    repo.commit("Change", {"a.py": "y\n"})
    line = one_line(miner("harvest", "--repo", repo.path, "--out", tmp_path / "out"))
    assert "no merged change found" in line
    assert not (tmp_path / "out").exists()


def test_harvest_without_a_recipe_is_refused_unless_nothing_is_proved(miner, repo, tmp_path: Path) -> None:
    repo.commit("Start", {"a.go": "x\n"})
    repo.commit("Change (#2)", {"a.go": "y\n", "a_test.go": "z\n"})
    out = tmp_path / "out"
    line = one_line(miner("harvest", "--repo", repo.path, "--out", out))
    assert "no recipe" in line
    assert "--no-prove" in line
    assert miner("harvest", "--repo", repo.path, "--out", out, "--no-prove").code == 0
    assert yaml.safe_load((out / "sample/repo.yaml").read_text())["recipe"] == "none"


@pytest.mark.parametrize("name", ["Upper", "../x", "a/b", ".x", "a b", "-x", "x" * 81])
def test_harvest_under_a_bad_name_is_refused(miner, repo, name: str) -> None:
    repo.commit("Start", {"a.py": "x\n"})
    assert "not a usable name" in one_line(miner("harvest", "--repo", repo.path, f"--name={name}"))


def test_harvest_is_named_after_its_folder(miner, new_repo, tmp_path: Path) -> None:
    repo = new_repo("My Service.git")
    repo.commit("Start", {"a.py": "x\n"})
    repo.commit("Change (#2)", {"a.py": "y\n"})
    assert miner("harvest", "--repo", repo.path, "--out", tmp_path / "out", "--no-prove").code == 0
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["my-service"]


def test_harvest_prints_how_many_were_looked_at_and_kept(miner, demonstration: Path, tmp_path: Path) -> None:
    result = miner("harvest", "--repo", demonstration, "--out", tmp_path / "out", "--no-prove", "--last", 5)
    assert result.code == 0
    assert ["looked", "at", "5"] in [row.split() for row in result.out.splitlines()]
    assert "only_deletions_or_renames" in result.out
    assert "harvest.jsonl" in result.out.splitlines()[-1]


def test_harvest_says_when_the_history_is_shorter_than_asked(
    miner, demonstration: Path, tmp_path: Path
) -> None:
    result = miner("harvest", "--repo", demonstration, "--out", tmp_path / "out", "--no-prove")
    announced, told, *_ = result.out.splitlines()
    assert announced.startswith("python-pytest: pyproject.toml, group tests; >=3.10; python -m pytest ")
    assert told == "The history holds 37 merged changes, fewer than the 200 asked for."


OPTIONS = {
    "folder outside": (["--cwd", "../x"], "not a folder inside the repository: ../x"),
    "folder at the root": (["--cwd", "/x"], "not a folder inside the repository: /x"),
    "open quote": (["--test", "run 'x"], "not a command: run 'x. No closing quotation"),
    "no name of a variable": (["--env", "1A=b"], "not an environment variable: 1A=b"),
    "variable without a value": (["--env", "A=b", "--env", "B"], "not an environment variable: B"),
}


@pytest.mark.parametrize(("options", "message"), OPTIONS.values(), ids=OPTIONS.keys())
def test_harvest_refuses_options_that_mean_nothing(
    miner, demonstration: Path, tmp_path: Path, options: list[str], message: str
) -> None:
    line = one_line(miner("harvest", "--repo", demonstration, "--out", tmp_path / "out", *options))
    assert message in line
    assert not (tmp_path / "out").exists()


def test_what_options_say_is_kept_in_repo_yaml(miner, demonstration: Path, tmp_path: Path) -> None:
    arguments = ["harvest", "--repo", demonstration, "--out", tmp_path / "out", "--no-prove", "--last", 1]
    said = ["--python", "3.11", "--setup", "make a", "--setup", "b", "--env", "A=b=c", "--env", "D=", "--cwd", "./src//"]
    assert miner(*arguments, "--name", "x", *said).code == 0
    assert miner(*arguments, "--name", "x").code == 0
    record = yaml.safe_load((tmp_path / "out/x/repo.yaml").read_text())
    assert (record["python"], record["setup"], record["cwd"]) == ("3.11", ["make a", "b"], "src")
    assert record["env"] == {"A": "b=c", "D": ""}


def test_harvest_of_an_unknown_recipe_is_refused(miner, demonstration: Path, tmp_path: Path) -> None:
    arguments = ["harvest", "--repo", demonstration, "--out", tmp_path / "out", "--name", "x", "--no-prove", "--last", 1]
    assert miner(*arguments).code == 0
    path = tmp_path / "out/x/repo.yaml"
    path.write_text(path.read_text().replace("python-pytest", "cobol"))
    assert "unknown recipe: cobol. Known recipes: python-pytest" in one_line(miner(*arguments))


def test_unit_commit_takes_single_commits(miner, repo, tmp_path: Path) -> None:
    repo.commit("Start", {"a.py": "x = 1\n", "tests/test_a.py": "1\n"})
    identity = repo.commit("Change", {"a.py": "x = 2\n", "tests/test_a.py": "2\n"})
    out = tmp_path / "out"
    assert miner("harvest", "--repo", repo.path, "--out", out, "--no-prove", "--unit", "commit").code == 0
    (row,) = map(json.loads, (out / "sample/harvest.jsonl").read_text().splitlines())
    assert row["fixture"] == f"sample/{identity[:10]}-change"
    assert row["number"] == identity[:10]


def test_checkout_writes_the_starting_and_the_solved_tree(miner, fixtures: Path, tmp_path: Path) -> None:
    texts = []
    for name, options in (("start", []), ("solved", ["--solved"])):
        asked = FIRST if options else FIRST.split("-")[0]
        result = miner("checkout", asked, tmp_path / name, "--fixtures", fixtures, *options)
        assert result.code == 0, result.err
        record = yaml.safe_load((fixtures / FIRST / "fixture.yaml").read_text())
        tree = record["solved_tree" if options else "starting_tree"]
        assert result.out == f"tree {tree} written to {tmp_path / name}\n"
        texts.append((tmp_path / name / "src/billing/settlement.py").read_text())
    assert texts[0] != texts[1]
    assert not (tmp_path / "start/.git").exists()


def test_checkout_takes_a_fixture_by_its_folder(miner, fixtures: Path, tmp_path: Path) -> None:
    result = miner("checkout", fixtures / FIRST, tmp_path / "out")
    assert result.code == 0, result.err
    assert (tmp_path / "out/pyproject.toml").exists()


def test_checkout_into_a_folder_that_holds_something_is_refused(
    miner, fixtures: Path, tmp_path: Path
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/mine.txt").write_text("mine")
    line = one_line(miner("checkout", FIRST, tmp_path / "full", "--fixtures", fixtures))
    assert "not empty" in line
    assert [p.name for p in (tmp_path / "full").iterdir()] == ["mine.txt"]


def test_checkout_into_a_file_is_refused(miner, fixtures: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    assert "not empty" in one_line(miner("checkout", FIRST, tmp_path / "file", "--fixtures", fixtures))


DAMAGES = {
    "not YAML": (b"a: [", "fixture.yaml"),
    "not UTF-8": (b"\xff\xfe\x00", "fixture.yaml"),
    "empty": (b"", "fixture.yaml"),
    "a list": (b"- 1\n", "fixture.yaml"),
    "another schema": (b"schema: 2\n", "schema"),
    "control characters": (b'"\\e[31m": 1\n', "fixture.yaml"),
}


@pytest.mark.parametrize(("content", "message"), DAMAGES.values(), ids=DAMAGES.keys())
def test_unreadable_record_is_named_by_every_command(
    miner, fixtures: Path, tmp_path: Path, content: bytes, message: str
) -> None:
    path = fixtures / FIRST / "fixture.yaml"
    path.write_bytes(content)
    for arguments in (
        ("checkout", FIRST, tmp_path / "out", "--fixtures", fixtures),
        ("stratify", fixtures, "--strata", STRATA),
    ):
        line = one_line(miner(*arguments))
        assert message in line
        assert str(path) in line
        assert "\x1b" not in line


@pytest.mark.parametrize(
    "name", ["fixture.yaml", "change.patch", "tests.patch", "../trees.bundle", "../repo.yaml"]
)
def test_missing_file_of_a_fixture_is_named(miner, fixtures: Path, tmp_path: Path, name: str) -> None:
    (fixtures / FIRST / name).unlink()
    line = one_line(miner("checkout", FIRST, tmp_path / "out", "--solved", "--fixtures", fixtures))
    assert line.startswith("miner: cannot read the ")
    assert Path(name).name in line


def test_edited_patch_is_noticed(miner, fixtures: Path, tmp_path: Path) -> None:
    path = fixtures / FIRST / "change.patch"
    path.write_bytes(path.read_bytes().replace(b"\n+        ", b"\n+            ", 1))
    line = one_line(miner("checkout", FIRST, tmp_path / "out", "--solved", "--fixtures", fixtures))
    assert "no longer rebuilds the solved tree" in line


@pytest.mark.parametrize(
    "name", ["nothing", "billing/../billing", "Billing/1-x", "billing/no-such", "nope/1-x", "/etc/passwd"]
)
def test_fixture_that_is_none_is_refused(miner, fixtures: Path, tmp_path: Path, name: str) -> None:
    one_line(miner("checkout", name, tmp_path / "out", "--fixtures", fixtures))
    assert not (tmp_path / "out").exists()


def test_stratify_draws_a_set_that_loads_again(miner, proved: Path) -> None:
    result = miner("stratify", proved, "--cap", 8000, "--strata", STRATA, "--size", 6)
    assert result.code == 0, result.err
    chosen = load_yaml(proved / "set.yaml", SetFile, "")
    assert chosen.cap == 8000
    assert 0 < len(chosen.fixtures) <= 6
    assert set(chosen.fixtures) <= {record.id for record in FixtureFolder(proved).records()}
    assert f"{len(chosen.fixtures)} fixtures, cap 8000 tokens" in " ".join(result.out.split())


def test_stratify_of_fixtures_without_a_proof_is_refused(miner, fixtures: Path) -> None:
    assert "no proven fixture" in one_line(miner("stratify", fixtures, "--strata", STRATA))
    assert not (fixtures / "set.yaml").exists()


REFUSED = {
    "no fixtures folder": (["stratify", "nothing"], "nothing"),
    "no strata.yaml": (["stratify", "F", "--strata", "nothing.yaml"], "nothing.yaml"),
    "cap of none": (["stratify", "F", "--cap", "0"], "cap must be at least 1"),
    "a paid model": (["stratify", "F", "--model", "openai:gpt"], "not a simulated model"),
}


@pytest.mark.parametrize(("arguments", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_stratify_refuses(miner, fixtures: Path, arguments: list[str], message: str) -> None:
    given = [str(fixtures) if argument == "F" else argument for argument in arguments]
    given += [] if "--strata" in given else ["--strata", str(STRATA)]
    assert message in one_line(miner(*given))


USAGE = {
    "unknown command": ["nothing"], "unknown option": ["harvest", "--repo", ".", "--nothing"], "no repository": ["harvest"],
    "last of none": ["harvest", "--repo", ".", "--last", "0"], "no number": ["harvest", "--repo", ".", "--last", "x"],
    "unknown unit": ["harvest", "--repo", ".", "--unit", "week"], "one repeat": ["harvest", "--repo", ".", "--repeats", "1"],
    "checkout without a folder": ["checkout", "a/b"], "size of none": ["stratify", "--size", "0"],
    "unknown regression": ["harvest", "--repo", ".", "--regression", "some"], "unknown sandbox": ["harvest", "--repo", ".", "--sandbox", "x"],
    "verify no times": ["verify", "--repeats", "0"],
}  # fmt: skip


@pytest.mark.parametrize("arguments", USAGE.values(), ids=USAGE.keys())
def test_wrong_usage_exits_two(miner, arguments: list[str]) -> None:
    result = miner(*arguments)
    assert result.code == errors.USAGE
    assert "Traceback" not in result.err


@pytest.mark.parametrize("command", [[], ["harvest"], ["verify"], ["stratify"], ["checkout"]], ids=str)
def test_help_exits_zero(miner, command: list[str]) -> None:
    result = miner(*command, "--help")
    assert result.code == 0
    assert "Usage" in result.out


def test_console_script_passes_the_exit_code_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "miner.cli", "harvest", "--repo", str(tmp_path), "--name", "x"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=STRATA.parent)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("miner: not a git repository: ")
    assert done.stderr.count("\n") == 1


def test_message_escapes_control_characters(miner, tmp_path: Path) -> None:
    line = one_line(miner("harvest", "--repo", tmp_path / "\x1b[31mred", "--name", "x"))
    assert "\\x1b[31mred" in line
    assert "\x1b" not in line
    assert "\x1b" not in line


@pytest.mark.parametrize("url", ["ext::sh -c 'touch trap'", "ext::touch\ttrap", "--upload-pack=touch trap", "-c"])
def test_repository_that_is_no_path_is_refused_and_nothing_is_run(
    miner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = miner("harvest", f"--repo={url}", "--name", "x")
    assert done.code == 1
    assert "not a git" in done.err  # repository, or URL
    assert list(tmp_path.rglob("trap")) == []
