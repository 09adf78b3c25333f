"""The bottom line claims no more than the verdicts, and many pairs without a winner are one sentence on the screen."""

from collections.abc import Callable

import pytest

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.bottom_line import bottom_line
from evaluator.report.build import build
from evaluator.report.model import PairEstimates, ReportFile
from evaluator.report.screen import as_markdown, one_screen

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
    "one of two": (["+-"] * 12, {}, "search_replace resolves MORE than whole_file."),
    "the second of two": (["-+"] * 12, {}, "whole_file resolves MORE than search_replace."),
    "one pair of three": (
        [*["+-+"] * 5, *["+--"] * 4, *["+++"] * 11], {},
        "whole_file resolves LESS than search_replace; search_replace and unified_diff cannot be told apart.",
    ),
    "two too few to tell": (
        ["+-"] * 3, {}, f"search_replace and whole_file cannot be told apart (3 tasks: {TOO_FEW})."
    ),
    "two that disagree on none": (
        ["++"] * 120, {},
        "search_replace and whole_file cannot be told apart (120 tasks: this set shows gaps of 8 points or more).",
    ),
    "three too few": (
        ["+-+"] * 3, {}, f"No format is shown to resolve more than another (3 pairs, 3 tasks: {TOO_FEW})."
    ),
    "three that disagree too rarely": (
        ["+++"] * 11 + ["+-+"], {},
        "No format is shown to resolve more than another (3 pairs, 12 tasks: at the share that they disagree on no gap "
        "is large enough to show).",
    ),
    "not ended": (["+-", "+"], {}, "Formats are not compared: 1 trial has not ended, and the test is taken once, when "
                  "all have."),
    "one format": (
        ["+", "+", "+", "-"], {}, "One format, so nothing to compare: search_replace resolved 75% [30, 95]."
    ),
    "no evidence": (["??"], {}, "No evidence: no trial has a result."),
    "no trial": (["  "], {}, "No evidence: no trial has a result. Not compared: 2 trials have not ended, and the test "
                 "is taken once, when all have."),
    "no block": (["?+", "+?"], {}, "No evidence on which format resolves more: no block has a result of every format."),
    "on discarded trials": (
        [*["+-"] * 6, "-?"], {}, "search_replace resolves MORE than whole_file. This depends on discarded trials."
    ),
    "on what is excused": (
        ["e-"] * 8, {}, "search_replace resolves MORE than whole_file. It would differ were nothing excused."
    ),
    "simulated": (
        ["+-"] * 12, {"run": {"simulated": True}}, "Simulated: search_replace resolves MORE than whole_file."
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
         "Cheapest per resolved task: search_replace $0.10; whole_file costs 5.8 times as much."),
        ({"output_tokens": [300, 750]},
         "Fewest output tokens a task (median): search_replace 300; whole_file takes 2.5 times as much."),
        ({"latency_ms": [9000, 3000]},
         "Fastest call (median): whole_file 3.0 s; search_replace takes 3.0 times as much."),
        ({"cost_usd": [0.1, 0.101], "output_tokens": [10, 90]}, ""),
        ({"cost_usd": [0, 0]}, ""),
    ],
)  # fmt: skip
def test_cost_or_else_tokens_and_latency_are_said_untested(
    journal: Journal, change: dict[str, list[float]], said: str
) -> None:
    run, lines = journal(*["++"] * 3)
    told = [line.model_copy(update={k: v[run.formats.index(line.format)] for k, v in change.items()}) for line in lines]
    assert build(run, told).bottom_line.partition(TOO_FEW)[2] == f"). {said}".rstrip()


def six(journal: Journal, winner: str | None = None) -> ReportFile:
    """A report whose pairs are those of six formats, over 20 tasks; the first pair has a winner or none."""
    report = build(*journal(*["+-"] * 2, *["++"] * 18))
    names, (pair,) = [f"format_{n}" for n in range(6)], report.pairs
    pairs = [
        pair.model_copy(update={"first": a, "second": b, "sentence": f"{a} over {b}: said by itself.", "winner": None})
        for n, a in enumerate(names) for b in names[n + 1 :]
    ]  # fmt: skip
    pairs[0] = pairs[0].model_copy(update={"winner": winner})
    found = sorted(pairs, key=lambda one: one.winner is None)
    return report.model_copy(update={"pairs": pairs, "findings": [*(p.sentence for p in found), "What else."]})


def test_many_pairs_without_a_winner_are_one_sentence_on_the_screen_and_all_in_the_file(journal: Journal) -> None:
    report = six(journal)
    screen, whole = (" ".join(text.split()) for text in (one_screen(report, fold=True), as_markdown(report)))
    assert "1-15. NOT DISTINGUISHABLE: every pair (15): gaps of 10.0 to 10.0 points; p = .50 (Holm)." in screen
    assert "Not the same as equal: at the share of tasks that they disagree on" in screen
    assert "16. What else." in screen
    for n, pair in enumerate(report.pairs, 1):
        assert pair.sentence not in screen
        assert f"{n}. {pair.sentence}" in whole
    assert all(pair.sentence in " ".join(one_screen(report).split()) for pair in report.pairs), "unless folded"


def test_a_winner_is_never_folded_and_keeps_its_number(journal: Journal) -> None:
    report = six(journal, winner="format_0")
    screen = " ".join(one_screen(report, fold=True).split())
    assert "1. format_0 over format_1: said by itself. 2-15. NOT DISTINGUISHABLE: 14 pairs (format_0 and" in screen


def test_three_pairs_are_read_one_by_one(journal: Journal) -> None:
    report = build(*journal(*["+++"] * 6))
    assert one_screen(report, fold=True) == one_screen(report)


def test_the_screen_of_six_formats_that_none_can_be_told_apart_is_one(journal: Journal) -> None:
    assert one_screen(six(journal), fold=True).count("\n") <= 24


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
