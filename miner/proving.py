"""Proving one frozen change: its environment, its proof, what its tests would notice; and proving it again."""

import hashlib
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from miner import environment, recipes
from miner.environment import Ready, Site
from miner.errors import ToolError
from miner.proof import Bench, Disproved, Proved, prove
from miner.recipes.model import EnvironmentFailed, Project, Recipe, Settings, Toolchain
from miner.record import Environment, Proof, Repository
from miner.rejection import Rejection
from miner.strength import strength
from miner.touched import touched_tests
from miner.trees import TreeStore
from miner.workbench import Workbench, on_disk

# Tried in turn where a proof fails in a way that another environment may mend: the toolchain's place among those
# that suit, and how many days later the packages may be (a release of the date may be broken, mended soon after).
_ATTEMPTS = ((0, 0), (0, 30), (1, 0), (2, 0))
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


def settings_digest(repository: Repository) -> str:
    """What of a repo.yaml decides proofs, in 12 hexadecimal digits."""
    said = repository.model_dump_json(include={"recipe", "cwd", "python", "setup", "test", "env"})
    return hashlib.sha256(said.encode()).hexdigest()[:12]


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
    if store.patched(unsolved, [change.change_patch]) != change.solved_tree:  # written by this, if it was not yet
        return Disproved(Rejection.UNFAITHFUL_PATCH, "the patches do not rebuild the solved tree")
    recipe = recipes.by_name(repository.recipe)
    project = project_of(store, change.starting_tree, change.date, settings_of(repository))
    if not project.paths:
        return Disproved(Rejection.ENVIRONMENT_FAILED, f"the starting tree has no folder `{repository.cwd}`")
    with ExitStack() as stack:
        folders = [stack.enter_context(on_disk(store, t)) for t in (change.starting_tree, unsolved, change.solved_tree)]
        site = Site(folders[0], repository.name, change.pretend_version)
        attempt = _Attempt(change, store, recipe, site, folders[1], folders[2], effort, store_lock, times)
        try:
            toolchains = recipe.toolchains(project)
        except EnvironmentFailed as error:
            return Disproved(Rejection.ENVIRONMENT_FAILED, str(error))
        first: Disproved | None = None
        for place, days in _ATTEMPTS:
            if place >= len(toolchains):
                break
            proof = attempt.on(toolchains[place], _later(project, days))
            if isinstance(proof, Proof):
                return _noting(proof, first, days)
            first = first or proof
            if not proof.elsewhere:
                break
        assert first is not None
        return first


def _later(project: Project, days: int) -> Project:
    return replace(project, date=project.date + timedelta(days=days))


def _noting(proof: Proof, first: Disproved | None, days: int) -> Proof:
    """The proof with what failed before it written among the fallbacks."""
    if first is None:
        return proof
    later = [f"packages of {days} days later"] if days else []
    notes = [f"{first.rejection.value}: {first.detail}", *later, *proof.environment.fallbacks]
    noted = proof.environment.model_copy(update={"fallbacks": notes, "days_later": days})
    return proof.model_copy(update={"environment": noted})


@dataclass(frozen=True)
class _Attempt:
    """A change with both its trees on disk, to be proved in one environment or another."""

    change: Change
    store: TreeStore
    recipe: Recipe
    site: Site
    unsolved: Path
    solved: Path
    effort: Effort
    store_lock: StoreLock
    times: list[float]

    def on(self, toolchain: Toolchain, project: Project) -> Proof | Disproved:
        """The proof with this toolchain and the packages of the project's date."""
        targets = self.recipe.runnable(inside(project.settings, self.change.test_files))
        if not targets:
            return Disproved(Rejection.NO_TESTS_RUN, "the changed test files hold no tests")
        try:
            record, ready, lock = environment.prepare(self.recipe, project, toolchain, self.site)
        except EnvironmentFailed as error:
            return Disproved(Rejection.ENVIRONMENT_FAILED, f"{toolchain}: {error}", elsewhere=True)
        bench = Workbench(self.recipe, ready, self.effort.timeout, self.times)
        two = Bench(
            lambda command: bench.run(self.unsolved, command), lambda command: bench.run(self.solved, command),
            bench.command, self.recipe.targets,
        )  # fmt: skip
        touched = _touched(self.change, self.store, project.settings)
        proved = prove(two, [] if self.effort.full else targets, touched, self.effort.repeats, self.change.id)
        if isinstance(proved, Disproved):
            return proved
        self.store_lock(record.digest, lock)
        proof = _proof(proved, self.effort, record)
        return self._with_strength(proof, proved.plain, bench) if self.effort.strength else proof

    def _with_strength(self, proof: Proof, plain: bool, bench: Workbench) -> Proof:
        narrow = bench.command(self.recipe.targets(proof.fail_to_pass), plain)
        tree, patch = self.change.solved_tree, self.change.change_patch
        found = strength(self.store, tree, patch, proof.required, [narrow, proof.command], bench)
        return proof.model_copy(update={"strength": found})


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
    """Tells the tests that tests.patch adds or alters."""
    before, after = (store.read(t, change.test_files) for t in (change.starting_tree, change.solved_tree))
    return touched_tests(before, after, settings.cwd)


def proving_environment(
    store: TreeStore, repository: Repository, starting_tree: str, date: str, record: Environment, lock: str
) -> tuple[Recipe, Ready]:
    """The environment that proved a fixture, rebuilt from its lock unless the cache has it.

    Raises `EnvironmentFailed`, and `ToolError` where repo.yaml names another recipe.
    """
    recipe = recipes.by_name(repository.recipe)
    if recipe.name != record.recipe:
        what = f"repo.yaml says {recipe.name}, a fixture was proved with {record.recipe}"
        raise ToolError(what, repository.name, "Correct repo.yaml, or harvest again.")
    project = _later(project_of(store, starting_tree, date, settings_of(repository)), record.days_later)
    if not project.paths:
        raise EnvironmentFailed(f"the starting tree has no folder `{repository.cwd}`: correct cwd in repo.yaml")
    toolchain = recipe.like(record.toolchain, project)
    ready = environment.cached(recipe, project, toolchain, repository.name, lock, record.variant)
    if ready is None:
        with on_disk(store, starting_tree) as folder:
            site = Site(folder, repository.name, record.pretend_version)
            ready = environment.rebuild(recipe, project, toolchain, site, lock, record)
    return recipe, ready
