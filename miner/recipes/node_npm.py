"""npm in the sandbox: a package-lock.json as of a date, and the node_modules of one."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC
from pathlib import Path, PurePosixPath

from miner import nodes
from miner.recipes import node_locks, node_managers
from miner.recipes.model import ENV, WORK, EnvironmentFailed, Lock, Project, Toolchain, Workshop, last_words
from miner.sandbox import Outcome, read_output_file

# Install scripts run in the sandbox like all the rest; they may fail for want of a network or a compiler.
VARIANTS = ("install scripts", "no install scripts", "no install scripts, peers ignored", "lock completed")
_LOCK_LIMIT = 64 << 20
_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_NO_VERSION = re.compile(
    r"No (?:matching version found|versions available) for (?P<name>@?[^@\s]+?)(?:@.*?)?"
    r"(?: with a date |\.?$)", re.MULTILINE,
)
_MOST_LATE, _MOST_TRIES = 5, 9  # one try of npm takes seconds
_OTHER_LOCKS = ("yarn.lock", "pnpm-lock.yaml")
_FRESH = "rm -rf node_modules package-lock.json npm-shrinkwrap.json"
_LOCK_ONLY = "npm install --package-lock-only --ignore-scripts"


def resolve(project: Project, toolchain: Toolchain, shop: Workshop) -> Lock:
    """The tree's npm lock file where it fits, else what npm resolves from package.json (and a yarn.lock of version 1).

    Each fallback is noted: peer conflicts ignored; versions of today where the registry has none of the date.
    """
    name = node_locks.npm_lock(project)
    given = node_locks.read_lock(project.text(name)) if name else {}
    if name and node_locks.fits(given, project):
        return Lock(project.text(name), name)
    notes: list[str] = []
    yarn = node_locks.yarn_versions(project.text("yarn.lock"))
    if name:
        notes.append(f"{name} does not fit package.json: completed by npm")
    elif other := next(filter(None, (node_managers.manager_of(project.text(o), project) for o in _OTHER_LOCKS)), None):
        done = _npm(shop, toolchain, other.command(f"{other.install.split()[0]} --version"))
        if done.exit_code == 0:
            return Lock(project.text(other.lock), other.lock)
        notes.append(f"no {other.package} for {other.lock}: npm resolved package.json")
        yarn = {}
    # yarn.lock has a version for everything: a date would only stand in the way of one republished since.
    dated = not (yarn and not name)
    text, more, undated = _ladder(project, toolchain, shop, dated, keep=name is not None)
    lock = node_locks.read_lock(text)
    if dated and not undated and not _carries_dates(lock, toolchain, shop):
        undated, more = True, [*more, "the registry carries no dates: today's versions"]
    others = [] if dated else node_locks.beside(lock, yarn)
    if others:
        more.append(f"{len(others)} packages are not in yarn.lock, today's versions: {', '.join(others[:3])}")
    source = name or ("yarn.lock, by npm" if not dated else "package.json")
    return Lock(text, source, (*notes, *more), undated if dated else bool(others))


def _ladder(
    project: Project, toolchain: Toolchain, shop: Workshop, dated: bool, keep: bool
) -> tuple[str, list[str], bool]:
    """A lock's text, what had to be given up for it (dates of packages, or the peers' ranges), whether it is undated.

    A package that the registry has only from after the date is let in alone; of many, all dates are given up.
    """
    date = [f"--before={project.date.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"] if dated else []
    pins = node_locks.pinned_exactly(project)  # whose version is certain, whatever a mirror dates it to
    late: list[str] = []
    options: list[str] = []
    notes: list[str] = []
    for _ in range(_MOST_TRIES):
        let_in = [f"--min-release-age-exclude={name}" for name in [*pins, *late]] if date else []
        before = "rm -rf node_modules" if keep else _FRESH
        script = f'{before}; {_LOCK_ONLY} "$@" && cat package-lock.json > {WORK}/lock.json'
        done = _npm(shop, toolchain, script, *date, *let_in, *options)
        content = read_output_file(shop.work / "lock.json", _LOCK_LIMIT)
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


def _carries_dates(lock: Mapping[str, object], toolchain: Toolchain, shop: Workshop) -> bool:
    """Whether the registry dates versions; npm takes one without a date for old enough, and says nothing."""
    name = next(iter(sorted(node_locks.locked(lock))), None)
    if name is None:
        return True
    done = _npm(shop, toolchain, f'npm view "$1" time --json > {WORK}/time.json', name)
    try:
        times = json.loads(read_output_file(shop.work / "time.json", _LOCK_LIMIT) or b"")
    except ValueError:
        times = None
    return done.exit_code == 0 and isinstance(times, dict) and bool(times)


def install(
    project: Project, toolchain: Toolchain, lock: str, variant: str, shop: Workshop, links: Mapping[str, str]
) -> None:
    """Fill `/env/node_modules` (and those of workspaces) from a lock; raises `EnvironmentFailed`."""
    assert shop.env is not None
    (shop.work / "lock").write_text(lock)
    other = node_managers.manager_of(lock, project)
    fresh = f"{_FRESH} {' '.join(_OTHER_LOCKS)}\ncp {WORK}/lock {other.lock if other else 'package-lock.json'}"
    command = _other_command(other, variant) if other else _command(lock, variant)
    done = _npm(shop, toolchain, f"set -e\n{fresh}\n{command}\n{_linking(links)}{_TAKE_AWAY}")
    if done.exit_code != 0:
        raise EnvironmentFailed(f"{other.package if other else 'npm'} failed: {last_words(done)}")
    if not installed_folders(shop.env):
        raise EnvironmentFailed("npm left no node_modules")


def _command(lock: str, variant: str) -> str:
    if variant == VARIANTS[3]:
        return "npm install --no-save --ignore-scripts --legacy-peer-deps"
    peers = " --legacy-peer-deps" if variant == VARIANTS[2] else ""
    scripts = variant == VARIANTS[0] and node_locks.has_scripts(node_locks.read_lock(lock))
    return f"npm ci --ignore-scripts{peers}" + ("\nnpm rebuild --ignore-scripts=false" if scripts else "")


def _other_command(manager: node_managers.Manager, variant: str) -> str:
    if variant == VARIANTS[0]:
        scripts = f"npm_config_ignore_scripts=false {manager.command(manager.scripts)}"
        return f"{manager.command(manager.install)}\n{scripts}"
    return manager.command(manager.complete if variant == VARIANTS[3] else manager.install)


# The trees of tests are laid anew for each run: every node_modules moves out, its place is remembered.
_TAKE_AWAY = f"""\
mkdir -p node_modules {ENV}/nested
number=0
: > {ENV}/nested/places
find . -name node_modules -type d -prune -not -path ./node_modules | sort | while read -r place; do
  number=$((number + 1))
  mv "$place" "{ENV}/nested/$number"
  echo "$number ${{place#./}}" >> {ENV}/nested/places
done
mv node_modules {ENV}/node_modules
chmod -R a+rX {ENV}
"""


def _linking(links: Mapping[str, str]) -> str:
    """Commands that make folders of caches in node_modules links to places that tests may write to."""
    lines = ["mkdir -p node_modules"]
    lines += [f"rm -rf node_modules/{name}; ln -s {target} node_modules/{name}" for name, target in links.items()]
    return "\n".join([*lines, ""])


def installed_folders(env: Path) -> list[tuple[str, Path]]:
    """Each node_modules of an environment: where it belongs in the project, and its folder on this machine.

    What packages' own scripts could have laid there (links out of it, places outside the project) is left out.
    """
    return [(place, folder) for place, folder in _places(env) if folder.is_dir() and not folder.is_symlink()]


def _places(env: Path) -> Iterator[tuple[str, Path]]:
    yield "node_modules", env / "node_modules"
    nested = env / "nested"
    if nested.is_symlink():
        return
    for line in (read_output_file(nested / "places", 1 << 20) or b"").decode("utf-8", "replace").splitlines():
        number, _, place = line.partition(" ")
        path = PurePosixPath(place)
        if number.isdigit() and not path.is_absolute() and ".." not in path.parts and path.name == "node_modules":
            yield place, nested / number


def _npm(shop: Workshop, toolchain: Toolchain, script: str, *arguments: str) -> Outcome:
    settings = {
        "cache": "/cache/npm", "audit": "false", "fund": "false", "progress": "false", "update_notifier": "false",
        "loglevel": "error", "package_lock": "true", "engine_strict": "false", "replace_registry_host": "always",
        "omit_lockfile_registry_resolved": "true", "ignore_scripts": "true", "install_links": "false",
        "fetch_retry_mintimeout": "1000", "fetch_retry_maxtimeout": "10000",
        "min_release_age": "0",  # a project may ask for old versions only; that would hide those of its lock
    }  # fmt: skip
    variables = {f"npm_config_{key}": value for key, value in settings.items()} | {"CI": "true", "HUSKY": "0"}
    variables |= node_managers.variables(os.environ.get("npm_config_registry", ""))  # noqa: SIM112
    if headers := nodes.headers(toolchain.executable):
        variables["npm_config_nodedir"] = str(headers)
    certificates = Path(os.environ.get("SSL_CERT_FILE") or _CERTIFICATES)
    if certificates.is_file():
        variables["NODE_EXTRA_CA_CERTS"] = str(certificates)  # what the machine trusts, a company's own proxy included
    # The sandbox names its proxy as most programs want it; yarn has names of its own.
    proxied = '[ -z "$HTTPS_PROXY" ] || export YARN_HTTP_PROXY="$HTTP_PROXY" YARN_HTTPS_PROXY="$HTTPS_PROXY"'
    return shop.run(["sh", "-c", f"{proxied}\n{script}", "sh", *arguments], toolchain, variables)
