"""Lock files of pnpm and of yarn 2 and newer: which manager installs from them, and how.

The managers are packages of the registry themselves, so npm runs the version that wrote the lock.
"""

import re
from dataclasses import dataclass

from miner.recipes.model import Project
from miner.recipes.node_locks import OTHER_LOCKS
from miner.recipes.node_scripts import manifest

_PNPM_LOCK = re.compile(r"^lockfileVersion: *['\"]?(\d+)", re.MULTILINE)
_YARN_LOCK = re.compile(r"^__metadata:\n +version: (\d+)", re.MULTILINE)
_PNPM_OF = {"5": "7", "6": "8", "9": "9"}  # version of the lock file -> major version of pnpm
_YARN_OF = {"4": "3", "5": "3", "6": "3", "7": "4", "8": "4"}
_ASKED = re.compile(r"(pnpm|yarn)@(\d+\.\d+\.\d+)")


@dataclass(frozen=True)
class Manager:
    """A package manager: its package, its lock file, and shell commands that install from it."""

    package: str
    lock: str
    install: str  # exactly the lock, without scripts
    scripts: str
    complete: str  # also what the lock lacks

    def command(self, words: str) -> str:
        """A shell command that runs the manager by npm."""
        return f"npm exec --yes --package={self.package} -- {words}"


def manager_of(lock: str, project: Project) -> Manager | None:
    """The manager that a lock file's text is of; None for npm's and yarn 1's, which npm reads."""
    asked = _ASKED.match(str(manifest(project).get("packageManager", "")))
    if found := _PNPM_LOCK.search(lock):
        version = asked[2] if asked and asked[1] == "pnpm" else _PNPM_OF.get(found[1], "latest")
        return _pnpm(version)
    if found := _YARN_LOCK.search(lock):
        version = asked[2] if asked and asked[1] == "yarn" else _YARN_OF.get(found[1], "latest")
        return _yarn(version)
    return None


def manager_of_tree(project: Project) -> Manager | None:
    """The manager that a tree's own lock file is of; None where it has none of these."""
    found = (manager_of(project.text(name), project) for name in OTHER_LOCKS)
    return next((manager for manager in found if manager is not None), None)


def _pnpm(version: str) -> Manager:
    install = "pnpm install --ignore-scripts"
    return Manager(
        f"pnpm@{version}", "pnpm-lock.yaml", f"{install} --frozen-lockfile", "pnpm rebuild",
        f"{install} --no-frozen-lockfile",
    )  # fmt: skip


def _yarn(version: str) -> Manager:
    # Not --immutable: a newer yarn writes an older lock file anew, with the same packages.
    install = "yarn install --mode=skip-build"
    return Manager(f"@yarnpkg/cli-dist@{version}", "yarn.lock", install, "yarn rebuild", install)


def variables(registry: str) -> dict[str, str]:
    """What pnpm and yarn must be told besides npm's own settings."""
    told = {
        # Copies, since the store is on another file system; links between packages stay inside node_modules.
        "npm_config_store_dir": "/cache/pnpm", "npm_config_package_import_method": "copy",
        "npm_config_manage_package_manager_versions": "false", "npm_config_package_manager_strict": "false",
        "YARN_NODE_LINKER": "node-modules", "YARN_ENABLE_GLOBAL_CACHE": "false", "YARN_CACHE_FOLDER": "/cache/yarn",
        "YARN_ENABLE_TELEMETRY": "false", "YARN_IGNORE_PATH": "1", "YARN_ENABLE_IMMUTABLE_INSTALLS": "false",
        "YARN_NM_MODE": "classic", "YARN_CHECKSUM_BEHAVIOR": "update",
    }  # fmt: skip
    return told | ({"YARN_NPM_REGISTRY_SERVER": registry} if registry else {})
