"""A Node project's lock: its own, or what npm resolves as of a date, in the sandbox."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from miner import nodes
from miner.recipes import node_locks, node_managers
from miner.recipes.model import WORK, EnvironmentFailed, Lock, Project, Toolchain, Workshop, last_words
from miner.sandbox import Outcome, read_output_file

FRESH = "rm -rf node_modules package-lock.json npm-shrinkwrap.json"
_SETTINGS = {
    "cache": "/cache/npm", "audit": "false", "fund": "false", "progress": "false", "update_notifier": "false",
    "loglevel": "error", "package_lock": "true", "engine_strict": "false", "replace_registry_host": "always",
    "omit_lockfile_registry_resolved": "true", "ignore_scripts": "true", "install_links": "false",
    "fetch_retry_mintimeout": "1000", "fetch_retry_maxtimeout": "10000",
    "min_release_age": "0",  # a project may ask for old versions only; that would hide those of its lock
}  # fmt: skip
_LOCK_LIMIT = 64 << 20
_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_NO_VERSION = re.compile(
    r"No (?:matching version found|versions available) for (?P<name>@?[^@\s]+?)(?:@.*?)?(?: with a date |\.?$)",
    re.MULTILINE,
)
_MOST_LATE, _MOST_TRIES = 2, 6  # of more, the dates are those of a mirror that came late; a try takes seconds
_LOCK_ONLY = "npm install --package-lock-only --ignore-scripts"


@dataclass(frozen=True)
class Npm:
    """npm on one tree in the sandbox."""

    project: Project
    toolchain: Toolchain
    shop: Workshop

    def run(self, script: str, *arguments: str) -> Outcome:
        """Run a shell script (its arguments as `$1`, `$2`...) with npm, pnpm and yarn told what holds for all runs."""
        variables = {f"npm_config_{key}": value for key, value in _SETTINGS.items()} | {"CI": "true", "HUSKY": "0"}
        variables |= node_managers.variables(os.environ.get("npm_config_registry", ""))  # noqa: SIM112
        if headers := nodes.headers(self.toolchain.executable):
            variables["npm_config_nodedir"] = str(headers)
        certificates = Path(os.environ.get("SSL_CERT_FILE") or _CERTIFICATES)
        if certificates.is_file():
            variables["NODE_EXTRA_CA_CERTS"] = str(certificates)  # what the machine trusts, a company's proxy included
        # The sandbox names its proxy as most programs want it; yarn has names of its own.
        before = ['[ -z "$HTTPS_PROXY" ] || export YARN_HTTP_PROXY="$HTTP_PROXY" YARN_HTTPS_PROXY="$HTTPS_PROXY"']
        if self.project.settings.cwd != ".":
            # A sub-project that was asked for stands alone; npm would take it for a part of the workspaces above it.
            before.append('npm() { command npm --workspaces=false "$@"; }')
        return self.shop.run(["sh", "-c", "\n".join([*before, script]), "sh", *arguments], self.toolchain, variables)


def resolve(npm: Npm) -> Lock:
    """The tree's npm lock file where it fits, else what npm resolves from package.json (and a yarn.lock of version 1).

    Each fallback is noted: peer conflicts ignored; versions of today where the registry has none of the date.
    """
    project = npm.project
    name = node_locks.npm_lock(project)
    given = node_locks.read_lock(project.text(name)) if name else {}
    if name and node_locks.fits(given, project):
        return Lock(project.text(name), name)
    notes: list[str] = []
    yarn = node_locks.yarn_versions(project.text("yarn.lock"))
    if name:
        notes.append(f"{name} does not fit package.json: completed by npm")
    elif other := node_managers.manager_of_tree(project):
        done = npm.run(other.command(f"{other.install.split()[0]} --version"))
        if done.exit_code == 0:
            return Lock(project.text(other.lock), other.lock)
        notes.append(f"no {other.package} for {other.lock}: npm resolved package.json")
        yarn = {}
    # yarn.lock has a version for everything: a date would only stand in the way of one republished since.
    dated = not (yarn and not name)
    text, more, undated = _ladder(npm, dated, keep=name is not None)
    lock = node_locks.read_lock(text)
    if dated and not undated and not _carries_dates(lock, npm):
        undated, more = True, [*more, "the registry carries no dates: today's versions"]
    others = [] if dated else node_locks.beside(lock, yarn)
    if others:
        more.append(f"{len(others)} packages are not in yarn.lock, today's versions: {', '.join(others[:3])}")
    source = name or ("yarn.lock, by npm" if not dated else "package.json")
    return Lock(text, source, (*notes, *more), undated if dated else bool(others))


def _ladder(npm: Npm, dated: bool, keep: bool) -> tuple[str, list[str], bool]:
    """A lock's text, what had to be given up for it (dates of packages, or the peers' ranges), whether it is undated.

    A package that the registry has only from after the date is let in alone; of many, all dates are given up.
    """
    date = [f"--before={npm.project.date.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"] if dated else []
    pins = node_locks.pinned_exactly(npm.project)  # whose version is certain, whatever a mirror dates it to
    late: list[str] = []
    options: list[str] = []
    notes: list[str] = []
    for _ in range(_MOST_TRIES):
        let_in = [f"--min-release-age-exclude={name}" for name in [*pins, *late]] if date else []
        before = "rm -rf node_modules" if keep else FRESH
        script = f'{before}; {_LOCK_ONLY} "$@" && cat package-lock.json > {WORK}/lock.json'
        done = npm.run(script, *date, *let_in, *options)
        content = read_output_file(npm.shop.work / "lock.json", _LOCK_LIMIT)
        if done.exit_code == 0 and content:
            found = node_locks.locked(node_locks.read_lock(content.decode("utf-8", "replace")))
            late += [name for name, version in pins.items() if date and found.get(name, {version}) != {version}]
            notes += [f"{name}: not held to the date" for name in late]
            return content.decode("utf-8", "replace"), notes, not date or bool(late)
        missing = _NO_VERSION.search(done.output)
        if "ERESOLVE" in done.output and "--legacy-peer-deps" not in options:
            options.append("--legacy-peer-deps")
            notes.append("peer dependencies conflict: ignored")
        elif missing and date and missing["name"] not in (*pins, *late) and len(late) < _MOST_LATE:
            late.append(missing["name"])
        elif date and missing:
            names = ", ".join(dict.fromkeys([*late, missing["name"]]))
            notes.append(f"of {names} the registry has nothing from before the date: today's versions of all")
            date, late = [], []
        else:
            break
        if "--prefer-offline" not in options:
            options.append("--prefer-offline")  # the first try has just asked for what is new
    raise EnvironmentFailed(f"npm cannot resolve the packages: {last_words(done)}")


def _carries_dates(lock: Mapping[str, object], npm: Npm) -> bool:
    """Whether the registry dates versions; npm takes one without a date for old enough, and says nothing."""
    name = next(iter(sorted(node_locks.locked(lock))), None)
    if name is None:
        return True
    done = npm.run(f'npm view "$1" time --json > {WORK}/time.json', name)
    try:
        times = json.loads(read_output_file(npm.shop.work / "time.json", _LOCK_LIMIT) or b"")
    except ValueError:
        times = None
    return done.exit_code == 0 and isinstance(times, dict) and bool(times)
