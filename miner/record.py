"""The files of a fixture set on disk: their schemas, validated on load and written atomically."""

import errno
import os
import re
import stat
import tempfile
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from miner.errors import ToolError
from miner.kind import Kind
from miner.prompt.removal import Removal
from miner.rejection import BY_PROOF, Rejection
from miner.text import to_bytes

NAME = r"[a-z0-9][a-z0-9._-]{0,79}"
FIXTURE_ID = re.compile(rf"({NAME})/({NAME})\Z")

ObjectId = Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{40}|[0-9a-f]{64})$")]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{20}$")]
Identifier = Annotated[str, StringConstraints(pattern=rf"^{NAME}/{NAME}$")]
Author = Annotated[str, StringConstraints(pattern=r"^(?:[0-9a-f]{10})?$")]  # a digest (miner.authors); empty: not known


def _inside_the_tree(path: str) -> str:
    parts = path.split("/")
    if path.startswith("/") or "\0" in path or any(part in ("", "..") or part == "." != path for part in parts):
        raise ValueError(f"{path!r} is no path inside a tree")
    return path


TreePath = Annotated[str, AfterValidator(_inside_the_tree)]  # `/` separated, relative: sets can come from strangers


def _with_a_zone(date: str) -> str:
    if datetime.fromisoformat(date).tzinfo is None:
        raise ValueError(f"{date!r} has no time zone")
    return date


Moment = Annotated[str, AfterValidator(_with_a_zone)]  # ISO 8601


def _without_nul(text: str) -> str:
    if "\0" in text:
        raise ValueError("a NUL character in what is to be run")
    return text


Word = Annotated[str, AfterValidator(_without_nul)]
Variable = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]


class Record(BaseModel):
    """A file's contents: unknown fields are refused, values never change after loading."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Environment(Record):
    """What determines an environment: toolchain, lock (a file in `locks/`, named by the digest) and variant.

    `source` is what the lock was resolved from; `fallbacks` what had to be tried before it worked;
    `undated` says that a package may be newer than the merge date; `days_later` that the packages are those of
    so many days after it, because the date's own did not do.
    """

    digest: Digest
    recipe: str
    toolchain: str
    variant: str
    source: str = ""
    fallbacks: list[str] = []
    undated: bool = False
    days_later: int = Field(default=0, ge=0, le=3660)
    pretend_version: str | None = None


class Strength(Record):
    """What the tests notice: hunks of the change set left out one at a time, and those that no test missed."""

    hunks: int = Field(ge=1)
    unnoticed: list[str]  # `path:line`, the hunk's first line in the solved tree

    @property
    def share(self) -> float:
        """The share of hunks whose absence the tests notice."""
        return 1 - len(self.unnoticed) / self.hunks


class Proof(Record):
    """How the fixture's tests were proved: failing on the starting tree with tests, passing when solved.

    `fail_to_pass` failed every time before and passed every time after, `pass_to_pass` passed every time
    on both sides; `collected_after` could not even be collected before and is not what the change touched.
    The command names these and must pass them all. `flaky` tests are in no list. With `regression` full,
    `pass_to_pass` is of the whole suite.
    """

    command: list[Word] = Field(min_length=1)
    fail_to_pass: list[str] = Field(min_length=1)
    pass_to_pass: list[str] = []
    collected_after: list[str] = []
    collects_only_after: bool = False
    flaky: list[str] = []
    regression: Literal["files", "full"] = "files"
    strength: Strength | None = None
    repeats: int = Field(ge=1)
    timeout_seconds: int = Field(ge=1)
    seconds: float  # one run of the command on the solved tree
    environment: Environment

    @property
    def required(self) -> list[str]:
        """Every test that must pass."""
        return [*self.fail_to_pass, *self.collected_after, *self.pass_to_pass]


class Impossible(Record):
    """What makes a task impossible: the change set's files are `withheld` from the tree and from what is shown.

    `of` is the possible fixture that it was made from; `shown` are files of the tree shown in their place. Without
    what is withheld, the tests of `proof` failed `repeats` times with the rest of the change set, and as often
    without any of it.
    """

    of: Identifier
    withheld: list[TreePath] = Field(min_length=1)
    shown: list[TreePath] = Field(min_length=1)
    repeats: int = Field(ge=1)


class PromptNote(Record):
    """How prompt.md came to be: `digest` is of the text that was written, so that one that was edited is noticed.

    `leak` is the share of the change set's new tokens that stood in it, `longest` the longest run of them, both before
    anything was cut; `cut` the number of runs that were cut out. `thin`: it says too little to act on.
    """

    digest: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    cleaned: list[Removal] = []
    leak: float = Field(default=0, ge=0, le=1)
    longest: int = Field(default=0, ge=0)
    cut: int = Field(default=0, ge=0)
    thin: bool = False


class Fixture(Record):
    """One task with its ground truth (fixture.yaml). `proof` is null where proving was skipped.

    `tests_inside` are the source files with tests inside that the change touches: tests.patch has those tests.
    """

    schema_: Literal[1] = Field(default=1, alias="schema")
    id: Identifier
    number: str
    title: str
    date: Moment
    base: ObjectId
    merged: ObjectId
    starting_tree: ObjectId
    solved_tree: ObjectId
    source_files: list[TreePath]
    test_files: list[TreePath]
    dropped_files: list[TreePath]
    rewrite_tokens: int
    change_fraction: float
    symbols_version: int
    allowed: dict[TreePath, list[str]]
    tests_inside: list[TreePath] = []
    impossible: Impossible | None = None
    kind: Kind = Kind.UNKNOWN
    prompt: PromptNote | None = None  # of the description; none in records that are older than it
    author: Author = ""
    proof: Proof | None = None

    @model_validator(mode="after")
    def _withholds_its_own(self) -> "Fixture":
        """An impossible task withholds files of the change set, and shows none of it."""
        if self.impossible is not None:
            own, said = set(self.source_files), self.impossible
            if strange := sorted(set(said.withheld) - own):
                raise ValueError(f"impossible: {strange[0]} is withheld and no file of the change set")
            if answers := sorted(own.intersection(said.shown)):
                raise ValueError(f"impossible: {answers[0]} is shown and a file of the change set")
            if said.of == self.id:
                raise ValueError("impossible: it is made of itself")
        return self


class Repository(Record):
    """A mined repository (repo.yaml): its recipe, and what its owner says about building and testing it.

    Written by the first harvest, then the owner's to edit: `cwd` is the sub-project, `python` the
    interpreter's version, `setup` commands after the recipe's build, `test` the command in place of the
    recipe's, `env` variables for both.
    """

    schema_: Literal[1] = Field(default=1, alias="schema")
    name: Annotated[str, StringConstraints(pattern=rf"^{NAME}$")]
    source: str
    recipe: str
    cwd: TreePath = "."
    python: str = ""
    setup: list[Word] = []
    test: list[Word] = []
    env: dict[Variable, Word] = {}


class HarvestLine(Record):
    """One merged change that was looked at: kept as `fixture`, or the rejection and why.

    With neither it passed screening and its proof was put off (`--want`): whatever asks for it next does it, and
    no share of what proves true counts it. The sizes are of every change of source files that could be read,
    rejected or not: they are the history's natural mix.
    """

    schema_: Literal[1] = Field(default=1, alias="schema")
    number: str
    commit: ObjectId
    date: str
    title: str
    fixture: Identifier | None = None
    proved: bool = False
    rejection: Rejection | None = None
    detail: str = ""
    changes_source: bool = False
    rewrite_tokens: int | None = None
    change_fraction: float | None = None
    settings: str = ""  # a digest of the recipe and settings that the proof was tried with
    test_seconds: float = 0  # what the test commands of its proof took in all
    thin: bool = False  # its prompt says too little to act on
    leak: float = 0  # the share of the new code that stood in its prompt
    author: Author = ""

    @property
    def is_candidate(self) -> bool:
        """Whether it passed screening, whatever a proof said then."""
        return self.rejection is None or self.rejection in BY_PROOF

    @property
    def was_tried(self) -> bool:
        """Whether a proof of it was tried."""
        return self.proved or self.rejection in BY_PROOF


R = TypeVar("R", bound=Record)


def read_plain(path: Path) -> bytes:
    """The bytes of a regular file of a set; raises `OSError` for anything else.

    Sets can come from strangers: a link could name a private file, and a FIFO is waited for without end.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Not a regular file")
        return file.read()


def load_yaml(path: Path, kind: type[R], remedy: str, checked: Callable[[bytes], bytes] = bytes) -> R:
    """The record in the YAML file at `path`, in what `checked` makes of its bytes; raises `ToolError` naming what is
    wrong with it.
    """
    name = kind.__name__.removesuffix("File").lower()
    try:
        data = yaml.load(checked(read_plain(path)), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        return kind.model_validate(data)
    except OSError as error:
        raise ToolError(f"cannot read the {name}", path, f"{error.strerror}. {remedy}") from None
    except (yaml.YAMLError, ValueError) as error:  # ValueError also where YAML reads `2001-99-99` as a date
        raise ToolError(f"unreadable {name}", path, f"{first_problem(error)}. {remedy}") from None


def first_problem(error: Exception) -> str:
    """One line that says what a YAML or validation error found."""
    if isinstance(error, ValidationError):
        problem = error.errors()[0]
        where = ".".join(str(part) for part in problem["loc"])
        return f"{where}: {problem['msg']}" if where else str(problem["msg"])
    return " ".join(str(error).split())


def as_data(record: Record) -> dict[str, Any]:
    """The record as plain data, fields in their declared order."""
    return record.model_dump(mode="json", by_alias=True)


def dump_yaml(record: Record) -> str:
    """The record as YAML."""
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    return str(yaml.dump(as_data(record), Dumper=dumper, sort_keys=False, allow_unicode=True, width=110))


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file so that it is either the old one or the new one, whole, whatever happens."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = to_bytes(content) if isinstance(content, str) else content
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, 0o644)  # noqa: PTH101 - mkstemp makes private files
        os.replace(name, path)  # noqa: PTH105
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
