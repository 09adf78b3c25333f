"""The history's natural mix: what sizes its merged changes have, before any screening (pure, but for reading lines)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import Field

from miner.journal import read_lines
from miner.record import HarvestLine, Record
from miner.rejection import Rejection
from miner.strata import Definition, Stratum

# Nothing is known of their files, not even whether one is source.
_UNREAD = frozenset({Rejection.MERGE_LOST, Rejection.MERGE_UNCLEAR, Rejection.INTERNAL_ERROR})

History = Mapping[str, Sequence[HarvestLine]]  # repository -> its harvest.jsonl


class MixCell(Record):
    """How many source-changing merged changes of a repository's history fall into a size, before any screening."""

    repository: str
    stratum: Stratum
    changes: int = Field(ge=1)


@dataclass(frozen=True)
class Mix:
    """The sizes of a history's merged changes, and per repository how many more there are whose size is not known."""

    cells: tuple[MixCell, ...]
    unknown: dict[str, int]


def read_history(root: Path) -> dict[str, list[HarvestLine]]:
    """What was harvested below a fixtures folder, by repository; raises `ToolError` for a damaged line."""
    return {path.parent.name: read_lines(path) for path in sorted(root.glob("*/harvest.jsonl"))}


def natural_mix(history: History, definition: Definition, cap: int) -> Mix:
    """Repository x size over all merged changes that change source files, each number counted once."""
    cells: Counter[tuple[str, Stratum]] = Counter()
    unknown: Counter[str] = Counter()
    for repository, lines in history.items():
        for line in _each_once(lines):
            if line.rewrite_tokens is None:
                unknown[repository] += 1
            else:
                cells[repository, definition.stratum(line.rewrite_tokens, cap)] += 1
    ordered = sorted(cells.items(), key=lambda item: (item[0][0], list(Stratum).index(item[0][1])))
    return Mix(
        tuple(MixCell(repository=name, stratum=stratum, changes=n) for (name, stratum), n in ordered),
        dict(sorted(unknown.items())),
    )


def _each_once(lines: Iterable[HarvestLine]) -> list[HarvestLine]:
    """The lines that change source files, or may: of those of one number the first whose size is known."""
    found: dict[str, HarvestLine] = {}
    for line in lines:
        if line.changes_source or line.rejection in _UNREAD:
            before = found.get(line.number)
            if before is None or (before.rewrite_tokens is None and line.rewrite_tokens is not None):
                found[line.number] = line
    return list(found.values())
