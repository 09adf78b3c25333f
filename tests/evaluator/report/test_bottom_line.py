"""The bottom line claims no more than the verdicts."""

from collections.abc import Callable

import pytest

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.bottom_line import bottom_line
from evaluator.report.build import build
from evaluator.report.model import PairEstimates
from evaluator.report.screen import one_screen

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]

TOO_FEW = "too few to show any gap"
CASES: dict[str, tuple[list[str], dict[str, object], str]] = {
    "one over all others": (
        [*["+--"] * 12, *["+++"] * 9], {}, "search_replace resolves MORE than every other format."
    ),
    "one under all others": (
        [*["+-+"] * 12, *["+++"] * 9], {},
        "whole_file resolves LESS than every other format; search_replace and unified_diff cannot be told apart.",
    ),
    "one of two": ([*["+-"] * 12, "++"], {}, "search_replace resolves MORE than whole_file."),
    "the second of two": ([*["-+"] * 12, "++"], {}, "whole_file resolves MORE than search_replace."),
    "one that resolves nothing": (
        [*["+-"] * 9, *["+s"] * 3], {},
        "search_replace resolves MORE than whole_file. whole_file resolved no task: most often wrong_change/tests_fail "
        "(9 of 12 trials).",
    ),
    "two of three that resolve nothing": (
        ["+-s", "-s-", "+-s"], {}, f"No format is shown to resolve more than another (3 pairs, 3 tasks: {TOO_FEW}). "
        "whole_file and unified_diff resolved no task: most often unintended_change/removed and "
        "wrong_change/tests_fail (3 of 6 trials each).",
    ),
    "none resolves anything": (
        ["--", "-s"], {},
        "No format resolved any task: most often wrong_change/tests_fail (3 of 4 trials). Nothing here says which "
        "format is better (2 tasks).",
    ),
    "no reply could be applied": (
        ["uu", "uu", "cu"], {"attempt": 3}, "No format resolved any task, and no reply could be applied: most often "
        "malformed/no_edit (5 of 6 trials). Nothing here says which format is better (3 tasks).",
    ),
    "of one format nothing": (
        ["-", "-"], {}, "search_replace resolved no task: most often wrong_change/tests_fail (2 of 2 trials). One "
        "format, so nothing to compare: search_replace resolved 0% [0, 66].",
    ),
    "all resolve everything": (
        ["+++"] * 120, {}, "Every format resolved every task: this set (120 tasks) is too easy, or too small, to tell "
        "them apart.",
    ),
    "one pair of three": (
        [*["+-+"] * 5, *["+--"] * 4, *["+++"] * 11], {},
        "whole_file resolves LESS than search_replace; search_replace and unified_diff cannot be told apart.",
    ),
    "two too few to tell": (
        ["+-", "++"], {}, f"search_replace and whole_file cannot be told apart (2 tasks: {TOO_FEW})."
    ),
    "two that disagree on none": (
        [*["++"] * 119, "--"], {},
        "search_replace and whole_file cannot be told apart (120 tasks: supposing that they disagree on 10% of tasks, "
        "as here on none, this set shows gaps of 8 points or more).",
    ),
    "three too few": (
        ["+-+", "+++"], {}, f"No format is shown to resolve more than another (3 pairs, 2 tasks: {TOO_FEW})."
    ),
    "three that disagree too rarely": (
        ["+++"] * 11 + ["+-+"], {},
        "No format is shown to resolve more than another (3 pairs, 12 tasks: at the share of tasks that they disagree "
        "on (10% is supposed for 1 pair that disagrees on none) no gap is large enough to show).",
    ),
    "not ended": (
        ["+-", "++", "+"], {},
        "Formats are not compared: 1 trial has not ended, and the test is taken once, when all have.",
    ),
    "one format": (
        ["+", "+", "+", "-"], {}, "One format, so nothing to compare: search_replace resolved 75% [30, 95]."
    ),
    "no evidence": (["??"], {}, "No evidence: no trial has a result: all 2 that ended were discarded as infra_error: "
                    "503. `--resume RUN --again` makes those calls anew."),
    "no trial": (["  "], {}, "No evidence: no trial has a result. Not compared: 2 trials have not ended, and the test "
                 "is taken once, when all have."),
    "no block": (["?+", "+?"], {}, "No evidence on which format resolves more: no block has a result of every format."),
    "on discarded trials": (
        [*["+-"] * 6, "++", "-?"], {}, "search_replace resolves MORE than whole_file. This depends on discarded trials."
    ),
    "on what is excused": (
        [*["e-"] * 8, "++"], {}, "search_replace resolves MORE than whole_file. It would differ were nothing excused."
    ),
    "simulated": (
        [*["+-"] * 12, "++"], {"run": {"simulated": True}}, "Simulated: search_replace resolves MORE than whole_file."
    ),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "more", "said"), CASES.values(), ids=CASES)
def test_it_says_what_the_verdicts_say(
    journal: Journal, rows: list[str], more: dict[str, object], said: str
) -> None:  # fmt: skip
    report = build(*journal(*rows, **more))
    assert report.bottom_line == said
    assert f"**{said}**" in " ".join(one_screen(report).split())


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cost_usd": [0.1, 0.58]},
         "Cheapest per resolved task: search_replace $0.15; whole_file costs 5.8 times as much."),
        ({"output_tokens": [300, 750]},
         "Fewest output tokens a task (median): search_replace 300; whole_file takes 2.5 times as much."),
        ({"latency_ms": [9000, 3000]},
         "Fastest call (median): whole_file 3.0 s; search_replace takes 3.0 times as much."),
        ({"output_tokens": [300, 750], "counted_here": [True, False]},
         "Fewest output tokens a task (median): search_replace ~300; whole_file takes 2.5 times as much."),
        ({"cost_usd": [0.1, 0.101], "output_tokens": [10, 90]}, ""),
        ({"cost_usd": [0, 0]}, ""),
    ],
)  # fmt: skip
def test_cost_or_else_tokens_and_latency_are_said_untested(
    journal: Journal, change: dict[str, list[float]], said: str
) -> None:
    run, lines = journal("++", "++", "--")
    told = [line.model_copy(update={k: v[run.formats.index(line.format)] for k, v in change.items()}) for line in lines]
    assert build(run, told).bottom_line.partition(TOO_FEW)[2] == f"). {said}".rstrip()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"cost_usd": [0.9, 0.1, 0.3]},
         "Cheapest per resolved task: whole_file $0.17, which resolves LESS than another; search_replace costs"),
        ({"output_tokens": [900, 300, 400]},
         "whole_file 300, which resolves LESS than another; search_replace takes 3.0"),
        ({"latency_ms": [900, 3000, 400]}, "Fastest call (median): unified_diff 400 ms; whole_file takes 7.5"),
    ],
)  # fmt: skip
def test_the_least_of_a_format_that_is_shown_to_resolve_less_is_said_to_be_such(
    journal: Journal, change: dict[str, list[float]], said: str
) -> None:
    run, lines = journal(*["+-+"] * 12, *["+++"] * 18)
    told = [line.model_copy(update={k: v[run.formats.index(line.format)] for k, v in change.items()}) for line in lines]
    assert said in build(run, told).bottom_line


def test_what_a_format_took_that_resolved_nothing_recommends_nothing(journal: Journal) -> None:
    run, lines = journal("++-", "+--", "++-")
    tokens = dict(zip(run.formats, (300, 900, 1), strict=True))
    told = [line.model_copy(update={"output_tokens": tokens[line.format]}) for line in lines]
    said = "Fewest output tokens a task (median): search_replace 300; whole_file takes 3.0 times as much."
    assert build(run, told).bottom_line.endswith(said)
    nothing = [line.model_copy(update={"valid": False, "failure_category": "wrong_change"}) for line in told]
    assert "Fewest" not in build(run, nothing).bottom_line


def test_of_a_cycle_of_gaps_nobody_is_called_the_best(journal: Journal) -> None:
    """A over C and B over C by verdict, A and B without: no claim on A against B."""
    run, lines = journal(*["+-+"] * 12, *["+++"] * 9)
    report = build(run, lines)

    def turned(pair: PairEstimates) -> PairEstimates:
        return pair.model_copy(update={"winner": None}) if "unified_diff" in (pair.first, pair.second) else pair

    said = bottom_line(run, report.formats, [turned(pair) for pair in report.pairs], None)
    assert said == (
        "whole_file resolves LESS than search_replace; search_replace and unified_diff cannot be told apart."
    )
