"""Where failures gather: the fixtures, tags, files, symbols and details that failed trials have in common."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from evaluator.journal import RunFile
from evaluator.report.model import Gathering, Place
from evaluator.trials import Trial

MOST = 5  # of a kind
LEAST = 2  # one failure gathers nowhere


@dataclass(frozen=True)
class Gathered:
    """The places with the most failures, and of each kind how many more there are than are listed."""

    places: list[Gathering]
    more: dict[Place, int]


def gatherings(run: RunFile, counted: Sequence[Trial]) -> Gathered:
    """The places of each kind with the most failures, of trials with evidence over all formats.

    A fixture or a tag is one where more of its trials failed than of all. Files and symbols are those of unintended
    changes that are not excused, on a trial's last attempt.
    """
    failed = [t for t in counted if not t.resolved]

    def tags(trial: Trial) -> Sequence[str]:
        return run.tasks[trial.fixture].tags if trial.fixture in run.tasks else ()

    found = [
        *_places("fixture", failed, lambda t: (t.fixture,), counted),
        *_places("tag", failed, tags, counted),
        *_places("file", failed, lambda t: {symbol.partition("::")[0] for symbol in unintended(t)}, None),
        *_places("symbol", failed, unintended, None),
        *_places("detail", failed, lambda t: (t.last.detail.value,) if t.last.detail else (), None),
    ]
    listed: list[Gathering] = []
    more: Counter[Place] = Counter()
    for place in found:
        if sum(other.kind == place.kind for other in listed) < MOST:
            listed.append(place)
        else:
            more[place.kind] += 1
    return Gathered(listed, dict(more))


def unintended(trial: Trial) -> list[str]:
    """What a trial's last attempt changed that it should not have, without what is excused; each once."""
    return sorted(set(trial.last.unintended_changes).difference(trial.last.excused))


def _places(
    kind: Place, failed: Sequence[Trial], places: Callable[[Trial], Iterable[str]], of: Sequence[Trial] | None
) -> list[Gathering]:  # fmt: skip
    """Most failures first. `of` are the trials that a place has its share of; None: every failed trial."""
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
            each=[times for _, times in found[place].most_common()],
        )
        for place in ranked
        if found[place].total() >= LEAST
        # In whole numbers: more of its trials than of all.
        and (of is None or total is None or found[place].total() * len(of) > len(failed) * total[place])
    ]  # fmt: skip
