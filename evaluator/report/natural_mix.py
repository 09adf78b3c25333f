"""The history's natural mix: how much each repository and size weighs in it, from set.yaml or a file of one's own."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from evaluator.journal import RunFile
from miner.record import Record, load_yaml
from miner.strata import Stratum

Cell = tuple[str | None, Stratum]  # repository (None: of any), size


class Weight(Record):
    """What a repository's size weighs, in any unit; without a repository, the size of all of them."""

    repository: str | None = None
    stratum: Stratum
    weight: float = Field(ge=0, le=1e15)  # above, their sum could be infinite


class WeightsFile(Record):
    """A file of weights."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    weights: list[Weight] = Field(min_length=1)

    @model_validator(mode="after")
    def _add_up(self) -> "WeightsFile":
        if not sum(w.weight for w in self.weights):
            raise ValueError("weights: all of them are 0")
        if len({w.repository is None for w in self.weights}) > 1:
            raise ValueError("weights: either every one names its repository, or none does")
        cells = [(w.repository, w.stratum) for w in self.weights]
        if len(set(cells)) < len(cells):
            raise ValueError("weights: a cell is named twice")
        return self


@dataclass(frozen=True)
class Mix:
    """Shares of the history by cell, which sum to 1, and where they come from."""

    shares: Mapping[Cell, float]
    source: str

    def cell(self, run: RunFile, fixture: str) -> Cell | None:
        """The cell of a fixture; None where the run does not know its size, or the mix not the cell."""
        if fixture not in run.tasks:
            return None
        by_repository = any(repository is not None for repository, _ in self.shares)
        cell = repository_of(fixture) if by_repository else None, run.tasks[fixture].stratum
        return cell if cell in self.shares else None


def repository_of(fixture: str) -> str:
    """The repository of a fixture: its id up to the last slash."""
    return fixture.rpartition("/")[0]


def of_run(run: RunFile) -> Mix | None:
    """The mix that the run's set knows; None where it knows none."""
    return _mix((((c.repository, c.stratum), c.changes) for c in run.mix), "set.yaml")


def of_file(path: Path) -> Mix:
    """The mix of a file (docs/reports.md); raises `ToolError` naming what is wrong with it."""
    found = load_yaml(path, WeightsFile, "docs/reports.md shows the file.")
    mix = _mix((((w.repository, w.stratum), w.weight) for w in found.weights), str(path.name))
    assert mix is not None  # the file holds a weight above 0
    return mix


def _mix(weights: Iterable[tuple[Cell, float]], source: str) -> Mix | None:
    total: dict[Cell, float] = defaultdict(float)
    for cell, weight in weights:
        total[cell] += weight
    whole = sum(total.values())
    return Mix({cell: weight / whole for cell, weight in total.items() if weight}, source) if whole else None
