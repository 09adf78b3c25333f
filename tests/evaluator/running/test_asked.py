"""What was asked for, as settings; and what is refused before any work."""

from pathlib import Path

import pytest

from evaluator.formats import FORMATS
from evaluator.journal import TaskFacts
from evaluator.running.asked import Asked, parameters, selected, settings_of
from miner.errors import ToolError
from miner.fixtures import FixtureFolder, Task
from miner.set_file import SetFile, load_set
from miner.strata import Stratum

FIXTURES = Path(__file__).parents[3] / "fixtures"
FACTS = {
    name: TaskFacts(stratum=stratum, large=False, rewrite_tokens=1)
    for name, stratum in (("r/1", Stratum.INSIDE), ("r/2", Stratum.PAST), ("r/3", Stratum.INSIDE))
}
SELECTED = {
    "all": ((), None, ["r/1", "r/2", "r/3"]),
    "some, in the set's order": (("r/3", "r/1"), None, ["r/1", "r/3"]),
    "of a size": ((), Stratum.INSIDE, ["r/1", "r/3"]),
    "some of a size": (("r/2", "r/3"), Stratum.PAST, ["r/2"]),
}


@pytest.mark.parametrize(("only", "stratum", "wanted"), SELECTED.values(), ids=SELECTED)
def test_parts_of_a_set(only: tuple[str, ...], stratum: Stratum | None, wanted: list[str]) -> None:
    assert selected(FACTS, only, stratum) == wanted


@pytest.mark.parametrize(("only", "stratum"), [(("r/9",), None), (("r/1",), Stratum.PAST), ((), Stratum.NEAR)])
def test_no_part_of_a_set_is_refused(only: tuple[str, ...], stratum: Stratum | None) -> None:
    with pytest.raises(ToolError):
        selected(FACTS, only, stratum)


PARAMETERS = {
    "a number": (["top_p=0.9"], {"top_p": 0.9}),
    "text": (["tier=flex"], {"tier": "flex"}),
    "quoted text": (['x="1"'], {"x": "1"}),
    "an object": (['thinking={"budget": 5}'], {"thinking": {"budget": 5}}),
    "an equals sign": (["a=b=c"], {"a": "b=c"}),
    "several": (["a=1", "b=true"], {"a": 1, "b": True}),
}


@pytest.mark.parametrize(("given", "wanted"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters(given: list[str], wanted: dict[str, object]) -> None:
    assert parameters(given) == wanted


@pytest.mark.parametrize("given", [["a"], ["=1"], ["a=1", "a=2"]])
def test_what_is_no_parameter_is_refused(given: list[str]) -> None:
    with pytest.raises(ToolError, match="--param key=value"):
        parameters(given)


@pytest.fixture(scope="module")
def chosen() -> SetFile:
    return load_set(FIXTURES)


@pytest.fixture(scope="module")
def tasks(chosen: SetFile) -> list[Task]:
    folder = FixtureFolder(FIXTURES)
    return [folder.task(fixture) for fixture in (*chosen.fixtures, *chosen.impossible)]


def test_a_run_over_a_whole_set_knows_the_facts_of_its_tasks(chosen: SetFile, tasks: list[Task]) -> None:
    settings = settings_of(Asked("simulated:perfect"), chosen, tasks, list(FORMATS.values()))
    assert (settings.fixtures, settings.impossible) == (chosen.fixtures, chosen.impossible)
    assert settings.set_tasks == len(tasks) == len(settings.tasks)
    counts = {stratum: sum(f.stratum is stratum for f in settings.tasks.values()) for stratum in Stratum}
    taken = {stratum: chosen.quotas[stratum.value].taken for stratum in Stratum}
    impossible = {s: sum(settings.tasks[i].stratum is s for i in chosen.impossible) for s in Stratum}
    assert counts == {stratum: taken[stratum] + impossible[stratum] for stratum in Stratum}


def test_a_limit_on_money_needs_a_price(chosen: SetFile, tasks: list[Task]) -> None:
    with pytest.raises(ToolError, match="needs a price"):
        settings_of(Asked("simulated:perfect", max_spend=5), chosen, tasks, [FORMATS["udiff"]])
