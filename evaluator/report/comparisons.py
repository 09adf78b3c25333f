"""The pairs of a run's formats as the report says them: verdicts, intervals, and what the set could have shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from evaluator.journal import RunFile
from evaluator.report import intervals
from evaluator.report.across import is_across
from evaluator.report.counts import strictly
from evaluator.report.model import PairEstimates, Shows
from evaluator.report.natural_mix import Mix
from evaluator.report.pair_words import pair_sentence
from evaluator.report.pairs import Refused, compared_trials
from evaluator.statistics.comparison import Block, Comparison, Outcomes, Pair, compare, outcomes
from evaluator.statistics.paired import equivalent_means
from evaluator.statistics.power import smallest_difference, tasks_needed
from evaluator.statistics.splits import complete_blocks
from evaluator.statistics.splits import task_means as means_of
from evaluator.trials import Trial

POINTS = 0.03  # the difference that a set of the usual size cannot show, which readers ask for
GUESSED = 0.1  # the share of tasks that a pair disagrees on, where it disagreed on none


@dataclass(frozen=True)
class Comparisons:
    """The pairs over `complete` of `blocks`; or, with none, why they are `refused`."""

    blocks: int
    complete: int
    pairs: list[PairEstimates]
    refused: str | None = None


def comparisons(
    run: RunFile, served: Sequence[str], done: Sequence[Trial], mix: Mix | None, margin: float | None
) -> Comparisons:  # fmt: skip
    """The pairs of a run; `done` are its possible tasks' trials that ended. A run of one format, or of
    impossible tasks only, has none."""
    if len(run.formats) < 2 or not run.fixtures:
        return Comparisons(0, 0, [])
    found = compared_trials(run, served, done)
    if isinstance(found, Refused):
        return Comparisons(0, 0, [], found.why)
    blocks = outcomes(run.formats, done)
    complete = complete_blocks(run.formats, blocks)
    strict = compare(run.formats, _strict_outcomes(blocks, done), is_across) if _any_excused(done) else found
    means = {name: means_of(name, complete) for name in run.formats}
    lacking = [name for name in run.formats if any(row[name] is None for row in blocks.values())]
    pairs = [
        _pair(run, found, lacking, pair, other.winner, means[pair.first], means[pair.second], mix, margin)
        for pair, other in zip(found.pairs, strict.pairs, strict=True)
    ]
    return Comparisons(found.blocks, found.complete, pairs)


def _any_excused(done: Sequence[Trial]) -> bool:
    return any(trial.resolved and not strictly(trial) for trial in done)


def _strict_outcomes(blocks: Outcomes, done: Sequence[Trial]) -> dict[Block, dict[str, bool | None]]:
    """The same blocks had nothing been excused."""
    strict = {block: dict(row) for block, row in blocks.items()}
    for trial in done:
        if trial.resolved:
            strict[trial.fixture, trial.repeat][trial.format] = strictly(trial)
    return strict


def _pair(
    run: RunFile, found: Comparison, lacking: Sequence[str], pair: Pair, strict_winner: str | None,
    first: dict[str, float], second: dict[str, float], mix: Mix | None, margin: float | None,
) -> PairEstimates:  # fmt: skip
    repeated, across = pair.split.repeated, is_across(pair.first, pair.second)
    family = sum(is_across(other.first, other.second) is across for other in found.pairs)
    lost = found.complete < found.blocks
    estimate = PairEstimates(
        first=pair.first, second=pair.second, winner=pair.winner, blocks=found.complete, tasks=len(first),
        resolved=(fmean(first.values()), fmean(second.values())) if first else (0.0, 0.0),
        only_first=None if repeated else pair.split.only_first,
        only_second=None if repeated else pair.split.only_second,
        difference=intervals.shown(pair.interval),
        history_difference=intervals.difference_of_history(mix, run, first, second) if mix else None,
        p=pair.split.p, p_holm=pair.p, mid_p=pair.mid_p, test="sign_flip" if repeated else "mcnemar",
        worst=pair.worst.difference if lost else None, best=pair.best.difference if lost else None,
        depends_on_discarded=pair.depends, strict_winner=strict_winner, strict_differs=strict_winner != pair.winner,
        equivalent_within=margin,
        equivalent=None if margin is None else
        bool(first) and equivalent_means(list(first.values()), list(second.values()), margin),
        shows=_shows(first, second, family) if pair.winner is None and first else None, sentence="",
        across_runs=across,
    )  # fmt: skip
    sentence = pair_sentence(estimate, found.blocks, lacking)
    return estimate.model_copy(update={"sentence": sentence})


def _shows(first: dict[str, float], second: dict[str, float], pairs: int) -> Shows:
    """What a set like this shows at the disagreement seen; over repeats, of tasks whose difference varies so much."""
    seen = fmean((first[f] - second[f]) ** 2 for f in first)
    share = seen or GUESSED
    return Shows(
        disagreeing=share, assumed=not seen, smallest=smallest_difference(len(first), share, pairs=pairs),
        for_difference=POINTS, pairs=pairs, tasks=tasks_needed(POINTS, share, pairs=pairs) if share > POINTS else None,
    )
