import sys
from pathlib import Path

import pytest

from miner.environment import Ready
from miner.interpreters import Interpreter
from miner.junit import Result
from miner.proof import Bench, Disproved, Proved, Run, fail_to_pass, first_judgement, prove, stable
from miner.rejection import Rejection
from miner.trees import TreeStore

P, F, S = Result.PASSED, Result.FAILED, Result.SKIPPED
TURNS = {
    "fails then passes": ({"a": F}, {"a": P}, ["a"]),
    "not there then passes": ({}, {"a": P}, ["a"]),
    "passes both times": ({"a": P}, {"a": P}, []),
    "skipped then passes": ({"a": S}, {"a": P}, []),
    "fails both times": ({"a": F}, {"a": F}, []),
    "passes then fails": ({"a": P}, {"a": F}, []),
    "fails then skipped": ({"a": F}, {"a": S}, []),
    "gone": ({"a": F}, {}, []),
    "sorted": ({}, {"b": P, "a": P}, ["a", "b"]),
}


@pytest.mark.parametrize(("before", "after", "expected"), TURNS.values(), ids=TURNS.keys())
def test_tests_that_the_change_turns(before, after, expected: list[str]) -> None:
    assert fail_to_pass(before, after) == expected


def ran(results=None, timed_out: bool = False, output: str = "") -> Run:
    return Run(results, timed_out, 1.0, output)


JUDGED = {
    "one turns": (ran({"a": F}), ran({"a": P}), ["a"]),
    "nothing written before counts as failing": (ran(None), ran({"a": P}), ["a"]),
    "a time-out after": (ran({"a": F}), ran(None, True), Rejection.TIMED_OUT),
    "a time-out before": (ran(None, True), ran({"a": P}), Rejection.TIMED_OUT),
    "nothing written after": (ran({"a": F}), ran(None), Rejection.NO_TESTS_RUN),
    "no test after": (ran({"a": F}), ran({}), Rejection.NO_TESTS_RUN),
    "passes before": (ran({"a": P}), ran({"a": P}), Rejection.PASSES_BEFORE),
    "some fail after, none turns": (ran({"a": P, "b": F}), ran({"a": P, "b": F}), Rejection.PASSES_BEFORE),
    "fails after": (ran({"a": F}), ran({"a": F}), Rejection.FAILS_AFTER),
    "all skipped": (ran({"a": S}), ran({"a": S}), Rejection.NO_TESTS_RUN),
}


@pytest.mark.parametrize(("before", "after", "expected"), JUDGED.values(), ids=JUDGED.keys())
def test_first_pair_of_runs_gives(before: Run, after: Run, expected) -> None:
    found = first_judgement(before, after)
    assert (found.rejection if isinstance(found, Disproved) else found) == expected


def test_reason_for_no_tests_is_the_end_of_the_output() -> None:
    found = first_judgement(ran({}), ran(None, output="a\n\nb\nImportError: x\n"))
    assert found.detail.endswith("ImportError: x")
    assert "\n" not in found.detail


STABLE = {
    "the same every time": ([{"a": F}, {"a": F}], [{"a": P}, {"a": P}], ["a"]),
    "passes once before": ([{"a": F}, {"a": P}], [{"a": P}, {"a": P}], []),
    "fails once after": ([{"a": F}, {"a": F}], [{"a": P}, {"a": F}], []),
    "missing once after": ([{"a": F}, {"a": F}], [{"a": P}, {}], []),
    "missing before": ([{}, {"a": F}], [{"a": P}, {"a": P}], ["a"]),
    "skipped once before": ([{"a": S}], [{"a": P}], []),
}


@pytest.mark.parametrize(("before", "after", "expected"), STABLE.values(), ids=STABLE.keys())
def test_tests_that_stay_as_they_were(before, after, expected: list[str]) -> None:
    assert stable(["a"], before, after) == expected


class ShellRecipe:
    """Runs a tree's `check.sh`, which prints `name result` lines, and writes them as JUnit XML."""

    name = "shell"

    def runnable(self, test_files):
        return sorted(path for path in test_files if path.endswith(".sh"))

    def command(self, targets, plain=False):
        return [
            str(Path(sys.base_prefix) / "bin/python3"),
            "/tree/runner.py",
            *(["plain"] if plain else []),
            *targets,
        ]

    def results_option(self, path):
        return [f"--out={path}"]

    def targets(self, test_ids):
        return ["check.sh"]


RUNNER = """
import subprocess, sys
out = sys.argv[-1].removeprefix("--out=")
text = subprocess.run(["sh", "check.sh", *sys.argv[1:2]], capture_output=True, text=True).stdout
print(text)
cases = ""
for name, result in (line.split() for line in text.splitlines()):
    inner = "" if result == "passed" else "<failure/>"
    cases += f'<testcase file="check.sh" classname="check.sh" name="{name}">{inner}</testcase>'
if text:
    open(out, "w").write(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
"""
CHECK = "if grep -q 2 a.txt; then echo a passed; else echo a failed; fi\necho b passed\n"
PROOFS = {
    "a change that its tests prove": (CHECK, Proved),
    "tests that pass anyway": ("echo a passed\n", Rejection.PASSES_BEFORE),
    "tests that fail anyway": ("echo a failed\n", Rejection.FAILS_AFTER),
    "tests that write nothing": ("true\n", Rejection.NO_TESTS_RUN),
    "tests that never end": ("sleep 60\n", Rejection.TIMED_OUT),
    "tests that run with plain options only": ('if [ "$1" = plain ]; then\n' + CHECK + "fi\n", Proved),
}


@pytest.mark.parametrize(("check", "expected"), PROOFS.values(), ids=PROOFS.keys())
def test_proof_over_real_runs(repo, borrowed, tmp_path: Path, check: str, expected) -> None:
    repo.commit("Unsolved", {"a.txt": "1\n", "check.sh": check, "runner.py": RUNNER})
    repo.commit("Solved", {"a.txt": "2\n"})
    git, _ = borrowed(repo)
    (tmp_path / "env").mkdir()
    python = Interpreter(sys.version_info[:3], Path(sys.executable), Path(sys.base_prefix))
    bench = Bench(
        TreeStore(git), Ready(tmp_path / "env", python), ShellRecipe(), 1.5 if "sleep" in check else 20
    )
    trees = [repo.git("rev-parse", f"{commit}^{{tree}}") for commit in ("HEAD~1", "HEAD")]
    found = prove(bench, ["check.sh", "data.json"], *trees, repeats=2)
    if expected is Proved:
        assert found.fail_to_pass == ["check.sh::a"]
        assert found.command[-1] == "check.sh"
        assert ("plain" in found.command) is ("plain" in check)
    else:
        assert found.rejection is expected


def test_change_without_runnable_tests_is_disproved_without_a_run(borrowed, repo, tmp_path: Path) -> None:
    repo.commit("Start", {"a.txt": "1\n"})
    git, _ = borrowed(repo)
    python = Interpreter(sys.version_info[:3], Path(sys.executable), Path(sys.base_prefix))
    bench = Bench(TreeStore(git), Ready(tmp_path, python), ShellRecipe(), 5)
    found = prove(bench, ["data.json"], "1" * 40, "1" * 40, 2)
    assert found.rejection is Rejection.NO_TESTS_RUN


def test_tests_cannot_change_the_trees_of_the_next_run(repo, borrowed, tmp_path: Path) -> None:
    check = "test -e left && echo a failed || echo a passed\ntouch left\n"
    repo.commit("Start", {"check.sh": check, "runner.py": RUNNER})
    git, head = borrowed(repo)
    python = Interpreter(sys.version_info[:3], Path(sys.executable), Path(sys.base_prefix))
    (tmp_path / "env").mkdir()
    bench = Bench(TreeStore(git), Ready(tmp_path / "env", python), ShellRecipe(), 20)
    recipe = ShellRecipe()
    runs = [bench.run(f"{head}^{{tree}}", recipe.command(["check.sh"])) for _ in range(2)]
    assert [run.results for run in runs] == [{"check.sh::a": P}] * 2


def test_tree_may_be_prepared_before_the_command_runs(repo, borrowed, tmp_path: Path) -> None:
    repo.commit("Start", {"check.sh": CHECK, "runner.py": RUNNER, "a.txt": "1\n"})
    git, head = borrowed(repo)
    python = Interpreter(sys.version_info[:3], Path(sys.executable), Path(sys.base_prefix))
    (tmp_path / "env").mkdir()
    bench = Bench(TreeStore(git), Ready(tmp_path / "env", python), ShellRecipe(), 20)
    command = ShellRecipe().command(["check.sh"])
    run = bench.run(f"{head}^{{tree}}", command, lambda folder: (folder / "a.txt").write_text("2\n") and None)
    assert run.results["check.sh::a"] is P
