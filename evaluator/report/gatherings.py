"""Where failures gather: the fixtures, tags, files, symbols and details that failed trials have in common."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from evaluator.journal import RunFile
from evaluator.report.model import Gathering
from evaluator.trials import Trial

Kind = Literal["fixture", "file", "symbol", "tag", "detail"]
MOST = 5  # of a kind
LEAST = 2  # one failure gathers nowhere


def gatherings(run: RunFile, counted: Sequence[Trial]) -> list[Gathering]:
    """The places of each kind with the most failures, of trials with evidence over all formats.

    Files and symbols are those of unintended changes that are not excused, on a trial's last attempt.
    """
    failed = [t for t in counted if not t.resolved]

    def tags(trial: Trial) -> Sequence[str]:
        return run.tasks[trial.fixture].tags if trial.fixture in run.tasks else ()

    return [
        *_most("fixture", failed, lambda t: (t.fixture,), counted),
        *_most("tag", failed, tags, counted),
        *_most("file", failed, lambda t: {symbol.partition("::")[0] for symbol in unintended(t)}, None),
        *_most("symbol", failed, unintended, None),
        *_most("detail", failed, lambda t: (t.last.detail.value,) if t.last.detail else (), None),
    ]


def unintended(trial: Trial) -> list[str]:
    """What a trial's last attempt changed that it should not have, without what is excused; each once."""
    return sorted(set(trial.last.unintended_changes).difference(trial.last.excused))


def _most(
    kind: Kind, failed: Sequence[Trial], places: Callable[[Trial], Iterable[str]], of: Sequence[Trial] | None
) -> list[Gathering]:  # fmt: skip
    """`of` are the trials that a place has its share of; None: every failed trial."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for trial in failed:
        for place in places(trial):
            found[place][trial.format] += 1
    total = Counter(place for trial in of for place in places(trial)) if of is not None else None
    ranked = sorted(found, key=lambda place: (-found[place].total(), place))
    return [
        Gathering(
            kind=kind, name=place, failed=found[place].total(),
            trials=len(failed) if total is None else total[place],
            formats=[name for name, _ in found[place].most_common()],
        )
        for place in ranked[:MOST] if found[place].total() >= LEAST
    ]  # fmt: skip
