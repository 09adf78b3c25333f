"""A Node project on disk, and its way from the recipe to the results of its tests."""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from miner import environment, recipes, sandbox
from miner.recipes.model import Lock, Project, Result, Settings
from miner.sandbox import Limits


class Tree:
    """A project on disk, of 2024, and what the recipe that is detected makes of it."""

    def __init__(self, folder: Path, files: Mapping[str, str | dict[str, Any]], cwd: str = ".") -> None:
        folder.chmod(0o755)  # the sandbox may run as another user
        for name, content in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content if isinstance(content, str) else json.dumps(content))
        self.site = environment.Site(folder, folder.parent.name, None)
        start = "" if cwd == "." else f"{cwd}/"
        paths = frozenset(path.removeprefix(start) for path in files if path.startswith(start))
        date = datetime(2024, 1, 1, tzinfo=UTC)
        self.project = Project(paths, lambda path: (folder / cwd / path).read_bytes(), date, Settings(cwd=cwd))
        found = recipes.detect(self.project)
        assert found is not None
        self.recipe, self.toolchain = found, found.toolchains(self.project)[0]

    def lock(self) -> Lock:
        return environment.resolve(self.recipe, self.project, self.toolchain, self.site)

    def prepare(self) -> SimpleNamespace:
        record, self.ready, lock = environment.prepare(self.recipe, self.project, self.toolchain, self.site)
        return SimpleNamespace(record=record, folder=self.ready.folder, lock=lock)

    def test(self, targets: list[str], results: Path, plain: bool = False) -> dict[str, Result]:
        results.mkdir()
        command = self.recipe.command(targets, plain)
        run = environment.TestRun(self.site.tree, command, Limits(wall_seconds=100), results)
        outcome = sandbox.run(environment.test_job(self.recipe, self.ready, run))
        found = self.recipe.read(results, outcome, targets)
        assert found is not None, outcome.output
        return dict(found)
