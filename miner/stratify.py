"""`miner stratify`: fixtures and strata.yaml become a set (fixtures/set.yaml)."""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from miner.cells import Member
from miner.drawing import Draw, draw
from miner.errors import ToolError
from miner.fixtures import FixtureFolder
from miner.hazards import Tag, hazards
from miner.mix import History, natural_mix, read_history
from miner.prompt.note import digest_of
from miner.record import Fixture, dump_yaml, read_plain, write_atomically
from miner.set_file import QuotaLine, SetFile, fixture_digests, load_set, set_digest
from miner.shortfall import Shortfall, shortfalls
from miner.strata import Definition, Stratum, seeded
from miner.strata_file import bounds_of, definition_of


@dataclass(frozen=True)
class Stratified:
    """A set that was drawn and written, what it is short of, and what the least strength kept out of the pool.

    `before` is the set that was there and `history` what was looked at, both as this draw found them.
    """

    chosen: SetFile
    drawn: Draw
    short: list[Shortfall]
    too_weak: list[str]
    before: SetFile | None
    history: History

    @property
    def replaced(self) -> SetFile | None:
        """The set that was there, where results over it do not belong to this one."""
        return self.before if self.before is not None and self.before.digest != self.chosen.digest else None


def stratify(
    root: Path, strata: Path, cap: int, size: int | None, balanced: bool, model: str | None = None,
    impossible: int | None = None, show_tests: bool = False, redraw: bool = False,
) -> Stratified:  # fmt: skip
    """Draw a set from the proven fixtures under `root` and write `set.yaml`.

    `size` and `impossible` None: as strata.yaml says. Fixtures of a set that was drawn in the same way stay in it,
    unless `redraw`.
    """
    if cap < 1:
        raise ToolError("the cap must be at least 1 token", cap, "Give the model's output limit, such as 8000.")
    definition = definition_of(strata)
    size = size or definition.set_size
    folder = FixtureFolder(root)
    proven = {record.id: record for record in folder.records() if record.proof is not None}
    possible = [record for record in proven.values() if record.impossible is None]
    too_weak = [r.id for r in possible if is_too_weak(r, definition.min_strength)]
    pool = [_member(r, definition, cap) for r in possible if r.id not in too_weak]
    if not pool:
        remedy = "Lower min_strength in strata.yaml." if possible else "Run `miner harvest` without --no-prove first."
        raise ToolError("no proven fixture" + (" is strong enough" if possible else ""), root, remedy)
    drawn_by = _digest_of_definition(definition, cap, size, balanced)
    before = _set_of(root)
    kept = before if before is not None and before.drawn_by == drawn_by and not redraw else None
    drawn = draw(pool, definition, size, balanced, kept.fixtures if kept else ())
    if not drawn.members:
        raise ToolError("the set would be empty", root, "Drop --balanced, or harvest more merged changes.")
    chosen = [m.id for m in drawn.members]
    blocked = _draw_impossible(
        proven.values(), chosen, definition.impossible if impossible is None else impossible, definition.seed,
        kept.impossible if kept else (),
    )  # fmt: skip
    members = [proven[i] for i in (*chosen, *blocked)]
    edited = _edited_prompts(root, members)
    history = read_history(root)
    mix = natural_mix(history, definition, cap)
    result = SetFile(
        cap=cap, model=model, digest=set_digest(members, cap, edited, show_tests), drawn_by=drawn_by,
        bounds=bounds_of(definition),
        quotas={q.name: QuotaLine(wanted=q.wanted, available=q.available, taken=q.taken) for q in drawn.quotas},
        fixtures=chosen, impossible=blocked, show_tests=show_tests, edited=sorted(edited),
        digests=fixture_digests(members, edited), tags=tags_of(folder, chosen), mix=list(mix.cells),
        mix_unknown=mix.unknown,
    )  # fmt: skip
    write_atomically(root / "set.yaml", dump_yaml(result))
    return Stratified(result, drawn, shortfalls(drawn, pool, history, definition, cap), too_weak, before, history)


def is_too_weak(record: Fixture, least: float) -> bool:
    """Whether a fixture's tests notice too little of its change; where that was never asked, anything asked for is."""
    strength = record.proof.strength if record.proof else None
    return least > 0 and (strength is None or strength.share < least)


def tags_of(folder: FixtureFolder, ids: Iterable[str]) -> dict[str, list[Tag]]:
    """The hazard tags of fixtures that have any; raises `ToolError` where a tree or patch cannot be read."""
    tasks = [folder.task(i) for i in ids]
    found = {task.id: hazards(task.before, task.change_patch) for task in tasks}
    return {i: tags for i, tags in found.items() if tags}


def _member(record: Fixture, definition: Definition, cap: int) -> Member:
    stratum: Stratum = definition.stratum(record.rewrite_tokens, cap)
    return Member(record.id, stratum, definition.is_large(record.change_fraction), record.author)


def _digest_of_definition(definition: Definition, cap: int, size: int, balanced: bool) -> str:
    """What says whether two sets were drawn in the same way, from whatever pool."""
    shares = [f"{stratum}={share}" for stratum, share in sorted(definition.size_quota.items())]
    said = (
        definition.inside_below, definition.past_above, definition.large_above, shares, str(definition.large_quota),
        definition.seed, str(definition.tolerance), definition.balance, definition.per_repository,
        definition.per_author, definition.min_strength, cap, size, balanced,
    )  # fmt: skip
    return hashlib.sha256(repr(said).encode()).hexdigest()[:20]


def _set_of(root: Path) -> SetFile | None:
    """The set that is there; one that cannot be read is written anew."""
    try:
        return load_set(root)
    except ToolError:
        return None


def _draw_impossible(
    records: Iterable[Fixture], chosen: Collection[str], wanted: int, seed: int, kept: Collection[str]
) -> list[str]:
    """At most `wanted` impossible tasks, sorted: first those kept, then those whose possible twin is not in the set."""
    found = [(record.id not in kept, record.impossible.of in chosen, seeded(seed, record.id), record.id)
             for record in records if record.impossible is not None]  # fmt: skip
    return sorted(fixture for *_, fixture in sorted(found)[:wanted])


def _edited_prompts(root: Path, records: Iterable[Fixture]) -> Mapping[str, str]:
    """The digests of those prompts that somebody edited after the harvest, by fixture; older records do not tell."""
    digests = {r.id: (r.prompt.digest, _digest_of_prompt(root / r.id)) for r in records if r.prompt}
    return {fixture: now for fixture, (written, now) in digests.items() if now != written}


def _digest_of_prompt(folder: Path) -> str:
    path = folder / "prompt.md"
    try:
        return digest_of(read_plain(path))
    except OSError as error:
        remedy = f"{error.strerror}. Harvest the repository again, or restore the file."
        raise ToolError("cannot read the prompt", path, remedy) from None
