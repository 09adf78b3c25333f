"""Whether a change alters what a project depends on, read from its manifests."""

import ast
import configparser
import json
import re
import tomllib
from pathlib import PurePosixPath
from typing import Any

from miner import python_ast

_REQUIREMENTS = re.compile(r".*requirements.*\.(?:txt|in)\Z")
_VERSION_PROPERTY = re.compile(r"<((?!model)[\w.-]+\.?[vV]ersion|version\.[\w.-]+)>([^<]*)")
_PACKAGE_JSON_TABLES = (
    "dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "overrides", "resolutions",
    "workspaces",
)  # fmt: skip


def is_manifest(path: str) -> bool:
    """Whether the file at `path` can declare dependencies."""
    return _table_reader(path) is not None


def dependencies_differ(path: str, before: bytes | None, after: bytes | None) -> bool:
    """Whether the dependency tables of a manifest differ; an unreadable manifest counts as differing."""
    reader = _table_reader(path)
    if reader is None or before == after:
        return False
    try:
        return bool(_read(reader, before) != _read(reader, after))
    except (ValueError, SyntaxError, configparser.Error, AttributeError):
        return True


def _read(reader: Any, content: bytes | None) -> Any:
    return reader(content.decode()) if content is not None else reader("")


def _table_reader(path: str) -> Any:
    name = PurePosixPath(path).name.lower()
    if name in _READERS:
        return _READERS[name]
    in_folder = PurePosixPath(path).parent.name == "requirements" and name.endswith((".txt", ".in"))
    return _requirements if in_folder or _REQUIREMENTS.match(name) else None


def _pyproject(text: str) -> Any:
    data = tomllib.loads(text)
    project, tool = data.get("project", {}), data.get("tool", {})
    poetry = tool.get("poetry", {})
    return (
        data.get("build-system"), data.get("dependency-groups"),
        project.get("dependencies"), project.get("optional-dependencies"),
        poetry.get("dependencies"), poetry.get("dev-dependencies"), poetry.get("group"),
    )  # fmt: skip


def _setup_cfg(text: str) -> Any:
    parser = configparser.ConfigParser(interpolation=None)
    parser.read_string(text)
    options = parser["options"] if parser.has_section("options") else {}
    extras = parser["options.extras_require"] if parser.has_section("options.extras_require") else {}
    return {k: v.split() for k, v in options.items() if "require" in k}, {k: v.split() for k, v in extras.items()}


def _setup_py(text: str) -> Any:
    """Every keyword, assignment or dictionary key of setup.py whose name speaks of requirements."""
    found = []
    for node in ast.walk(python_ast.parse(text)):
        if isinstance(node, ast.keyword) and node.arg and "require" in node.arg:
            found.append((node.arg, ast.dump(node.value)))
        elif isinstance(node, ast.Assign):
            names = [t.id for t in node.targets if isinstance(t, ast.Name) and "require" in t.id.lower()]
            found += [(name, ast.dump(node.value)) for name in names]
    return found


def _package_json(text: str) -> Any:
    data = json.loads(text.removeprefix("\ufeff") or "{}")
    pnpm = data.get("pnpm")
    overrides = pnpm.get("overrides") if isinstance(pnpm, dict) else None
    return [*(data.get(table) or None for table in _PACKAGE_JSON_TABLES), overrides]


def _cargo(text: str) -> Any:
    """Every table of dependencies, also of the workspace and of single targets, and what replaces them."""
    data = tomllib.loads(text)
    tables = [data, data.get("workspace", {}), *data.get("target", {}).values()]
    return data.get("patch"), data.get("replace"), [{k: v for k, v in t.items() if "dependencies" in k} for t in tables]


def _requirements(text: str) -> Any:
    lines = (line.split("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def _go_mod(text: str) -> Any:
    required = re.findall(r"^\s*(?:require\s+)?(\S+ v\S+)", text, re.MULTILINE)
    return sorted(required), sorted(re.findall(r"^\s*(?:replace\s+)?(\S+.* => \S+.*)", text, re.MULTILINE))


def _pom(text: str) -> Any:
    """Dependencies, parents, extensions, the coordinates of plugins, and the properties that name versions."""
    text = re.sub(r"<!--.*?-->|\s+", "", text, flags=re.DOTALL)
    blocks = re.findall(r"<(dependency|parent|extension)>(.*?)</\1>", text)
    plugins = re.findall(r"<plugin>((?:<(?:groupId|artifactId|version)>[^<]*</\w+>)+)", text)
    return sorted(blocks), sorted(plugins), sorted(_VERSION_PROPERTY.findall(text))


def _gradle(text: str) -> Any:
    """Coordinates, plugins' versions and references to a catalogue, in the order they stand."""
    text = re.sub(r"/\*.*?\*/|(?<!:)//[^\n]*", "", text, flags=re.DOTALL)
    return re.findall(
        r"""\w+[ (]+['"][\w.-]+:[\w.-]+(?::[^'"]*)?['"]|id[ (]*['"][^'"]+['"][ )]*version[ (]*['"][^'"]+['"]"""
        r"""|\w+[ (]+libs\.[\w.]+|\w+_?[vV]ersion\s*=\s*['"][^'"]+['"]""",
        text,
    )


_READERS: dict[str, Any] = {
    "pyproject.toml": _pyproject,
    "setup.cfg": _setup_cfg,
    "setup.py": _setup_py,
    "package.json": _package_json,
    "cargo.toml": _cargo,
    "go.mod": _go_mod,
    "pom.xml": _pom,
    "build.gradle": _gradle,
    "build.gradle.kts": _gradle,
    "libs.versions.toml": _requirements,
    "gradle.lockfile": _requirements,
}
