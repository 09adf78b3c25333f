"""The packages of a Node project: node_modules from a lock, in the sandbox."""

from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from miner.recipes import node_locks, node_managers
from miner.recipes.model import ENV, WORK, EnvironmentFailed, last_words
from miner.recipes.node_npm import FRESH, Npm
from miner.sandbox import read_output_file

# Install scripts run in the sandbox like all the rest; they may fail for want of a network or a compiler.
VARIANTS = ("install scripts", "no install scripts", "no install scripts, peers ignored", "lock completed")


def install(npm: Npm, lock: str, variant: str, links: Mapping[str, str]) -> None:
    """Fill `/env/node_modules` (and those of workspaces) from a lock; raises `EnvironmentFailed`."""
    shop = npm.shop
    assert shop.env is not None
    shop.write("lock", lock)
    other = node_managers.manager_of(lock, npm.project)
    fresh = f"{FRESH} {' '.join(node_locks.OTHER_LOCKS)}\ncp {WORK}/lock {other.lock if other else 'package-lock.json'}"
    command = _other_command(other, variant) if other else _command(lock, variant)
    done = npm.run(f"set -e\n{fresh}\n{command}\n{_linking(links)}{_TAKE_AWAY}")
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
