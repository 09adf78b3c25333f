"""What determines an environment, and that each is resolved and built once, whole or not at all."""

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from miner import environment
from miner.environment import Site, digest, environments_folder
from miner.recipes.model import EnvironmentFailed, Project, Settings
from tests.miner.shell import ShellRecipe, tool

WHEN = datetime(2026, 1, 2, tzinfo=UTC)
LOCK = "shell==1\n"


def project(contents: str = "", **settings: object) -> Project:
    files = {"check.mf": contents.encode(), "a.txt": b"1"}
    return Project(frozenset(files), files.get, WHEN, Settings(**settings))


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A tree on disk, with a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree").chmod(0o755)
    return Site(tmp_path / "tree", "sample", None)


RECIPE = ShellRecipe()
PLAIN = (RECIPE, project(), tool("1"), LOCK, "usual")
OTHERS = {
    "another lock": (RECIPE, project(), tool("1"), "shell==2\n", "usual"),
    "another toolchain": (RECIPE, project(), tool("2"), LOCK, "usual"),
    "another variant": (RECIPE, project(), tool("1"), LOCK, "other"),
    "another recipe": (ShellRecipe(name="other"), project(), tool("1"), LOCK, "usual"),
    "another manifest": (RECIPE, project("x"), tool("1"), LOCK, "usual"),
    "another folder": (RECIPE, project(cwd="inner"), tool("1"), LOCK, "usual"),
    "own set-up": (RECIPE, project(setup=("make",)), tool("1"), LOCK, "usual"),
    "own variables": (RECIPE, project(env={"A": "1"}), tool("1"), LOCK, "usual"),
    "lock and variant that read the same together": (RECIPE, project(), tool("1"), LOCK + "us", "ual"),
}  # fmt: skip


@pytest.mark.parametrize("parts", OTHERS.values(), ids=OTHERS.keys())
def test_environment_is_another_with(parts) -> None:
    assert digest(*parts) != digest(*PLAIN)


SAME = {
    "another date": replace(project(), date=datetime(2020, 1, 1, tzinfo=UTC)),
    "another test command": project(test=("make", "check")),
}  # fmt: skip


@pytest.mark.parametrize("same", SAME.values(), ids=SAME.keys())
def test_environment_is_the_same_with(same: Project) -> None:
    assert digest(RECIPE, same, tool("1"), LOCK, "usual") == digest(*PLAIN)


def test_order_of_variables_does_not_matter() -> None:
    one, two = project(env={"A": "1", "B": "2"}), project(env={"B": "2", "A": "1"})
    assert digest(RECIPE, one, tool("1"), LOCK, "usual") == digest(RECIPE, two, tool("1"), LOCK, "usual")


def test_pretend_version_is_recorded_and_determines_nothing(site: Site) -> None:
    recipe = ShellRecipe()
    first, _, _ = environment.prepare(recipe, project(), tool("1"), site)
    second, _, _ = environment.prepare(recipe, project(), tool("1"), replace(site, pretend_version="2.0"))
    assert first.digest == second.digest
    assert (first.pretend_version, second.pretend_version) == (None, "2.0")
    assert len(recipe.built) == 1


RESOLVED_AGAIN = {
    "nothing": (project(), {}, False),
    "another date": (replace(project(), date=datetime(2020, 1, 1, tzinfo=UTC)), {}, True),
    "another manifest": (project("x"), {}, True),
    "own set-up": (project(setup=("make",)), {}, True),
    "own variables": (project(env={"A": "1"}), {}, True),
    "another registry": (project(), {"UV_DEFAULT_INDEX": "https://elsewhere.invalid"}, True),
    "another variable of this machine": (project(), {"EDITOR": "ed"}, False),
}  # fmt: skip


@pytest.mark.parametrize(("question", "variables", "again"), RESOLVED_AGAIN.values(), ids=RESOLVED_AGAIN.keys())
def test_lock_is_resolved_again_with(
    site: Site, monkeypatch: pytest.MonkeyPatch, question: Project, variables: dict[str, str], again: bool
) -> None:
    recipe = ShellRecipe()
    first = environment.resolve(recipe, project(), tool("1"), site)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert environment.resolve(recipe, question, tool("1"), site) == first
    assert len(recipe.resolved) == 1 + again


def test_failed_resolution_is_not_remembered(site: Site) -> None:
    class Once(ShellRecipe):
        def resolve(self, project, toolchain, shop):
            lock = super().resolve(project, toolchain, shop)
            if len(self.resolved) == 1:
                raise EnvironmentFailed("the registry is away")
            return lock

    recipe = Once()
    with pytest.raises(EnvironmentFailed, match="away"):
        environment.resolve(recipe, project(), tool("1"), site)
    assert environment.resolve(recipe, project(), tool("1"), site).text == LOCK


def test_environment_that_many_want_at_once_is_built_once(site: Site) -> None:
    gate = threading.Barrier(4, timeout=20)
    recipe = ShellRecipe()

    def want(_: int) -> Path:
        gate.wait()
        return environment.prepare(recipe, project(), tool("1"), site)[1].folder

    with ThreadPoolExecutor(4) as threads:
        folders = set(threads.map(want, range(4)))
    assert len(folders) == 1
    assert recipe.built == ["1 usual"]


def test_failed_build_leaves_nothing_and_is_tried_again(site: Site) -> None:
    recipe = ShellRecipe(broken=("1",))
    with pytest.raises(EnvironmentFailed, match=r"^usual: cannot build on 1"):
        environment.prepare(recipe, project(), tool("1"), site)
    assert list((environments_folder() / "sample").iterdir()) == []
    recipe.broken = ()
    _, ready, text = environment.prepare(recipe, project(), tool("1"), site)
    assert (ready.folder / "lock").read_text() == text == LOCK


def test_every_variant_that_failed_is_named(site: Site) -> None:
    recipe = ShellRecipe(variants=("good", "poor"), broken=("1",))
    message = r"^good: cannot build on 1 \(good\); then poor: cannot build on 1 \(poor\)$"
    with pytest.raises(EnvironmentFailed, match=message):
        environment.prepare(recipe, project(), tool("1"), site)


def test_environment_of_a_build_that_was_killed_is_never_taken_for_whole(site: Site) -> None:
    recipe = ShellRecipe()
    half = environments_folder() / "sample/.building-x"
    half.mkdir(parents=True)
    (half / "lock").write_text("half")
    _, ready, _ = environment.prepare(recipe, project(), tool("1"), site)
    assert ready.folder != half
    assert (ready.folder / "lock").read_text() == LOCK


def test_setup_runs_in_the_sub_project_with_its_variables_after_the_build(site: Site) -> None:
    (site.tree / "inner").mkdir()
    said = ("pwd > /env/said; cat /env/lock >> /env/said", "echo $A >> /env/said")
    wanted = project(cwd="inner", setup=said, env={"A": "b c"})
    _, ready, _ = environment.prepare(ShellRecipe(), wanted, tool("1"), site)
    assert (ready.folder / "said").read_text() == f"/tree/inner\n{LOCK}b c\n"
    assert list((site.tree / "inner").iterdir()) == []
