"""Several runs side by side: their formats in one table where nothing but the format differs, and never pooled."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.across import own_name
from evaluator.report.model import ComparedRun
from miner.errors import ToolError


@dataclass(frozen=True)
class Named:
    """A run with the name of its folder, and the letter that its formats get where another run has them too."""

    name: str
    run: RunFile
    lines: Sequence[AttemptLine]
    letter: str = ""

    @property
    def served(self) -> tuple[str, ...]:
        """Who answered: the names that the provider gave, or the name that was asked for where it gave none."""
        return tuple(sorted({a.served_model for a in self.lines if a.served_model})) or (self.run.model,)


@dataclass(frozen=True)
class Together:
    """The runs of one model as if they were one; `runs` are which these are."""

    run: RunFile
    lines: Sequence[AttemptLine]
    runs: tuple[ComparedRun, ...]


# What must be the same for two runs to have asked the same: by name, for the message.
_SAME: dict[str, Callable[[RunFile], object]] = {
    "set": lambda run: run.set_digest,
    "cap": lambda run: run.cap,
    "fixtures (--only, --stratum)": lambda run: sorted(run.fixtures),
    "repeats": lambda run: run.repeats,
    "attempts a task": lambda run: run.attempts,
    "signals that cause a retry": lambda run: sorted(run.retry_on),
    "feedback": lambda run: run.feedback,
    "tests shown": lambda run: run.show_tests,
    "files shown besides": lambda run: run.context,
}
# What may differ, as it may be what is compared; a reader must know of it.
_TOLD: dict[str, Callable[[RunFile], object]] = {
    "temperature": lambda run: run.call.temperature,
    "reasoning effort": lambda run: run.call.reasoning_effort,
    "parameters": lambda run: run.call.params,
    "tolerances": lambda run: {k: sorted(v) for k, v in run.applier.items()},
    "prices": lambda run: run.price,
    "version": lambda run: run.version,
    "rescored replies": lambda run: run.rescored_from,
}


def tables(runs: Sequence[Named]) -> list[Together]:
    """One run a served model, in order of appearance, with the formats of all runs of it.

    Raises `ToolError` where runs of one model did not ask the same. Models are different tables, never pooled.
    """
    models = list(dict.fromkeys(run.served for run in runs))
    return [_together([run for run in runs if run.served == model]) for model in models]


def differences(runs: Sequence[Named]) -> list[str]:
    """What runs of one model differ in that a reader must know of, besides the format."""
    said = []
    for group in (found for found in _groups(runs) if len(found) > 1):
        first = group[0]
        for other in group[1:]:
            names = [what for what, of in _TOLD.items() if _differs(of(first.run), of(other.run))]
            if names:
                said.append(f"{first.letter} and {other.letter} differ in: {', '.join(names)}")
    return said


def _differs(one: object, other: object) -> bool:
    """Of tolerances only those of formats that both runs have can differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        return any(one[key] != other[key] for key in one.keys() & other.keys())
    return one != other


def _groups(runs: Sequence[Named]) -> Iterator[list[Named]]:
    for model in dict.fromkeys(run.served for run in runs):
        yield [run for run in runs if run.served == model]


def _together(runs: Sequence[Named]) -> Together:
    first = runs[0]
    for one, other in combinations(runs, 2):  # all, as not every run noted its prompts
        _check(one, other)
    times = Counter(name for run in runs for name in run.run.formats)
    formats: list[str] = []
    lines: list[AttemptLine] = []
    applier: dict[str, list[str]] = {}
    for run in runs:
        own = {name: name if times[name] == 1 else f"{name}@{run.letter}" for name in run.run.formats}
        formats += own.values()
        lines += [
            line if own[line.format] == line.format else line.model_copy(update={"format": own[line.format]})
            for line in run.lines
        ]
        applier |= {own[name]: granted for name, granted in run.run.applier.items() if name in own}
    places = {name: n for n, name in reversed(list(enumerate(map(own_name, formats))))}  # of one format: side by side
    settings = first.run.model_copy(update={
        "formats": sorted(formats, key=lambda name: places[own_name(name)]),
        "applier": applier, "simulated": any(run.run.simulated for run in runs),
        "tasks": next((run.run.tasks for run in runs if run.run.tasks), {}),
        "mix": next((run.run.mix for run in runs if run.run.mix), []),
    })  # fmt: skip
    told = tuple(ComparedRun(letter=run.letter, name=run.name, formats=run.run.formats) for run in runs)
    return Together(settings, lines, told)


def _check(first: Named, other: Named) -> None:
    both = f"{first.name} and {other.name}"
    for what, of in _SAME.items():
        if of(first.run) != of(other.run):
            values = "" if isinstance(of(first.run), list) else f" ({of(first.run)} and {of(other.run)})"
            raise ToolError(f"the runs differ in more than the format: {what}{values}", both,
                            "Compare runs of the same set, cap and prompts.")  # fmt: skip
    digests = _digests(first)
    for fixture, digest in _digests(other).items():
        if digests.get(fixture, digest) != digest:
            raise ToolError(f"the runs showed another prompt of {fixture}", both,
                            "Compare runs made with the same fixtures and version.")  # fmt: skip


def _digests(run: Named) -> dict[str, str]:
    """The digest of task and files that each fixture's first attempts were shown, where it was noted."""
    return {line.fixture: line.prompt_digest for line in run.lines if line.attempt == 1 and line.prompt_digest}
