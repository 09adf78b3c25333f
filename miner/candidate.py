"""One merged change on its way to a fixture: screened, frozen, written."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from packaging.version import InvalidVersion, Version

from miner.authors import author_digest
from miner.errors import ToolError
from miner.fixtures import load_fixture
from miner.freeze import Size, freeze, measure
from miner.frozen import Frozen, contents_of, side_of
from miner.git import Git, GitFailed
from miner.kind import kind_of
from miner.mined import Mined
from miner.prompt.make import LeakPolicy, Prompt, make_prompt
from miner.prompt.note import digest_of
from miner.proving import Change
from miner.record import Fixture, HarvestLine, Proof, dump_yaml, write_atomically
from miner.rejection import Rejection
from miner.screen import Limits, ReadBlob, Split, reject_by_contents, reject_by_description, split
from miner.sources.commits import parse_commit
from miner.sources.model import MergedChange
from miner.symbols.files import SYMBOLS_VERSION, text_of
from miner.trees import missing_objects


@dataclass(frozen=True)
class Candidate:
    """A merged change that passed screening, frozen, not yet proved."""

    line: HarvestLine
    change: MergedChange
    files: Split
    frozen: Frozen
    size: Size
    prompt: Prompt

    def to_prove(self, fixture_id: str, git: Git) -> Change:
        """What is to be proved of it."""
        frozen = self.frozen
        present = [file.path for file in self.files.test if file.status != "D"] + list(frozen.tests_inside)
        return Change(
            fixture_id, self.change.date, frozen.starting_tree, frozen.solved_tree, frozen.change_patch,
            frozen.tests_patch, present, _pretend_version(git, self.change.base),
        )  # fmt: skip


@dataclass(frozen=True)
class Sifted:
    """A merged change that nothing in its own files speaks against; its starting tree was not looked at."""

    line: HarvestLine
    change: MergedChange
    files: Split
    size: Size


@dataclass(frozen=True)
class Screen:
    """Screens merged changes of one repository."""

    mined: Mined
    limits: Limits
    leak: LeakPolicy = LeakPolicy.CUT

    def sift(self, change: MergedChange) -> HarvestLine | Sifted:
        """What passes by its own files, or the line that says why it does not; `contents_of_change` are needed."""
        files = _files_of(change)
        size = measure(change, files, self.mined) if files.source else None
        line = HarvestLine(
            number=change.number, commit=change.merged, date=change.date, title=change.title,
            changes_source=bool(files.source), rewrite_tokens=size.rewrite_tokens if size else None,
            change_fraction=size.change_fraction if size else None,
        )  # fmt: skip
        if change.rejection is not None:
            return rejected(line, change.rejection, change.detail)
        read = self.mined.objects.read
        written = with_tip_author(change, read)
        line = line.model_copy(update={"author": author_digest(written.author, written.email)})
        rejection = reject_by_description(written, files, read)
        if rejection is None:
            lines = size.changed_lines if size else 0
            rejection = reject_by_contents(files, lines, self.limits, read)
        if rejection is not None or size is None:
            return rejected(line, rejection or Rejection.MISSING_BLOB)
        return Sifted(line, change, files, size)

    def freeze(self, sifted: Sifted) -> HarvestLine | Candidate:
        """The candidate that a sifted change becomes; the contents of its starting tree are needed."""
        change, files = sifted.change, sifted.files
        if self.mined.incomplete and missing_objects(self.mined.git, [f"{change.base}^{{tree}}"]):
            return rejected(sifted.line, Rejection.MISSING_BLOB, "a file of the starting tree")
        frozen = freeze(change, files, self.mined)
        if isinstance(frozen, Rejection):
            return rejected(sifted.line, frozen)
        prompt = make_prompt(change, frozen.change_patch, lambda: self._texts_before(files), self.leak)
        line = sifted.line.model_copy(update={"thin": prompt.note.thin, "leak": prompt.note.leak})
        if prompt.answers and self.leak is LeakPolicy.REJECT:
            return rejected(line, Rejection.PROMPT_LEAKS, f"{prompt.note.leak:.0%} of the new code stands in it")
        return Candidate(line, change, files, frozen, sifted.size, prompt)

    def _texts_before(self, files: Split) -> list[str]:
        before = contents_of(side_of(files.source, old=True), self.mined.objects)
        return [text_of(content) for content in before.values() if content is not None]


def with_tip_author(change: MergedChange, read: ReadBlob) -> MergedChange:
    """A merge commit is its maintainer's; who wrote the change is the author of the merged tip."""
    if change.tip == change.merged:
        return change
    raw = read(change.tip)
    if raw is None:
        return change
    written = parse_commit(change.tip, raw)
    return replace(change, author=written.author, email=written.email)


def contents_of_change(change: MergedChange) -> set[str]:
    """The ids of the blobs that sifting a change reads: none where it changes no source file."""
    return set().union(*(file.blobs for file in change.files)) if _files_of(change).source else set()


def _files_of(change: MergedChange) -> Split:
    """Its files by role; none of what merges one long-lived branch into another: what it brings in counts itself."""
    return Split((), (), ()) if change.rejection is Rejection.MERGE_UP else split(change)


def bare_line(change: MergedChange) -> HarvestLine:
    """The line of a change of which no more is known than its source says."""
    return HarvestLine(number=change.number, commit=change.merged, date=change.date, title=change.title)


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
        allowed=frozen.allowed, tests_inside=list(frozen.tests_inside), proof=proof, prompt=candidate.prompt.note,
        author=candidate.line.author,
        kind=kind_of(change.title, change.labels, frozen.change_patch, b"\n+" in frozen.tests_patch),
    )  # fmt: skip
    edited = _edited_prompt(folder)
    # An older record must not stand beside newer patches for a moment.
    (folder / "fixture.yaml").unlink(missing_ok=True)
    write_atomically(folder / "change.patch", frozen.change_patch)
    write_atomically(folder / "tests.patch", frozen.tests_patch)
    write_atomically(folder / "prompt.md", candidate.prompt.text if edited is None else edited)
    write_atomically(folder / "fixture.yaml", dump_yaml(record))


def _edited_prompt(folder: Path) -> bytes | None:
    """A prompt that somebody edited after it was written: a later harvest leaves it as it is."""
    try:
        note, text = load_fixture(folder).prompt, (folder / "prompt.md").read_bytes()
    except (ToolError, OSError):
        return None
    return text if note is not None and digest_of(text) != note.digest else None


def _paths(files: Iterable[object]) -> list[str]:
    return sorted({p for f in files for p in (f.path, f.old_path) if p is not None})  # type: ignore[attr-defined]
