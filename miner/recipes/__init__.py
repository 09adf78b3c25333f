"""How a repository's tests are run: one file per ecosystem, one row here."""

from collections.abc import Collection

from miner.recipes.model import Recipe
from miner.recipes.python import PythonRecipe

RECIPES: tuple[Recipe, ...] = (PythonRecipe(),)


def detect(paths: Collection[str]) -> Recipe | None:
    """The first recipe that fits a tree with these files, or None."""
    return next((recipe for recipe in RECIPES if recipe.applies_to(paths)), None)


def by_name(name: str) -> Recipe | None:
    """The recipe that a repo.yaml names, or None."""
    return next((recipe for recipe in RECIPES if recipe.name == name), None)
