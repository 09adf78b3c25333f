"""Lock files of Node projects: which a tree has, whether it fits its package.json, what it says of packages."""

import json
import re
from collections.abc import Mapping
from typing import Any

from miner.recipes.model import Project
from miner.recipes.node_scripts import manifest, table

NPM_LOCKS = ("npm-shrinkwrap.json", "package-lock.json")  # npm prefers the first
OTHER_LOCKS = ("yarn.lock", "pnpm-lock.yaml")
TABLES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_SHAPING = (*TABLES, "peerDependenciesMeta", "overrides", "resolutions", "workspaces", "bundleDependencies", "engines",
            "packageManager", "volta", "pnpm", "scripts", "mocha", "name", "bin")  # fmt: skip
_EXACT = re.compile(r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?")
_YARN_ENTRY = re.compile(r'^"?(@?[^@"\s]+)@[^\n]*:\n {2}version:? "?([^"\s]+)"?$', re.MULTILINE)


def npm_lock(project: Project) -> str | None:
    """The name of the npm lock file that the tree has."""
    return next((name for name in NPM_LOCKS if name in project.paths), None)


def found_locks(project: Project) -> str:
    """What of lock files there is, for a person."""
    names = (*NPM_LOCKS, *OTHER_LOCKS)
    return next((name for name in names if name in project.paths), "no lock file")


def shaping(path: str, project: Project) -> bytes:
    """What of a package.json shapes an environment: all but its version, description, authors and the like."""
    data = manifest(project, path)
    return json.dumps({key: data[key] for key in _SHAPING if key in data}, sort_keys=True).encode()


def package_files(project: Project) -> list[str]:
    """The package.json files of the tree itself and, where it has workspaces, of those."""
    has_workspaces = "workspaces" in manifest(project) or "pnpm-workspace.yaml" in project.paths
    nested = [p for p in project.paths if has_workspaces and p.endswith("/package.json") and "node_modules/" not in p]
    return ["package.json", *sorted(nested)]


def read_lock(text: str) -> dict[str, Any]:
    """A package-lock.json, empty where it is none."""
    try:
        data = json.loads(text)
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def fits(lock: Mapping[str, Any], project: Project) -> bool:
    """Whether an npm lock file was made from the tree's package.json files, as far as can be told without npm."""
    packages = lock.get("packages")
    if not isinstance(packages, dict):  # version 1 names what is locked, and not for which ranges
        wanted = [name for key in TABLES[:2] for name in manifest(project).get(key) or {}]
        return bool(lock.get("lockfileVersion")) and all(name in (lock.get("dependencies") or {}) for name in wanted)
    own = [key for key in packages if "node_modules/" not in f"{key}/"]
    return "" in own and all(
        (packages[key].get(kind) or {}) == (manifest(project, f"{key}/package.json".lstrip("/")).get(kind) or {})
        for key in own for kind in TABLES[:3]
    )  # fmt: skip


def locked(lock: Mapping[str, Any]) -> dict[str, set[str]]:
    """The versions of each package that come from a registry."""
    found: dict[str, set[str]] = {}
    for key, entry in (lock.get("packages") or {}).items():
        name = entry.get("name") or key.rpartition("node_modules/")[2]
        if "node_modules/" in key and not entry.get("link") and "version" in entry:
            found.setdefault(name, set()).add(entry["version"])
    return found


def pinned_exactly(project: Project) -> dict[str, str]:
    """The packages that package.json asks for by one exact version."""
    tables = [table(manifest(project), key) for key in TABLES[:3]]
    return {name: wanted for found in tables for name, wanted in found.items() if _EXACT.fullmatch(wanted)}


def has_scripts(lock: Mapping[str, Any]) -> bool:
    """Whether a package of the lock runs something when it is installed; old lock files do not say."""
    packages = lock.get("packages")
    return packages is None or any(entry.get("hasInstallScript") for entry in packages.values())


def yarn_versions(text: str) -> dict[str, set[str]]:
    """The versions of each package that a yarn.lock names."""
    found: dict[str, set[str]] = {}
    for name, version in _YARN_ENTRY.findall(text):
        found.setdefault(name, set()).add(version)
    return found


def beside(lock: Mapping[str, Any], known: Mapping[str, set[str]]) -> list[str]:
    """Packages of which the lock has a version that `known` has not, as `name@version`."""
    return sorted(
        f"{name}@{version}" for name, versions in locked(lock).items() for version in versions - known.get(name, set())
    )
