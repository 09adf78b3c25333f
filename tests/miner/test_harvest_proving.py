"""What harvest does with proofs: kept, rejected, tried again, and one odd change never ends all others."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from miner import recipes
from miner.asked import Options
from miner.errors import ToolError
from miner.fixtures import FixtureFolder
from miner.harvest import harvest
from miner.proving import Effort
from miner.record import HarvestLine
from miner.rejection import Rejection
from tests.miner.shell import CHECK, ShellRecipe

TURNS = "if grep -q N a.txt; then echo aN passed; else echo aN failed; fi\n"
Mine = Callable[..., list[HarvestLine]]


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ShellRecipe:
    """The recipe in the table, with a cache of its own."""
    shell = ShellRecipe()
    monkeypatch.setattr(recipes, "RECIPES", (shell,))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return shell


@pytest.fixture
def mine(repo, recipe: ShellRecipe, tmp_path: Path) -> Mine:
    """Harvests a history of three changes: #2 and #4 are proved by their tests, #3 is not."""
    repo.commit("Start", {"check.mf": "", "a.txt": "1\n", CHECK: "echo b passed\n"})
    repo.commit("Two (#2)", {"a.txt": "2\n", CHECK: TURNS.replace("N", "2")})
    repo.commit("Three (#3)", {"a.txt": "3\n", CHECK: "echo b passed\necho c passed\n"})
    repo.commit("Four (#4)", {"a.txt": "4\n", CHECK: TURNS.replace("N", "4")})

    def run(**options: object) -> list[HarvestLine]:
        given = {"effort": Effort(2, 20, False), "workers": 1} | options
        options = Options(repo.path, tmp_path / "out", "sample", **given)
        return harvest(options, lambda line: run.seen.append(line.number))

    run.seen = []
    return run


def told(lines: list[HarvestLine]) -> dict[str, str]:
    return {line.number: "proved" if line.proved else line.rejection or "kept" for line in lines}


def test_each_change_is_proved_or_rejected(mine: Mine, tmp_path: Path) -> None:
    lines = mine()
    assert told(lines) == {"4": "proved", "3": "passes_before", "2": "proved"}
    assert [line.fixture for line in lines] == ["sample/4-four", None, "sample/2-two"]
    assert all(line.test_seconds > 0 for line in lines)
    assert "none fails without the change" in lines[1].detail
    folder = FixtureFolder(tmp_path / "out")
    assert {folder.task(r.id).lock for r in folder.records()} == {"shell==1\n"}
    rows = [json.loads(row) for row in (tmp_path / "out/sample/harvest.jsonl").read_text().splitlines()]
    assert [row["number"] for row in rows] == ["4", "3", "2"]


def test_locks_are_those_of_proofs_alone(mine: Mine, tmp_path: Path) -> None:
    mine()
    locks = {path.stem for path in (tmp_path / "out/sample/locks").iterdir()}
    proofs = [record.proof for record in FixtureFolder(tmp_path / "out").records()]
    assert locks == {proof.environment.digest for proof in proofs if proof}


def test_what_was_kept_without_a_proof_is_proved_when_that_is_wanted(mine: Mine, tmp_path: Path) -> None:
    assert told(mine(prove=False)) == {"4": "kept", "3": "kept", "2": "kept"}
    prompt = (tmp_path / "out/sample/2-two/prompt.md").read_bytes()
    assert (tmp_path / "out/sample/3-three/fixture.yaml").exists()
    assert told(mine()) == {"4": "proved", "3": "passes_before", "2": "proved"}
    assert not (tmp_path / "out/sample/3-three/fixture.yaml").exists()
    assert (tmp_path / "out/sample/2-two/prompt.md").read_bytes() == prompt


def test_what_was_proved_is_left_alone_whatever_is_wanted(mine: Mine, recipe: ShellRecipe) -> None:
    mine()
    mine.seen.clear()
    assert told(mine()) == told(mine(prove=False)) == {"4": "proved", "3": "passes_before", "2": "proved"}
    assert mine.seen == []


def test_failed_environment_is_tried_again_the_next_time(mine: Mine, recipe: ShellRecipe) -> None:
    recipe.broken = ("1",)
    lines = mine()
    assert set(told(lines).values()) == {"environment_failed"}
    assert "shell 1: usual: cannot build on 1 (usual)" in lines[0].detail
    recipe.broken = ()
    mine.seen.clear()
    assert told(mine()) == {"4": "proved", "3": "passes_before", "2": "proved"}
    assert sorted(mine.seen) == ["2", "3", "4"]


def test_odd_change_is_written_down_as_a_bug_and_tried_again(
    mine: Mine, recipe: ShellRecipe, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = recipe.runnable

    def stumble(files):
        if len(mine.seen) == 1:
            raise ZeroDivisionError("by nought")
        return usual(files)

    monkeypatch.setattr(recipe, "runnable", stumble)
    lines = mine()
    assert told(lines) == {"4": "proved", "3": "internal_error", "2": "proved"}
    assert lines[1].detail == "ZeroDivisionError: by nought"
    assert lines[1].rewrite_tokens, "its size is known all the same"
    mine.seen.clear()
    monkeypatch.setattr(recipe, "runnable", usual)
    assert told(mine()) == {"4": "proved", "3": "passes_before", "2": "proved"}
    assert mine.seen == ["3"]


def test_fault_of_the_machine_ends_the_harvest_and_keeps_what_was_done(
    mine: Mine, recipe: ShellRecipe, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    usual = recipe.resolve

    def no_sandbox(project, toolchain, shop):
        if mine.seen:
            raise ToolError("no sandbox", "bwrap", "Install it.")
        return usual(project, toolchain, shop)

    monkeypatch.setattr(recipe, "resolve", no_sandbox)
    monkeypatch.setattr(recipe, "pinned", lambda project: [project.text("a.txt").encode()])
    with pytest.raises(ToolError, match="no sandbox"):
        mine()
    folder = FixtureFolder(tmp_path / "out")
    assert [folder.task(record.id).id for record in folder.records()] == ["sample/4-four"]
    monkeypatch.setattr(recipe, "resolve", usual)
    assert told(mine()) == {"4": "proved", "3": "passes_before", "2": "proved"}


def test_toolchain_that_is_missing_rejects_each_change_with_what_to_install(mine: Mine, recipe: ShellRecipe) -> None:
    recipe.versions = ()
    assert {(line.rejection, line.detail) for line in mine()} == {
        (Rejection.ENVIRONMENT_FAILED, "no shell: install one")
    }  # fmt: skip


@pytest.mark.parametrize("workers", [1, 3])
def test_number_of_workers_changes_no_proof(mine: Mine, tmp_path: Path, workers: int) -> None:
    mine(workers=workers)
    proofs = {record.id: record.proof for record in FixtureFolder(tmp_path / "out").records()}
    assert {name: (proof.fail_to_pass, proof.flaky) for name, proof in proofs.items() if proof} == {
        "sample/2-two": ([f"{CHECK}::a2"], []), "sample/4-four": ([f"{CHECK}::a4"], []),
    }  # fmt: skip
