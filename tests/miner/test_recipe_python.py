# ruff: noqa: E501
import pytest

from miner import recipes
from miner.recipes.python import PythonRecipe

R = PythonRecipe()
PYPROJECT = """
[project]
name = "a"
requires-python = ">=3.9"
classifiers = ["Programming Language :: Python :: 3.9", "Programming Language :: Python :: 3.10", "Programming Language :: Python :: 3"]
[project.optional-dependencies]
test = ["pytest"]
docs = ["sphinx"]
"""
SETUP_CFG = "[options]\npython_requires = >=3.7\n[options.extras_require]\ntesting = pytest\n"
SETUP_PY = "from setuptools import setup\nsetup(name='a', python_requires='>=3.6', extras_require={'dev': ['pytest']})\n"


def needs(files: dict[str, str]):
    return R.needs(list(files), lambda path: files[path].encode() if path in files else None)


INPUTS = {
    "an extra": ({"pyproject.toml": PYPROJECT}, [("pyproject.toml", "--extra=test"), ("pyproject.toml",)]),
    "a group": ({"pyproject.toml": '[project]\nname="a"\n[dependency-groups]\ntests=["pytest"]\ndocs=["sphinx"]\n'},
                [("pyproject.toml", "--group=tests"), ("pyproject.toml",)]),
    "dev where there is no test": ({"pyproject.toml": '[project]\nname="a"\n[dependency-groups]\ndev=["pytest"]\n'},
                                   [("pyproject.toml", "--group=dev"), ("pyproject.toml",)]),
    "a requirements file": ({"pyproject.toml": '[project]\nname="a"\n', "requirements/tests.txt": "pytest"},
                            [("pyproject.toml", "requirements/tests.txt"), ("pyproject.toml",)]),
    "an extra of setup.cfg": ({"setup.cfg": SETUP_CFG, "setup.py": ""}, [("setup.py", "--extra=testing"), ("setup.py",)]),
    "an extra of setup.py": ({"setup.py": SETUP_PY}, [("setup.py", "--extra=dev"), ("setup.py",)]),
    "a pyproject that describes no project": ({"pyproject.toml": "[tool.black]\n", "setup.py": SETUP_PY},
                                              [("setup.py", "--extra=dev"), ("setup.py",)]),
    "nothing named": ({"pyproject.toml": '[project]\nname="a"\n'}, [("pyproject.toml",)]),
    "broken TOML": ({"pyproject.toml": "[project", "setup.py": "x"}, [("setup.py",)]),
}  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), INPUTS.values(), ids=INPUTS.keys())
def test_test_dependencies_are_found_fullest_first(files: dict[str, str], expected) -> None:
    assert list(needs(files).inputs) == expected


@pytest.mark.parametrize(
    ("files", "expected"),
    [({"pyproject.toml": PYPROJECT}, ">=3.9"), ({"setup.cfg": SETUP_CFG}, ">=3.7"), ({"setup.py": SETUP_PY}, ">=3.6"),
     ({"pyproject.toml": PYPROJECT, "setup.cfg": SETUP_CFG}, ">=3.9"), ({"setup.py": ""}, "")],
    ids=["pyproject", "setup.cfg", "setup.py", "pyproject first", "unsaid"],
)  # fmt: skip
def test_python_that_a_project_requires(files: dict[str, str], expected: str) -> None:
    assert needs(files).requires_python == expected


def test_classified_versions_are_read() -> None:
    assert needs({"pyproject.toml": PYPROJECT}).classified == {(3, 9), (3, 10)}


@pytest.mark.parametrize(
    ("paths", "expected"),
    [(["src/a/__init__.py"], "src"), (["a/__init__.py"], "."), (["src/readme.txt", "a.py"], ".")],
)
def test_source_folder_is_found(paths: list[str], expected: str) -> None:
    assert needs(dict.fromkeys([*paths, "setup.py"], "")).source_folder == expected


def test_digest_of_an_environment_covers_manifests_and_packages() -> None:
    pinned = needs({"pyproject.toml": PYPROJECT, "src/a/__init__.py": "", "b/c/__init__.py": ""}).pinned
    assert pinned == (PYPROJECT.encode(), b"a b")


@pytest.mark.parametrize(
    ("paths", "name"),
    [(["pyproject.toml"], "python-pytest"), (["setup.py", "go.mod"], "python-pytest"), (["setup.cfg"], "python-pytest"),
     (["go.mod"], None), (["sub/setup.py"], None), ([], None)],
)  # fmt: skip
def test_recipe_is_detected_by_its_manifests(paths: list[str], name: str | None) -> None:
    found = recipes.detect(paths)
    assert (found and found.name) == name


def test_recipe_is_found_again_by_its_name() -> None:
    assert recipes.by_name("python-pytest").name == "python-pytest"
    assert recipes.by_name("none") is None


def test_runnable_files_are_test_modules_and_helpers_in_order() -> None:
    files = [
        "tests/test_b.py",
        "tests/data.json",
        "tests/conftest.py",
        "tests/__init__.py",
        "tests/test_a.py",
    ]
    assert R.runnable(files) == ["tests/test_a.py", "tests/test_b.py"]


@pytest.mark.parametrize(
    ("ids", "expected"),
    [(["t.py::a", "t.py::b"], ["t.py::a", "t.py::b"]), (["t.py::a[1]", "t.py::a[2-[x]]"], ["t.py::a"]),
     (["t.py::A::b[x::y]"], ["t.py::A::b"]), ([], [])],
)  # fmt: skip
def test_targets_are_functions_without_their_parameters(ids: list[str], expected: list[str]) -> None:
    assert R.targets(ids) == expected


def test_plain_command_ignores_the_projects_own_options() -> None:
    command, plain = R.command(["t.py"]), R.command(["t.py"], plain=True)
    assert command[:3] == plain[:3] == ["python", "-m", "pytest"]
    assert "addopts=" not in command
    assert plain[plain.index("addopts=") - 1] == "-o"
    assert command[-1] == plain[-1] == "t.py"
    assert R.results_option("/r.xml") == ["--junit-xml=/r.xml"]
