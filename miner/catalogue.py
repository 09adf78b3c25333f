"""Fixtures to look at: a row of each with its tags, filtered, and all that is known of one."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from miner.drawing import LARGE
from miner.errors import ToolError
from miner.fixtures import FixtureFolder, Task
from miner.hazards import Tag, anchor_places, hazards
from miner.record import Fixture
from miner.set_file import SetFile, load_set
from miner.strata import Definition


@dataclass(frozen=True)
class Row:
    """A fixture in a list. `strength` is the share of hunks that the tests notice, None where it was not asked."""

    id: str
    kind: str
    stratum: str
    large: bool
    rewrite_tokens: int
    change_fraction: float
    proved: bool
    strength: float | None
    impossible: bool
    in_set: bool
    tags: tuple[str, ...]

    @property
    def repository(self) -> str:
        """The repository it comes from."""
        return self.id.split("/")[0]

    @property
    def strata(self) -> set[str]:
        """Its size, and `large` where its change is."""
        return {self.stratum, LARGE} if self.large else {self.stratum}


@dataclass(frozen=True)
class Filter:
    """What is asked for: every kind of filter given must be met, in any one of its values."""

    strata: Collection[str] = ()
    tags: Collection[str] = ()
    kinds: Collection[str] = ()
    repositories: Collection[str] = ()
    in_set: bool = False

    def takes(self, row: Row) -> bool:
        """Whether a row is asked for."""
        asked = [
            (self.strata, row.strata), (self.tags, set(row.tags)), (self.kinds, {row.kind}),
            (self.repositories, {row.repository}),
        ]  # fmt: skip
        return all(not wanted or not is_so.isdisjoint(wanted) for wanted, is_so in asked) and (
            row.in_set or not self.in_set
        )


@dataclass(frozen=True)
class Shelf:
    """A fixtures folder as it is looked at: with its set, where there is one, and the cap that sizes are against."""

    folder: FixtureFolder
    chosen: SetFile | None
    cap: int
    definition: Definition

    def rows(self, ids: Iterable[str]) -> list[Row]:
        """A row of each fixture; raises `ToolError` where one cannot be read."""
        return [self.row(self.folder.task(i)) for i in ids]

    def row(self, task: Task) -> Row:
        """The row of a fixture; its tags are worked out from its files, as of an edited patch they may be others."""
        record = task.fixture
        strength = record.proof.strength if record.proof else None
        return Row(
            record.id, record.kind.value, self.definition.stratum(record.rewrite_tokens, self.cap).value,
            self.definition.is_large(record.change_fraction), record.rewrite_tokens, record.change_fraction,
            record.proof is not None, strength.share if strength else None, task.impossible, self._is_in_set(record),
            tuple(tag.value for tag in hazards(task.before, task.change_patch)),
        )  # fmt: skip

    def _is_in_set(self, record: Fixture) -> bool:
        return self.chosen is not None and record.id in (*self.chosen.fixtures, *self.chosen.impossible)


def open_shelf(root: Path, cap: int | None, definition: Definition) -> Shelf:
    """The fixtures below `root`; without a cap by the set's cap and bounds, or, where there is none, 8000 tokens."""
    chosen = load_set(root) if (root / "set.yaml").exists() else None
    if chosen is not None and cap is None:
        return Shelf(FixtureFolder(root), chosen, chosen.cap, chosen.definition())
    return Shelf(FixtureFolder(root), chosen, cap or 8000, definition)


def selected(shelf: Shelf, ids: Sequence[str], wanted: Filter) -> list[Row]:
    """The rows asked for: of these fixtures, or of all; raises `ToolError` for a tag that is none."""
    if unknown := sorted(set(wanted.tags) - {tag.value for tag in Tag}):
        raise ToolError("not a hazard tag", unknown[0], f"Tags are {', '.join(Tag)}.")
    return [row for row in shelf.rows(ids or shelf.folder.ids()) if wanted.takes(row)]


def page(task: Task, row: Row) -> str:
    """All that a person asks for of one fixture, as Markdown with its prompt at the end."""
    record, proof = task.fixture, task.fixture.proof
    repeated = sorted(n for n in anchor_places(task.before, task.change_patch) if n > 1)
    anchors = f" (anchors that stand in {', '.join(map(str, repeated))} places)" if repeated else ""
    lines = [
        f"# {record.id}", "", record.title, "",
        f"merged {record.date}, number {record.number}, {record.merged}",
        f"kind {row.kind}, stratum {', '.join(sorted(row.strata))}: {row.rewrite_tokens} tokens to rewrite, "
        f"{row.change_fraction:.0%} of a file changed at most" + (", in the set" if row.in_set else ""),
        f"tags: {', '.join(row.tags) or 'none'}" + anchors,
        *_impossible(record), "", "## Files", "",
        *(f"- {path}: {', '.join(record.allowed.get(path, [])) or 'nothing allowed'}" for path in record.source_files),
        *(f"- {path} (tests)" for path in record.test_files),
        *(f"- {path} (left out)" for path in record.dropped_files),
        "", "## Tests", "",
    ]  # fmt: skip
    if proof is None:
        lines.append("not proved")
    else:
        noticed = "was not asked" if proof.strength is None else f"{proof.strength.share:.0%} of hunks noticed"
        lines += [f"`{' '.join(proof.command)}`, {proof.seconds:.1f} s; strength: {noticed}",
                  *(f"- fails, then passes: {test}" for test in proof.fail_to_pass),
                  *(f"- collected only after: {test}" for test in proof.collected_after),
                  f"- {len(proof.pass_to_pass)} keep passing, {len(proof.flaky)} flaky"]  # fmt: skip
        lines += [f"- no test notices {hunk}" for hunk in (proof.strength.unnoticed if proof.strength else [])]
    return "\n".join([*lines, "", "## Prompt" + (" (edited)" if task.prompt_edited else ""), "", task.prompt])


def _impossible(record: Fixture) -> list[str]:
    said = record.impossible
    return [] if said is None else [f"impossible: {', '.join(said.withheld)} withheld; made of {said.of}"]


def as_data(row: Row) -> dict[str, object]:
    """A row as plain data."""
    return asdict(row)
