"""Rare strata first: which candidates of a whole history are proved, and what the history is made of."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest

from miner.drawing import LARGE
from miner.errors import ToolError
from miner.record import HarvestLine
from miner.strata import Definition, Stratum

STRATA = (*(stratum.value for stratum in Stratum), LARGE)


@dataclass(frozen=True)
class Rare:
    """The strata whose candidates come first, under a cap of output tokens and bounds."""

    strata: tuple[str, ...]
    cap: int
    definition: Definition

    def of(self, line: HarvestLine) -> set[str]:
        """The strata of a change: one of size, and `large` where it is; none where its size is not known."""
        if line.rewrite_tokens is None or line.change_fraction is None:
            return set()
        size = self.definition.stratum(line.rewrite_tokens, self.cap).value
        return {size, LARGE} if self.definition.is_large(line.change_fraction) else {size}

    def first(self, lines: Sequence[HarvestLine], last: int) -> list[HarvestLine]:
        """At most `last` candidates of lines that are newest first: those of the strata in turn, then any.

        In turn, so that a stratum with many does not keep out one with few. Those that were proved, or failed to
        be, before count too: the same question has the same answer.
        """
        candidates = [line for line in lines if line.is_candidate]
        queues = [[line for line in candidates if stratum in self.of(line)] for stratum in self.strata]
        in_turn = [line for line in chain.from_iterable(zip_longest(*queues)) if line is not None]
        ordered = {line.commit: line for line in (*in_turn, *candidates)}
        return list(ordered.values())[:last]

    def counts(self, lines: Iterable[HarvestLine]) -> list[tuple[str, list[int]]]:
        """For each stratum how many change source, are candidates, were tried to be proved, are fixtures."""
        looked = list(lines)
        asked: list[Callable[[HarvestLine], bool]] = [
            lambda line: line.changes_source, lambda line: line.is_candidate, lambda line: line.was_tried,
            lambda line: line.fixture is not None,
        ]  # fmt: skip
        return [
            (stratum, [sum(stratum in self.of(line) and is_so(line) for line in looked) for is_so in asked])
            for stratum in STRATA
        ]


def rare_strata(want: str | None, cap: int, definition: Definition) -> Rare | None:
    """What `--want large,past` asks for; raises `ToolError` for a word that is no stratum."""
    if want is None:
        return None
    names = tuple(dict.fromkeys(name.strip() for name in want.split(",")))
    unknown = [name for name in names if name not in STRATA]
    if unknown:
        raise ToolError("not a stratum", unknown[0] or "nothing", f"Strata are {', '.join(STRATA)}.")
    return Rare(names, cap, definition)
