"""set.yaml: the chosen set, what its results depend on, and whether that is still as it was."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal

from pydantic import Field, model_validator

from miner.errors import ToolError
from miner.fixtures import load_fixture
from miner.hazards import Tag
from miner.mix import MixCell
from miner.record import Digest, Fixture, Identifier, Record, load_yaml
from miner.strata import Definition
from miner.strata_file import Bounds

_NONE: Mapping[str, str] = MappingProxyType({})


class QuotaLine(Record):
    """One quota in set.yaml."""

    wanted: int
    available: int
    taken: int


class SetFile(Record):
    """set.yaml: the chosen fixtures, and the defaults of a run over them; `impossible` tasks are in no quota.

    `digest` covers what results depend on, `digests` the same of each fixture; tags and the history's natural mix say
    how results are read, and are in neither. `drawn_by` is a digest of everything that the set was drawn by: a pool
    that grew keeps the fixtures of a set with the same one.
    """

    schema_: Literal[1] = Field(default=1, alias="schema")
    cap: int = Field(ge=1)
    model: str | None = None  # demonstration sets only: a mined set never chooses who is paid
    digest: str
    drawn_by: str = ""
    bounds: Bounds
    quotas: dict[str, QuotaLine]
    fixtures: list[Identifier] = Field(min_length=1)
    impossible: list[Identifier] = Field(default_factory=list)
    show_tests: bool = False  # every prompt of the set shows its tests, or none does
    edited: list[Identifier] = Field(default_factory=list)  # those whose prompt somebody edited after the harvest
    digests: dict[Identifier, Digest] = Field(default_factory=dict)
    tags: dict[Identifier, list[Tag]] = Field(default_factory=dict)  # of `fixtures`; none where there is no hazard
    mix: list[MixCell] = Field(default_factory=list)  # all merged changes that change source, before any screening
    mix_unknown: dict[str, int] = Field(default_factory=dict)  # repository -> those whose size is not known

    @model_validator(mode="after")
    def _each_once(self) -> "SetFile":
        for ids in (self.fixtures, self.impossible):
            if twice := [one for one, count in Counter(ids).items() if count > 1]:
                raise ValueError(f"{twice[0]} is in the set twice")
        return self

    def definition(self) -> Definition:
        """The bounds that the set was drawn with."""
        return Definition(self.bounds.inside_below, self.bounds.past_above, self.bounds.large_above)


def load_set(root: Path) -> SetFile:
    """The set of a fixtures folder; raises `ToolError` where there is none."""
    path = root / "set.yaml"
    if not path.exists():
        raise ToolError("no set is chosen", path, f"Run `miner stratify {root} --cap 8000` first.")
    return load_yaml(path, SetFile, f"Run `miner stratify {root}` again.")


def thin_of(root: Path, chosen: SetFile) -> list[str]:
    """The fixtures of a set whose prompt was too thin to act on, and was not edited since."""
    notes = {i: load_fixture(root / i).prompt for i in chosen.fixtures if i not in chosen.edited}
    return [i for i, note in notes.items() if note is not None and note.thin]


def set_digest(
    records: Sequence[Fixture], cap: int, edited: Mapping[str, str] = _NONE, show_tests: bool = False
) -> str:
    """What a set's results depend on: its fixtures' records, the cap, and what prompts say beside the records.

    A record holds the digest of its prompt; `edited` has those, by fixture, that are another one now. Defaults are left
    out: a field that a later version adds changes no set that was drawn before.
    """
    said = [_said(record) for record in sorted(records, key=lambda r: r.id)]
    beside = ([{"edited": dict(edited)}] if edited else []) + ([{"show_tests": True}] if show_tests else [])
    return _sha256([cap, *said, *beside])


def fixture_digests(records: Sequence[Fixture], edited: Mapping[str, str] = _NONE) -> dict[str, str]:
    """The digest of each fixture's part in that of the set: its record, and its prompt where that was edited."""
    return {r.id: _sha256([_said(r), edited.get(r.id)])[:20] for r in sorted(records, key=lambda r: r.id)}


def changed(records: Sequence[Fixture], chosen: SetFile, edited: Mapping[str, str] = _NONE) -> list[str]:
    """The fixtures that are others than when the set was drawn; sets of earlier versions do not tell."""
    now = fixture_digests(records, edited)
    return [fixture for fixture, digest in now.items() if chosen.digests.get(fixture, digest) != digest]


def _said(record: Fixture) -> dict[str, Any]:
    return record.model_dump(mode="json", by_alias=True, exclude_defaults=True)


def _sha256(content: object) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
