"""What a Python project says its tests need: interpreter bounds and dependency sources, from its manifests."""

import ast
import configparser
import re
import tomllib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from miner import python_ast
from miner.recipes.model import Project

_TEST_NAMES = ("tests", "test", "testing", "unittest", "pytest")
_DEV_NAMES = ("dev", "develop", "development")
_REQUIREMENTS = tuple(
    pattern.format(name=name, end=end)
    for name in (*_TEST_NAMES, *_DEV_NAMES)
    for end in ("txt", "in")
    for pattern in (
        "requirements/{name}.{end}", "requirements-{name}.{end}", "{name}-requirements.{end}",
        "requirements_{name}.{end}", "{name}/requirements.{end}", "{name}_requirements.{end}",
    )
)  # fmt: skip
SHAPING = ("pyproject.toml", "setup.cfg", "setup.py", "tox.ini", "noxfile.py", "requirements.txt", "Pipfile")
_CLASSIFIER = re.compile(r"Programming Language :: Python :: 3\.(\d+)")
_REQUIRES = re.compile(r"""python_requires\s*=\s*(?:["']([^"']+)["']|([^"'\n]+))""")
_REQUIREMENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\s*(?:\[[^\]]*\])?\s*(?:[<>=!~(@;].*)?\Z")


@dataclass(frozen=True)
class Source:
    """One description of the test environment: options of `uv pip compile`, and requirements beside them."""

    name: str
    options: tuple[str, ...]
    requirements: tuple[str, ...] = ()


def requires_python(project: Project) -> str:
    """The declared `requires-python`, empty where there is none."""
    declared = _pyproject(project).get("project", {}).get("requires-python", "")
    for name in ("setup.cfg", "setup.py"):
        if not declared and (match := _REQUIRES.search(project.text(name))):
            declared = match[1] or match[2]
    return str(declared).strip()


def classified(project: Project) -> frozenset[tuple[int, int]]:
    """The Python 3 minor versions that the classifiers name."""
    texts = [project.text(name) for name in ("pyproject.toml", "setup.cfg", "setup.py")]
    return frozenset((3, int(minor)) for text in texts for minor in _CLASSIFIER.findall(text))


def requirement_files(project: Project) -> list[str]:
    """The requirements files for tests or development, best first."""
    return [path for path in _REQUIREMENTS if path in project.paths]


def sources(project: Project) -> list[Source]:
    """Descriptions of the test environment, the fullest first; the last asks for the project alone."""
    pyproject = _pyproject(project)
    manifest = _described_by(pyproject, project)
    extras, groups = _test_like(_extras(pyproject, project)), _test_like(pyproject.get("dependency-groups", {}))
    named = [f"--extra={name}" for name in extras] + [f"--group={name}" for name in groups]
    files, listed = requirement_files(project)[:1], _listed(pyproject, project)
    found: list[Source] = []
    labels = [*(f"extra {name}" for name in extras), *(f"group {name}" for name in groups)]
    if named and listed:
        found.append(Source(_name(manifest, labels, [listed[0]]), (*manifest, *named), listed[1]))
    if named:
        found.append(Source(_name(manifest, labels), (*manifest, *named)))
    if files and listed:
        found.append(Source(_name(manifest, files, [listed[0]]), (*manifest, *files), listed[1]))
    if files:
        found.append(Source(_name(manifest, files), (*manifest, *files)))
    if listed:
        found.append(Source(_name(manifest, [listed[0]]), tuple(manifest), listed[1]))
    if not found and "requirements.txt" in project.paths:
        found.append(Source(_name(manifest, ["requirements.txt"]), (*manifest, "requirements.txt")))
    return [*found, Source(_name(manifest), tuple(manifest))]


def _name(*parts: Collection[str]) -> str:
    return ", ".join(name for part in parts for name in part) or "pytest alone"


def _pyproject(project: Project) -> dict[str, Any]:
    """The tables of pyproject.toml: what should be one and is none is left out."""
    try:
        found = tomllib.loads(project.text("pyproject.toml"))
    except tomllib.TOMLDecodeError:
        return {}
    return {name: table for name, table in found.items() if isinstance(table, dict)}


def _described_by(pyproject: dict[str, Any], project: Project) -> list[str]:
    if "project" in pyproject or "poetry" in pyproject.get("tool", {}):
        return ["pyproject.toml"]
    found: list[str] = [name for name in ("setup.py", "setup.cfg") if name in project.paths]
    return found[:1]


def _extras(pyproject: dict[str, Any], project: Project) -> set[str]:
    named = pyproject.get("project", {}).get("optional-dependencies", {})
    return {*named, *_extras_of_setup_cfg(project.text("setup.cfg")), *_extras_of_setup_py(project.text("setup.py"))}


def _extras_of_setup_cfg(text: str) -> Collection[str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return ()
    return list(parser["options.extras_require"]) if parser.has_section("options.extras_require") else ()


def _extras_of_setup_py(text: str) -> Iterator[str]:
    """Every text that is a key of some dictionary: which of them holds the extras cannot be told."""
    try:
        tree = python_ast.parse(text)
    except (SyntaxError, ValueError):
        return
    keys = (key for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys)
    yield from (k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str))


def _test_like(names: Collection[str]) -> list[str]:
    for wanted in (_TEST_NAMES, _DEV_NAMES):
        if found := sorted(name for name in names if name.lower() in wanted):
            return found
    return []


def _listed(pyproject: dict[str, Any], project: Project) -> tuple[str, tuple[str, ...]] | None:
    """Requirements that a task runner or another tool's table lists, and where: tox, nox, poetry, pdm, hatch."""
    tool = pyproject.get("tool", {})
    readers = (
        ("tox.ini", lambda: _tox(project.text("tox.ini"), project)),
        ("noxfile.py", lambda: _nox(project.text("noxfile.py"))),
        ("tool.poetry", lambda: _poetry(tool.get("poetry", {}))),
        ("tool.pdm", lambda: [r for rows in tool.get("pdm", {}).get("dev-dependencies", {}).values() for r in rows]),
        ("tool.hatch", lambda: _hatch(tool.get("hatch", {}).get("envs", {}))),
        ("Pipfile", lambda: _pipfile(project.text("Pipfile"))),
    )
    for name, reader in readers:
        try:
            found = tuple(r for r in reader() if isinstance(r, str) and _REQUIREMENT.match(r.strip()))
        except (AttributeError, TypeError):  # a table that is not shaped as its tool wants it
            continue
        if found:
            return name, found
    return None


def _tox(text: str, project: Project) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    if not parser.has_section("testenv"):
        return
    for line in parser["testenv"].get("deps", "").splitlines():
        row = line.split(" #")[0].strip()
        # Conditions such as `py27: mock` are left out: the plain rows are what every environment shares.
        if row.startswith("-r"):
            path = row[2:].strip().removeprefix("{toxinidir}/").removeprefix("./")
            yield from requirement_rows(project.text(path))
        elif ": " not in row and "{" not in row:
            yield row


def requirement_rows(text: str) -> Iterator[str]:
    """The plain requirements of a requirements file; options and nested files are left out."""
    for line in text.splitlines():
        row = line.split("#")[0].strip().split(" --hash")[0].rstrip("\\ ")
        if row and not row.startswith("-"):
            yield row


def _nox(text: str) -> Iterator[str]:
    """String arguments of `session.install(...)` in sessions whose name speaks of tests."""
    try:
        tree = python_ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        if "test" not in function.name:
            continue
        for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
            if isinstance(call.func, ast.Attribute) and call.func.attr == "install":
                yield from (
                    arg.value for arg in call.args
                    if isinstance(arg, ast.Constant) and isinstance(arg.value, str)
                    and not arg.value.startswith(("-", "."))
                )  # fmt: skip


def _poetry(table: dict[str, Any]) -> Iterator[str]:
    yield from table.get("dev-dependencies", {})
    for name, group in table.get("group", {}).items():
        if name.lower() in (*_TEST_NAMES, *_DEV_NAMES):
            yield from group.get("dependencies", {})


def _hatch(environments: dict[str, Any]) -> Iterator[str]:
    for name, table in environments.items():
        if name in ("default", "hatch-test", *_TEST_NAMES):
            yield from (*table.get("dependencies", ()), *table.get("extra-dependencies", ()))


def _pipfile(text: str) -> Iterator[str]:
    try:
        yield from tomllib.loads(text).get("dev-packages", {})
    except tomllib.TOMLDecodeError:
        return
