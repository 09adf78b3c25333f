# ruff: noqa: E501
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from miner import recipes
from miner.errors import ToolError
from miner.recipes.command import CommandRecipe, command_for, own_command
from miner.recipes.model import Result, Settings
from miner.recipes.python import PythonRecipe

R = CommandRecipe()
HOSTILE = ["a b", "-x", "$(touch hacked)", "'; touch hacked; '", '"', "*"]
COMMANDS = {
    "words": (["make", "check"], ["x"], ["make", "check"]),
    "one word a target": (["run", "{tests}", "-v"], ["x", "y z"], ["run", "x", "y z", "-v"]),
    "no targets": (["run", "{tests}"], [], ["run"]),
    "inside a word": (["make", "TESTS={tests}"], ["x", "y"], ["make", "TESTS=x y"]),
    "results stay for the sandbox": (["run", "--out={results}/r.xml"], [], ["run", "--out={results}/r.xml"]),
    "a program alone": (["./check"], ["x"], ["./check"]),
    "shell text": (["cd a && run {tests}"], ["x"], ["sh", "-c", 'cd a && run "$@"', "test-command", "x"]),
    "shell text, quoted": (['make T="{tests}"'], ["x"], ["sh", "-c", 'make T="$*"', "test-command", "x"]),
    "escaped quote": (['echo \\" {tests}'], ["x"], ["sh", "-c", 'echo \\" "$@"', "test-command", "x"]),
    "a shell named": (["bash", "-ec", "run {tests}"], ["x"], ["bash", "-ec", 'run "$@"', "test-command", "x"]),
    "a shell with arguments": (["sh", "-c", 'run "$@"', "sh", "{tests}"], ["x"], ["sh", "-c", 'run "$@"', "sh", "x"]),
}  # fmt: skip


@pytest.mark.parametrize(("test", "targets", "expected"), COMMANDS.values(), ids=COMMANDS.keys())
def test_targets_are_filled_in(test: list[str], targets: list[str], expected: list[str]) -> None:
    assert own_command(Settings(test=tuple(test)), targets) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("printf '%s\\n' {tests}", HOSTILE), ('printf "%s\\n" "{tests}"', [" ".join(HOSTILE)])],
    ids=["bare", "between double quotes"],
)  # fmt: skip
def test_targets_are_never_read_as_shell(tmp_path, text: str, expected: list[str]) -> None:
    command = own_command(Settings(test=(text,)), HOSTILE)
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=True)
    assert done.stdout.splitlines() == expected
    assert list(tmp_path.iterdir()) == []


def test_targets_between_single_quotes_are_refused() -> None:
    with pytest.raises(ToolError, match=r"quotes \{tests\}"):
        own_command(Settings(test=("run '{tests}'",)), ["x"])


def test_an_owners_command_takes_the_place_of_a_recipes() -> None:
    assert command_for(PythonRecipe(), Settings(test=("nox", "--", "{tests}")), ["t.py"]) == ["nox", "--", "t.py"]
    assert command_for(PythonRecipe(), Settings(), ["t.py"]) == PythonRecipe().command(["t.py"])


def test_a_command_is_detected_last_and_only_where_it_is_given(project: Callable) -> None:
    settings = Settings(test=("make", "check"))
    assert recipes.detect(project({"Makefile": ""})) is None
    assert recipes.detect(project({"Makefile": ""}, settings)).name == "command"
    assert recipes.detect(project({"setup.py": ""}, settings)).name == "python-pytest"


@pytest.mark.parametrize(
    ("test", "expected"),
    [(("make", "check"), "make check; no {results}: one test, its exit code"),
     (("run", "{results}"), "run {results}; JUnit XML, test by test")],
)  # fmt: skip
def test_a_summary_says_what_counts_as_a_test(project: Callable, test: tuple[str, ...], expected: str) -> None:
    assert R.summary(project({}, Settings(test=test))) == expected


@pytest.mark.parametrize(
    ("ids", "expected"),
    [(["a/t.sh::x", "b/t.sh::y", "a/t.sh::z"], ["a/t.sh", "b/t.sh"]), (["a/t.sh::x", "::A::y"], []), (["(command)"], [])],
    ids=["files", "no file", "whole"],
)  # fmt: skip
def test_targets_are_files_as_far_as_reports_name_them(ids: list[str], expected: list[str]) -> None:
    assert R.targets(ids) == expected


REPORT = """
mkdir -p {results}/deep
for file in {tests}; do sh "$file" && inner= || inner='<failure/>'
  printf '<testsuite><testcase file="%s" name="runs">%s</testcase></testsuite>' "$file" "$inner" > {results}/deep/"$file".xml
done
"""


def test_a_command_that_reports_is_judged_test_by_test(try_recipe: Callable) -> None:
    settings = Settings(setup=("echo 1 > /env/built",), test=(REPORT,), env={"WANTED": "1"})
    files = {"good.sh": 'test "$(cat /env/built)" = "$WANTED"', "bad.sh": "exit 1"}
    tried = try_recipe(files, settings)
    assert (tried.record.undated, tried.record.fallbacks) == (True, ["what set-up commands fetch is as of today"])
    assert tried.run("good.sh", "bad.sh")[1] == {"good.sh::runs": Result.PASSED, "bad.sh::runs": Result.FAILED}
    assert tried.run()[1] is None  # it was told where to report, and did not


def test_a_command_that_does_not_report_is_one_test(try_recipe: Callable) -> None:
    tried = try_recipe({"check.sh": "test -e fixed"}, Settings(test=("sh", "check.sh")))
    assert tried.run("check.sh")[1] == {"(command)": Result.FAILED}
    (tried.tree / "fixed").write_text("")
    assert tried.run("check.sh")[1] == {"(command)": Result.PASSED}


def test_a_harvest_proves_by_a_command_alone(repo, miner: Callable, tmp_path: Path) -> None:
    repo.commit("start", {"two.sh": "echo 3\n", "tests/t.sh": "true\n"})
    repo.merge("Two is two (#1)", {"two.sh": "echo 2\n", "tests/t.sh": "test $(sh two.sh) = 2\n"})
    done = miner("harvest", "--repo", repo.path, "--out", tmp_path / "out", "--test", "sh tests/t.sh")
    assert (done.code, done.err) == (0, "")
    assert "command: sh tests/t.sh; no {results}: one test, its exit code" in done.out
    record = next((tmp_path / "out").glob("sample/*/fixture.yaml")).read_text()
    assert "  fail_to_pass:\n  - (command)\n" in record
    assert miner("verify", tmp_path / "out").code == 0
