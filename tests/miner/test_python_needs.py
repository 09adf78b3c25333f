# ruff: noqa: E501
"""What a Python project's manifests say its tests need: tables of files and what is read from them."""

from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from miner.recipes.model import Project
from miner.recipes.python_needs import Source, classified, requirement_files, requirement_rows, requires_python, sources

PROJECT = '[project]\nname = "a"\n'
POETRY = '[tool.poetry]\nname = "a"\n'


def project(files: Mapping[str, str]) -> Project:
    return Project(frozenset(files), lambda p: files[p].encode() if p in files else None, datetime(2026, 1, 2, tzinfo=UTC))


Sources = list[tuple[str, str, str]]  # name, options, requirements: each joined by spaces
SOURCES: dict[str, tuple[dict[str, str], Sources]] = {
    "an extra": (
        {"pyproject.toml": PROJECT + '[project.optional-dependencies]\ntest = ["pytest"]\ndocs = ["sphinx"]\n'},
        [("pyproject.toml, extra test", "pyproject.toml --extra=test", "")],
    ),
    "several extras of tests": (
        {"pyproject.toml": PROJECT + '[project.optional-dependencies]\ntesting = ["x"]\ntests = ["y"]\ndev = ["z"]\n'},
        [("pyproject.toml, extra testing, extra tests", "pyproject.toml --extra=testing --extra=tests", "")],
    ),
    "a group": (
        {"pyproject.toml": PROJECT + '[dependency-groups]\nTests = ["pytest"]\ndocs = ["sphinx"]\n'},
        [("pyproject.toml, group Tests", "pyproject.toml --group=Tests", "")],
    ),
    "an extra and a group": (
        {"pyproject.toml": PROJECT + '[project.optional-dependencies]\ntest = ["x"]\n[dependency-groups]\ndev = ["y"]\n'},
        [("pyproject.toml, extra test, group dev", "pyproject.toml --extra=test --group=dev", "")],
    ),
    "dev where there is no test": (
        {"pyproject.toml": PROJECT + '[dependency-groups]\ndev = ["pytest"]\nlint = ["ruff"]\n'},
        [("pyproject.toml, group dev", "pyproject.toml --group=dev", "")],
    ),
    "a requirements file": (
        {"pyproject.toml": PROJECT, "requirements/tests.txt": "pytest\n", "requirements.txt": "x\n"},
        [("pyproject.toml, requirements/tests.txt", "pyproject.toml requirements/tests.txt", "")],
    ),
    "a plain requirements file only": (
        {"setup.py": "", "requirements.txt": "pytest\n"}, [("setup.py, requirements.txt", "setup.py requirements.txt", "")],
    ),
    "an extra of setup.cfg": (
        {"setup.cfg": "[options.extras_require]\ntesting = pytest\n", "setup.py": ""},
        [("setup.py, extra testing", "setup.py --extra=testing", "")],
    ),
    "an extra of setup.py": (
        {"setup.py": "from setuptools import setup\nextras = {'dev': ['pytest'], 'docs': []}\nsetup(extras_require=extras)\n"},
        [("setup.py, extra dev", "setup.py --extra=dev", "")],
    ),
    "an extra of setup.py beside a setup.cfg that cannot be read": (
        {"setup.py": "setup(extras_require={'test': []})\n", "setup.cfg": "no section\n"},
        [("setup.py, extra test", "setup.py --extra=test", "")],
    ),
    "a pyproject that describes no project": (
        {"pyproject.toml": "[tool.black]\n", "setup.py": "setup(extras_require={'test': []})\n"},
        [("setup.py, extra test", "setup.py --extra=test", "")],
    ),
    "setup.py that is no Python 3": ({"setup.py": "print 'x'\n"}, []),
    "nothing named": ({"pyproject.toml": PROJECT}, []),
    "broken TOML": ({"pyproject.toml": "[project", "setup.cfg": "[metadata]\n"}, []),
    "a project that is no table": ({"pyproject.toml": 'project = "a"\ntool = 1\ndependency-groups = 3\n', "setup.py": ""}, []),
    "extras that are no table": ({"pyproject.toml": PROJECT + 'optional-dependencies = "test"\n'}, []),
    "tools that are no tables": ({"pyproject.toml": PROJECT + '[tool]\npoetry = 1\npdm = 2\nhatch = "x"\n', "Pipfile": "dev-packages = 1\n"}, []),
    "tox": (
        {"setup.py": "", "tox.ini": "[tox]\nenvlist = py\n[testenv]\ndeps =\n    pytest>=6  # why\n    mock ; python_version<'3'\n    py27: funcsigs\n    .[test]\n    {env:X}\n    attrs[tests] == 1.0\n"},
        [("setup.py, tox.ini", "setup.py", "pytest>=6|mock ; python_version<'3'|attrs[tests] == 1.0")],
    ),
    "tox on one line": ({"setup.py": "", "tox.ini": "[testenv]\ndeps = pytest\n"}, [("setup.py, tox.ini", "setup.py", "pytest")]),
    "tox that names a requirements file": (
        {"setup.py": "", "tox.ini": "[testenv]\ndeps =\n  -r{toxinidir}/ci/needs.txt\n  -r ./more.txt\n  -cconstraints.txt\n", "ci/needs.txt": "nose\n-r x.txt\n", "more.txt": "tox\n"},
        [("setup.py, tox.ini", "setup.py", "nose|tox")],
    ),
    "tox that names a file that is not there": ({"setup.py": "", "tox.ini": "[testenv]\ndeps = -rnothing.txt\n"}, []),
    "tox with environments only for others": ({"setup.py": "", "tox.ini": "[testenv:docs]\ndeps = sphinx\n"}, []),
    "tox that cannot be read": ({"setup.py": "", "tox.ini": "deps = x\n"}, []),
    "nox": (
        {"setup.py": "", "noxfile.py": "import nox\n@nox.session\ndef unit_tests(session):\n    session.install('.', '-e', 'pytest>7', 'mock', *more)\n    session.run('x')\n@nox.session\ndef lint(session):\n    session.install('flake8')\n"},
        [("setup.py, noxfile.py", "setup.py", "pytest>7|mock")],
    ),
    "nox that cannot be read": ({"setup.py": "", "noxfile.py": "def ("}, []),
    "poetry of old": (
        {"pyproject.toml": POETRY + '[tool.poetry.dev-dependencies]\npytest = "^7"\nmock = {version = "*"}\n'},
        [("pyproject.toml, tool.poetry", "pyproject.toml", "pytest|mock")],
    ),
    "poetry with groups": (
        {"pyproject.toml": POETRY + '[tool.poetry.group.test.dependencies]\npytest = "^7"\n[tool.poetry.group.docs.dependencies]\nsphinx = "*"\n[tool.poetry.group.Dev.dependencies]\nmock = "*"\n'},
        [("pyproject.toml, tool.poetry", "pyproject.toml", "pytest|mock")],
    ),
    "pdm": (
        {"pyproject.toml": PROJECT + '[tool.pdm.dev-dependencies]\ntest = ["pytest>=7", "-e ."]\nlint = ["ruff"]\n'},
        [("pyproject.toml, tool.pdm", "pyproject.toml", "pytest>=7|ruff")],
    ),
    "hatch": (
        {"pyproject.toml": PROJECT + '[tool.hatch.envs.default]\ndependencies = ["pytest"]\n[tool.hatch.envs.test]\nextra-dependencies = ["mock"]\n[tool.hatch.envs.docs]\ndependencies = ["sphinx"]\n'},
        [("pyproject.toml, tool.hatch", "pyproject.toml", "pytest|mock")],
    ),
    "hatch of another shape": ({"pyproject.toml": PROJECT + "[tool.hatch.envs]\ntest = 3\n"}, []),
    "Pipfile": (
        {"setup.py": "", "Pipfile": '[packages]\nx = "*"\n[dev-packages]\npytest = "*"\n"mock" = ">=1"\n'},
        [("setup.py, Pipfile", "setup.py", "pytest|mock")],
    ),
    "Pipfile that cannot be read": ({"setup.py": "", "Pipfile": "[dev-packages\n"}, []),
    "the first of several lists": (
        {"setup.py": "", "tox.ini": "[testenv]\ndeps = pytest\n", "Pipfile": '[dev-packages]\nmock = "*"\n'},
        [("setup.py, tox.ini", "setup.py", "pytest")],
    ),
    "an extra and a list, then the extra, then the list": (
        {"pyproject.toml": PROJECT + '[project.optional-dependencies]\ntest = ["pytest"]\n', "tox.ini": "[testenv]\ndeps = mock\n"},
        [
            ("pyproject.toml, extra test, tox.ini", "pyproject.toml --extra=test", "mock"),
            ("pyproject.toml, extra test", "pyproject.toml --extra=test", ""),
            ("pyproject.toml, tox.ini", "pyproject.toml", "mock"),
        ],
    ),
    "a requirements file and a list": (
        {"setup.py": "", "dev-requirements.txt": "x\n", "tox.ini": "[testenv]\ndeps = mock\n"},
        [
            ("setup.py, dev-requirements.txt, tox.ini", "setup.py dev-requirements.txt", "mock"),
            ("setup.py, dev-requirements.txt", "setup.py dev-requirements.txt", ""),
            ("setup.py, tox.ini", "setup.py", "mock"),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), SOURCES.values(), ids=SOURCES.keys())
def test_descriptions_of_the_test_environment_fullest_first(files: dict[str, str], expected: Sources) -> None:
    *found, last = sources(project(files))
    assert [(s.name, " ".join(s.options), "|".join(s.requirements)) for s in found] == expected
    described = "poetry" in files.get("pyproject.toml", "") or "[project]" in files.get("pyproject.toml", "")
    manifest = "pyproject.toml" if described else "setup.py" if "setup.py" in files else "setup.cfg"
    assert last == Source(manifest, (manifest,))


def test_tree_without_a_manifest_asks_for_pytest_alone() -> None:
    assert sources(project({"a.py": ""})) == [Source("pytest alone", ())]


def test_requirements_files_are_found_best_first() -> None:
    names = [
        "requirements-dev.txt", "requirements/test.in", "test-requirements.txt", "requirements_tests.txt", "docs/requirements.txt",
        "requirements/docs.txt", "requirements.txt", "tests/requirements.txt", "sub/requirements-test.txt",
    ]  # fmt: skip
    assert requirement_files(project(dict.fromkeys(names, ""))) == [
        "requirements_tests.txt", "tests/requirements.txt", "test-requirements.txt", "requirements/test.in", "requirements-dev.txt",
    ]  # fmt: skip


ROWS = {
    "plain": ("a\nb==1\n", ["a", "b==1"]),
    "comments and blank lines": ("# x\n\na  # why\n", ["a"]),
    "options": ("-r b.txt\n--index-url x\n-e .\na\n", ["a"]),
    "hashes": ("a==1 --hash=sha256:0 --hash=sha256:1\nb==2 \\\n    --hash=sha256:2\n", ["a==1", "b==2"]),
    "carriage returns": ("a\r\nb\r\n", ["a", "b"]),
    "markers": ('a; python_version < "3.8"\n', ['a; python_version < "3.8"']),
}


@pytest.mark.parametrize(("text", "rows"), ROWS.values(), ids=ROWS.keys())
def test_rows_of_a_requirements_file(text: str, rows: list[str]) -> None:
    assert list(requirement_rows(text)) == rows


PYTHONS = {
    "pyproject": ({"pyproject.toml": PROJECT + 'requires-python = ">=3.9"\n'}, ">=3.9"),
    "setup.cfg": ({"setup.cfg": "[options]\npython_requires = >=3.7, <4\nx = 1\n"}, ">=3.7, <4"),
    "setup.py": ({"setup.py": "setup(name='a', python_requires='>=3.6')\n"}, ">=3.6"),
    "pyproject first": ({"pyproject.toml": PROJECT + 'requires-python = ">=3.9"\n', "setup.cfg": "python_requires = >=3.7\n"}, ">=3.9"),
    "unsaid": ({"setup.py": "", "pyproject.toml": "[build-system]\n"}, ""),
    "no text": ({"pyproject.toml": PROJECT + "requires-python = 3\n"}, "3"),
    "project that is no table": ({"pyproject.toml": "project = 3\n"}, ""),
}  # fmt: skip


@pytest.mark.parametrize(("files", "expected"), PYTHONS.values(), ids=PYTHONS.keys())
def test_python_that_a_project_requires(files: dict[str, str], expected: str) -> None:
    assert requires_python(project(files)) == expected


def test_classified_versions_are_read_from_every_manifest() -> None:
    text = '["Programming Language :: Python :: 3.9", "Programming Language :: Python :: 3", "Programming Language :: Python :: 2.7"]'
    other = "    Programming Language :: Python :: 3.10\n"
    assert classified(project({"pyproject.toml": text, "setup.cfg": other})) == {(3, 9), (3, 10)}
