"""One attempt: what is remembered of equal replies, and what a format under another name is."""

from collections.abc import Callable

from evaluator.bench import TaskBench
from evaluator.formats import FORMATS, others
from evaluator.formats.model import STRICT
from evaluator.formats.renamed import Renamed
from evaluator.memo import Memo
from evaluator.models.model import Reply
from evaluator.running.attempt import Attempt, Scores, make_attempt
from evaluator.taxonomy import Detail
from miner.fixtures import Task

CAP = 8_000
Answers = dict[str, Callable[..., Reply]]


def test_equal_replies_are_scored_once_where_scores_are_remembered_and_alike(
    checked_in: list[Task], truth_bench: Callable[[Task], TaskBench], asked, answers: Answers
) -> None:
    bench, fmt = truth_bench(checked_in[0]), FORMATS["unified_diff"]
    made = []
    bench.__dict__["run_tests"] = lambda changed: made.append(changed) or TaskBench.run_tests(bench, changed)
    scores: Scores = Memo(100)
    attempts = [
        Attempt(bench, one, number, (), STRICT) for one in (fmt, Renamed(fmt, "again")) for number in (1, 1, 2, 3)
    ]
    remembered = [make_attempt(a, asked(answers["right"]), CAP, scores).line for a in attempts]
    assert len(made) == 2, "first attempts are also held to the letter, later ones are not"
    assert remembered == [make_attempt(a, asked(answers["right"]), CAP).line for a in attempts]
    cut_off = asked(lambda r: answers["said"](answers["right"](r).text, "length"))
    assert make_attempt(attempts[0], cut_off, CAP, scores).line.detail is Detail.STOP_LENGTH


def test_a_format_under_another_name_is_no_other_format(checked_in: list[Task], truth_bench) -> None:
    again = Renamed(FORMATS["search_replace"], "again")
    assert "search_replace" not in [fmt.name for fmt in others(again)]
    assert len(others(again)) == len(FORMATS) - 1
    task = checked_in[0]
    for fmt in (FORMATS["search_replace"], again):
        written = fmt.encode(task.before, task.after)
        assert fmt.parse(written) == FORMATS["search_replace"].parse(written)
        assert fmt.instructions() == FORMATS["search_replace"].instructions()
        assert fmt.tolerances == FORMATS["search_replace"].tolerances
