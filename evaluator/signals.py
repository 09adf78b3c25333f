"""The signals that cause retries: how they are named on the command line, and that of tests an agent can see."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from evaluator.scoring import Score, Tests
from evaluator.taxonomy import Detail, Signal
from miner.errors import ToolError

_NAMED = 10  # failing tests that a retry is told of by name


@dataclass(frozen=True)
class Seen:
    """What an agent sees of a test run: the visible tests that fail, and what the run wrote.

    `output` is empty where it may hold anything of a test that is not visible.
    """

    failing: tuple[str, ...] = ()
    timed_out: bool = False
    output: str = ""


def parse_signals(text: str) -> list[Signal]:
    """The signals of `--retry-on stop,parser`, in the order of `Signal`; `none` alone is no signal at all."""
    names = [name.strip() for name in text.split(",")]
    if names == ["none"]:
        return []
    for name in names:
        if name not in [signal.value for signal in Signal]:
            known = ", ".join(signal.value for signal in Signal)
            raise ToolError("unknown signal", name or repr(text), f"Name some of {known}; or none, alone.")
    return [signal for signal in Signal if signal.value in names]


def visible_failing(failing: Collection[str], visible: Collection[str]) -> tuple[str, ...]:
    """The failing tests that an agent can see, sorted."""
    return tuple(sorted(set(failing) & set(visible)))


def seen(
    verdict: Tests, failing: Collection[str], output: str, required: Collection[str], visible: Collection[str]
) -> Seen:  # fmt: skip
    """What an agent sees of a run of the fixture's tests.

    All tests run in one process: what it wrote, and that it ran out of time, is shown only where every test is visible.
    """
    everything = set(required) <= set(visible)
    if verdict is Tests.TIMEOUT:
        return Seen((), timed_out=everything, output=output if everything else "")
    return Seen(visible_failing(failing, visible), output=output if everything else "")


def with_seen(score: Score, found: Seen) -> Score:
    """The score with the signal of tests, where an agent sees some fail and nothing else told it before.

    `BLOCKED: why` asks for no retry, and a resolved attempt has nothing to be retried for.
    """
    shows = bool(found.failing) or found.timed_out
    if score.signal is not None or score.category is None or score.detail is Detail.GAVE_UP or not shows:
        return score
    return replace(score, signal=Signal.TESTS, feedback=_feedback(found), output=found.output)


def _feedback(found: Seen) -> str:
    if found.timed_out:
        return "After the edit the tests ran out of time."
    named = ", ".join(found.failing[:_NAMED])
    more = f" and {len(found.failing) - _NAMED} more" if len(found.failing) > _NAMED else ""
    return f"After the edit these tests fail: {named}{more}."
