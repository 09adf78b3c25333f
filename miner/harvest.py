"""`miner harvest`: a repository's merged changes become fixtures, or lines that say why not."""

import contextlib
import json
import shutil
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path

from packaging.version import InvalidVersion, Version
from pydantic import ValidationError

from miner import environment, interpreters, recipes, sandbox
from miner.environment import EnvironmentFailed, Ready, Workshop
from miner.errors import ToolError
from miner.fixtures import load_fixture
from miner.freeze import Frozen, LineCounts, Size, freeze, measure
from miner.git import Git, GitFailed, Objects, borrow
from miner.history import MergedChange, Unit, merged_changes, read_commits
from miner.prompt import prompt_text, slug
from miner.proof import Bench, Disproved, prove, scratch_tree
from miner.recipes.model import Recipe
from miner.record import Environment, Fixture, HarvestLine, Proof, Repository, as_data, dump_yaml, write_atomically
from miner.rejection import Rejection
from miner.screen import Limits, Split, reject_by_contents, reject_by_description, split
from miner.symbols.files import SYMBOLS_VERSION
from miner.trees import TreeStore, missing_objects, write_bundle


@dataclass(frozen=True)
class Options:
    """What `miner harvest` was asked for."""

    repo: Path
    out: Path
    name: str
    last: int = 200
    unit: Unit = Unit.PULL
    prove: bool = True
    repeats: int = 3
    timeout: float = 300
    workers: int = 2
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class Candidate:
    """A merged change that passed screening, frozen, not yet proved; `slug` is its fixture's folder."""

    slug: str
    line: HarvestLine
    change: MergedChange
    files: Split
    frozen: Frozen
    size: Size


Progress = Callable[[HarvestLine], None]


def harvest(options: Options, progress: Progress) -> list[HarvestLine]:
    """Look at the last merged changes; returns a line for each, newest first.

    Lines and fixtures are kept as they are made: an interrupted harvest goes on where it was.
    """
    scratch = Path(tempfile.mkdtemp(prefix="harvest-"))
    try:
        git, head = borrow(options.repo, scratch / "mined.git")
        changes = list(islice(merged_changes(read_commits(git, head), options.unit), options.last))
        if not changes:
            raise ToolError("no merged change found", options.repo, _remedy_for_no_change(git, head))
        folder = options.out / options.name
        _write_repository(folder, options, git, head)
        with Objects(git) as objects, contextlib.closing(LineCounts(git)) as counts:
            harvester = Harvester(options, git, objects, counts, folder, progress)
            return harvester.run(changes)
    except GitFailed as error:
        raise ToolError("git failed", options.repo, f"{error}. Check the clone with `git fsck`.") from None
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _remedy_for_no_change(git: Git, head: str) -> str:
    count = git.line("rev-list", "--count", "--first-parent", head)
    if (git.directory / "shallow").exists():
        return f"Its history is too short ({count} commits, a shallow clone): run `git fetch --unshallow`."
    return (
        f"Its history is too short, or merges in a way that is not recognised ({count} commits on the main line, "
        "none with a pull request's number): try --unit commit."
    )


def _write_repository(folder: Path, options: Options, git: Git, head: str) -> None:
    names = git.run("ls-tree", "-r", "-z", "--name-only", head).decode("utf-8", "surrogateescape").split("\0")
    recipe = recipes.detect(names)
    if recipe is None and options.prove:
        known = ", ".join(r.name for r in recipes.RECIPES)
        remedy = f"Known recipes: {known}. Use --no-prove to mine without proving."
        raise ToolError("no recipe runs this repository's tests", options.repo, remedy)
    record = Repository(name=options.name, source=str(options.repo), recipe=recipe.name if recipe else "none")
    write_atomically(folder / "repo.yaml", dump_yaml(record))


def read_lines(path: Path) -> list[HarvestLine]:
    """The lines of a harvest.jsonl; a torn last line, left by a kill, is dropped."""
    if not path.exists():
        return []
    rows = path.read_bytes().split(b"\n")
    found = []
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        try:
            found.append(HarvestLine.model_validate_json(row))
        except ValidationError:
            if number == len(rows):
                break
            raise ToolError("damaged line", f"{path}:{number}", "Delete that line and harvest again.") from None
    return found


def unique_slugs(changes: Iterable[MergedChange]) -> dict[str, str]:
    """Merged commit to folder name, `<number>-<slug>`; where two would be one, the commit tells them apart."""
    plain = {change.merged: f"{change.number}-{slug(change.title)}" for change in changes}
    often = Counter(plain.values())
    return {commit: name if often[name] == 1 else f"{name}-{commit[:10]}" for commit, name in plain.items()}


class Harvester:
    """One harvest: screens every change, proves the candidates, keeps what is done."""

    def __init__(
        self, options: Options, git: Git, objects: Objects, counts: LineCounts, folder: Path, progress: Progress
    ) -> None:
        self.options, self.git, self.objects, self.counts = options, git, objects, counts
        self.folder, self.progress = folder, progress
        self.journal = folder / "harvest.jsonl"
        self.store = TreeStore(git)
        self.incomplete = False
        self.slugs: dict[str, str] = {}
        self._lock = threading.Lock()

    def run(self, changes: list[MergedChange]) -> list[HarvestLine]:
        """Process the changes with the workers; on interruption finish what can be kept and leave."""
        done = {line.commit: line for line in read_lines(self.journal)}
        self.slugs = unique_slugs(changes)
        # Written anew at once: a line after a torn one would be lost with it.
        write_atomically(self.journal, b"".join(map(_as_json, done.values())))
        trees = {line.commit: tree for line in done.values() if (tree := self._kept_tree(line)) is not None}
        todo = [change for change in changes if self._open(done.get(change.merged))]
        # One look at all starting trees: only where something is missing is each asked for itself.
        self.incomplete = missing_objects(self.git, [f"{change.base}^{{tree}}" for change in todo])
        try:
            for line, tree in self._in_parallel(todo):
                done[line.commit] = line
                if tree is not None:
                    trees[line.commit] = tree
                self._append(line)
                self.progress(line)
        finally:
            kept = {line.commit for line in done.values() if line.fixture}
            self._finish(done, changes, [tree for commit, tree in trees.items() if commit in kept])
        return [done[change.merged] for change in changes]

    def _open(self, line: HarvestLine | None) -> bool:
        """Whether a change is still to be done: never seen, or kept without a proof that is now wanted."""
        if line is None:
            return True
        if line.fixture is None:
            return line.rejection in (Rejection.ENVIRONMENT_FAILED, Rejection.INTERNAL_ERROR)
        return (self.options.prove and not line.proved) or self._kept_tree(line) is None

    def _kept_tree(self, line: HarvestLine) -> str | None:
        """The starting tree of a fixture that an earlier run wrote, if its record is there and readable."""
        if line.fixture is None:
            return None
        try:
            return load_fixture(self.folder / line.fixture.split("/")[1]).starting_tree
        except ToolError:
            return None

    def _in_parallel(self, changes: list[MergedChange]) -> Iterator[tuple[HarvestLine, str | None]]:
        pool = ThreadPoolExecutor(max_workers=self.options.workers)
        waiting: set[Future[tuple[HarvestLine, str | None]]] = set()
        source = iter(changes)
        try:
            # A bounded number in flight keeps memory flat over long histories.
            waiting |= {pool.submit(self._process, c) for c in islice(source, 4 * self.options.workers)}
            while waiting:
                finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                for future in finished:
                    waiting |= {pool.submit(self._process, c) for c in islice(source, 1)}
                    yield future.result()
        except BaseException:
            for future in waiting:
                future.cancel()
            sandbox.stop_all()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _process(self, change: MergedChange) -> tuple[HarvestLine, str | None]:
        """Screen, freeze and prove one change; write its fixture if it is kept."""
        try:
            return self._screen_and_prove(change)
        except (ToolError, OSError):
            raise
        except Exception as error:  # one odd change must not end the harvest of all others
            line = HarvestLine(number=change.number, commit=change.merged, date=change.date, title=change.title)
            return _rejected(line, Rejection.INTERNAL_ERROR, f"{type(error).__name__}: {error}"), None

    def _screen_and_prove(self, change: MergedChange) -> tuple[HarvestLine, str | None]:
        screened = self._screen(change)
        if isinstance(screened, HarvestLine):
            return screened, None
        proof = self._prove(screened) if self.options.prove else None
        if isinstance(proof, Disproved):
            return _rejected(screened.line, proof.rejection, proof.detail), None
        self._write(screened, proof)
        kept = {"fixture": f"{self.options.name}/{screened.slug}", "proved": proof is not None}
        return screened.line.model_copy(update=kept), screened.frozen.starting_tree

    def _screen(self, change: MergedChange) -> HarvestLine | Candidate:
        files = split(change)
        size = measure(change, files, self.objects, self.counts) if files.source else None
        line = HarvestLine(
            number=change.number, commit=change.merged, date=change.date, title=change.title,
            changes_source=bool(files.source), rewrite_tokens=size.rewrite_tokens if size else None,
            change_fraction=size.change_fraction if size else None,
        )  # fmt: skip
        rejection = reject_by_description(self._with_tip_author(change), files, self.objects.read)
        if rejection is None:
            lines = size.changed_lines if size else 0
            rejection = reject_by_contents(files, lines, self.options.limits, self.objects.read)
        if rejection is not None or size is None:
            return _rejected(line, rejection or Rejection.MISSING_BLOB)
        if self.incomplete and missing_objects(self.git, [f"{change.base}^{{tree}}"]):
            return _rejected(line, Rejection.MISSING_BLOB, "a file of the starting tree")
        frozen = freeze(change, files, self.git, self.objects)
        if frozen is None:
            return _rejected(line, Rejection.UNFAITHFUL_PATCH)
        return Candidate(self.slugs[change.merged], line, change, files, frozen, size)

    def _with_tip_author(self, change: MergedChange) -> MergedChange:
        """A merge commit is its maintainer's; who wrote the change is the author of the merged tip."""
        if change.tip == change.merged:
            return change
        tip = self.objects.read(change.tip) or b""
        author = next((row[7:] for row in tip.split(b"\n") if row.startswith(b"author ")), b"")
        name, _, email = author.decode("utf-8", "replace").partition(" <")
        return MergedChange(**{**change.__dict__, "author": name, "email": email.partition(">")[0]})

    def _prove(self, candidate: Candidate) -> Proof | Disproved:
        frozen, change = candidate.frozen, candidate.change
        unsolved = self.store.patched(frozen.starting_tree, [frozen.tests_patch])
        if unsolved is None:
            return Disproved(Rejection.UNFAITHFUL_PATCH, "tests.patch does not apply alone")
        tree = scratch_tree(self.store, frozen.starting_tree)
        try:
            recipe, record, ready = self._environment(change, frozen, tree)
        except EnvironmentFailed as error:
            return Disproved(Rejection.ENVIRONMENT_FAILED, str(error))
        finally:
            shutil.rmtree(tree, ignore_errors=True)
        bench = Bench(self.store, ready, recipe, self.options.timeout)
        paths = [file.path for file in candidate.files.test if file.status != "D"]
        proved = prove(bench, paths, unsolved, frozen.solved_tree, self.options.repeats)
        if isinstance(proved, Disproved):
            return proved
        return Proof(
            command=proved.command, fail_to_pass=proved.fail_to_pass, repeats=self.options.repeats,
            seconds=proved.seconds, timeout_seconds=max(60, int(20 * proved.seconds)), environment=record,
        )  # fmt: skip

    def _environment(
        self, change: MergedChange, frozen: Frozen, tree: Path
    ) -> tuple[Recipe, Environment, Ready]:
        """The environment of the starting tree, as of the change's date; its lock is stored beside the fixtures."""
        blobs = self.store.blobs(frozen.starting_tree)
        recipe = recipes.detect(blobs)
        if recipe is None:
            raise EnvironmentFailed("no recipe fits the starting tree")
        needs = recipe.needs(blobs, lambda path: self.objects.read(blobs[path][1]) if path in blobs else None)
        when = datetime.fromisoformat(change.date).date()
        chosen = interpreters.choose(interpreters.installed(), needs.requires_python, needs.classified, when)
        if chosen is None:
            raise EnvironmentFailed(f"no installed Python satisfies requires-python {needs.requires_python}")
        workshop = Workshop(tree, self.options.name, change.date, chosen, self._pretend_version(change))
        lock = environment.resolve(workshop, needs)
        failures = []
        for install in ("editable", "path"):
            record = environment.describe(needs, lock, workshop, install)
            try:
                ready = environment.build(workshop, record, lock, needs.source_folder)
            except EnvironmentFailed as error:
                failures.append(str(error))
                continue
            with self._lock:
                write_atomically(self.folder / "locks" / f"{record.digest}.txt", lock)
            return recipe, record, ready
        raise EnvironmentFailed("; then ".join(failures))

    def _pretend_version(self, change: MergedChange) -> str | None:
        """The nearest tag's version, for projects that would ask git for theirs."""
        try:
            tag = self.git.line("describe", "--tags", "--abbrev=0", change.base)
            return str(Version(tag.removeprefix("v").removeprefix("release-")))
        except (GitFailed, InvalidVersion):
            return "0.0.1"

    def _write(self, candidate: Candidate, proof: Proof | None) -> None:
        """Write the fixture; its record comes last, so that an unfinished fixture is never loadable."""
        change, frozen, folder = candidate.change, candidate.frozen, self.folder / candidate.slug
        record = Fixture(
            id=f"{self.options.name}/{candidate.slug}", number=change.number, title=change.title, date=change.date,
            base=change.base, merged=change.merged,
            starting_tree=frozen.starting_tree, solved_tree=frozen.solved_tree,
            source_files=_paths(candidate.files.source), test_files=_paths(candidate.files.test),
            dropped_files=_paths(candidate.files.other), rewrite_tokens=candidate.size.rewrite_tokens,
            change_fraction=candidate.size.change_fraction, symbols_version=SYMBOLS_VERSION,
            allowed=frozen.allowed, proof=proof,
        )  # fmt: skip
        write_atomically(folder / "change.patch", frozen.change_patch)
        write_atomically(folder / "tests.patch", frozen.tests_patch)
        write_atomically(folder / "prompt.md", prompt_text(change.title, change.body))
        write_atomically(folder / "fixture.yaml", dump_yaml(record))

    def _append(self, line: HarvestLine) -> None:
        with self.journal.open("ab") as file:
            file.write(_as_json(line))

    def _finish(self, done: dict[str, HarvestLine], changes: list[MergedChange], trees: list[str]) -> None:
        """Put the journal in the history's order and write the bundle of all kept starting trees."""
        order = {change.merged: place for place, change in enumerate(changes)}
        lines = sorted(done.values(), key=lambda line: (order.get(line.commit, len(order)), line.number))
        write_atomically(self.journal, b"".join(map(_as_json, lines)))
        bundle = self.folder / "trees.bundle"
        if bundle.exists():
            with contextlib.suppress(GitFailed):  # trees of fixtures that this clone may no longer have
                self.git.run("fetch", "--quiet", "--no-tags", str(bundle.resolve()), "refs/trees/*:refs/trees/*")
        if trees:
            write_bundle(self.git, trees, bundle)


def _rejected(line: HarvestLine, rejection: Rejection, detail: str = "") -> HarvestLine:
    return line.model_copy(update={"rejection": rejection, "detail": detail})


def _paths(files: Iterable[object]) -> list[str]:
    return sorted({p for f in files for p in (f.path, f.old_path) if p is not None})  # type: ignore[attr-defined]


def _as_json(line: HarvestLine) -> bytes:
    return json.dumps(as_data(line), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
