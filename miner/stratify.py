"""`miner stratify`: fixtures and strata.yaml become a set (fixtures/set.yaml)."""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from miner.errors import ToolError
from miner.fixtures import FixtureFolder, load_fixture
from miner.prompt.note import digest_of
from miner.record import Fixture, Identifier, Record, dump_yaml, load_yaml, read_plain, write_atomically
from miner.strata import Definition, Draw, Member, Stratum, draw, seeded

DEFAULT_STRATA = Path("strata.yaml")
Share = Annotated[Fraction, BeforeValidator(lambda value: Fraction(str(value)))]


class Bounds(Record):
    """Where the strata begin and end."""

    inside_below: float = Field(gt=0)
    past_above: float = Field(gt=0)
    large_above: float = Field(ge=0, le=1)


class Quotas(Record):
    """The share of the set that each stratum is to have."""

    inside: Share
    near: Share
    past: Share
    large: Share


class StrataFile(Record):
    """strata.yaml."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    bounds: Bounds
    quotas: Quotas
    set_size: int = Field(ge=1)
    seed: int
    impossible: int = Field(default=0, ge=0)

    def definition(self) -> Definition:
        """The file as the definition that drawing uses."""
        shares = {Stratum(name): getattr(self.quotas, name) for name in ("inside", "near", "past")}
        return Definition(
            self.bounds.inside_below, self.bounds.past_above, self.bounds.large_above, shares,
            self.quotas.large, self.set_size, self.seed, self.impossible,
        )  # fmt: skip


class QuotaLine(Record):
    """One quota in set.yaml."""

    wanted: int
    available: int
    taken: int


class SetFile(Record):
    """set.yaml: the chosen fixtures, and the defaults of a run over them; `impossible` tasks are in no quota."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    cap: int = Field(ge=1)
    model: str | None = None  # demonstration sets only: a mined set never chooses who is paid
    digest: str
    bounds: Bounds
    quotas: dict[str, QuotaLine]
    fixtures: list[Identifier] = Field(min_length=1)
    impossible: list[Identifier] = Field(default_factory=list)
    show_tests: bool = False  # every prompt of the set shows its tests, or none does
    edited: list[Identifier] = Field(default_factory=list)  # those whose prompt somebody edited after the harvest

    @model_validator(mode="after")
    def _each_once(self) -> "SetFile":
        for ids in (self.fixtures, self.impossible):
            if twice := [one for one, count in Counter(ids).items() if count > 1]:
                raise ValueError(f"{twice[0]} is in the set twice")
        return self

    def definition(self) -> Definition:
        """The bounds that the set was drawn with."""
        return Definition(self.bounds.inside_below, self.bounds.past_above, self.bounds.large_above)


def stratify(
    root: Path, strata: Path, cap: int, size: int | None, balanced: bool, model: str | None = None,
    impossible: int | None = None, show_tests: bool = False,
) -> tuple[SetFile, Draw]:  # fmt: skip
    """Draw a set from the proven fixtures under `root` and write `set.yaml`.

    `size` and `impossible` None: as strata.yaml says.
    """
    if cap < 1:
        raise ToolError("the cap must be at least 1 token", cap, "Give the model's output limit, such as 8000.")
    definition = definition_of(strata)
    proven = {record.id: record for record in FixtureFolder(root).records() if record.proof is not None}
    records = {i: record for i, record in proven.items() if record.impossible is None}
    if not records:
        raise ToolError("no proven fixture", root, "Run `miner harvest --repo REPO` without --no-prove first.")
    pool = [
        Member(r.id, definition.stratum(r.rewrite_tokens, cap), definition.is_large(r.change_fraction))
        for r in records.values()
    ]
    drawn = draw(pool, definition, size or definition.set_size, balanced)
    if not drawn.members:
        raise ToolError("the set would be empty", root, "Drop --balanced, or harvest more merged changes.")
    chosen = [m.id for m in drawn.members]
    wanted = definition.impossible if impossible is None else impossible
    blocked = _draw_impossible(list(proven.values()), chosen, wanted, definition.seed)
    members = [proven[i] for i in (*chosen, *blocked)]
    edited = _edited_prompts(root, members)
    result = SetFile(
        cap=cap, model=model, digest=set_digest(members, cap, edited, show_tests), bounds=_bounds(definition),
        quotas={q.name: QuotaLine(wanted=q.wanted, available=q.available, taken=q.taken) for q in drawn.quotas},
        fixtures=chosen, impossible=blocked, show_tests=show_tests, edited=sorted(edited),
    )  # fmt: skip
    write_atomically(root / "set.yaml", dump_yaml(result))
    return result, drawn


def _draw_impossible(records: list[Fixture], chosen: list[str], wanted: int, seed: int) -> list[str]:
    """At most `wanted` impossible tasks, sorted: first of those whose possible twin is not in the set."""
    found = [(record.impossible.of in chosen, seeded(seed, record.id), record.id)
             for record in records if record.impossible is not None]  # fmt: skip
    return sorted(fixture for _, _, fixture in sorted(found)[:wanted])


def definition_of(strata: Path) -> Definition:
    """What strata.yaml says; where the default one is not there, the same values as ours has."""
    if strata == DEFAULT_STRATA and not strata.exists():
        return Definition()
    return load_yaml(strata, StrataFile, "Copy the project's own strata.yaml and edit that.").definition()


def _bounds(definition: Definition) -> Bounds:
    return Bounds(
        inside_below=definition.inside_below, past_above=definition.past_above, large_above=definition.large_above
    )


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


def _edited_prompts(root: Path, records: list[Fixture]) -> dict[str, str]:
    """The digests of those prompts that somebody edited after the harvest, by fixture; older records do not tell."""
    digests = {r.id: _digest_of_prompt(root / r.id) for r in records if r.prompt}
    return {r.id: digests[r.id] for r in records if r.prompt and r.prompt.digest != digests[r.id]}


def _digest_of_prompt(folder: Path) -> str:
    path = folder / "prompt.md"
    try:
        return digest_of(read_plain(path))
    except OSError as error:
        remedy = f"{error.strerror}. Harvest the repository again, or restore the file."
        raise ToolError("cannot read the prompt", path, remedy) from None


def set_digest(
    records: list[Fixture], cap: int, edited: Mapping[str, str] = MappingProxyType({}), show_tests: bool = False
) -> str:
    """What a set's results depend on: its fixtures' records, the cap, and what prompts say beside the records.

    A record holds the digest of its prompt; `edited` has those, by fixture, that are another one now. Defaults are left
    out: a field that a later version adds changes no set that was drawn before.
    """
    ordered = sorted(records, key=lambda r: r.id)
    said = [record.model_dump(mode="json", by_alias=True, exclude_defaults=True) for record in ordered]
    beside = ([{"edited": dict(edited)}] if edited else []) + ([{"show_tests": True}] if show_tests else [])
    content = json.dumps([cap, *said, *beside], sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()
