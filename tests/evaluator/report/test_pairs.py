"""Whether the formats of a run are compared, and what a pair comes to: verdicts, sentences, what the set can show."""

from collections.abc import Callable

import pytest

from evaluator.journal import AttemptLine, RunFile, TaskFacts
from evaluator.report.build import build
from evaluator.report.pairs import Refused, compared
from evaluator.report.wording import about
from evaluator.statistics.comparison import Comparison
from evaluator.statistics.paired import method10
from evaluator.statistics.power import smallest_difference, tasks_needed
from miner.mix import MixCell
from miner.strata import Stratum

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]


def said(a: int, b: int, c: int, d: int) -> str:
    """The difference of a table as a sentence has it, by method 10."""
    found = method10(a, b, c, d)
    assert found is not None
    return f"+{100 * (b - c) / 20:.1f} points [{100 * found.low:.1f}, {100 * found.high:.1f}] on 20 complete blocks"


def test_a_winner_and_a_pair_that_cannot_be_told_apart_read_so(journal: Journal) -> None:
    report = build(*journal(*["+-+"] * 8, *["+--"], *["+++"] * 11))
    assert [pair.sentence for pair in report.pairs] == [
        f"search_replace resolves MORE than whole_file: {said(11, 9, 0, 0)}; 9 v 0 disagree; p = .012 (Holm).",
        f"search_replace over unified_diff: NOT DISTINGUISHABLE: {said(19, 1, 0, 0)}; 1 v 0 disagree; p = 1 (Holm). "
        "Not the same as equal: where 5% disagree, no gap is large enough for this set to show; 3 points needs "
        f"{about(tasks_needed(0.03, 0.05, pairs=3) or 0)} fixtures (Holm over 3 pairs).",
        f"unified_diff resolves MORE than whole_file: {said(11, 8, 0, 1)}; 8 v 0 disagree; p = .016 (Holm).",
    ]  # fmt: skip
    assert [finding[:20] for finding in report.findings[:3]] == [
        "search_replace resol", "unified_diff resolve", "search_replace over ",
    ], "winners first"  # fmt: skip


def test_what_the_set_shows_is_exact_and_holds_at_holms_first_step(journal: Journal) -> None:
    (pair,) = build(*journal(*["+-"] * 17, *["-+"] * 8, *["++"] * 92)).pairs
    assert pair.shows is not None
    assert pair.shows.disagreeing == pytest.approx(25 / 117)
    assert pair.shows.smallest == smallest_difference(117, 25 / 117)
    assert "this set shows gaps of 12 points or more; 3 points needs ~1,900 fixtures." in pair.sentence


def test_where_none_disagree_the_share_is_a_guess_and_said_to_be(journal: Journal) -> None:
    (pair,) = build(*journal(*["++"] * 120)).pairs
    assert pair.shows is not None
    assert pair.shows.assumed
    assert pair.sentence.endswith(
        "gaps of 8 points or more; 3 points needs ~920 fixtures (supposing that 10% disagree)."
    )


def test_three_points_cannot_come_about_where_fewer_disagree(journal: Journal) -> None:
    (pair,) = build(*journal(*["++"] * 99, "+-")).pairs
    assert pair.shows is not None
    assert pair.shows.tasks is None
    assert "they disagreed too rarely for a gap of 3 points." in pair.sentence


DISCARDS = {
    "depends": ([*["+-"] * 6, "-?"], True, "Depends on discarded trials: +71.4 to +85.7 points"),
    "holds": ([*["+-"] * 9, "-?"], False, "Holds whatever the discarded trials were."),
    "depends, the second ahead": ([*["-+"] * 6, "?-"], True, "Depends on discarded trials: +71.4 to +85.7 points"),
}


@pytest.mark.parametrize(("rows", "depends", "said"), DISCARDS.values(), ids=DISCARDS)
def test_discards_are_said_to_matter_or_not(journal: Journal, rows: list[str], depends: bool, said: str) -> None:
    report = build(*journal(*rows))
    (pair,) = report.pairs
    assert (report.blocks, report.complete, pair.depends_on_discarded) == (len(rows), len(rows) - 1, depends)
    assert said in pair.sentence
    lacks = "search_replace" if rows[-1].startswith("?") else "whole_file"
    over = f"on {len(rows) - 1} of {len(rows)} blocks (1 left out: {lacks} discarded there); "
    assert over in pair.sentence


def test_blocks_that_any_format_lacks_are_said_to_be_left_out_of_every_pair(journal: Journal) -> None:
    report = build(*journal("+-+", "+-+", "++?", "+-+", repeats=2))
    over = "on 3 of 4 blocks of 2 tasks (1 left out: unified_diff discarded there); "
    assert [over in pair.sentence for pair in report.pairs] == [True] * 3
    every = build(*journal("+-+", "?-+", "+?+", "+-?"))
    assert "on 1 of 4 blocks (3 left out: 3 formats discarded there); " in every.pairs[0].sentence


REFUSED = {
    "a trial that was not begun": (("+-", "+"), {}, "1 trial has not ended"),
    "a trial that has begun": (("+-", "+c"), {}, "1 trial has not ended"),
    "a repeat that was not begun": (("+-", "++"), {"run": {"repeats": 2}}, "4 trials have not ended"),
}


@pytest.mark.parametrize(("rows", "more", "why"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_compared_is_refused_with_its_reason(
    journal: Journal, rows: tuple[str, ...], more: dict[str, object], why: str
) -> None:
    run, lines = journal(*rows, **more)
    found = compared(run, lines)
    assert isinstance(found, Refused)
    assert why in found.why
    report = build(run, lines)
    assert report.pairs == []
    assert report.findings[0] == f"Not compared: {found.why}."


def test_a_served_model_that_changed_is_refused_though_the_split_be_clear(journal: Journal) -> None:
    settings, lines = journal(*["+-"] * 9)
    assert isinstance(compared(settings, lines), Comparison)
    changed = [*lines[:-1], lines[-1].model_copy(update={"served_model": "m-2"})]
    assert compared(settings, changed) == Refused("the served model changed within the run (m-1, m-2)")


def test_over_no_complete_block_a_difference_is_no_evidence_and_not_zero(journal: Journal) -> None:
    report = build(*journal("?+", "?-"))
    (pair,) = report.pairs
    assert (pair.difference, pair.winner, pair.shows) == (None, None, None)
    assert pair.sentence == "search_replace and whole_file: no evidence, as no block has a result of every format."
    assert report.complete == 0


def test_a_run_of_one_format_has_no_pairs_and_refuses_nothing(journal: Journal) -> None:
    report = build(*journal("+", "-"))
    assert (report.pairs, report.not_compared) == ([], None)


def test_over_repeats_task_means_are_compared_and_no_disagreements_are_counted(journal: Journal) -> None:
    report = build(*journal(*["+-", "+-", "++"] * 12, repeats=3))
    (pair,) = report.pairs
    assert (pair.test, pair.blocks, pair.tasks, pair.only_first) == ("sign_flip", 36, 12, None)
    assert pair.p == pytest.approx(2 / 2**12)
    assert pair.winner == "search_replace"
    assert "on 36 complete blocks of 12 tasks; p < .001 (Holm)." in pair.sentence


def test_what_only_excuses_decide_is_flagged(journal: Journal) -> None:
    (pair,) = build(*journal(*["e-"] * 8)).pairs
    assert (pair.winner, pair.strict_winner, pair.strict_differs) == ("search_replace", None, True)
    assert pair.sentence.endswith("Were nothing excused, they could not be told apart.")
    (same,) = build(*journal(*["+-"] * 8)).pairs
    assert not same.strict_differs


def test_equivalence_is_said_only_when_asked_and_only_where_shown(journal: Journal) -> None:
    run, lines = journal(*["++"] * 190, *["--"] * 8, "+-", "-+")
    assert "quivalent" not in build(run, lines).pairs[0].sentence
    assert "Equivalent within 5 points" in build(run, lines, margin=0.05).pairs[0].sentence
    not_within = "Not shown to be equivalent within 1 points (the 90% interval does not lie inside)."
    assert not_within in build(run, lines, margin=0.01).pairs[0].sentence


def test_the_difference_over_the_history_weighs_what_the_set_does_not(journal: Journal) -> None:
    run, lines = journal(*["+-"] * 20, *["++"] * 20)
    facts = {
        name: TaskFacts(stratum=Stratum.PAST if n < 20 else Stratum.INSIDE, large=False, rewrite_tokens=1)
        for n, name in enumerate(run.fixtures)
    }
    mix = [MixCell(repository="r", stratum=s, changes=n) for s, n in ((Stratum.PAST, 10), (Stratum.INSIDE, 90))]
    report = build(run.model_copy(update={"tasks": facts, "mix": mix}), lines)
    (pair,) = report.pairs
    assert pair.difference is not None
    assert pair.difference.value == 0.5
    assert pair.history_difference is not None
    assert pair.history_difference.least == pytest.approx(0.1)
    whole = report.formats[1].history
    assert whole is not None
    assert (whole.least, whole.most, whole.unseen) == (pytest.approx(0.9), pytest.approx(0.9), 0)
