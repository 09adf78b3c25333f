"""Environments: resolved as of a change's date, built in the sandbox, cached by what determines them."""

import hashlib
import json
import os
import threading
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from miner import sandbox, temporary
from miner.cache import hold, mark_used
from miner.recipes.model import CACHE, ENV, WORK, EnvironmentFailed, Lock, Project, Recipe, Toolchain, last_words
from miner.record import Environment, write_atomically
from miner.sandbox import Job, Limits, Mount, Network, Outcome
from miner.trees import cache_folder

_BUILD = Limits(wall_seconds=900, memory_bytes=8 << 30, processes=2048, disk_bytes=16 << 30)
_LONGEST_LOCK = 64 << 20  # bytes
_PASSED_ON = (
    "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX", "UV_EXTRA_INDEX_URL", "UV_FIND_LINKS", "SSL_CERT_FILE",
    "npm_config_registry", "GOPROXY", "GONOSUMDB", "GOFLAGS",
)  # fmt: skip
_locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)


@dataclass(frozen=True)
class Ready:
    """A built environment: its folder on this machine, the toolchain it runs on, the project it serves."""

    folder: Path
    toolchain: Toolchain
    project: Project


@dataclass(frozen=True)
class Site:
    """One starting tree on disk, whose it is, and the version it pretends to have."""

    tree: Path
    repository: str
    pretend_version: str | None


@dataclass(frozen=True)
class Shop:
    """The workshop of one resolution or build (see `recipes.model.Workshop`)."""

    site: Site
    project: Project
    work: Path
    env: Path | None = None

    def write(self, name: str, text: str) -> None:
        """Write a file at the top of /work."""
        sandbox.write_input_file(self.work, name, text)

    def read(self, name: str) -> str | None:
        """The text of a file at the top of /work; None where there is none, or something else."""
        content = sandbox.read_output_file(self.work / name, _LONGEST_LOCK)
        return None if content is None else content.decode("utf-8", "replace")

    def run(
        self, command: Sequence[str], toolchain: Toolchain, environment: Mapping[str, str] | None = None,
        mounts: Sequence[Mount] = (),
    ) -> Outcome:
        """Run a command in the sub-project's folder, with the registries' network."""
        cache = cache_folder() / "downloads" / self.site.repository
        cache.mkdir(parents=True, exist_ok=True)
        mark_used(cache)
        places = [Mount(self.work, WORK, writable=True), Mount(cache, CACHE, writable=True), *mounts]
        if self.env is not None:
            places.append(Mount(self.env, ENV, writable=True))
        certificates = os.environ.get("SSL_CERT_FILE")
        if certificates and Path(certificates).is_file():
            places.append(Mount(Path(certificates), certificates))
        variables = {k: os.environ[k] for k in _PASSED_ON if k in os.environ} | _basics(toolchain)
        if version := self.site.pretend_version:
            variables |= {"SETUPTOOLS_SCM_PRETEND_VERSION": version, "PDM_BUILD_SCM_VERSION": version}
        variables |= {**(environment or {}), **self.project.settings.env}
        job = Job(
            command, variables, _BUILD, self.site.tree, places, self.project.folder, Network.REGISTRIES,
            toolchain.prefixes,
        )  # fmt: skip
        return sandbox.run(job)


def _basics(toolchain: Toolchain) -> dict[str, str]:
    """Variables that every command in the sandbox sees."""
    path = dict.fromkeys([f"{ENV}/bin", str(toolchain.executable.parent), "/usr/local/bin", "/usr/bin", "/bin"])
    return {"PATH": ":".join(path), "HOME": "/tmp", "LANG": "C.UTF-8", "TZ": "UTC"}


@contextmanager
def _shop(site: Site, project: Project, env: Path | None = None) -> Iterator[Shop]:
    work = temporary.make("work-")
    try:
        yield Shop(site, project, work, env)
    finally:
        sandbox.remove(work)


def resolve(recipe: Recipe, project: Project, toolchain: Toolchain, site: Site) -> Lock:
    """The lock of a tree as of its date, from the cache where the same question was asked before."""
    parts = [
        recipe.name.encode(), str(toolchain).encode(), project.date.isoformat().encode(), *recipe.pinned(project),
        json.dumps([project.settings.cwd, project.settings.setup, dict(project.settings.env)]).encode(),
        *(f"{k}={os.environ[k]}".encode() for k in _PASSED_ON if k in os.environ),
    ]  # fmt: skip
    _hold(site.repository)
    path = cache_folder() / "locks" / site.repository / f"{_digest(parts)}.json"
    if path.exists():
        mark_used(path.parent)
        stored = json.loads(path.read_bytes())
        return Lock(stored["text"], stored["source"], tuple(stored["notes"]), stored["undated"])
    with _shop(site, project) as shop:
        lock = recipe.resolve(project, toolchain, shop)
    write_atomically(path, json.dumps({**lock.__dict__, "notes": list(lock.notes)}))
    return lock


def prepare(recipe: Recipe, project: Project, toolchain: Toolchain, site: Site) -> tuple[Environment, Ready, str]:
    """Resolve and build: the record, the environment and the lock's text.

    The recipe's variants are tried in order; raises `EnvironmentFailed` with what each said.
    """
    lock = resolve(recipe, project, toolchain, site)
    failures: list[str] = []
    for variant in recipe.variants:
        try:
            folder = _built(recipe, project, toolchain, site, lock.text, variant)
        except EnvironmentFailed as error:
            failures.append(f"{variant}: {error}")
            continue
        record = Environment(
            digest=digest(recipe, project, toolchain, lock.text, variant), recipe=recipe.name,
            toolchain=str(toolchain), variant=variant, source=lock.source,
            fallbacks=[*lock.notes, *failures], undated=lock.undated, pretend_version=site.pretend_version,
        )  # fmt: skip
        return record, Ready(folder, toolchain, project), lock.text
    raise EnvironmentFailed("; then ".join(failures))


def rebuild(
    recipe: Recipe, project: Project, toolchain: Toolchain, site: Site, lock: str, record: Environment
) -> Ready:
    """The environment of a record, from its lock; raises `EnvironmentFailed`."""
    return Ready(_built(recipe, project, toolchain, site, lock, record.variant), toolchain, project)


def cached(
    recipe: Recipe, project: Project, toolchain: Toolchain, repository: str, lock: str, variant: str
) -> Ready | None:
    """The environment if it is built already."""
    _hold(repository)
    folder = environments_folder() / repository / digest(recipe, project, toolchain, lock, variant)
    if not folder.is_dir():
        return None
    mark_used(folder)
    return Ready(folder, toolchain, project)


def digest(recipe: Recipe, project: Project, toolchain: Toolchain, lock: str, variant: str) -> str:
    """What determines an environment, in 20 hexadecimal digits; the pretend version is left out."""
    settings = project.settings
    said = json.dumps([settings.cwd, settings.setup, sorted(settings.env.items())])
    parts = [recipe.name, str(toolchain), lock, variant, said]
    return _digest([*(part.encode() for part in parts), *recipe.pinned(project)])


def _digest(parts: Sequence[bytes]) -> str:
    return hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()[:20]


def environments_folder() -> Path:
    """Where built environments are kept: `<repository>/<digest>/`, beside `<digest>.json` that describes each."""
    return cache_folder() / "environments-2"


def _hold(repository: str) -> None:
    """Keep all that the cache has of a repository from being pruned while this process lives."""
    folder = environments_folder() / repository
    folder.mkdir(parents=True, exist_ok=True)
    hold(folder)


def _built(recipe: Recipe, project: Project, toolchain: Toolchain, site: Site, lock: str, variant: str) -> Path:
    """The environment's folder, built unless the cache has it."""
    folder = environments_folder() / site.repository / digest(recipe, project, toolchain, lock, variant)
    with _locks[str(folder)]:
        if cached(recipe, project, toolchain, site.repository, lock, variant):
            return folder
        try:
            with temporary.beside(folder, ".making-") as scratch:
                with _shop(site, project, scratch) as shop:
                    recipe.build(project, toolchain, lock, variant, shop)
                    _own_setup(project, toolchain, shop)
                scratch.chmod(0o755)
                about = {"recipe": recipe.name, "toolchain": str(toolchain), "variant": variant, "built": _now()}
                write_atomically(folder.with_suffix(".json"), json.dumps(about))
                scratch.rename(folder)
        except OSError:
            if not folder.is_dir():  # another process may have built the same one first
                raise
    return folder


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _own_setup(project: Project, toolchain: Toolchain, shop: Shop) -> None:
    for command in project.settings.setup:
        done = shop.run(["sh", "-c", command], toolchain)
        if done.exit_code != 0:
            raise EnvironmentFailed(f"setup `{command}` failed: {last_words(done)}")


@dataclass(frozen=True)
class TestRun:
    """One run of a test command to make: the tree, the command, files of the tree that must not change."""

    __test__ = False  # not a test class, whatever its name

    tree: Path
    command: Sequence[str]
    limits: Limits
    results: Path
    protected: Collection[str] = ()


def test_job(recipe: Recipe, ready: Ready, run: TestRun) -> Job:
    """A job that runs tests on a tree that is written to disk, without network."""
    settings = ready.project.settings
    mounts = [Mount(ready.folder, ENV), *recipe.mounts(ready.folder, ready.project)]
    mounts += [Mount(run.tree / path, f"/tree/{path}") for path in run.protected]
    variables = {**_basics(ready.toolchain), "COLUMNS": "80", **recipe.variables(ready.toolchain), **settings.env}
    return Job(
        run.command, variables, run.limits, run.tree, mounts, ready.project.folder, Network.NONE,
        ready.toolchain.prefixes, run.results,
    )  # fmt: skip
