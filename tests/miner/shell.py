"""A recipe for the tests of proving: a tree's tests are a shell script, so that runs are real and quick."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from miner.recipes.model import EnvironmentFailed, Lock, Project, Result, Results, Toolchain, Workshop
from miner.sandbox import Mount, Outcome

CHECK = "tests/check.sh"


def tool(version: str) -> Toolchain:
    """One of the recipe's toolchains; its tests see the version as $TOOL."""
    return Toolchain("shell", version, Path("/bin/sh"), ())


@dataclass
class ShellRecipe:
    """Runs `sh tests/check.sh [plain] TARGETS`, which prints a line `name passed|failed|skipped` for each test.

    `broken` are the versions whose environment does not build; `built` and `resolved` collect what was asked.
    """

    name: str = "shell"
    manifests: tuple[str, ...] = ("check.mf",)
    variants: tuple[str, ...] = ("usual",)
    versions: tuple[str, ...] = ("1",)
    broken: tuple[str, ...] = ()
    broken_variants: tuple[str, ...] = ()
    whole: bool = False  # the script cannot be told which tests to run
    mended: str = ""  # the ISO date from which the registry has shell==2
    resolved: list[str] = field(default_factory=list)
    built: list[str] = field(default_factory=list)

    def applies_to(self, project: Project) -> bool:
        return "check.mf" in project.paths

    def summary(self, project: Project) -> str:
        return f"{len(project.paths)} files"

    def toolchains(self, project: Project) -> Sequence[Toolchain]:
        if not self.versions:
            raise EnvironmentFailed("no shell: install one")
        return [tool(version) for version in self.versions]

    def like(self, recorded: str, project: Project) -> Toolchain:
        return tool(recorded.removeprefix("shell "))

    def pinned(self, project: Project) -> Sequence[bytes]:
        return [project.text("check.mf").encode()]

    def resolve(self, project: Project, toolchain: Toolchain, shop: Workshop) -> Lock:
        self.resolved.append(f"{toolchain.version} {project.date:%Y-%m-%d}")
        newest = 2 if self.mended and f"{project.date:%Y-%m-%d}" >= self.mended else 1
        return Lock(f"shell=={newest}\n", "check.mf", ("a note",))

    def build(self, project: Project, toolchain: Toolchain, lock: str, variant: str, shop: Workshop) -> None:
        self.built.append(f"{toolchain.version} {variant}")
        assert shop.env is not None
        if toolchain.version in self.broken or variant in self.broken_variants:
            raise EnvironmentFailed(f"cannot build on {toolchain.version} ({variant})")
        (shop.env / "lock").write_text(lock)
        (shop.env / "date").write_text(f"{project.date:%Y-%m-%d}\n")

    def mounts(self, env: Path, project: Project) -> Sequence[Mount]:
        return ()

    def variables(self, toolchain: Toolchain) -> Mapping[str, str]:
        return {"TOOL": toolchain.version}

    def runnable(self, test_files: Collection[str]) -> list[str]:
        return sorted(path for path in test_files if path.endswith(".sh"))

    def command(self, targets: Sequence[str], plain: bool = False) -> list[str]:
        return ["sh", CHECK, *(["plain"] if plain else []), *targets]

    def targets(self, test_ids: Sequence[str], seen: Collection[str] = ()) -> list[str]:
        if self.whole or (seen and set(seen) <= set(test_ids)):
            return [CHECK]
        return list(test_ids)

    def read(self, results: Path, outcome: Outcome, targets: Sequence[str]) -> Results | None:
        rows = (row.split() for row in outcome.output.splitlines())
        found = {f"{CHECK}::{row[0]}": Result(row[1]) for row in rows if len(row) == 2 and row[1] in set(Result)}
        return found or None
