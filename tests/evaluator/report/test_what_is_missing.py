"""What a report says of trials that have no result: used-up budgets, discards, runs of impossible tasks alone."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from evaluator.journal import AttemptLine, RunFile, TaskFacts
from evaluator.live import Live
from evaluator.report.build import build
from evaluator.report.html.listed import listed
from evaluator.report.html.page import page
from evaluator.report.screen import as_markdown, one_screen
from evaluator.taxonomy import Discard
from miner.mix import MixCell
from miner.strata import Stratum

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]
OnDisk = Callable[..., Path]
Evaluator = Callable[..., SimpleNamespace]


def discarded_as(lines: list[AttemptLine], kind: Discard, error: str) -> list[AttemptLine]:
    """The lines with whatever was discarded discarded as this."""
    return [line.model_copy(update={"discarded": kind, "error": error}) if line.discarded else line for line in lines]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (["++", "??"], "**Budget used up: 2 of 4 trials were not run to the end, and have no result; `--resume RUN`"),
        (["++", "+?"], "**Budget used up: 1 of 4 trials was not run to the end, and has no result; `--resume RUN`"),
    ],
)
def test_a_used_up_budget_is_said_before_any_number(journal: Journal, rows: list[str], said: str) -> None:
    run, lines = journal(*rows)
    lines = discarded_as(lines, Discard.BUDGET_EXHAUSTED, "the run's money or time was used up")
    assert said in " ".join(one_screen(build(run, lines)).split("## ")[0].split())
    anew = [line.model_copy(update={"call": 2, "discarded": None, "error": ""}) for line in lines if line.discarded]
    assert build(run, [*lines, *anew]).warnings == [], "they were made after all"


def test_impossible_tasks_that_the_budget_did_not_last_for_count_too(journal: Journal) -> None:
    run, lines = journal("+", "?", run={"fixtures": ["r/0-x"], "impossible": ["r/1-x"]})
    lines = discarded_as(lines, Discard.BUDGET_EXHAUSTED, "used up")
    assert build(run, lines).warnings[0].startswith("Budget used up: 1 of 2 trials was not run")


@pytest.mark.parametrize(
    ("errors", "said"),
    [
        (["503 overloaded"] * 3, "Discarded, in no rate: 3 of 8 trials, as infra_error: 503 overloaded."),
        (["a\nb.", "a\nb.", "429"], "Discarded, in no rate: 3 of 8 trials, as infra_error; most often (2): a b."),
        (["", "", ""], "Discarded, in no rate: 3 of 8 trials, as infra_error."),
        (["x" * 500] * 3, f"Discarded, in no rate: 3 of 8 trials, as infra_error: {'x' * 157}...."),
    ],
)
def test_the_commonest_reason_of_discards_is_on_the_screen(journal: Journal, errors: list[str], said: str) -> None:
    run, lines = journal("++", "+-", "??", "+?")
    left = iter(errors)
    lines = [line.model_copy(update={"error": next(left)}) if line.discarded else line for line in lines]
    assert said in build(run, lines).findings


def test_kinds_of_discards_are_told_apart(journal: Journal) -> None:
    run, lines = journal("++", "?+", "+?")
    lines[2] = lines[2].model_copy(update={"discarded": Discard.REFUSAL, "error": "declined"})
    (said,) = [one for one in build(run, lines).findings if one.startswith("Discarded")]
    assert said.startswith("Discarded, in no rate: 2 of 6 trials, 1 as ")
    assert "1 as refusal" in said
    assert "1 as infra_error" in said


def test_a_used_up_budget_does_not_hide_what_else_went_wrong(journal: Journal) -> None:
    run, lines = journal("++", "?+", "??", "+?")
    over = {"discarded": Discard.BUDGET_EXHAUSTED, "error": "used up"}
    lines = [line.model_copy(update=over) if line.discarded and line.fixture != "r/1-x"
             else line for line in lines]  # fmt: skip
    assert (
        "Discarded, in no rate: 4 of 8 trials, 3 as budget_exhausted and 1 as infra_error; most often but for the "
        "budget (1): 503."
    ) in build(run, lines).findings


def test_without_discards_nothing_is_said_of_them(journal: Journal) -> None:
    assert not any(one.startswith("Discarded") for one in build(*journal("++", "+-")).findings)


@pytest.mark.parametrize(("kind", "again"), [(Discard.INFRA_ERROR, True), (Discard.HARNESS_ERROR, False)])
def test_where_all_failed_at_the_provider_making_them_again_is_suggested(
    journal: Journal, kind: Discard, again: bool
) -> None:
    run, lines = journal("??", "??")
    report = build(run, discarded_as(lines, kind, "no route"))
    assert report.bottom_line.startswith(
        f"No evidence: no trial has a result: all 4 that ended were discarded as {kind.value}: no route."
    )
    assert ("`--resume RUN --again`" in report.bottom_line) is again


def test_a_run_of_impossible_tasks_alone_is_said_to_be_one_and_shows_their_section(
    journal: Journal, tmp_path: Path
) -> None:
    ids = {"fixtures": [], "impossible": ["r/0-x", "r/1-x"]}
    report = build(*journal("+-", "++", run=ids))
    assert report.bottom_line == (
        "Only impossible tasks were asked for (2 tasks), so no rate of resolved ones, and no format is compared. "
        "Reported as impossible: search_replace 2/2 100%, whole_file 1/2 50%."
    )
    whole = page(report, listed(tmp_path, report, []))
    for text in (one_screen(report), as_markdown(report)):
        assert text.count("## Impossible tasks") == 1
        assert "2 impossible tasks, 1 repeat" in text
    for text in (one_screen(report), as_markdown(report), whole):
        assert "0 fixtures" not in text
        assert "o evidence" not in text
        assert "History" not in text
    assert "2 impossible tasks" in whole
    assert "Tasks resolved" not in whole


@pytest.mark.parametrize(("tasks", "said"), [(13, "1 of its 13 tasks was"), (2, "1 of its 2 tasks was")])
def test_one_task_of_a_set_is_singular(journal: Journal, tasks: int, said: str) -> None:
    assert build(*journal("+", run={"set_tasks": tasks})).warnings == [
        f"Part of a set: {said} asked for, impossible ones counted"
    ]


@pytest.mark.parametrize(("model", "dealt"), [("simulated:article", True), ("simulated:perfect", False)])
def test_that_cut_offs_are_dealt_is_said_of_a_model_that_never_meets_the_cap(
    journal: Journal, model: str, dealt: bool
) -> None:
    (said,) = build(*journal("+", run={"simulated": True, "model": model})).warnings
    assert ("cut-offs are dealt, whatever the cap" in said) is dealt


def test_of_a_mix_that_was_not_all_seen_a_range_is_drawn_and_no_point(journal: Journal, tmp_path: Path) -> None:
    run, lines = journal(*["+-"] * 6)
    facts = {f: TaskFacts(stratum=Stratum.INSIDE, large=False, rewrite_tokens=9, tags=[]) for f in run.fixtures}
    seen = MixCell(repository="r", stratum=Stratum.INSIDE, changes=70)
    unseen = MixCell(repository="r", stratum=Stratum.PAST, changes=30)
    pages = []
    for mix in ([seen], [seen, unseen]):
        report = build(run.model_copy(update={"tasks": facts, "mix": mix}), lines)
        pages.append(page(report, listed(tmp_path, report, [])))
    assert all('<th scope="col" class="n">history’s mix</th>' in one for one in pages)
    assert [one.count('class="open"') for one in pages] == [2, 0]
    assert [one.count('<line class="range"') for one in pages] == [0, 2]
    assert '<td class="n">70%-100% [' in pages[1]


@pytest.mark.parametrize(("blocks", "shown"), [(6, False), (8, True)])
def test_a_plain_line_has_the_evidence_of_a_pair_only_where_it_may_end_the_run(
    journal: Journal, blocks: int, shown: bool
) -> None:
    run, lines = journal(*["+-"] * blocks)
    assert ("stop early only" in Live(run, lines).line()) is shown
