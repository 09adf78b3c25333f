"""A format under another name, so that one format can stand twice in a run."""

from collections.abc import Sequence

from evaluator.formats.model import (
    STRICT,
    Applied,
    CannotExpress,
    Edit,
    EditFormat,
    Leniency,
    NotApplied,
    Tree,
    Unreadable,
)
from miner.symbols.files import Files

ENDINGS = ("-1", "-2")  # of the two names of a format that is compared with itself


class Renamed:
    """`format` in all but its name."""

    def __init__(self, fmt: EditFormat, name: str) -> None:
        self.format, self.name = fmt, name
        self.tolerances = fmt.tolerances

    def instructions(self) -> str:
        """As the format's."""
        return self.format.instructions()

    def parse(self, reply: str, leniency: Leniency = STRICT) -> Sequence[Edit] | Unreadable:
        """As the format's."""
        return self.format.parse(reply, leniency)

    def apply(self, edits: Sequence[Edit], tree: Tree, leniency: Leniency = STRICT) -> Applied | NotApplied:
        """As the format's."""
        return self.format.apply(edits, tree, leniency)

    def encode(self, before: Files, after: Files) -> str | CannotExpress:
        """As the format's."""
        return self.format.encode(before, after)

    def restate(self, path: str, text: str) -> str | CannotExpress:
        """As the format's."""
        return self.format.restate(path, text)


def own(fmt: EditFormat) -> EditFormat:
    """The format itself, whatever it is called in a run."""
    return own(fmt.format) if isinstance(fmt, Renamed) else fmt


def own_name(fmt: EditFormat) -> str:
    """The name of a format, whatever it is called in a run."""
    return own(fmt).name
