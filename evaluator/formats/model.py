"""What every edit format has in common: edits, what applying them gives, and the protocol."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from evaluator.taxonomy import Detail
from miner.symbols.files import Files

NO_NEWLINE = "\\ No newline at end of file"
REGULAR_MODES = {"100644", "100755"}


Leniency = frozenset[str]  # the names of the tolerances that are admitted
STRICT: Leniency = frozenset()


@dataclass(frozen=True)
class Tolerance:
    """One documented departure from a format's specification: a step of its ladder.

    `what` says what is admitted, and of which kind of applier it is known.
    """

    name: str
    what: str


@dataclass(frozen=True)
class Edit:
    """One change that a reply asks for in one file; each format has its own kind.

    `steps` are the tolerances that it took to read it.
    """

    path: str
    steps: tuple[str, ...] = field(default=(), kw_only=True)


@dataclass(frozen=True)
class Unreadable:
    """A reply in which no edit of the format can be read. `unterminated`: it ends inside an open edit."""

    detail: Detail
    message: str
    unterminated: bool = False


@dataclass(frozen=True)
class Placement:
    """Where an anchored edit landed, and where else its anchor fits equally well.

    Places are half-open ranges, from 0, of the lines of the file before that the edit changes; an
    empty range is an insertion.
    """

    path: str
    chosen: tuple[int, int]
    others: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Applied:
    """A reply that applied whole: the new contents of every file it names (None: deleted).

    `steps` are, for every edit in its order, the tolerances that it took to read and place it; none: the
    specification to the letter.
    """

    files: Files
    placements: tuple[Placement, ...] = ()
    steps: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Sought:
    """Lines, without their ends, that an edit looked for in the file at `path`, and where it did not find them once."""

    path: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class NotApplied:
    """An edit that does not fit, so that nothing of the reply was applied.

    `message` is what a production agent would be told. `fitted` counts the edits that did fit; `sought` are the anchors
    of those that did not, as many as the message shows.
    """

    detail: Detail
    message: str
    fitted: int = 0
    sought: tuple[Sought, ...] = ()


@dataclass(frozen=True)
class CannotExpress:
    """A change that a format's grammar has no way to say, and why: its path and what stands in the way."""

    why: str


@dataclass(frozen=True)
class Tree:
    """The starting tree as an applier sees it: modes by path, and contents on demand."""

    modes: Mapping[str, str]
    read_file: Callable[[str], bytes]

    def named(self, name: str) -> list[str]:
        """The paths of the tree whose last part is `name`."""
        return self._by_name.get(name, [])

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for path in self.modes:
            found.setdefault(path.rpartition("/")[2], []).append(path)
        return found

    @cached_property
    def folders(self) -> frozenset[str]:
        """Every folder that a path of the tree goes through."""
        found: set[str] = set()
        for path in self.modes:
            while (path := path.rpartition("/")[0]) and path not in found:
                found.add(path)
        return frozenset(found)

    def read(self, path: str) -> bytes | None:
        """The contents of a regular file, or None where there is none."""
        return self.read_file(path) if self.modes.get(path) in REGULAR_MODES else None


class EditFormat(Protocol):
    """A grammar a reply must follow: it can instruct, parse, apply, and encode a known change.

    `tolerances` is its ladder, mildest first. Both reading and applying try the specification to the
    letter first, then one admitted tolerance more at a time, and record those that it took.
    """

    name: str
    tolerances: tuple[Tolerance, ...]

    def instructions(self) -> str:
        """What the model is told about the format, the last part of the prompt."""

    def parse(self, reply: str, leniency: Leniency = STRICT) -> Sequence[Edit] | Unreadable:
        """The edits of a reply, in order, at least one."""

    def apply(self, edits: Sequence[Edit], tree: Tree, leniency: Leniency = STRICT) -> Applied | NotApplied:
        """All of the edits on the tree, or none."""

    def encode(self, before: Files, after: Files) -> str | CannotExpress:
        """A reply that turns `before` into `after`; parsing and applying it gives `after` byte for byte.

        It need not know which paths the applier forbids, and file modes are in no format.
        """

    def restate(self, path: str, text: str) -> str | CannotExpress:
        """A reply that replaces a line of the file at `path` by itself; `text`, its contents, is not empty."""
