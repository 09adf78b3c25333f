"""Python projects, tested with pytest in an environment that uv resolves."""

import ast
import configparser
import re
import tomllib
from collections.abc import Collection, Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from miner.recipes.model import Needs, ReadFile

_MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg")
_TEST_NAMES = ("tests", "test", "testing", "unittest", "pytest")
_DEV_NAMES = ("dev", "develop", "development")
_REQUIREMENTS = tuple(
    pattern.format(name=name, end=end)
    for name in (*_TEST_NAMES, *_DEV_NAMES)
    for end in ("txt", "in")
    for pattern in (
        "requirements/{name}.{end}", "requirements-{name}.{end}", "{name}-requirements.{end}",
        "requirements_{name}.{end}", "{name}/requirements.{end}",
    )
)  # fmt: skip
_CLASSIFIER = re.compile(r"Programming Language :: Python :: 3\.(\d+)")
_REQUIRES = re.compile(r"""python_requires\s*=\s*(?:["']([^"']+)["']|([^"'\n]+))""")


class PythonRecipe:
    """pyproject (extras, dependency groups), requirements files, setup.cfg and setup.py; run by pytest."""

    name = "python-pytest"

    def applies_to(self, paths: Collection[str]) -> bool:
        """Whether the tree is a Python project."""
        return any(manifest in paths for manifest in _MANIFESTS)

    def needs(self, paths: Collection[str], read: ReadFile) -> Needs:
        """Interpreter bounds, what to resolve (richest first), and what shapes the installation."""
        texts = {name: (read(name) or b"").decode("utf-8", "replace") for name in _MANIFESTS if name in paths}
        project = _project(texts.get("pyproject.toml", ""))
        packages = sorted({p.removeprefix("src/").split("/")[0] for p in paths if p.endswith("/__init__.py")})
        return Needs(
            requires_python=_requires_python(project, texts),
            classified=frozenset((3, int(minor)) for text in texts.values() for minor in _CLASSIFIER.findall(text)),
            inputs=tuple(_inputs(project, texts, paths)),
            pinned=(*(text.encode() for text in texts.values()), " ".join(packages).encode()),
            source_folder="src" if any(p.startswith("src/") and p.endswith(".py") for p in paths) else ".",
        )

    def runnable(self, test_files: Collection[str]) -> list[str]:
        """Python files other than conftest.py and package markers."""
        names = ((path, PurePosixPath(path).name) for path in sorted(test_files))
        return [path for path, name in names if name.endswith(".py") and name not in ("conftest.py", "__init__.py")]

    def command(self, targets: Sequence[str], plain: bool = False) -> list[str]:
        """pytest on the targets, in the order given, without its cache."""
        options = ["-o", "addopts="] if plain else []
        fixed = ["-p", "no:cacheprovider", "-p", "no:randomly", "-o", "junit_family=xunit1", "--tb=short"]
        return ["python", "-m", "pytest", *fixed, *options, *targets]

    def results_option(self, path: str) -> list[str]:
        """pytest's JUnit option."""
        return [f"--junit-xml={path}"]

    def targets(self, test_ids: Collection[str]) -> list[str]:
        """Test functions without their parameters, whose ids a command line cannot always spell."""
        return sorted({test_id.split("[", 1)[0] for test_id in test_ids})


def _project(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return {}


def _requires_python(pyproject: dict[str, Any], texts: dict[str, str]) -> str:
    declared = pyproject.get("project", {}).get("requires-python", "")
    for name in ("setup.cfg", "setup.py"):
        if not declared and (match := _REQUIRES.search(texts.get(name, ""))):
            declared = match[1] or match[2]
    return str(declared).strip()


def _inputs(pyproject: dict[str, Any], texts: dict[str, str], paths: Collection[str]) -> Iterator[tuple[str, ...]]:
    """Arguments of `uv pip compile`, the fullest description of the test environment first."""
    manifest = _described_by(pyproject, texts)
    extras = _test_like(_extras(pyproject, texts))
    groups = _test_like(pyproject.get("dependency-groups", {}))
    files = [path for path in _REQUIREMENTS if path in paths]
    named = [f"--extra={name}" for name in extras] + [f"--group={name}" for name in groups]
    if named:
        yield (*manifest, *named)
    if files:
        yield (*manifest, files[0])
    yield tuple(manifest)


def _described_by(pyproject: dict[str, Any], texts: dict[str, str]) -> list[str]:
    if "project" in pyproject or "poetry" in pyproject.get("tool", {}):
        return ["pyproject.toml"]
    found: list[str] = [name for name in ("setup.py", "setup.cfg") if name in texts]
    return found[:1]


def _extras(pyproject: dict[str, Any], texts: dict[str, str]) -> set[str]:
    names = set(pyproject.get("project", {}).get("optional-dependencies", {}))
    parser = configparser.ConfigParser(interpolation=None, strict=False)
    try:
        parser.read_string(texts.get("setup.cfg", ""))
        names |= set(parser["options.extras_require"]) if parser.has_section("options.extras_require") else set()
        tree = ast.parse(texts.get("setup.py", ""))
    except (configparser.Error, SyntaxError):
        return names
    keys = (key for node in ast.walk(tree) if isinstance(node, ast.Dict) for key in node.keys)
    return names | {k.value for k in keys if isinstance(k, ast.Constant) and isinstance(k.value, str)}


def _test_like(names: Collection[str]) -> list[str]:
    for wanted in (_TEST_NAMES, _DEV_NAMES):
        if found := sorted(name for name in names if name.lower() in wanted):
            return found
    return []
