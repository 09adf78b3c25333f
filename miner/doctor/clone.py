"""What a repository still needs before it is harvested."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

from miner import recipes, temporary
from miner.doctor.model import Check, Status
from miner.doctor.outside import needed_programs
from miner.errors import ToolError
from miner.git import Git, GitFailed, borrow, read_only
from miner.proving import project_of, settings_of
from miner.recipes.model import EnvironmentFailed, Project, Recipe, Toolchain
from miner.record import Repository
from miner.repository import detect, sub_projects, summary
from miner.sources.history import History
from miner.sources.log import read_commits
from miner.sources.model import Commit, Unit
from miner.sources.pull_refs import Pulls, read_pull_refs
from miner.sources.recognise import Recogniser
from miner.sources.subjects import merged_changes
from miner.trees import TreeStore, missing_objects

_LAST = 200  # commits of the main line, as many as a harvest looks at by itself
_MOST_SHOWN = 8
_REFETCH = "Run `git fetch --refetch --no-filter` in the clone, or clone it again without --filter."


@dataclass(frozen=True)
class Examined:
    """What was found in a repository: the checks, the programs its recipe needs, and folders where they may be."""

    checks: list[Check]
    needed: list[str] = field(default_factory=list)
    folders: list[str] = field(default_factory=list)


def examine(repo: Path, cwd: str = ".") -> Examined:
    """Look at a local clone, or a sub-project of it, as a harvest would."""
    with temporary.folder("doctor-") as scratch:
        try:
            git, head = borrow(repo, scratch / "mined.git")
        except ToolError as error:
            return Examined([Check("clone", Status.MISSING, f"{error.what}: {error.item}", error.remedy)])
        except GitFailed as error:
            return Examined([Check("clone", Status.MISSING, str(error), "Check the clone with `git fsck`.")])
        checks = [Check("clone", Status.OK, f"{repo}, HEAD {head[:10]}")]
        try:
            commits = list(islice(read_commits(git, head), _LAST))
            merged = _recognised(repo, git, head)
        except GitFailed as error:
            return Examined([*checks, Check("history", Status.MISSING, error.stderr, _REFETCH)])
        history = _history(git, head, commits)
        checks += [history, _merged(commits, merged)]
        if history.status is Status.MISSING:  # what the recipes would read is not there
            return Examined(checks)
        store = TreeStore(git)
        with store.objects:
            return _with_recipe(checks, store, head, Repository(name="x", source=str(repo), recipe="none", cwd=cwd))


def _recognised(repo: Path, git: Git, head: str) -> int:
    """How many merged pull requests a harvest finds among the last commits of the main line."""
    with History(git, head) as history:
        pulls = Pulls(git, history, read_pull_refs(read_only(repo)))
        return sum(1 for _ in Recogniser(git, history, pulls).among(islice(history.down(head), _LAST)))


def _merged(commits: Sequence[Commit], count: int) -> Check:
    """How many of the last commits a harvest would take for merged changes."""
    found = f"{count} among the last {len(commits)} commits of the main line"
    if count:
        return Check("merged changes", Status.OK, found)
    if any(merged_changes(commits, Unit.COMMIT)):
        remedy = "No pull request is recognised: harvest with --unit commit."
        return Check("merged changes", Status.OPTIONAL, found, remedy)
    return Check("merged changes", Status.MISSING, found, "Clone more of the history: there is no change in it.")


def _history(git: Git, head: str, commits: Sequence[Commit]) -> Check:
    """Whether the clone has its history and contents: a harvest fetches nothing."""
    if missing_objects(git, [f"{head}^{{tree}}"]):
        return Check("history", Status.MISSING, "partial: files of HEAD are missing", _REFETCH)
    if (git.directory / "shallow").exists():
        return Check("history", Status.OPTIONAL, "shallow", "Run `git fetch --unshallow` in the clone.")
    if missing_objects(git, [f"{commit.parents[0]}^{{tree}}" for commit in commits if commit.parents]):
        return Check("history", Status.OPTIONAL, "partial: files of earlier commits are missing", _REFETCH)
    return Check("history", Status.OK, "whole")


def _with_recipe(checks: list[Check], store: TreeStore, head: str, record: Repository) -> Examined:
    """The checks, with how the tests of HEAD would be run."""
    inner = _sub_projects(store, head)
    record = record.model_copy(update={"recipe": detect(store, head, record)})
    if record.recipe == "none":
        known = ", ".join(recipe.name for recipe in recipes.RECIPES)
        remedy = f"Known recipes: {known}. Give a sub-project with --cwd, or harvest with --no-prove."
        return Examined([*checks, Check("recipe", Status.MISSING, f"none fits {record.cwd}", remedy), *inner])
    recipe = recipes.by_name(record.recipe)
    project = project_of(store, head, datetime.now(UTC).isoformat(), settings_of(record))
    found, toolchains = _toolchain(recipe, project)
    checks = [*checks, Check("recipe", Status.OK, summary(store, head, record)), found, *inner]
    folders = [str(toolchain.executable.parent) for toolchain in toolchains]
    return Examined(checks, needed_programs(recipe.manifests, project.paths), folders)


def _toolchain(recipe: Recipe, project: Project) -> tuple[Check, Sequence[Toolchain]]:
    try:
        suitable = recipe.toolchains(project)
    except EnvironmentFailed as error:
        return Check("toolchain", Status.MISSING, "none suits HEAD", f"{error}."), []
    return Check("toolchain", Status.OK, ", ".join(map(str, suitable))), suitable


def _sub_projects(store: TreeStore, head: str) -> list[Check]:
    """One line that names the sub-projects, if there are any."""
    inner = sub_projects(store, head)
    if not inner:
        return []
    shown = [f"{folder} ({', '.join(dict.fromkeys(names))})" for folder, names in list(inner.items())[:_MOST_SHOWN]]
    rest = [f"and {len(inner) - _MOST_SHOWN} more"] if len(inner) > _MOST_SHOWN else []
    return [Check("sub-projects", Status.OK, f"{', '.join([*shown, *rest])}; harvest one with --cwd")]
