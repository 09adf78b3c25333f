"""What is said besides pairs, and where failures gather."""

from collections.abc import Callable

import pytest

from evaluator.journal import AttemptLine, RunFile, TaskFacts
from evaluator.report.build import build
from evaluator.report.gathering_section import formats_said
from evaluator.report.model import Gathering, Interval
from evaluator.report.screen import as_markdown
from evaluator.report.wording import about, duration, ends, p_value, points, rate, share
from evaluator.taxonomy import Category
from miner.strata import Stratum

Journal = Callable[..., tuple[RunFile, list[AttemptLine]]]


def test_the_number_that_is_usually_quoted_is_said_beside(journal: Journal) -> None:
    run, lines = journal("+s", "+s", "-+")
    lines[4] = lines[4].model_copy(update={"applied": False, "failure_category": Category.NOT_APPLIED, "attempt": 3})
    assert "Applied cleanly would have ranked them: whole_file 100%, search_replace 67%." in build(run, lines).findings
    run, lines = journal("+s", "+s", "+-")
    lines[5] = lines[5].model_copy(update={"applied": False, "failure_category": Category.NOT_APPLIED, "attempt": 3})
    assert "Applied cleanly ranks them the same: search_replace 100%, whole_file 67%." in build(run, lines).findings


@pytest.mark.parametrize("rows", [["+-"] * 9, ["-+"] * 9, ["++"] * 9])
def test_formats_that_all_applied_are_ranked_by_nothing(journal: Journal, rows: list[str]) -> None:
    said = "Applied cleanly tells none from another: search_replace 100%, whole_file 100%."
    assert said in build(*journal(*rows)).findings


@pytest.mark.parametrize(
    ("k", "n", "said"),
    [(0, 300, "0%"), (1, 300, "<1%"), (2, 300, "1%"), (298, 300, "99%"), (299, 300, ">99%"), (300, 300, "100%"),
     (1, 200, "<1%"), (199, 200, ">99%")],
)  # fmt: skip
def test_what_is_not_all_is_never_100_percent_and_what_is_not_none_never_0(k: int, n: int, said: str) -> None:
    assert share(k, n) == f"{k}/{n} {said}"
    assert rate(Interval(value=k / n, low=0.1, high=0.9)) == f"{said} [10, 90]"


@pytest.mark.parametrize(("p", "said"), [(0.0497, "p = .0497"), (0.0503, "p = .0503"), (0.051, "p = .051")])
def test_on_which_side_of_5_percent_a_p_value_lies_can_be_seen(p: float, said: str) -> None:
    assert p_value(p) == said


def test_no_interval_is_rounded_to_a_single_certain_point() -> None:
    assert (ends(0.998, 1), ends(0, 0.002), ends(0.004, 0.996)) == (">99, 100", "0, <1", "0, 100")
    assert ends(1.0 - 1e-16, 1.0, "-") == "100-100", "but for rounding it is all"


def test_a_set_is_not_called_too_small_where_few_tasks_disagree(journal: Journal) -> None:
    (pair,) = build(*journal("+-", "-+", *["++"] * 298)).pairs
    assert "where 1% disagree, no gap is large enough for this set to show; they disagreed too rarely" in pair.sentence


def test_what_excuses_resolve_is_counted(journal: Journal) -> None:
    said = "Resolved only because what an allowed symbol needs is excused: 2 of search_replace."
    assert said in build(*journal("e+", "e+")).findings


def test_failures_gather_in_fixtures_tags_files_symbols_and_details(journal: Journal) -> None:
    run, lines = journal("ss", "+-", "++")
    crlf = TaskFacts(stratum=Stratum.PAST, large=False, rewrite_tokens=1, tags=["crlf"])
    both = crlf.model_copy(update={"tags": ["crlf", "tabs"]})
    facts = {name: both if name < "r/2" else crlf for name in run.fixtures}
    found = build(run.model_copy(update={"tasks": facts}), lines).gatherings
    assert [(g.kind, g.name, g.failed, g.trials) for g in found] == [
        ("fixture", "r/0-x", 2, 2), ("tag", "tabs", 3, 4), ("file", "a.py", 2, 3), ("symbol", "a.py::f", 2, 3),
        ("detail", "removed", 2, 3),
    ], "and not `crlf`, which every fixture has"  # fmt: skip
    assert (found[1].formats, found[1].each) == (["whole_file", "search_replace"], [2, 1])


def test_where_everything_failed_nothing_gathers_in_a_fixture_and_that_is_said(journal: Journal) -> None:
    report = build(*journal(*["---"] * 10))
    assert [(g.kind, g.name, g.failed) for g in report.gatherings] == [("detail", "tests_fail", 30)]
    assert report.gatherings_more == {}
    section = " ".join(as_markdown(report).partition("## Where failures gather")[2].split())
    assert "none has two or more, and a greater share than of all trials (30 of 30)." in section
    assert "| all 3: 10 each" not in section, "three are named"
    assert "| search_replace, whole_file, unified_diff: 10 each |" in section


def test_places_that_are_not_listed_are_counted(journal: Journal) -> None:
    report = build(*journal(*["--"] * 8, "++"))
    assert [g.name for g in report.gatherings if g.kind == "fixture"] == [f"r/{n}-x" for n in range(5)]
    assert report.gatherings_more == {"fixture": 3}
    said = "Not listed, as none of them has more failures than those that are: 3 fixtures."
    assert said in as_markdown(report)


RANKS = [
    ({"a": 5, "b": 5, "c": 5, "d": 5}, 4, "all 4: 5 each"),
    ({"a": 5, "b": 5, "c": 5, "d": 5}, 6, "4 formats: 5 each"),
    ({"a": 9, "b": 7, "c": 7}, 6, "a: 9; b, c: 7 each"),
    ({"a": 9, "b": 7, "c": 6, "d": 4, "e": 1}, 6, "a: 9; b: 7; c: 6; 2 others: fewer"),
]


@pytest.mark.parametrize(("failed", "formats", "said"), RANKS)
def test_formats_that_failed_equally_often_are_of_one_rank(failed: dict[str, int], formats: int, said: str) -> None:
    each = list(failed.values())
    place = Gathering(kind="detail", name="x", failed=sum(each), trials=99, formats=list(failed), each=each)
    assert formats_said(place, formats) == said


def test_tokens_that_were_counted_here_are_said_to_be_estimates_wherever_they_are_shown(journal: Journal) -> None:
    run, lines = journal("++", "+-", cost_usd=0.5, paid_usd=0.25, counted_here=False, input_counted_here=False)
    assert "Estimates" not in as_markdown(build(run, lines))
    told = [line.model_copy(update={"counted_here": line.format == "whole_file"}) for line in lines]
    report, text = build(run, told), as_markdown(build(run, told))
    assert [f.counted_here for f in report.formats] == [0, 2]
    said = "Estimates (~): the tokens of 2 of 4 attempts were counted here, in another vocabulary than the model's,"
    assert sum(finding.startswith(said) for finding in report.findings) == 1
    for row in (
        "output tokens a task (median) | 10                 | ~10 ",
        "cost a task, caches cold      | $0.50              | ~$0.50 ",
        "paid in all                   | $0.50              | ~$0.50 ",
    ):
        assert row in text
    assert build(*journal("++")).formats[0].counted_here is None, "lines that do not say it"


def test_what_a_cache_held_is_not_known_where_no_provider_says(journal: Journal) -> None:
    def cached(**more: object) -> float | None:
        return build(*journal("+", "-", **more)).formats[0].cached_share

    assert cached(cached_tokens=0, input_counted_here=False) == 0
    assert cached(cached_tokens=25, input_counted_here=False) == 0.25
    assert cached(cached_tokens=None, input_counted_here=False) is None
    assert cached(cached_tokens=25) == 0.25
    assert cached(cached_tokens=0) is None, "an older line, which has 0 where nothing was said"
    assert "| input tokens from caches      | -  " in as_markdown(build(*journal("+", "-")))


def test_shares_of_a_places_trials_and_of_all_failures_stand_apart(journal: Journal) -> None:
    text = as_markdown(build(*journal("ss", "+-", "++"))).partition("## Where failures gather")[2]
    own, _, failures = text.strip().partition("\n\n")
    assert "| failed, of its trials |" in own
    assert "| fixture | r/0-x | 2 of 2 " in own
    assert "| of all failed trials |" in failures
    assert "| symbol | a.py::f | 2 of 3 " in failures


def test_why_fewer_are_silent_than_changed_too_much_is_said(journal: Journal) -> None:
    run, lines = journal("s+", "s+", "s+", "++")
    assert "so that they are not silent" not in as_markdown(build(run, lines))
    lines[2] = lines[2].model_copy(update={"tests": "fail", "valid": False})
    said = "Of `unintended_change` these failed their tests too, so that they are not silent: search_replace 1 of 3."
    assert said in as_markdown(build(run, lines))


def test_replies_that_never_reached_the_applier_are_said_to_be_in_no_apply_rate(journal: Journal) -> None:
    run, lines = journal("++", "++", "+-")
    cut = {"failure_category": Category.TRUNCATED, "applied": False, "attempt": 3, "tests": None}
    lines[5] = lines[5].model_copy(update=cut)
    said = "search_replace 100%, whole_file 100% (of the 2 of 3 attempts that reached the applier)."
    assert f"Applied cleanly tells none from another: {said}" in build(run, lines).findings


@pytest.mark.parametrize(
    ("thin", "said"),
    [(1, "1 of 3 prompts says too little to act on (thin)"), (2, "2 of 3 prompts say too little to act on (thin)")],
)
def test_thin_prompts_are_counted(journal: Journal, thin: int, said: str) -> None:
    run, lines = journal("++", "++", "++")
    facts = {
        name: TaskFacts(stratum=Stratum.PAST, large=False, rewrite_tokens=1, tags=["thin"] if n < thin else [])
        for n, name in enumerate(run.fixtures)
    }
    assert build(run.model_copy(update={"tasks": facts}), lines).warnings == [said]


def test_the_commonest_reasons_of_discards_are_shown_on_one_line_each(journal: Journal) -> None:
    run, lines = journal("?", "?", "?", "+")
    lines[2] = lines[2].model_copy(update={"error": "a | b\nc"})
    text = as_markdown(build(run, lines))
    assert "search_replace: 3 infra_error." in text
    assert "| 2      | 503      |" in text
    assert "| 1      | a \\| b c |" in text


def test_one_screen_is_at_most_120_columns_wide(journal: Journal) -> None:
    run, lines = journal(*["+-s"] * 60, *["?++"] * 60, repositories=["a", "b", "c"], cost_usd=0.3333)
    facts = {name: TaskFacts(stratum=Stratum.PAST, large=False, rewrite_tokens=1) for name in run.fixtures}
    text = as_markdown(build(run.model_copy(update={"tasks": facts}), lines)).partition("## ")[0]
    assert max(map(len, text.splitlines())) <= 120


WORDS = [
    (p_value(1), "p = 1"), (p_value(0.11), "p = .11"), (p_value(0.0386), "p = .039"), (p_value(0.00099), "p < .001"),
    (p_value(0.001), "p = .001"),
    (duration(140), "140 ms"), (duration(1440), "1.4 s"),
    (duration(118_000), "118 s"), (points(0.0769), "+7.7"), (points(-0.0), "+0.0"), (about(7), "~7"),
    (about(920), "~920"), (about(1_923), "~1,900"), (about(12_345), "~12,000"),
]  # fmt: skip


@pytest.mark.parametrize(("shown", "wanted"), WORDS)
def test_numbers_read_as_people_write_them(shown: str, wanted: str) -> None:
    assert shown == wanted
