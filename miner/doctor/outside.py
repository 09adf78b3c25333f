"""What a machine reaches or may have: a package index, a GitHub token, the programs of other ecosystems."""

import os
import subprocess
import urllib.error
import urllib.request
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from urllib.parse import urlsplit

from miner.doctor.model import Check, Status, dotted, on_path, said_by, version_in

_INDEX_VARIABLES = ("UV_DEFAULT_INDEX", "UV_INDEX_URL")
_OTHER_REGISTRIES = ("UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "npm_config_registry", "GOPROXY")
_PYPI = "https://pypi.org/simple"
_TOKEN_VARIABLES = ("GITHUB_TOKEN", "GH_TOKEN")
_PATIENCE = 3  # seconds that the index, or gh, has to answer


@dataclass(frozen=True)
class Program:
    """A program of an ecosystem; needed where the chosen recipe goes by a manifest in `marks` that the tree has."""

    name: str
    ask: tuple[str, ...]  # arguments that make it say its version
    marks: frozenset[str] = frozenset()


PROGRAMS = (
    Program("node", ("--version",), frozenset({"package.json"})),
    Program("npm", ("--version",), frozenset({"package.json"})),
    Program("yarn", ("--version",)),  # never needed: npm installs what these lock
    Program("pnpm", ("--version",)),
    Program("go", ("version",), frozenset({"go.mod"})),
    Program("cargo", ("--version",), frozenset({"Cargo.toml"})),
    Program("java", ("-version",), frozenset({"pom.xml", "build.gradle", "build.gradle.kts"})),
    Program("mvn", ("--version",), frozenset({"pom.xml"})),
    Program("gradle", ("--version",), frozenset({"build.gradle", "build.gradle.kts"})),
)


def package_index(environment: Mapping[str, str] = os.environ) -> Check:
    """The Python index that builds will use, and whether it answers; credentials in its address are not shown."""
    configured = next((environment[name] for name in _INDEX_VARIABLES if environment.get(name)), _PYPI)
    address, also = _without_credentials(configured), [name for name in _OTHER_REGISTRIES if environment.get(name)]
    found = f"{address}, also {', '.join(also)}" if also else address
    try:
        with urllib.request.urlopen(f"{address.rstrip('/')}/pip/", timeout=_PATIENCE):
            pass
    except urllib.error.HTTPError:
        pass  # it answers; what it answers without credentials does not matter
    except (OSError, ValueError) as error:
        remedy = "Environments that are not cached cannot be built. Set UV_DEFAULT_INDEX to an index you can reach."
        return Check("package index", Status.OPTIONAL, f"{found}: {getattr(error, 'reason', error)}", remedy)
    return Check("package index", Status.OK, found)


def _without_credentials(address: str) -> str:
    parts = urlsplit(address)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()


def github_token(environment: Mapping[str, str] = os.environ) -> Check:
    """Whether there is a token for GitHub. Its value is neither kept nor printed."""
    for name in _TOKEN_VARIABLES:
        if environment.get(name):
            return Check("GitHub token", Status.OK, f"{name} is set")
    program = on_path("gh")
    if program and _succeeds(program, "auth", "token"):
        return Check("GitHub token", Status.OK, "gh is logged in")
    remedy = "Local clones need none. For what only GitHub knows set GITHUB_TOKEN, or run `gh auth login`."
    return Check("GitHub token", Status.OPTIONAL, "none", remedy)


def _succeeds(*command: str) -> bool:
    """Whether a command ends well, its output thrown away."""
    quiet = subprocess.DEVNULL
    try:
        return subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=_PATIENCE).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def programs(needed: Collection[str], folders: Sequence[str] = ()) -> list[Check]:
    """Each program of `PROGRAMS`, looked for in these folders and on PATH; `needed` names those that must be there."""
    with ThreadPoolExecutor(4) as pool:  # some start a virtual machine only to say their version
        return list(pool.map(lambda program: _program(program, program.name in needed, folders), PROGRAMS))


def needed_programs(manifests: Collection[str], paths: Collection[str]) -> list[str]:
    """The programs that a recipe with these manifests needs for a tree with these paths."""
    return [program.name for program in PROGRAMS if program.marks & set(manifests) & set(paths)]


def _program(program: Program, needed: bool, folders: Sequence[str]) -> Check:
    path = on_path(program.name, *folders)
    said = said_by(path, *program.ask) if path else None
    if said is None:
        found = "not found" if path is None else f"{path} does not start"
        remedy = f"Install {program.name}: this repository's tests need it." if needed else ""
        return Check(program.name, Status.MISSING if needed else Status.OPTIONAL, found, remedy)
    return Check(program.name, Status.OK, dotted(version_in(said, program.name)) or said.strip().partition("\n")[0])
