"""Proving one frozen change: its environment, its proof, what its tests would notice; and proving it again."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePosixPath

from miner import environment, recipes
from miner.environment import Ready, Site
from miner.hunks import Hunk, hunks
from miner.proof import Bench, Disproved, Proved, Run, prove
from miner.recipes.model import EnvironmentFailed, Project, Recipe, Result, Results, Settings, Toolchain
from miner.record import Environment, Proof, Repository, Strength
from miner.rejection import Rejection
from miner.symbols.files import allowed_by, has_symbols
from miner.trees import TreeStore
from miner.workbench import Workbench, on_disk

_MOST_TOOLCHAINS = 3  # tried where a proof fails in a way that another toolchain may mend
_SHORTEST_LIMIT = 60  # seconds


@dataclass(frozen=True)
class Change:
    """What is to be proved: trees, patches and test files of one frozen change."""

    id: str
    date: str  # ISO 8601, the merge date
    starting_tree: str
    solved_tree: str
    change_patch: bytes
    tests_patch: bytes
    test_files: Sequence[str]
    pretend_version: str | None


@dataclass(frozen=True)
class Effort:
    """How thoroughly to prove."""

    repeats: int = 3
    timeout: float = 300
    strength: bool = True
    full: bool = False


StoreLock = Callable[[str, str], None]  # digest, lock text


def settings_of(repository: Repository) -> Settings:
    """What a repo.yaml says about building and testing."""
    return Settings(
        repository.cwd, repository.python, tuple(repository.setup), tuple(repository.test), dict(repository.env)
    )


def project_of(store: TreeStore, tree: str, date: str, settings: Settings) -> Project:
    """A tree of the store as recipes see it."""
    prefix = "" if settings.cwd == "." else f"{settings.cwd.rstrip('/')}/"
    blobs = {p.removeprefix(prefix): blob for p, (_, blob) in store.blobs(tree).items() if p.startswith(prefix)}
    return Project(
        frozenset(blobs), lambda path: store.objects.read(blobs[path]) if path in blobs else None,
        datetime.fromisoformat(date), settings,
    )  # fmt: skip


def prove_change(
    change: Change, store: TreeStore, repository: Repository, effort: Effort, store_lock: StoreLock,
    times: list[float],
) -> Proof | Disproved:  # fmt: skip
    """The proof of a change, or why there is none; `times` is told what each test command took, in seconds."""
    unsolved = store.patched(change.starting_tree, [change.tests_patch])
    if unsolved is None:
        return Disproved(Rejection.UNFAITHFUL_PATCH, "tests.patch does not apply alone")
    recipe = recipes.by_name(repository.recipe)
    project = project_of(store, change.starting_tree, change.date, settings_of(repository))
    with ExitStack() as stack:
        folders = [stack.enter_context(on_disk(store, t)) for t in (change.starting_tree, unsolved, change.solved_tree)]
        site = Site(folders[0], repository.name, change.pretend_version)
        first: Disproved | None = None
        try:
            toolchains = recipe.toolchains(project)[:_MOST_TOOLCHAINS]
        except EnvironmentFailed as error:
            return Disproved(Rejection.ENVIRONMENT_FAILED, str(error))
        for toolchain in toolchains:
            proof = _prove_on(toolchain, recipe, project, site, change, store, folders[1:], effort, store_lock, times)
            if isinstance(proof, Proof):
                return proof
            first = first or proof
            if not proof.elsewhere:
                break
        assert first is not None
        return first


def _prove_on(
    toolchain: Toolchain, recipe: Recipe, project: Project, site: Site, change: Change, store: TreeStore,
    folders: Sequence[Path], effort: Effort, store_lock: StoreLock, times: list[float],
) -> Proof | Disproved:  # fmt: skip
    try:
        record, ready, lock = environment.prepare(recipe, project, toolchain, site)
    except EnvironmentFailed as error:
        return Disproved(Rejection.ENVIRONMENT_FAILED, f"{toolchain}: {error}", elsewhere=True)
    bench = Workbench(recipe, ready, effort.timeout, times)
    targets = recipe.runnable(inside(project.settings, change.test_files))
    if not targets:
        return Disproved(Rejection.NO_TESTS_RUN, "the changed test files hold no tests")
    two = Bench(
        lambda command: bench.run(folders[0], command), lambda command: bench.run(folders[1], command),
        bench.command, recipe.targets,
    )  # fmt: skip
    files = [] if effort.full else targets
    proved = prove(two, files, _touched(change, store, project.settings), effort.repeats, change.id)
    if isinstance(proved, Disproved):
        return proved
    proof = _proof(proved, effort, record)
    store_lock(record.digest, lock)
    if effort.strength:
        narrow = bench.command(recipe.targets(proof.fail_to_pass), proved.plain)
        found = strength(change, store, proof.required, [narrow, proof.command], bench)
        proof = proof.model_copy(update={"strength": found})
    return proof


def _proof(proved: Proved, effort: Effort, record: Environment) -> Proof:
    return Proof(
        command=proved.command, fail_to_pass=proved.fail_to_pass, pass_to_pass=proved.pass_to_pass,
        collected_after=proved.collected_after, collects_only_after=proved.collects_only_after, flaky=proved.flaky,
        regression="full" if effort.full else "files", repeats=effort.repeats, seconds=round(proved.seconds, 2),
        timeout_seconds=max(_SHORTEST_LIMIT, int(20 * proved.seconds)), environment=record,
    )  # fmt: skip


def inside(settings: Settings, paths: Sequence[str]) -> list[str]:
    """The paths that lie in the sub-project, relative to it."""
    if settings.cwd == ".":
        return list(paths)
    return [str(PurePosixPath(p).relative_to(settings.cwd)) for p in paths if p.startswith(f"{settings.cwd}/")]


def _touched(change: Change, store: TreeStore, settings: Settings) -> Callable[[str], bool]:
    """Tells the tests that tests.patch adds or alters; all of a file whose language has no symbols."""
    before, after = (store.read(t, change.test_files) for t in (change.starting_tree, change.solved_tree))
    prefix = "" if settings.cwd == "." else f"{settings.cwd}/"
    names = {path: set(symbols) for path, symbols in allowed_by(before, after).items()}

    def touched(test_id: str) -> bool:
        file, _, name = test_id.partition("::")
        path, parts = f"{prefix}{file}", name.split("[", 1)[0].split("::")
        return path in names and (not has_symbols(path) or ".".join(parts) in names[path])

    return touched


def strength(
    change: Change, store: TreeStore, required: Sequence[str], commands: Sequence[list[str]], bench: Workbench
) -> Strength:
    """Each hunk of the change set left out in turn: which of them no required test misses.

    The commands are run in order until one notices, so the quickest comes first and the last names all.
    """

    def noticed(part: Hunk) -> bool:
        tree = store.patched(change.solved_tree, [part.patch], reverse=True)
        if tree is None:
            return False  # it cannot be left out alone, so nothing is claimed for it
        with on_disk(store, tree) as folder:
            return any(_notices(bench.run(folder, command), command is commands[-1], required) for command in commands)

    parts = hunks(change.change_patch)
    unnoticed = [part.name for part in parts if len(parts) > 1 and not noticed(part)]
    return Strength(hunks=max(len(parts), 1), unnoticed=unnoticed)


def _notices(run: Run, names_all: bool, required: Sequence[str]) -> bool:
    """Whether a required test fails; one that is missing counts only where the command names them all."""
    failed = missing(run.found, required)
    return bool(failed) if names_all or not run.found else any(test in run.found for test in failed)


def missing(results: Results, required: Sequence[str]) -> list[str]:
    """The required tests that did not pass."""
    return [test for test in required if results.get(test) is not Result.PASSED]


def proving_environment(
    store: TreeStore, repository: Repository, starting_tree: str, date: str, record: Environment, lock: str
) -> tuple[Recipe, Ready]:
    """The environment that proved a fixture, rebuilt from its lock unless the cache has it.

    Raises `EnvironmentFailed`.
    """
    recipe = recipes.by_name(record.recipe)
    project = project_of(store, starting_tree, date, settings_of(repository))
    toolchain = recipe.like(record.toolchain, project)
    ready = environment.cached(recipe, project, toolchain, repository.name, lock, record.variant)
    if ready is None:
        with on_disk(store, starting_tree) as folder:
            site = Site(folder, repository.name, record.pretend_version)
            ready = environment.rebuild(recipe, project, toolchain, site, lock, record)
    return recipe, ready
