"""A search and replace block as it is read: two sides of whole lines."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.formats.model import NO_NEWLINE, Edit


@dataclass(frozen=True)
class Lines:
    """Lines without their `\\n`; `final` tells whether the last one is followed by a newline."""

    lines: tuple[str, ...]
    final: bool = True

    @classmethod
    def of(cls, text: str) -> "Lines":
        """A text as lines."""
        parts = text.split("\n")
        if parts[-1] == "":
            return cls(tuple(parts[:-1]), True)
        return cls(tuple(parts), False)

    def text(self) -> str:
        """The lines as text."""
        return "\n".join(self.lines) + ("\n" if self.lines and self.final else "")


@dataclass(frozen=True)
class Block(Edit):
    """One block; both sides None: the file is deleted."""

    search: Lines | None
    replace: Lines | None


def side(lines: Sequence[str]) -> Lines:
    """One side of a block as it stands in the reply, where the last line may deny the final newline."""
    if lines and lines[-1].rstrip("\r") == NO_NEWLINE:
        return Lines(tuple(lines[:-1]), final=False)
    return Lines(tuple(lines))


def marked(lines: Lines) -> str:
    """A side as it is written into a block."""
    text = "".join(line + "\n" for line in lines.lines)
    return text if lines.final else text + NO_NEWLINE + "\n"
