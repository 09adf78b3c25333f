"""Fixtures as they are used: loaded, checked against their trees, and materialised."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from miner.errors import ToolError
from miner.prompt.note import digest_of
from miner.record import FIXTURE_ID, Fixture, Impossible, Repository, load_yaml, read_plain
from miner.symbols.files import SYMBOLS_VERSION, Files, allowed_by
from miner.trees import TreeStore, open_bundle

_AGAIN = "Harvest the repository again, or restore the file"


def load_fixture(folder: Path) -> Fixture:
    """The record of the fixture in `folder`; raises `ToolError` where it cannot be read."""
    return load_yaml(folder / "fixture.yaml", Fixture, f"{_AGAIN}.")


@dataclass(frozen=True)
class Task:
    """A fixture with its files: everything an evaluation needs, read on demand."""

    folder: Path
    fixture: Fixture
    repository: Repository
    store: TreeStore

    @property
    def id(self) -> str:
        """The fixture's id, `<repo>/<number>-<slug>`."""
        return self.fixture.id

    @cached_property
    def prompt(self) -> str:
        """The task as the model sees it."""
        return self._read("prompt.md").decode("utf-8", "replace")

    @cached_property
    def prompt_digest(self) -> str:
        """The digest of the prompt as it stands."""
        return digest_of(self._read("prompt.md"))

    @property
    def prompt_edited(self) -> bool:
        """Whether somebody edited the prompt after the harvest wrote it; unknown, so no, in older records."""
        note = self.fixture.prompt
        return note is not None and note.digest != self.prompt_digest

    @cached_property
    def change_patch(self) -> bytes:
        """The ground-truth change set."""
        return self._read("change.patch")

    @cached_property
    def tests_patch(self) -> bytes:
        """The tests' diff."""
        return self._read("tests.patch")

    @cached_property
    def solved_tree(self) -> str:
        """The solved tree, rebuilt from the starting tree and the patches, and checked against the record."""
        tree = self.store.patched(self.fixture.starting_tree, [self.tests_patch, self.change_patch])
        if tree != self.fixture.solved_tree:
            what = "a patch no longer rebuilds the solved tree"
            raise ToolError(what, self.folder, f"{_AGAIN} (change.patch, tests.patch) that was edited.")
        return tree

    @cached_property
    def before(self) -> Files:
        """The change set's files in the starting tree."""
        return self.store.read(self.fixture.starting_tree, self.fixture.source_files)

    @cached_property
    def after(self) -> Files:
        """The change set's files in the solved tree."""
        return self.store.read(self.solved_tree, self.fixture.source_files)

    @property
    def impossible(self) -> bool:
        """Whether the right answer is to say that the task cannot be done."""
        return self.fixture.impossible is not None

    @property
    def withheld(self) -> tuple[str, ...]:
        """The files of the starting tree that an impossible task withholds; none where it is possible."""
        return tuple(self.fixture.impossible.withheld) if self.fixture.impossible else ()

    @cached_property
    def shown(self) -> Files:
        """The files of the starting tree that the prompt shows; None for those that the change set adds."""
        if self.fixture.impossible is None:
            return self.before
        return self.store.read(self.fixture.starting_tree, self.fixture.impossible.shown)

    @cached_property
    def tests(self) -> Files:
        """The fixture's test files in the solved tree."""
        return self.store.read(self.solved_tree, self.fixture.test_files)

    @cached_property
    def allowed(self) -> dict[str, list[str]]:
        """The allowed symbols, computed again where the record was made by another version of the rules."""
        if self.fixture.symbols_version == SYMBOLS_VERSION:
            return self.fixture.allowed
        return allowed_by(self.before, self.after)

    @property
    def lock(self) -> str:
        """The pinned packages that proved the fixture."""
        assert self.fixture.proof is not None
        path = self.folder.parent / "locks" / f"{self.fixture.proof.environment.digest}.txt"
        try:
            return read_plain(path).decode()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "It is no text"
            raise ToolError("cannot read the lock", path, f"{why}. {_AGAIN}.") from None

    def _read(self, name: str) -> bytes:
        path = self.folder / name
        try:
            return read_plain(path)
        except OSError as error:
            raise ToolError("cannot read the fixture", path, f"{error.strerror}. {_AGAIN}.") from None


def _check_withheld(folder: Path, fixture: Fixture, impossible: Impossible, store: TreeStore) -> None:
    """Raise `ToolError` where an impossible task shows what is not there, or withholds not just what it must."""
    there = store.blobs(fixture.starting_tree)
    remedy = "Delete the folder and make it again: `miner impossible`."
    if absent := sorted({*impossible.withheld, *impossible.shown} - there.keys()):
        raise ToolError("an impossible task names a file that its tree does not have", folder, f"{absent[0]}. {remedy}")
    if kept := sorted(there.keys() & set(fixture.source_files) - set(impossible.withheld)):
        raise ToolError("an impossible task keeps a file of its change set", folder, f"{kept[0]}. {remedy}")


class FixtureFolder:
    """A `fixtures/` folder: its repositories, opened once each."""

    def __init__(self, root: Path) -> None:
        if not root.is_dir():
            raise ToolError("no such fixtures folder", root, "Run `miner harvest --repo REPO` first.")
        self.root = root
        self._repositories: dict[str, tuple[Repository, TreeStore]] = {}

    def ids(self) -> list[str]:
        """The id of every fixture, as its folder gives it, sorted; nothing is read."""
        return sorted("/".join(path.parts[-3:-1]) for path in self.root.glob("*/*/fixture.yaml"))

    def records(self) -> list[Fixture]:
        """Every fixture's record, sorted by id."""
        folders = sorted(path.parent for path in self.root.glob("*/*/fixture.yaml"))
        return [load_fixture(folder) for folder in folders]

    def task(self, fixture_id: str) -> Task:
        """The fixture of that id, checked to be what it says and to have its starting tree."""
        match = FIXTURE_ID.match(fixture_id)
        if match is None:
            raise ToolError("no fixture id", fixture_id, "An id reads `<repo>/<number>-<slug>`.")
        repository, store = self._repository(match[1])
        folder = self.root / match[1] / match[2]
        fixture = load_fixture(folder)
        if fixture.id != fixture_id:
            raise ToolError("the fixture's id is not its folder's", folder, f"It says {fixture.id}.")
        if fixture.starting_tree not in store.trees:
            remedy = "Harvest the repository again: an unfinished harvest goes on where it was."
            raise ToolError("the starting tree is not in trees.bundle", folder, remedy)
        if fixture.impossible is not None:
            _check_withheld(folder, fixture, fixture.impossible, store)
        return Task(folder, fixture, repository, store)

    def _repository(self, name: str) -> tuple[Repository, TreeStore]:
        if name not in self._repositories:
            record = load_yaml(self.root / name / "repo.yaml", Repository, f"{_AGAIN}.")
            self._repositories[name] = record, open_bundle(self.root / name / "trees.bundle")
        return self._repositories[name]
