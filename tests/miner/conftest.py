import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from miner import environment, errors, recipes, sandbox
from miner.asked import Options
from miner.cli import app
from miner.git import Git, borrow
from miner.harvest import harvest
from miner.recipes.command import command_for, results_of
from miner.recipes.model import Project, Recipe, Results, Settings
from miner.record import Environment, HarvestLine
from miner.sandbox import Limits, Outcome

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

ZERO = "0" * 40
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | {
    "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8",
    "GIT_AUTHOR_NAME": "Ann", "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "Cy", "GIT_COMMITTER_EMAIL": "cy@example.org",
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE": "2026-01-02T03:04:06Z",
}  # fmt: skip


@dataclass(frozen=True)
class Repo:
    """A real repository that a test writes a history in."""

    path: Path

    def git(self, *arguments: str, env: Mapping[str, str] | None = None) -> str:
        done = subprocess.run(
            ["git", "-c", "core.autocrlf=false", "-c", "gc.auto=0", *arguments], cwd=self.path,
            env=CLEAN | dict(env or {}), capture_output=True, check=True, text=True, errors="surrogateescape",
        )  # fmt: skip
        return done.stdout.strip()

    def write(self, files: Mapping[str, bytes | str | None]) -> None:
        for name, content in files.items():
            path = self.path / name
            if content is None:
                path.unlink()
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)

    def commit(
        self, message: str, files: Mapping[str, bytes | str | None] | None = None, author: str = ""
    ) -> str:
        """Commit `files` (None deletes) and whatever else the work tree holds."""
        self.write(files or {})
        self.git("add", "--all")
        who = ["--author", author] if author else []
        self.git("commit", "--quiet", "--allow-empty", "--message", message, *who)
        return self.git("rev-parse", "HEAD")

    def merge(
        self, message: str, files: Mapping[str, bytes | str | None], author: str = "", branch: str = "topic"
    ) -> str:
        """Merge, without fast-forward, a branch of one commit that writes `files`."""
        self.git("checkout", "--quiet", "-b", branch)
        self.commit("work on it", files, author)
        self.git("checkout", "--quiet", "main")
        self.git("merge", "--quiet", "--no-ff", "--message", message, branch)
        self.git("branch", "--quiet", "-D", branch)
        return self.git("rev-parse", "HEAD")

    def loose(self, spec: str) -> Path:
        """The file of the loose object that `spec` names."""
        oid = self.git("rev-parse", spec)
        return self.path / ".git" / "objects" / oid[:2] / oid[2:]


@pytest.fixture(scope="session", autouse=True)
def private_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Bundles and environments are unpacked below a folder of this session, never in the user's cache."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


@pytest.fixture
def new_repo(tmp_path: Path) -> Callable[..., Repo]:
    """Makes an empty repository on branch main, at `tmp_path / name`."""

    def make(name: str = "sample") -> Repo:
        repo = Repo(tmp_path / name)
        repo.path.mkdir()
        repo.git("init", "--quiet", "--template=", "--initial-branch=main")
        return repo

    return make


@pytest.fixture
def repo(new_repo: Callable[..., Repo]) -> Repo:
    """An empty repository on branch main."""
    return new_repo()


@pytest.fixture
def borrowed(tmp_path: Path) -> Callable[[Repo], tuple[Git, str]]:
    """Our bare repository over a test's repository, and the commit of its HEAD."""
    return lambda repo: borrow(repo.path, tmp_path / "ours.git")


@pytest.fixture(scope="session")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration repository. Read it only."""
    from tests.demonstration.build import build

    folder = tmp_path_factory.mktemp("demonstration") / "billing"
    build(folder)
    return folder


@dataclass(frozen=True)
class Harvested:
    """What a harvest made: the fixtures folder and its lines."""

    out: Path
    lines: list[HarvestLine]


@pytest.fixture(scope="session")
def unproved(demonstration: Path, tmp_path_factory: pytest.TempPathFactory, private_cache: Path) -> Harvested:
    """The demonstration's changes as fixtures without a proof. Read them only."""
    out = tmp_path_factory.mktemp("unproved") / "fixtures"
    lines = harvest(Options(demonstration, out, "billing", prove=False), lambda line: None)
    return Harvested(out, lines)


@dataclass(frozen=True)
class Tried:
    """An environment that a recipe built for a tree, and runs of tests in it."""

    recipe: Recipe
    project: Project
    record: Environment
    ready: environment.Ready
    lock: str
    tree: Path
    results: Path

    def run(self, *targets: str) -> tuple[Outcome, Results | None]:
        """What a test run in the sandbox did."""
        folder = Path(tempfile.mkdtemp(dir=self.results))
        command = command_for(self.recipe, self.project.settings, targets)
        job = environment.TestRun(self.tree, command, Limits(wall_seconds=300), folder)
        done = sandbox.run(environment.test_job(self.recipe, self.ready, job))
        return done, results_of(self.recipe, self.project.settings, folder, done, command)


@pytest.fixture
def try_recipe(tmp_path: Path, private_cache: Path) -> Callable[..., Tried]:
    """Writes a tree, and resolves and builds its environment in the sandbox with the recipe that fits it."""

    def make(files: Mapping[str, str], settings: Settings | None = None, date: str = "2026-01-01T00:00:00Z") -> Tried:
        tree = Path(tempfile.mkdtemp(dir=tmp_path, prefix="tree-"))
        tree.chmod(0o755)
        for name, content in files.items():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(content)
        project = project_of_files(files, settings, date)
        recipe = recipes.detect(project)
        assert recipe is not None
        toolchain = recipe.toolchains(project)[0]
        record, ready, lock = environment.prepare(recipe, project, toolchain, environment.Site(tree, "tried", None))
        results = Path(tempfile.mkdtemp(dir=tmp_path, prefix="results-"))
        return Tried(recipe, project, record, ready, lock, tree, results)

    return make


def project_of_files(
    files: Mapping[str, str], settings: Settings | None = None, date: str = "2026-01-01T00:00:00Z"
) -> Project:
    """A project of texts."""
    return Project(
        frozenset(files), lambda path: files[path].encode() if path in files else None, datetime.fromisoformat(date),
        settings or Settings(),
    )  # fmt: skip


@pytest.fixture
def project() -> Callable[..., Project]:
    """Makes a project of texts, without a tree on disk."""
    return project_of_files


@pytest.fixture
def miner(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., SimpleNamespace]:
    """Runs the `miner` command in this process: its exit code, standard output and standard error."""

    def run(*arguments: object) -> SimpleNamespace:
        monkeypatch.setattr(sys, "argv", ["miner", *map(str, arguments)])
        code = errors.run_command_line(app, "miner")
        captured = capsys.readouterr()
        return SimpleNamespace(code=code, out=captured.out, err=captured.err)

    return run
