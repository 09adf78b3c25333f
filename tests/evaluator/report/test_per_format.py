"""A format's estimates: repeats, mixes, repositories, money."""

from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.journal import AttemptLine, RunFile, TaskFacts
from evaluator.report.build import build
from evaluator.report.natural_mix import of_file
from evaluator.report.screen import as_markdown, history
from evaluator.statistics.wilson import mean_over_repeats, rate
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.mix import MixCell
from miner.strata import Stratum

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]


def test_at_one_repeat_the_interval_is_wilsons(journal: Journal) -> None:
    found = build(*journal(*"+" * 12, *"-" * 108)).formats[0].this_set
    pinned = rate(12, 120)  # .0581-.1667, Newcombe 1998
    assert found is not None
    assert pinned is not None
    assert (found.low, found.high) == pytest.approx((pinned.low, pinned.high))
    assert (found.low, found.high) == pytest.approx((0.0581, 0.1667), abs=1e-4)


def test_over_repeats_the_headline_is_the_mean_of_task_means_and_every_repeat_stands_beside(journal: Journal) -> None:
    one = build(*journal(*"+++", *"++-", *"---", *"+?+", repeats=3)).formats[0]
    assert one.this_set is not None
    assert one.this_set.value == pytest.approx((1 + 2 / 3 + 0 + 1) / 4)
    effective = mean_over_repeats([1, 2 / 3, 0, 1])
    assert effective is not None
    assert (one.this_set.low, one.this_set.high) == pytest.approx((effective.low, effective.high))
    assert one.every_repeat is not None
    assert one.every_repeat.value == pytest.approx(1 / 3), "of three tasks one passed thrice; of the fourth who knows"
    assert one.every_repeat_unknown == 1
    assert (one.trials, one.tasks, one.resolved) == (11, 4, 7)


def test_at_one_repeat_there_is_no_every_repeat_beside(journal: Journal) -> None:
    assert build(*journal("+", "-")).formats[0].every_repeat is None


@pytest.fixture
def mixed(journal: Journal) -> tuple[RunFile, list[AttemptLine]]:
    """Two of three sizes; the mix knows a third, 20% of it, that no fixture is of."""
    run, lines = journal(*"+" * 10, *"+-" * 5)
    facts = {
        name: TaskFacts(stratum=Stratum.INSIDE if n < 10 else Stratum.PAST, large=False, rewrite_tokens=1)
        for n, name in enumerate(run.fixtures)
    }
    changes = {Stratum.INSIDE: 50, Stratum.NEAR: 20, Stratum.PAST: 30}
    mix = [MixCell(repository="r", stratum=s, changes=n) for s, n in changes.items()]
    return run.model_copy(update={"tasks": facts, "mix": mix}), lines


def test_what_the_mix_has_and_the_set_has_not_stays_in_the_interval(mixed: tuple[RunFile, list[AttemptLine]]) -> None:
    report = build(*mixed)
    found = report.formats[0].history
    assert found is not None
    assert (found.least, found.most, found.unseen) == pytest.approx((0.65, 0.85, 0.2))
    assert found.low < 0.65 < 0.85 < found.high
    assert history(found).startswith("65%-85% [")
    assert any("No evidence for 20.0% of the history" in finding for finding in report.findings)
    assert "| history's mix" in as_markdown(report)


def test_weights_of_a_file_stand_in_for_the_sets(mixed: tuple[RunFile, list[AttemptLine]], tmp_path: Path) -> None:
    file = tmp_path / "w.yaml"
    file.write_text("schema: 1\nweights:\n- {stratum: inside, weight: 3}\n- {stratum: past, weight: 1}\n")
    found = build(*mixed, weights=of_file(file)).formats[0].history
    assert found is not None
    assert (found.least, found.unseen, found.source) == (pytest.approx(0.875), 0, "w.yaml")


def test_weights_of_what_the_run_has_not_are_said_to_weigh_nothing(
    mixed: tuple[RunFile, list[AttemptLine]], tmp_path: Path
) -> None:
    file = tmp_path / "w.yaml"
    file.write_text("weights:\n- {repository: elsewhere, stratum: inside, weight: 3}\n")
    report = build(*mixed, weights=of_file(file))
    assert report.formats[0].history is None
    assert "No estimate over the history" in report.findings[-1]


BAD = {
    "twice": "weights: [{stratum: past, weight: 1}, {stratum: past, weight: 2}]",
    "all 0": "weights: [{stratum: past, weight: 0}]",
    "below 0": "weights: [{stratum: past, weight: -1}]",
    "half named": "weights: [{stratum: past, weight: 1}, {repository: r, stratum: near, weight: 1}]",
    "no size": "weights: [{stratum: huge, weight: 1}]",
    "a sum that is not": "weights: [{stratum: past, weight: 1e308}, {stratum: near, weight: 1e308}]",
    "not finite": "weights: [{stratum: past, weight: .inf}]",
    "none": "weights: []",
}


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_weights_that_are_none_are_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "w.yaml"
    file.write_text(text)
    with pytest.raises(ToolError, match="unreadable weights"):
        of_file(file)


def test_of_few_repositories_a_new_one_gets_a_t_interval_and_each_is_left_out(journal: Journal) -> None:
    report = build(*journal(*"++++", *"+-+-", repositories=["a", "b"]))
    own = report.formats[0].repositories
    assert {name: (c.k, c.n) for name, c in own.per_repository.items()} == {"a": (4, 4), "b": (2, 4)}
    assert own.leave_one_out == {"a": 0.5, "b": 1.0}
    assert own.new_repository is not None
    assert (own.new_repository.value, own.new_repository.low, own.new_repository.high) == (0.75, 0, 1)
    assert any("tasks of these 2 repositories. Of a new repository (t interval)" in f for f in report.findings)


def test_repositories_that_are_all_alike_say_nothing_of_others(journal: Journal) -> None:
    report = build(*journal(*"----", *"----", repositories=["a", "b"]))
    assert report.formats[0].repositories.new_repository is None
    assert any(f.endswith("tasks of these 2 repositories; of others it says nothing.") for f in report.findings)


def test_of_one_repository_nothing_is_said_of_others(journal: Journal) -> None:
    report = build(*journal("+", "-"))
    assert report.formats[0].repositories.new_repository is None
    assert report.findings[-1] == "Every interval is of tasks of one repository, r; of others it says nothing."


def test_a_resolved_task_costs_what_its_failures_cost_too(journal: Journal) -> None:
    one = build(*journal("+", "+", "-", "?", cost_usd=0.5, paid_usd=0.25)).formats[0]
    assert (one.cost_total, one.paid_total, one.cost_per_task) == (1.5, 1.0, 0.5)
    assert one.cost_per_resolved is not None
    assert one.cost_per_resolved.value == pytest.approx(0.75)


def test_unpriced_is_not_free_and_nothing_resolved_costs_nothing_that_can_be_said(journal: Journal) -> None:
    assert "| unpriced" in as_markdown(build(*journal("+", "-")))
    run, lines = journal("+", "-", cost_usd=0.5)
    part = [lines[0].model_copy(update={"cost_usd": None}), lines[1]]
    assert build(run, part).formats[0].cost_total is None, "a part would pass for the whole"
    assert "| none resolved" in as_markdown(build(*journal("-", cost_usd=0.5)))


def test_calls_that_were_made_again_are_in_nothing_but_what_was_paid(journal: Journal) -> None:
    run, lines = journal("+", cost_usd=0.5, paid_usd=0.5)
    lost = lines[0].model_copy(update={"discarded": Discard.INFRA_ERROR})
    again = [lost, lines[0].model_copy(update={"call": 2})]
    one = build(run, again).formats[0]
    assert (one.attempts, one.trials, one.paid_total, one.cost_total) == (1, 1, 1.0, 0.5)


def test_edit_success_is_of_formats_that_must_find_a_place(journal: Journal) -> None:
    report = build(*journal("++", edits=2, edits_applied=1))
    assert [(f.name, f.anchored) for f in report.formats] == [("search_replace", True), ("whole_file", False)]
