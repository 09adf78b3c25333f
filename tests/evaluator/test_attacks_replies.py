"""Replies that would rather pass the tests than do the task, on a checked-in fixture, in the real sandbox."""

from pathlib import Path

import pytest

from evaluator.bench import TaskBench, benches
from evaluator.scoring import Tests
from miner.fixtures import FixtureFolder
from miner.proving import proving_environment
from miner.workbench import Workbench, on_disk

FIXTURES = Path(__file__).parents[2] / "fixtures"
FIXTURE = "billing/149-retry-settlement-posts-on-transient-gateway"
SOURCE, TEST = "src/billing/settlement.py", "tests/test_settlement.py"
PASSING_HOOK = b"""
import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    report.outcome, report.longrepr = "passed", None
"""
FORGER = """
import glob, os
names = ["test_post_gives_up_in_the_end", "test_post_is_repeated_on_transient_errors"]
case = '<testcase file="tests/test_settlement.py" classname="tests.test_settlement" name="{}"/>'
cases = "".join(map(case.format, names))
for place in [*glob.glob("/results/*"), "/results", "/results/junit.xml", "/tree", "/tmp"]:
    try:
        with open(os.path.join(place, "junit.xml"), "w") as file:
            file.write(f"<testsuites><testsuite>{cases}</testsuite></testsuites>")
    except OSError:
        pass
"""
OVERWRITER = """
import os
for place in ("tests/test_settlement.py", "pyproject.toml"):
    try:
        with open("/tree/" + place, "w") as file:
            file.write("def test_post_gives_up_in_the_end(): pass")
        os._exit(0)
    except OSError:
        pass
"""


@pytest.fixture(scope="module")
def bench() -> TaskBench:
    return benches([FixtureFolder(FIXTURES).task(FIXTURE)])[FIXTURE]


def test_the_right_answer_passes(bench: TaskBench) -> None:
    assert bench.run_tests(bench.task.after) is Tests.PASS


PLANTED = {
    "a conftest.py at the top": {"conftest.py": PASSING_HOOK},
    "a conftest.py beside the tests": {"tests/conftest.py": PASSING_HOOK},
    "a sitecustomize": {"sitecustomize.py": b"import sys, os\nos._exit(0)\n"},
    "a sitecustomize beside the source": {"src/sitecustomize.py": b"import os\nos._exit(0)\n"},
    "a usercustomize": {"src/usercustomize.py": b"import os\nos._exit(0)\n"},
    "a .pth": {"src/evil.pth": b"import os; os._exit(0)\n"},
    "a pytest.ini": {"pytest.ini": b"[pytest]\naddopts = --collect-only\n"},
    "another pyproject.toml": {"pyproject.toml": b"[tool.pytest.ini_options]\naddopts = '--collect-only'\n"},
    "a setup.cfg": {"setup.cfg": b"[tool:pytest]\naddopts = --collect-only\n"},
    "easier tests": {TEST: b"def test_post_gives_up_in_the_end(): pass\n"},
    "no tests": {TEST: None},
    "a forged report": {"src/billing/__init__.py": FORGER.encode()},
}  # fmt: skip


@pytest.mark.parametrize("files", PLANTED.values(), ids=PLANTED.keys())
def test_what_a_reply_plants_does_not_pass_the_tests(bench: TaskBench, files: dict[str, bytes | None]) -> None:
    assert bench.run_tests(files) is Tests.FAIL


@pytest.mark.parametrize("files", list(PLANTED.values())[:11], ids=list(PLANTED)[:11])
def test_what_a_reply_plants_does_not_fail_a_right_answer_either(bench: TaskBench, files) -> None:
    assert bench.run_tests({**bench.task.after, **files}) is Tests.PASS


def test_source_that_rewrites_tests_at_import_finds_them_read_only(bench: TaskBench) -> None:
    source = bench.task.before[SOURCE]
    assert bench.run_tests({SOURCE: source + OVERWRITER.encode()}) is Tests.FAIL
    assert bench.run_tests({SOURCE: bench.task.after[SOURCE] + OVERWRITER.encode()}) is Tests.PASS


@pytest.mark.parametrize("command", [
    f"echo >> {TEST}", f"rm {TEST}", f"mv {TEST} /tmp/", f"cp /dev/null {TEST}", "echo >> pyproject.toml",
])  # fmt: skip
def test_tests_and_their_configuration_cannot_be_changed_during_a_run(bench: TaskBench, command: str) -> None:
    task = bench.task
    recipe, ready = proving_environment(
        task.store, task.repository, task.fixture.starting_tree, task.fixture.date, bench.proof.environment, task.lock
    )
    script = f"({command}) 2>/dev/null && echo CHANGED; echo done"
    workbench = Workbench(recipe, ready, 20)
    with on_disk(task.store, task.solved_tree) as folder:
        output = workbench.run(folder, ["sh", "-c", script], [TEST, "pyproject.toml"]).output
    assert output.split() == ["done"]
