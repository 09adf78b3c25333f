"""history.yaml: where a repository's merged changes came from at the last harvest, and how many there are."""

import shlex
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Literal

from pydantic import Field

from miner.errors import ToolError
from miner.git import GitFailed
from miner.record import Record, Repository, dump_yaml, load_yaml, write_atomically
from miner.sources.model import Opened, Unit

_NAME = "history.yaml"
_COUNTED = 2000  # merged changes beyond those looked at that are counted: about two seconds' work
_REMEDY = "Delete it: the next harvest writes it anew."


class HistoryFile(Record):
    """What a harvest knew of a history; `merged_changes` is None where it read no further than it had to."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    source: str  # as --repo said it
    unit: Unit = Unit.PULL
    branch: str = ""
    merged_changes: int | None = Field(default=None, ge=0)

    def command(self, name: str, out: Path, more: Sequence[str]) -> str:
        """The `miner harvest` that goes on in this history, as a shell takes it."""
        own = self.source.rstrip("/").rpartition("/")[2].removesuffix(".git").lower()
        words = ["miner", "harvest", "--repo", self.source]
        words += ["--name", name] if name != own else []
        words += ["--unit", self.unit.value] if self.unit is not Unit.PULL else []
        words += ["--branch", self.branch] if self.branch else []
        words += ["--out", str(out)] if out != Path("fixtures") else []
        return shlex.join([*words, *more])


def length_of(opened: Opened, seen: int, ended: bool) -> int | None:
    """How many merged changes a history holds, `seen` of them read already; None where that would take long to say."""
    if ended:
        return seen
    if not opened.countable:
        return None
    try:
        more = sum(1 for _ in islice(opened.changes, _COUNTED + 1))
    except GitFailed:  # what nobody asked for is damaged
        return None
    return seen + more if more <= _COUNTED else None


def write_history(folder: Path, history: HistoryFile) -> None:
    """Write a repository's history.yaml, in place of the one of the harvest before."""
    write_atomically(folder / _NAME, dump_yaml(history))


def read_history_file(folder: Path) -> HistoryFile | None:
    """What the last harvest into a repository's folder knew; of older ones only where they came from."""
    if (folder / _NAME).exists():
        return load_yaml(folder / _NAME, HistoryFile, _REMEDY)
    try:
        return HistoryFile(source=load_yaml(folder / "repo.yaml", Repository, _REMEDY).source)
    except ToolError:  # whoever needs that file says so
        return None
