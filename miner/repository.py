"""repo.yaml: a mined repository's recipe, detected once and then its owner's to edit."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from miner import recipes
from miner.errors import ToolError
from miner.proving import project_of, settings_of
from miner.record import Repository, dump_yaml, load_yaml, write_atomically
from miner.trees import TreeStore


@dataclass(frozen=True)
class Overrides:
    """What options of harvest say in place of repo.yaml; None: nothing is said."""

    cwd: str | None = None
    python: str | None = None
    setup: list[str] | None = None
    test: list[str] | None = None
    env: dict[str, str] | None = field(default=None)

    def said(self) -> dict[str, Any]:
        """The fields that are given."""
        return {name: value for name, value in self.__dict__.items() if value is not None}


def repository_record(
    folder: Path, new: Repository, store: TreeStore, head: str, overrides: Overrides, must_prove: bool
) -> Repository:
    """The record of a repository: what repo.yaml says (`new` where there is none yet), with the overrides.

    It is written back. Raises `ToolError` where repo.yaml is unreadable, or where no recipe fits and one is needed.
    """
    path = folder / "repo.yaml"
    record = load_yaml(path, Repository, "Edit it, or delete it and harvest again.") if path.exists() else new
    moved = overrides.cwd not in (None, record.cwd)  # another sub-project may be of another ecosystem
    record = record.model_copy(update=overrides.said() | ({"recipe": "none"} if moved else {}))
    if not project_of(store, head, _now(), settings_of(record)).paths:
        raise ToolError("no such folder in the repository", record.cwd, "Correct --cwd, or cwd in repo.yaml.")
    if record.recipe == "none":
        record = record.model_copy(update={"recipe": detect(store, head, record)})
    if record.recipe == "none" and must_prove:
        raise ToolError("no recipe runs this repository's tests", record.source, _remedy(store, head))
    write_atomically(path, dump_yaml(record))
    return record


def detect(store: TreeStore, tree: str, record: Repository) -> str:
    """The name of the recipe that fits a tree, or `none`."""
    recipe = recipes.detect(project_of(store, tree, _now(), settings_of(record)))
    return recipe.name if recipe else "none"


def summary(store: TreeStore, tree: str, record: Repository) -> str:
    """What the record's recipe finds in a tree, in a line for a person."""
    if record.recipe == "none":
        return "no recipe"
    project = project_of(store, tree, _now(), settings_of(record))
    return f"{record.recipe}: {recipes.by_name(record.recipe).summary(project)}"


def sub_projects(store: TreeStore, tree: str) -> dict[str, list[str]]:
    """Folders below the top that hold a recipe's manifest, with the recipes' names."""
    found: dict[str, list[str]] = {}
    for path in sorted(store.blobs(tree)):
        pure = PurePosixPath(path)
        names = [recipe.name for recipe in recipes.RECIPES if pure.name in recipe.manifests]
        if names and len(pure.parts) > 1 and "node_modules" not in pure.parts:
            found.setdefault(str(pure.parent), []).extend(names)
    return found


def _remedy(store: TreeStore, head: str) -> str:
    known = ", ".join(recipe.name for recipe in recipes.RECIPES)
    inner = sorted(sub_projects(store, head))[:5]
    hint = f" Sub-projects: {', '.join(inner)} (--cwd)." if inner else ""
    return f"Known recipes: {known}.{hint} Give a command with --test, or mine without proving: --no-prove."


def _now() -> str:
    return datetime.now(UTC).isoformat()
