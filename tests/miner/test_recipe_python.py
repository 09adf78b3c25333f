# ruff: noqa: E501
"""The Python recipe: how it is detected, what shapes an environment, and how tests are named and run."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from miner import recipes
from miner.errors import ToolError
from miner.recipes.model import EnvironmentFailed, Project, Result, Settings, Toolchain
from miner.recipes.python import PythonRecipe
from miner.sandbox import Outcome

R = PythonRecipe()
PYPROJECT = '[project]\nname = "a"\nrequires-python = ">=3.9"\n[dependency-groups]\ntest = ["pytest"]\n'


def project(files: dict[str, str], **settings: str) -> Project:
    when = datetime(2026, 1, 2, tzinfo=UTC)
    return Project(frozenset(files), lambda p: files[p].encode() if p in files else None, when, Settings(**settings))


@pytest.mark.parametrize(
    ("paths", "name"),
    [(["pyproject.toml"], "python-pytest"), (["setup.py", "go.mod"], "python-pytest"), (["setup.cfg"], "python-pytest"),
     (["go.mod"], None), (["sub/setup.py"], None), ([], None)],
)  # fmt: skip
def test_recipe_is_detected_by_its_manifests(paths: list[str], name: str | None) -> None:
    found = recipes.detect(project(dict.fromkeys(paths, "")))
    assert (found.name if found else None) == name


def test_recipe_is_found_again_by_its_name() -> None:
    assert recipes.by_name("python-pytest").name == "python-pytest"


def test_recipe_of_an_unknown_name_is_an_error_that_names_the_known() -> None:
    with pytest.raises(ToolError, match=r"unknown recipe: cobol. Known recipes: .*python-pytest"):
        recipes.by_name("cobol")


def test_summary_says_where_dependencies_python_and_command_come_from() -> None:
    found = R.summary(project({"pyproject.toml": PYPROJECT}))
    assert found.startswith("pyproject.toml, group test; >=3.9; python -m pytest ")
    assert found.endswith(" TESTS")
    assert "; any Python; " in R.summary(project({"setup.py": ""}))


PINNED = {
    "nothing": ({}, True),
    "a module's contents": ({"src/a/__init__.py": "x = 1\n"}, True),
    "another module": ({"src/a/b.py": ""}, True),
    "a test": ({"tests/test_a.py": ""}, True),
    "a manifest": ({"pyproject.toml": PYPROJECT + "\n"}, False),
    "a new manifest": ({"setup.cfg": "[metadata]\n"}, False),
    "a requirements file": ({"requirements/tests.txt": "pytest\n"}, False),
    "a plain requirements file": ({"requirements.txt": "pytest\n"}, False),
    "a task runner": ({"tox.ini": "[testenv]\n"}, False),
    "a package": ({"src/c/__init__.py": ""}, False),
}  # fmt: skip


@pytest.mark.parametrize(("change", "same"), PINNED.values(), ids=PINNED.keys())
def test_what_of_a_tree_shapes_its_environment(change: dict[str, str], same: bool) -> None:
    files = {"pyproject.toml": PYPROJECT, "src/a/__init__.py": ""}
    assert (R.pinned(project(files)) == R.pinned(project(files | change))) is same


RUNNABLE = {
    "modules by pytest's names, sorted": (
        ["tests/test_b.py", "tests/data.json", "tests/conftest.py", "tests/__init__.py", "tests/a_test.py"], ["tests/a_test.py", "tests/test_b.py"]),
    "helpers are not run": (["tests/helpers.py", "tests/test_a.py"], ["tests/test_a.py"]),
    "tests.py of Django": (["app/tests.py", "app/test.py", "app/factories.py"], ["app/test.py", "app/tests.py"]),
    "where none is named so, any module that may hold tests": (
        ["tests/check_a.py", "tests/conftest.py", "tests/__init__.py", "tests/setup.py"], ["tests/check_a.py"]),
    "none": (["tests/data.json", "tests/conftest.py"], []),
}  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), RUNNABLE.values(), ids=RUNNABLE.keys())
def test_files_that_pytest_can_be_pointed_at(files: list[str], expected: list[str]) -> None:
    assert R.runnable(files) == expected


TARGETS = {
    "each test": (["t.py::b", "t.py::a"], [], ["t.py::b", "t.py::a"]),
    "without parameters": (["t.py::a[1]", "t.py::a[2-[x]]"], [], ["t.py::a"]),
    "colons in parameters": (["t.py::A::b[x::y]"], [], ["t.py::A::b"]),
    "spaces and dashes in parameters": (["t.py::a[x y - z]"], [], ["t.py::a"]),
    "none": ([], [], []),
    "whole where all tests are wanted": (["t.py::a", "t.py::b[1]"], ["t.py::a", "t.py::b[1]", "t.py::b[2]"], ["t.py"]),
    "not whole where another is there": (["t.py::a", "t.py::b"], ["t.py::a", "t.py::b", "t.py::c"], ["t.py::a", "t.py::b"]),
    "each file for itself, in order": (
        ["u.py::x", "t.py::a", "u.py::y", "t.py::b"], ["t.py::a", "t.py::b", "t.py::c", "u.py::x", "u.py::y"], ["u.py", "t.py::a", "t.py::b"]),
    "seen, not wanted": (["t.py::a"], ["u.py::x"], ["t.py::a"]),
}  # fmt: skip


@pytest.mark.parametrize(("ids", "seen", "expected"), TARGETS.values(), ids=TARGETS.keys())
def test_narrowest_targets_that_run_tests(ids: list[str], seen: list[str], expected: list[str]) -> None:
    assert R.targets(ids, seen) == expected


def test_plain_command_ignores_the_projects_own_options() -> None:
    command, plain = R.command(["t.py"]), R.command(["t.py"], plain=True)
    assert command[:3] == plain[:3] == ["python", "-m", "pytest"]
    assert command[-1] == plain[-1] == "t.py"
    assert any("{results}" in word for word in command)
    assert set(plain) - set(command) == {"--override-ini=addopts="}


READ = {
    "a test file": ("test_x.py", "test_x", "test_x.py::test_a"),
    "a folder called like the program": ("python/tests/test_x.py", "python.tests.test_x", "python/tests/test_x.py::test_a"),
    "a folder called like the runner": ("pytest/test_x.py", "pytest.test_x", "pytest/test_x.py::test_a"),
}  # fmt: skip


@pytest.mark.parametrize(("file", "classname", "expected"), READ.values(), ids=READ.keys())
@pytest.mark.parametrize("whole", [True, False], ids=["whole suite", "file named"])
def test_results_are_read_by_file(tmp_path: Path, file: str, classname: str, expected: str, whole: bool) -> None:
    case = f'<testcase file="{file}" classname="{classname}" name="test_a"/>'
    (tmp_path / "junit.xml").write_text(f"<testsuites><testsuite>{case}</testsuite></testsuites>")
    command = R.command([] if whole else [f"{file}::test_a"])
    assert R.read(tmp_path, Outcome(0, "", 1.0), command) == {expected: Result.PASSED}


def test_without_a_file_of_results_there_are_none(tmp_path: Path) -> None:
    assert R.read(tmp_path, Outcome(0, "1 passed", 1.0), R.command([])) is None


def test_toolchain_of_a_version_that_is_not_there_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(EnvironmentFailed, match=r"no Python for `3\.2` among 3\..*uv python install.*--python"):
        R.toolchains(project({"setup.py": ""}, python="3.2"))


def test_toolchain_asked_for_is_the_only_one() -> None:
    first = R.toolchains(project({"setup.py": ""}))[0]
    minor = ".".join(first.version.split(".")[:2])
    assert R.toolchains(project({"setup.py": ""}, python=minor)) == [first]


def test_recorded_toolchain_is_found_again() -> None:
    first = R.toolchains(project({"setup.py": ""}))[0]
    assert R.like(str(first), project({})) == first


@pytest.mark.parametrize("recorded", ["python", "python three", "node 20.1.0", "python 3.x", ""])
def test_record_of_no_version_is_an_error_that_says_so(recorded: str) -> None:
    with pytest.raises(EnvironmentFailed, match="no version of Python"):
        R.like(recorded, project({}))


class Commands:
    """A workshop that writes down what it is asked to run."""

    def __init__(self, folder: Path) -> None:
        self.work, self.env = folder, folder
        self.run_so_far: list[list[str]] = []

    def write(self, name: str, text: str) -> None:
        (self.work / name).write_text(text)

    def read(self, name: str) -> str | None:
        return None

    def run(self, command, toolchain, environment=None, mounts=()) -> Outcome:
        self.run_so_far.append(list(command))
        return Outcome(0, "", 1.0)


@pytest.mark.parametrize(("version", "compiles"), [("3.6.15", False), ("3.7.0", True), ("3.13.1", True)])
def test_bytecode_is_compiled_by_uv_where_it_can(tmp_path: Path, version: str, compiles: bool) -> None:
    shop, python = Commands(tmp_path), Toolchain("python", version, Path("/usr/bin/python"), ())
    R.build(project({"setup.py": ""}), python, "pytest==1\n", "editable", shop)
    installs = [command for command in shop.run_so_far if "install" in command]
    assert len(installs) == 2
    assert all(("--compile-bytecode" in command) is compiles for command in installs)
    assert all("--no-deps" in command for command in installs)
