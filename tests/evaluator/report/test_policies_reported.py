"""Would a mix of formats do better: what the report says of size rules and fallback chains, and when nothing."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from evaluator.journal import AttemptLine, RunFile, TaskFacts
from evaluator.report.build import build
from evaluator.report.html.listed import listed
from evaluator.report.html.page import page
from evaluator.report.model import ReportFile
from evaluator.report.policies import LEAST
from evaluator.report.policy_section import TITLE, policy_section
from evaluator.report.screen import as_markdown, one_screen
from evaluator.taxonomy import Signal
from miner.strata import Stratum

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]
SMALL, LARGE = 0.2, 3.0  # of the cap


def sized(run: RunFile, sizes: Sequence[float]) -> RunFile:
    facts = {
        fixture: TaskFacts(stratum=Stratum.NEAR, large=False, rewrite_tokens=int(size * run.cap))
        for fixture, size in zip(run.fixtures, sizes, strict=True)
    }
    return run.model_copy(update={"tasks": facts})


def by_size(journal: Journal, each: int = 20, **fields: object) -> ReportFile:
    """The first format resolves the small tasks, the second the large ones."""
    run, lines = journal(*["+-", "-+"] * each, **fields)
    return build(sized(run, [SMALL, LARGE] * each), lines)


def text_of(report: ReportFile) -> str:
    return " ".join(policy_section(report).split())


def test_a_size_rule_that_every_fold_chooses_is_said_with_its_rate_and_cost(journal: Journal) -> None:
    report = by_size(journal, cost_usd=0.25)
    (rule,) = report.policies
    assert rule.chosen == ["search_replace below 0.6 of the cap, else whole_file"] * 5, "of equals the first border"
    assert (rule.tasks, rule.tried, rule.rate, rule.cost_per_task) == (40, 6, 1.0, 0.25)
    assert rule.own_rates == {"search_replace": 0.5, "whole_file": 0.5}
    said = text_of(report)
    assert "Size rule, of 6 tried: every fold chose search_replace below 0.6 of the cap, else whole_file." in said
    assert "| size rule | 100% | +" in said
    assert "A description, no verdict." in said
    assert "$0.25" in said
    assert "No fallback chain: no trial ended in a failure that the run would have seen (--retry-on)." in said


def test_the_section_stands_after_the_verdicts_and_not_on_the_one_screen(journal: Journal, tmp_path: Path) -> None:
    report = by_size(journal)
    whole = as_markdown(report)
    assert whole.index("NOT DISTINGUISHABLE") < whole.index(f"## {TITLE}") < whole.index("## How tasks ended")
    assert f"## {TITLE}" not in one_screen(report)
    html = page(report, listed(tmp_path, report, []))
    assert html.index("Differences, in points") < html.index(f"<h2>{TITLE}</h2>") < html.index('id="ended"')


def test_what_stands_out_is_one_finding_that_names_no_winner(journal: Journal) -> None:
    (said,) = [finding for finding in by_size(journal).findings if finding.startswith(TITLE)]
    assert said == (
        f"{TITLE} A description, no verdict: search_replace below 0.6 of the cap, else whole_file resolves 100% of "
        "tasks that did not choose it, the best single format 50%."
    )


def test_a_chain_resolves_what_its_second_format_did_where_the_first_was_seen_to_fail(journal: Journal) -> None:
    run, lines = journal(*["+-"] * 20, *["c+"] * 10)
    ended = [a.model_copy(update={"attempt": 3, "cost_usd": 0.5 if a.format == "whole_file" else 0.1}) for a in lines]
    (chain,) = build(run, ended).policies
    assert chain.chosen == ["search_replace, then whole_file"] * 5
    assert (chain.tried, chain.rate) == (1, 1.0), "whole_file was never seen to fail"
    assert chain.cost_per_task == pytest.approx((20 * 0.1 + 10 * 0.6) / 30)
    said = text_of(build(run, ended))
    assert "(stop, parser, applier, syntax), so that a task may take 6 attempts and costs both." in said
    assert "No size rule: the run noted no sizes." in said
    assert "up to 6 attempts a task) resolves 100%" in " ".join(build(run, ended).findings)


def test_hidden_tests_are_never_seen_and_visible_ones_where_the_run_looked_at_them(journal: Journal) -> None:
    run, lines = journal(*["-+"] * 30)
    assert build(run, lines).policies == [], "failed by its hidden tests alone"
    shown = [a.model_copy(update={"signal": Signal.TESTS if a.failure_category else None}) for a in lines]
    assert build(run, shown).policies == [], "it retried on no tests"
    looked = run.model_copy(update={"retry_on": [*run.retry_on, Signal.TESTS]})
    again = [a.model_copy(update={"attempt": 3}) for a in shown]
    assert [p.rate for p in build(looked, again).policies] == [1.0]


def test_folds_that_choose_differently_are_said_to_be_of_a_set_that_is_too_small(journal: Journal) -> None:
    run, lines = journal(*["+-", "-+", "++", "--"] * 7)
    report = build(sized(run, [SMALL, LARGE, LARGE, SMALL, LARGE, SMALL, SMALL] * 4), lines)
    (rule,) = report.policies
    assert len(set(rule.chosen)) > 1
    assert "Size rule, of 6 tried: the folds choose differently (" in text_of(report)
    assert "): the set is too small to choose." in text_of(report)
    assert not [finding for finding in report.findings if finding.startswith(TITLE)]


def test_the_order_of_the_lines_decides_nothing(journal: Journal) -> None:
    run, lines = journal(*["+-", "-+", "++", "--", "+-"] * 6)
    sizes = sized(run, [SMALL, LARGE, 1.2, 0.7, 0.9] * 6)
    assert build(sizes, lines).policies == build(sizes, lines[::-1]).policies


NOTHING = {
    "one format": (["+"] * 30, {}), "few tasks": (["+-"] * (LEAST - 1), {}), "unfinished": ([*["+-"] * 30, "+"], {}),
    "few complete blocks": ([*["+-"] * (LEAST - 1), *["?-"] * 20], {}),
    "few tasks, many repeats": (["+-"] * 2 * (LEAST - 1), {"repeats": 2}),
}  # fmt: skip


@pytest.mark.parametrize("case", NOTHING)
def test_of_too_little_nothing_is_said(journal: Journal, case: str) -> None:
    rows, how = NOTHING[case]
    run, lines = journal(*rows, **how)
    report = build(sized(run, [SMALL if n % 2 else LARGE for n in range(len(run.fixtures))]), lines)
    assert report.policies == []
    assert TITLE not in as_markdown(report)


def test_just_enough_tasks_are_enough(journal: Journal) -> None:
    run, lines = journal(*["+-"] * LEAST)
    assert build(sized(run, [SMALL, *[LARGE] * (LEAST - 1)]), lines).policies


def test_tasks_that_are_all_of_one_size_make_no_rule_and_it_is_said(journal: Journal) -> None:
    run, lines = journal(*["+-"] * 20, *["c+"] * 10)
    ended = [a.model_copy(update={"attempt": 3}) for a in lines]
    report = build(sized(run, [SMALL] * 30), ended)
    assert [p.kind for p in report.policies] == ["fallback_chain"]
    assert "No size rule: no border (0.6, 1 and 1.5 of the cap) has tasks on both sides." in text_of(report)


def test_a_part_of_the_prices_is_no_price(journal: Journal) -> None:
    run, lines = journal(*["+-", "-+"] * 20, cost_usd=0.25)
    lines[0] = lines[0].model_copy(update={"cost_usd": None})
    report = build(sized(run, [SMALL, LARGE] * 20), lines)
    assert [(p.cost_per_task, p.format_cost_per_task) for p in report.policies] == [(None, None)]
    assert "| unpriced" in policy_section(report)
