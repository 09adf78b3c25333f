"""How a repository's tests are run: one file per ecosystem, one row here."""

from miner.errors import ToolError
from miner.recipes.command import CommandRecipe
from miner.recipes.go import GoRecipe
from miner.recipes.gradle import GradleRecipe
from miner.recipes.maven import MavenRecipe
from miner.recipes.model import Project, Recipe
from miner.recipes.node import RECIPES as NODE_RECIPES
from miner.recipes.python import PythonRecipe
from miner.recipes.rust import RustRecipe

# The first that fits is taken, so what takes anything is the last.
RECIPES: tuple[Recipe, ...] = (
    PythonRecipe(), *NODE_RECIPES, GoRecipe(), RustRecipe(), MavenRecipe(), GradleRecipe(), CommandRecipe(),
)  # fmt: skip


def detect(project: Project) -> Recipe | None:
    """The first recipe that fits a tree, or None."""
    return next((recipe for recipe in RECIPES if recipe.applies_to(project)), None)


def by_name(name: str) -> Recipe:
    """The recipe that a repo.yaml names; raises `ToolError` where there is none of that name."""
    for recipe in RECIPES:
        if recipe.name == name:
            return recipe
    raise ToolError("unknown recipe", name, f"Known recipes: {', '.join(r.name for r in RECIPES)}.")
