"""`miner harvest`: a repository's merged changes become fixtures, or lines that say why not."""

import contextlib
import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import TypeVar

from miner.candidate import Candidate, Screen, Sifted, contents_of_change, rejected, write_fixture
from miner.errors import ToolError
from miner.fixtures import load_fixture
from miner.git import Git, GitFailed
from miner.journal import Journal
from miner.mined import mined
from miner.parallel import in_parallel
from miner.prompt import slug
from miner.prompt.make import LeakPolicy
from miner.proof import Disproved
from miner.proving import Effort, prove_change, settings_digest
from miner.record import HarvestLine, Proof, Repository, write_atomically
from miner.rejection import Rejection
from miner.repository import Overrides, repository_record, summary
from miner.screen import Limits
from miner.sources.local import LocalSource
from miner.sources.model import MergedChange, Opened, Source, Unit
from miner.sources.sameness import without_repeats
from miner.trees import TreeStore, missing_objects, write_bundle


@dataclass(frozen=True)
class Options:
    """What `miner harvest` was asked for."""

    repo: Path | str  # a clone, or what a source is called by
    out: Path
    name: str
    last: int = 200
    unit: Unit = Unit.PULL
    prove: bool = True
    effort: Effort = field(default_factory=Effort)
    overrides: Overrides = field(default_factory=Overrides)
    workers: int = 2
    limits: Limits = field(default_factory=Limits)
    leak: LeakPolicy = LeakPolicy.CUT
    source: Source | None = None  # none: the clone at `repo`


Progress = Callable[[HarvestLine], None]
T = TypeVar("T")
_Work = tuple[MergedChange, HarvestLine | Sifted | None]  # what sifting made of a change; None: not sifted yet
_BATCH = 100  # changes whose contents are fetched at once
_MAY_CHANGE = (  # another day, or with a token
    Rejection.ENVIRONMENT_FAILED, Rejection.INTERNAL_ERROR, Rejection.MERGE_LOST, Rejection.MERGE_UNCLEAR
)  # fmt: skip


def harvest(
    options: Options, progress: Progress, announce: Callable[[str], None] = lambda _: None,
    say: Callable[[str], None] = lambda _: None,
) -> list[HarvestLine]:  # fmt: skip
    """Look at the last merged changes; returns a line for each, newest first.

    Lines and fixtures are kept as they are made: an interrupted harvest goes on where it was.
    `announce` is told what was detected before the work begins, `say` what a source is doing or waits for.
    """
    scratch = Path(tempfile.mkdtemp(prefix="harvest-"))
    try:
        opened = _open(options, scratch, say)
        git, head = opened.git, opened.head
        changes = without_repeats(git, list(islice(opened.changes, options.last)), opened.fetch)
        if not changes:
            remedy = opened.none or _remedy_for_no_change(git, head)
            raise ToolError("no merged change found", options.repo, remedy)
        folder, store = options.out / options.name, TreeStore(git)
        opened.fetch([f"{head}^{{tree}}"])  # its recipe is detected there, and most of it is in every starting tree
        repository = repository_record(folder, _new_record(options), store, head, options.overrides, options.prove)
        announce(summary(store, head, repository))
        # One look at all trees: only where something is missing is each asked for itself.
        ends = {commit for change in changes if not change.rejection for commit in (change.base, change.merged)}
        incomplete = missing_objects(git, [f"{commit}^{{tree}}" for commit in ends])
        with mined(git, incomplete, options.workers) as readers:
            screen = Screen(readers, options.limits, options.leak)
            lines = Harvester(options, screen, store, repository, folder, opened.fetch).run(changes, progress)
        opened.finished()
        return lines
    except GitFailed as error:
        raise ToolError("git failed", options.repo, f"{error}. Check the clone with `git fsck`.") from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _open(options: Options, scratch: Path, say: Callable[[str], None]) -> Opened:
    source = options.source or LocalSource(Path(options.repo), options.name, options.unit, tags=options.prove)
    return source.open(scratch, say)


def _new_record(options: Options) -> Repository:
    return Repository(name=options.name, source=str(options.repo), recipe="none")


def _remedy_for_no_change(git: Git, head: str) -> str:
    count = git.line("rev-list", "--count", "--first-parent", head)
    if (git.directory / "shallow").exists():
        return f"Its history is too short ({count} commits, a shallow clone): run `git fetch --unshallow`."
    return (
        f"Its history is too short, or merges in a way that is not recognised ({count} commits on the main line, "
        "none with a pull request's number): try --unit commit."
    )


def unique_slugs(changes: Iterable[MergedChange]) -> dict[str, str]:
    """Merged commit to folder name, `<number>-<slug>`; where two would be one, the commit tells them apart."""
    plain = {change.merged: f"{change.number}-{slug(change.title)}" for change in changes}
    often = Counter(plain.values())
    return {commit: name if often[name] == 1 else f"{name}-{commit[:10]}" for commit, name in plain.items()}


def _known(change: MergedChange) -> HarvestLine | None:
    """The line of a change that its source found to be none."""
    if change.rejection is None:
        return None
    line = HarvestLine(number=change.number, commit=change.merged, date=change.date, title=change.title)
    return rejected(line, change.rejection, change.detail)


class Harvester:
    """One harvest: screens every change, proves the candidates, keeps what is done."""

    def __init__(
        self, options: Options, screen: Screen, store: TreeStore, repository: Repository, folder: Path,
        fetch: Callable[[Collection[str]], None] = lambda _: None,
    ) -> None:  # fmt: skip
        self.options, self.screen, self.store = options, screen, store
        self.repository, self.folder, self.fetch = repository, folder, fetch
        self.slugs: dict[str, str] = {}
        self.written: dict[str, str] = {}  # fixture id to the starting tree of those written in this run
        self._lock = threading.Lock()

    def run(self, changes: list[MergedChange], progress: Progress) -> list[HarvestLine]:
        """Process the changes with the workers; on interruption keep what is finished and leave."""
        self.slugs = unique_slugs(changes)
        journal = Journal(self.folder / "harvest.jsonl")
        todo = [change for change in changes if self._open(journal.lines.get(change.merged))]
        try:
            for line in in_parallel(self._process, self._sifted(todo), self.options.workers):
                journal.add(line)
                progress(line)
        finally:
            journal.put_in_order([change.merged for change in changes])
            self._write_bundle(journal)
        return [journal.lines[change.merged] for change in changes]

    def _open(self, line: HarvestLine | None) -> bool:
        """Whether a change is still to be done: never seen, or kept without a proof that is now wanted."""
        if line is None:
            return True
        if line.rejection in _MAY_CHANGE:
            return True
        if line.rejection is Rejection.PROMPT_LEAKS:
            return self.options.leak is not LeakPolicy.REJECT
        if line.fixture is None:  # other settings may prove what these could not
            return self.options.prove and line.settings not in ("", settings_digest(self.repository))
        return (self.options.prove and not line.proved) or self._kept_tree(line) is None

    def _kept_tree(self, line: HarvestLine) -> str | None:
        """The starting tree of a fixture that was written, if its record is there and readable."""
        if line.fixture is None:
            return None
        if line.fixture in self.written:
            return self.written[line.fixture]
        try:
            return load_fixture(self.folder / line.fixture.split("/")[1]).starting_tree
        except ToolError:
            return None

    def _sifted(self, todo: list[MergedChange]) -> Iterator[_Work]:
        """The changes; where contents are missing, sifted already, and what each batch lacks is fetched at once."""
        if not self.screen.mined.incomplete:
            yield from ((change, None) for change in todo)
            return
        for start in range(0, len(todo), _BATCH):
            batch = todo[start : start + _BATCH]
            self.fetch(set().union(*map(contents_of_change, batch)))
            work = list(in_parallel(self._sift, batch, self.options.workers))
            passed = [change for change, sifted in work if isinstance(sifted, Sifted)]
            self.fetch({tree for change in passed if (tree := self.screen.mined.tree_of(change.base)) is not None})
            yield from work

    def _sift(self, change: MergedChange) -> _Work:
        return change, self._guarded(change, lambda: _known(change) or self.screen.sift(change))

    def _process(self, work: _Work) -> HarvestLine:
        """Screen, freeze and prove one change; write its fixture if it is kept."""
        change, sifted = work
        return self._guarded(change, lambda: self._outcome(sifted or _known(change) or self.screen.sift(change)))

    def _outcome(self, sifted: HarvestLine | Sifted) -> HarvestLine:
        screened = sifted if isinstance(sifted, HarvestLine) else self.screen.freeze(sifted)
        return screened if isinstance(screened, HarvestLine) else self._keep_or_reject(screened)

    def _guarded(self, change: MergedChange, step: Callable[[], T]) -> T | HarvestLine:
        try:
            return step()
        except (ToolError, OSError):
            raise
        except Exception as error:  # one odd change must not end the harvest of all others
            line = HarvestLine(number=change.number, commit=change.merged, date=change.date, title=change.title)
            return rejected(line, Rejection.INTERNAL_ERROR, f"{type(error).__name__}: {error}")

    def _keep_or_reject(self, candidate: Candidate) -> HarvestLine:
        name = self.slugs[candidate.change.merged]
        fixture_id = f"{self.options.name}/{name}"
        proof: Proof | Disproved | None = None
        times: list[float] = []
        if self.options.prove:
            change = candidate.to_prove(fixture_id, self.screen.mined.git)
            proof = prove_change(change, self.store, self.repository, self.options.effort, self._store_lock, times)
        line = candidate.line.model_copy(update=self._told(times))
        if isinstance(proof, Disproved):
            (self.folder / name / "fixture.yaml").unlink(missing_ok=True)  # one kept without proof, say
            return rejected(line, proof.rejection, proof.detail)
        write_fixture(candidate, fixture_id, self.folder / name, proof)
        self.written[fixture_id] = candidate.frozen.starting_tree
        return line.model_copy(update={"fixture": fixture_id, "proved": proof is not None})

    def _told(self, times: list[float]) -> dict[str, object]:
        """What a line says of the proof that was tried."""
        tried = settings_digest(self.repository) if self.options.prove else ""
        return {"test_seconds": round(sum(times), 2), "settings": tried}

    def _store_lock(self, digest: str, text: str) -> None:
        with self._lock:
            write_atomically(self.folder / "locks" / f"{digest}.txt", text)

    def _write_bundle(self, journal: Journal) -> None:
        """The bundle of all kept starting trees, those of earlier harvests included."""
        bundle = self.folder / "trees.bundle"
        git = self.store.git
        if bundle.exists():
            with contextlib.suppress(GitFailed):  # trees of fixtures that this clone may no longer have
                git.run("fetch", "--quiet", "--no-tags", str(bundle.resolve()), "refs/trees/*:refs/trees/*")
        trees = [tree for line in journal.lines.values() if (tree := self._kept_tree(line)) is not None]
        if trees:
            write_bundle(git, trees, bundle)
