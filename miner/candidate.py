"""One merged change on its way to a fixture: screened, frozen, written."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from packaging.version import InvalidVersion, Version

from miner.freeze import Size, freeze, measure
from miner.frozen import Frozen
from miner.git import Git, GitFailed
from miner.mined import Mined
from miner.prompt import prompt_text
from miner.proving import Change
from miner.record import Fixture, HarvestLine, Proof, dump_yaml, write_atomically
from miner.rejection import Rejection
from miner.screen import Limits, ReadBlob, Split, reject_by_contents, reject_by_description, split
from miner.sources.model import MergedChange
from miner.symbols.files import SYMBOLS_VERSION
from miner.trees import missing_objects


@dataclass(frozen=True)
class Candidate:
    """A merged change that passed screening, frozen, not yet proved."""

    line: HarvestLine
    change: MergedChange
    files: Split
    frozen: Frozen
    size: Size

    def to_prove(self, fixture_id: str, git: Git) -> Change:
        """What is to be proved of it."""
        frozen = self.frozen
        present = [file.path for file in self.files.test if file.status != "D"] + list(frozen.tests_inside)
        return Change(
            fixture_id, self.change.date, frozen.starting_tree, frozen.solved_tree, frozen.change_patch,
            frozen.tests_patch, present, _pretend_version(git, self.change.base),
        )  # fmt: skip


@dataclass(frozen=True)
class Screen:
    """Screens merged changes of one repository."""

    mined: Mined
    limits: Limits

    def __call__(self, change: MergedChange) -> HarvestLine | Candidate:
        """The candidate, or the line that says why the change is none."""
        files = split(change)
        size = measure(change, files, self.mined) if files.source else None
        line = HarvestLine(
            number=change.number, commit=change.merged, date=change.date, title=change.title,
            changes_source=bool(files.source), rewrite_tokens=size.rewrite_tokens if size else None,
            change_fraction=size.change_fraction if size else None,
        )  # fmt: skip
        read = self.mined.objects.read
        rejection = reject_by_description(with_tip_author(change, read), files, read)
        if rejection is None:
            lines = size.changed_lines if size else 0
            rejection = reject_by_contents(files, lines, self.limits, read)
        if rejection is not None or size is None:
            return rejected(line, rejection or Rejection.MISSING_BLOB)
        if self.mined.incomplete and missing_objects(self.mined.git, [f"{change.base}^{{tree}}"]):
            return rejected(line, Rejection.MISSING_BLOB, "a file of the starting tree")
        frozen = freeze(change, files, self.mined)
        if isinstance(frozen, Rejection):
            return rejected(line, frozen)
        return Candidate(line, change, files, frozen, size)


def with_tip_author(change: MergedChange, read: ReadBlob) -> MergedChange:
    """A merge commit is its maintainer's; who wrote the change is the author of the merged tip."""
    if change.tip == change.merged:
        return change
    tip = read(change.tip) or b""
    author = next((row[7:] for row in tip.split(b"\n") if row.startswith(b"author ")), b"")
    name, _, email = author.decode("utf-8", "replace").partition(" <")
    return MergedChange(**{**change.__dict__, "author": name, "email": email.partition(">")[0]})


def rejected(line: HarvestLine, rejection: Rejection, detail: str = "") -> HarvestLine:
    """The line of a change that is no fixture."""
    return line.model_copy(update={"rejection": rejection, "detail": detail})


def _pretend_version(git: Git, base: str) -> str:
    """The nearest tag's version, for projects that would ask git for theirs."""
    try:
        tag = git.line("describe", "--tags", "--abbrev=0", base)
        return str(Version(tag.removeprefix("v").removeprefix("release-")))
    except (GitFailed, InvalidVersion):
        return "0.0.1"


def write_fixture(candidate: Candidate, fixture_id: str, folder: Path, proof: Proof | None) -> None:
    """Write the fixture; its record comes last, so that an unfinished fixture is never loadable."""
    change, frozen = candidate.change, candidate.frozen
    record = Fixture(
        id=fixture_id, number=change.number, title=change.title, date=change.date,
        base=change.base, merged=change.merged,
        starting_tree=frozen.starting_tree, solved_tree=frozen.solved_tree,
        source_files=_paths(candidate.files.source), test_files=_paths(candidate.files.test),
        dropped_files=_paths(candidate.files.other), rewrite_tokens=candidate.size.rewrite_tokens,
        change_fraction=candidate.size.change_fraction, symbols_version=SYMBOLS_VERSION,
        allowed=frozen.allowed, tests_inside=list(frozen.tests_inside), proof=proof,
    )  # fmt: skip
    # An older record must not stand beside newer patches for a moment.
    (folder / "fixture.yaml").unlink(missing_ok=True)
    write_atomically(folder / "change.patch", frozen.change_patch)
    write_atomically(folder / "tests.patch", frozen.tests_patch)
    write_atomically(folder / "prompt.md", prompt_text(change.title, change.body))
    write_atomically(folder / "fixture.yaml", dump_yaml(record))


def _paths(files: Iterable[object]) -> list[str]:
    return sorted({p for f in files for p in (f.path, f.old_path) if p is not None})  # type: ignore[attr-defined]
