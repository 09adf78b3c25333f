"""`miner harvest`: a repository's merged changes become fixtures, or lines that say why not."""

import contextlib
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from miner.asked import Options, chosen_of, opening
from miner.candidate import Candidate, Screen, rejected, write_fixture
from miner.errors import ToolError
from miner.fixtures import load_fixture
from miner.git import GitFailed
from miner.history_file import HistoryFile, length_of, write_history
from miner.journal import Journal
from miner.mined import mined
from miner.parallel import in_parallel
from miner.prompt import slug
from miner.prompt.make import LeakPolicy
from miner.proof import Disproved
from miner.proving import prove_change, settings_digest
from miner.record import HarvestLine, Proof, Repository, write_atomically
from miner.rejection import BY_PROOF, Rejection
from miner.repository import repository_record, summary
from miner.sifting import Sifter, Work, guarded
from miner.sources.model import MergedChange
from miner.sources.sameness import without_repeats
from miner.trees import TreeStore, missing_objects, write_bundle

Progress = Callable[[HarvestLine], None]
_MAY_CHANGE = (  # another day, or with a token
    Rejection.ENVIRONMENT_FAILED, Rejection.INTERNAL_ERROR, Rejection.MERGE_LOST, Rejection.MERGE_UNCLEAR
)  # fmt: skip
_SAID_EVERY = 500


def harvest(
    options: Options, progress: Progress, announce: Callable[[str], None] = lambda _: None,
    say: Callable[[str], None] = lambda _: None, begin: Callable[[int], None] = lambda _: None,
) -> list[HarvestLine]:  # fmt: skip
    """Look at the last merged changes that are wanted; returns a line for each, newest first.

    Lines and fixtures are kept as they are made: an interrupted harvest goes on where it was.
    `announce` is told what was detected before the work begins, `say` what a source is doing or waits for,
    `begin` how many lines `progress` will be told.
    """
    with opening(options, say) as opened:
        git, head = opened.git, opened.head
        chosen = chosen_of(opened, options)
        length = length_of(opened, len(chosen.changes) + chosen.passed_over, chosen.ended)
        changes = without_repeats(git, chosen.changes, opened.fetch)
        if chosen.passed_over:
            announce(f"{chosen.passed_over} looked at and passed over by {', '.join(options.wanted.options())}.")
        folder, store = options.out / options.name, TreeStore(git)
        opened.fetch([f"{head}^{{tree}}"])  # its recipe is detected there, and most of it is in every starting tree
        repository = repository_record(folder, _new_record(options), store, head, options.overrides, options.prove)
        if length is not None:
            length -= len(chosen.changes) - len(changes)
        write_history(folder, HistoryFile(source=str(options.repo), unit=options.unit, branch=options.branch or "",
                                          merged_changes=length))  # fmt: skip
        announce(summary(store, head, repository))
        # One look at all trees: only where something is missing is each asked for itself.
        ends = {commit for change in changes if not change.rejection for commit in (change.base, change.merged)}
        incomplete = missing_objects(git, [f"{commit}^{{tree}}" for commit in ends])
        with mined(git, incomplete, options.workers) as readers:
            sifter = Sifter(Screen(readers, options.limits, options.leak), opened.fetch, options.workers)
            lines = Harvester(options, sifter, store, repository, folder).run(changes, progress, say, begin)
        opened.finished()
        return lines


def _new_record(options: Options) -> Repository:
    return Repository(name=options.name, source=str(options.repo), recipe="none")


def unique_slugs(changes: Iterable[MergedChange]) -> dict[str, str]:
    """Merged commit to folder name, `<number>-<slug>`; where two would be one, the commit tells them apart."""
    plain = {change.merged: f"{change.number}-{slug(change.title)}" for change in changes}
    often = Counter(plain.values())
    return {commit: name if often[name] == 1 else f"{name}-{commit[:10]}" for commit, name in plain.items()}


class Harvester:
    """One harvest: screens every change, proves the candidates, keeps what is done."""

    def __init__(
        self, options: Options, sifter: Sifter, store: TreeStore, repository: Repository, folder: Path
    ) -> None:
        self.options, self.sifter, self.store = options, sifter, store
        self.repository, self.folder = repository, folder
        self.slugs: dict[str, str] = {}
        self.written: dict[str, str] = {}  # fixture id to the starting tree of those written in this run
        self._lock = threading.Lock()

    def run(
        self, changes: list[MergedChange], progress: Progress, say: Callable[[str], None],
        begin: Callable[[int], None],
    ) -> list[HarvestLine]:  # fmt: skip
        """Process the changes with the workers; on interruption keep what is finished and leave."""
        self.slugs = unique_slugs(changes)
        journal = Journal(self.folder / "harvest.jsonl")
        try:
            wanted = self._rare_first(changes, journal, say) if self.options.rare else changes
            todo = [change for change in wanted if self._open(journal.lines.get(change.merged))]
            begin(len(todo))
            for line in in_parallel(self._process, self.sifter.batches(todo), self.options.workers):
                journal.add(line)
                progress(line)
        finally:
            journal.put_in_order([change.merged for change in changes])
            self._write_bundle(journal)
        return [journal.lines[change.merged] for change in changes]

    def _rare_first(
        self, changes: Sequence[MergedChange], journal: Journal, say: Callable[[str], None]
    ) -> list[MergedChange]:
        """Screen whatever was never seen, proving nothing; returns the candidates to keep, rare strata first."""
        assert self.options.rare is not None
        unseen = [change for change in changes if self._unscreened(journal.lines.get(change.merged))]
        screened = in_parallel(self._look, self.sifter.batches(unseen), self.options.workers)
        for count, line in enumerate(screened, 1):
            journal.add(line)
            if count % _SAID_EVERY == 0:
                say(f"{count} of {len(unseen)} merged changes screened")
        by_commit = {change.merged: change for change in changes}
        first = self.options.rare.first([journal.lines[commit] for commit in by_commit], self.options.last)
        return [by_commit[line.commit] for line in first]

    def _unscreened(self, line: HarvestLine | None) -> bool:
        """Whether it is not known what screening says of a change."""
        if line is None or (line.rejection in _MAY_CHANGE and line.rejection not in BY_PROOF):
            return True
        return line.rejection is Rejection.PROMPT_LEAKS and self.options.leak is not LeakPolicy.REJECT

    def _open(self, line: HarvestLine | None) -> bool:
        """Whether a change is still to be done: never seen, put off, or kept without a proof that is now wanted."""
        if line is None or (line.fixture is None and line.rejection is None):
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

    def _process(self, work: Work) -> HarvestLine:
        """Screen, freeze and prove one change; write its fixture if it is kept."""
        return self._frozen(work, self._keep_or_reject)

    def _look(self, work: Work) -> HarvestLine:
        """Screen and freeze one change; nothing of it is kept but the line, its proof is put off."""
        return self._frozen(work, lambda candidate: candidate.line)

    def _frozen(self, work: Work, go_on: Callable[[Candidate], HarvestLine]) -> HarvestLine:
        sifted = self.sifter.sift(work) if isinstance(work, MergedChange) else work
        if isinstance(sifted, HarvestLine):
            return sifted

        def rest() -> HarvestLine:
            candidate = self.sifter.screen.freeze(sifted)
            return candidate if isinstance(candidate, HarvestLine) else go_on(candidate)

        return guarded(sifted.line, rest)

    def _keep_or_reject(self, candidate: Candidate) -> HarvestLine:
        name = self.slugs[candidate.change.merged]
        fixture_id = f"{self.options.name}/{name}"
        proof: Proof | Disproved | None = None
        times: list[float] = []
        if self.options.prove:
            change = candidate.to_prove(fixture_id, self.sifter.screen.mined.git)
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
