"""`--want`: the whole history is screened, rare candidates are proved first, nothing is done twice."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from miner import recipes
from miner.asked import Options
from miner.fixtures import FixtureFolder
from miner.harvest import harvest
from miner.journal import read_lines
from miner.proving import Effort
from miner.rare import Rare
from miner.record import HarvestLine
from miner.rejection import Rejection
from miner.strata import Definition
from tests.miner.shell import CHECK, ShellRecipe

TEN = "".join(f"{i}\n" for i in range(10))
TWO = TEN.replace("\n", " two\n")
TURNS = "if grep -q N a.txt; then echo aN passed; else echo aN failed; fi\n"
Mine = Callable[..., list[HarvestLine]]


def rare(*strata: str) -> Rare:
    """`past` is more than 150 tokens."""
    return Rare(strata, 100, Definition())


@pytest.fixture
def mine(repo, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Mine:
    """Harvests a history whose #2 is large and #4 past; #3 changes a document, #6 is not proved by its tests."""
    monkeypatch.setattr(recipes, "RECIPES", (ShellRecipe(),))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    long = "word\n" * 200
    repo.commit("Start", {"check.mf": "", "a.txt": TEN, "long.txt": long, CHECK: "echo b passed\n"})
    repo.commit("Two (#2)", {"a.txt": TWO, CHECK: TURNS.replace("N", "two")})
    repo.commit("Three (#3)", {"README.md": "x"})
    repo.commit("Four (#4)", {
        "a.txt": TWO + "four\n", "long.txt": long + "four\n", CHECK: TURNS.replace("N", "four"),
    })  # fmt: skip
    repo.commit("Five (#5)", {"a.txt": TWO + "five\n", CHECK: TURNS.replace("N", "five")})
    repo.commit("Six (#6)", {"a.txt": TWO + "six\n", CHECK: "echo c passed\n"})
    repo.commit("Seven (#7)", {"a.txt": TWO + "seven\n", CHECK: TURNS.replace("N", "seven")})

    def run(**given: object) -> list[HarvestLine]:
        options = Options(repo.path, tmp_path / "out", "sample", effort=Effort(2, 20, False), workers=1)
        run.seen.clear()
        return harvest(replace(options, **given), lambda line: run.seen.append(line.number))

    run.seen, run.folder = [], tmp_path / "out"
    return run


def told(lines: list[HarvestLine]) -> dict[str, str]:
    return {line.number: "proved" if line.proved else line.rejection or line.fixture or "put off" for line in lines}


def test_rare_ones_are_proved_first_then_the_newest_and_the_others_are_put_off(mine: Mine) -> None:
    lines = mine(rare=rare("large"), last=3)
    assert mine.seen == ["2", "7", "6"]
    assert told(lines) == {
        "7": "proved", "6": "passes_before", "5": "put off", "4": "put off", "3": "no_source_change", "2": "proved",
    }  # fmt: skip
    assert [record.id for record in FixtureFolder(mine.folder).records()] == ["sample/2-two", "sample/7-seven"]
    assert read_lines(mine.folder / "sample/harvest.jsonl") == lines
    put_off = [line for line in lines if line.number in "54"]
    assert not any(line.was_tried or line.settings or line.test_seconds for line in put_off)
    assert all(line.is_candidate for line in put_off)


def test_natural_mix_is_told_of_every_change_of_source(mine: Mine) -> None:
    lines = mine(rare=rare("large"), last=1, prove=False)
    sized = {line.number: line.rewrite_tokens for line in lines if line.changes_source}
    assert sized.keys() == {"2", "4", "5", "6", "7"}
    assert all(sized.values())
    assert dict(rare("large").counts(lines))["large"] == [1, 1, 0, 1]
    assert dict(rare("large").counts(lines))["past"] == [1, 1, 0, 0]


def test_same_question_again_does_nothing(mine: Mine) -> None:
    before = mine(rare=rare("past"), last=2)
    assert mine.seen == ["4", "7"]
    assert mine(rare=rare("past"), last=2) == before
    assert mine.seen == []


def test_more_of_them_goes_on_from_there(mine: Mine) -> None:
    mine(rare=rare("large"), last=2)
    mine(rare=rare("large", "past"), last=4)
    assert mine.seen == ["4", "6"]


def test_plain_harvest_proves_what_was_put_off_and_screens_nothing_again(mine: Mine) -> None:
    mine(rare=rare("large"), last=1)
    lines = mine()
    assert mine.seen == ["7", "6", "5", "4"]
    assert set(told(lines).values()) == {"proved", "passes_before", "no_source_change"}


def test_scan_after_a_plain_harvest_keeps_its_lines(mine: Mine) -> None:
    (newest,) = mine(last=1)
    lines = mine(rare=rare("large"), last=2)
    assert mine.seen == ["2"], "the newest is proved already"
    assert lines[0] == newest


def test_scan_that_was_cut_short_goes_on(mine: Mine) -> None:
    lines = mine(rare=rare("large"), last=1)
    journal = mine.folder / "sample/harvest.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(b"".join(whole.splitlines(keepends=True)[::2])[:-20])
    again = mine(rare=rare("large"), last=1)
    assert [line.model_copy(update={"test_seconds": 0}) for line in again] == [
        line.model_copy(update={"test_seconds": 0}) for line in lines
    ]


def test_without_proofs_the_rare_ones_are_frozen(mine: Mine) -> None:
    lines = mine(rare=rare("past", "large"), last=2, prove=False)
    assert told(lines) == {
        "7": "put off", "6": "put off", "5": "put off", "4": "sample/4-four", "3": Rejection.NO_SOURCE_CHANGE,
        "2": "sample/2-two",
    }  # fmt: skip
    assert all(FixtureFolder(mine.folder).task(f"sample/{name}").solved_tree for name in ("4-four", "2-two"))
