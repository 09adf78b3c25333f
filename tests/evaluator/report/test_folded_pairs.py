"""Many pairs are one sentence on the screen, so that it stays one; in full they are in the files."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from markupsafe import escape

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.build import build
from evaluator.report.folded import FEW, LINES, folded, parted, told
from evaluator.report.html.listed import listed
from evaluator.report.html.page import page
from evaluator.report.model import ReportFile
from evaluator.report.screen import as_markdown, one_screen

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]


def of_six(journal: Journal, rows: Sequence[str], **how: object) -> tuple[RunFile, list[AttemptLine]]:
    """A run of so many formats, a letter each in every row."""
    whole: tuple[RunFile, list[AttemptLine]] | None = None
    names = [f"format_{n}" for n in range(len(rows[0]))]
    for n, name in enumerate(names):
        run, lines = journal(*(row[n] for row in rows), **how)
        own = [line.model_copy(update={"format": name}) for line in lines]
        whole = (run.model_copy(update={"formats": names}), [*(whole[1] if whole else ()), *own])
    assert whole is not None
    return whole


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
    assert "NOT DISTINGUISHABLE, each of them, which is not the same as equal; on 20 complete blocks." in whole
    for n, pair in enumerate(report.pairs, 1):
        assert pair.sentence not in screen
        assert f"| {n} | {pair.first} over {pair.second} | +10.0 [-7.7, 30.1] | 2 | 0 | .50 | none large" in whole
    assert all(pair.sentence in " ".join(one_screen(report).split()) for pair in report.pairs), "unless folded"


def test_of_more_pairs_than_anybody_reads_the_number_is_said(journal: Journal) -> None:
    report = six(journal)
    sixth = [pair.model_copy(update={"second": "format_6", "sentence": f"{pair.first} {n}"}) for n, pair in
             enumerate(report.pairs)]  # fmt: skip
    won = report.pairs[0].model_copy(update={"winner": "format_0", "sentence": "won"})
    pairs = [won, *report.pairs, *sixth]
    many = report.model_copy(update={"pairs": pairs, "findings": [pair.sentence for pair in pairs]})
    assert "2-31. NOT DISTINGUISHABLE: all other pairs (30): gaps" in " ".join(one_screen(many, fold=True).split())


def test_a_winner_among_many_pairs_is_not_folded_with_them_and_keeps_its_number(journal: Journal) -> None:
    report = six(journal, winner="format_0")
    screen = " ".join(one_screen(report, fold=True).split())
    assert "1. format_0 over format_1: said by itself. 2-15. NOT DISTINGUISHABLE: 14 pairs (format_0 and" in screen


# Two of six formats resolve every block, the others 18, 12, 9 and 3 of 30.
LEVELS = [*["++++--"] * 9, *["+++---"] * 9, *["++-+-+"] * 3, *["++--+-"] * 9]


def test_many_winners_are_one_sentence_on_the_screen_and_all_in_the_files(journal: Journal, tmp_path: Path) -> None:
    run, lines = of_six(journal, LEVELS)
    report = build(run, lines)
    won = [pair for pair in report.pairs if pair.winner]
    assert len(won) > FEW
    screen, whole = (" ".join(text.split()) for text in (one_screen(report, fold=True), as_markdown(report)))
    together = "format_0 resolves MORE than format_2, format_3, format_4 and format_5; format_1 than format_2,"
    assert f"1-{len(won)}. {together}" in screen
    assert f"{len(won) + 1}-15. NOT DISTINGUISHABLE: {15 - len(won)} pairs (format_0 and format_1; " in screen
    numbers = range(1, len(won) + 1)
    assert "## Pairs of which one resolves more, one by one" in whole
    html = page(report, listed(tmp_path, report, lines))
    assert f"<summary>1-{len(won)}. {together}" in html
    assert "Of each pair the first resolves MORE, on 30 complete blocks." in whole
    for n, pair in zip(numbers, won, strict=True):
        sentence, gap = pair.sentence, pair.difference
        assert gap is not None
        shown = f"{100 * gap.value:+.1f} [{100 * gap.low:.1f}, {100 * gap.high:.1f}]"
        only = f"{pair.only_first} | {pair.only_second}"
        assert f"| {n} | {pair.first} over {pair.second} | {shown} | {only} |" in whole
        assert sentence not in screen
        assert report.findings[n - 1] == sentence
        assert f'<li value="{n}">{escape(sentence)}</li>' in html


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("formats", [3, 4, 5, 6])
def test_numbered_sentences_are_at_most_24_lines_whatever_they_say(journal: Journal, formats: int, seed: int) -> None:
    draw, names = random.Random(seed), range(formats)
    likely = [draw.random() for _ in names]
    ends = ["".join("?" if draw.random() < 0.02 else draw.choice("++e") if draw.random() < likely[n] else
                    draw.choice("-s") for n in names) for _ in range(60)]  # fmt: skip
    report = build(*of_six(journal, ends, repositories=["a", "b", "c", "d"]), margin=0.05)
    assert told(report, folded(report)).count("\n") <= LINES
    assert [n for _, numbered in parted(report, folded(report)) for n, _ in numbered] == [
        *range(1, len(report.findings) + 1)
    ]


def test_a_table_of_pairs_says_what_numbers_do_not(journal: Journal) -> None:
    """Discards, excuses, equivalence, and what is supposed of pairs that disagree on no task."""
    rows = [*["++++--"] * 14, *["eeee--"] * 3, "+?+++-", *["--++-+"] * 2]
    text = " ".join(as_markdown(build(*of_six(journal, rows), margin=0.3)).split())
    assert "on 19 of 20 blocks (1 left out: format_1 discarded there)." in text
    assert "What does not depend on discarded trials holds whatever they were." in text
    assert "| besides |" in text
    assert "*: they disagree on none, so that 10% is supposed." in text
    assert "| format_0 and format_1 | +0.0 [" in text
    assert "| Equivalent within 30 points (the 90% interval lies inside). |" in text


def test_over_repeats_no_task_is_counted_as_one_formats_alone(journal: Journal) -> None:
    text = as_markdown(build(*of_six(journal, ["++++++", "+-+-+-"] * 6, repeats=2)))
    assert "only the first" not in text
    assert "of 6 tasks. Gap:" in " ".join(text.split())


def test_pairs_of_which_no_block_is_whole_are_no_table(journal: Journal) -> None:
    text = as_markdown(build(*of_six(journal, ["?+++++", "+?++++"])))
    assert "one by one\n\nEach of these pairs: no evidence, as no block has a result of every format.\n" in text


def test_three_pairs_are_read_one_by_one(journal: Journal) -> None:
    report = build(*journal(*["+++"] * 6))
    assert one_screen(report, fold=True) == one_screen(report)


def test_the_screen_of_six_formats_that_none_can_be_told_apart_is_one(journal: Journal) -> None:
    assert one_screen(six(journal), fold=True).count("\n") <= 24
