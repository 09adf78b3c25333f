"""`search_replace`: blocks between conflict markers, the file's path above.

The grammar is the conflict-marker style of Aider's "diff" edit format, Cline and Roo Code: SEARCH quotes whole lines
that occur exactly once, REPLACE stands for them. Ours are the longer markers for text that holds markers itself, the
line for a missing final newline, and the line that deletes a file. Modules: `block` (what is read), `markers` and
`naming` (its lines), `reading`, `placing`, `writing`.
"""

from collections.abc import Sequence

from evaluator.formats.model import (
    NO_NEWLINE,
    STRICT,
    Applied,
    CannotExpress,
    Edit,
    Leniency,
    NotApplied,
    Tolerance,
    Tree,
    Unreadable,
)
from evaluator.formats.reply import changed_paths, joined
from evaluator.formats.search_replace.block import Block, Lines
from evaluator.formats.search_replace.placing import PLACING, apply_blocks
from evaluator.formats.search_replace.reading import READING, read
from evaluator.formats.search_replace.writing import encoded_blocks, encoded_file
from miner.symbols.files import Files

__all__ = ["Block", "Lines", "SearchReplace"]


class SearchReplace:
    """Search and replace blocks."""

    name = "search_replace"
    tolerances: tuple[Tolerance, ...] = (*READING, *PLACING)

    def instructions(self) -> str:
        """How to write a search/replace reply."""
        return (
            "Answer with one block for every place you change. Above each block write the file's path alone on a\n"
            "line:\n\n"
            "path/to/file.py\n<<<<<<< SEARCH\nthe lines to replace\n=======\nthe new lines\n>>>>>>> REPLACE\n\n"
            "SEARCH quotes whole lines of the file exactly, white space included, and enough of them to occur only\n"
            "once in the file. Blocks apply in order, each to the result of those before it. To add a file leave\n"
            "SEARCH empty. To delete a file write the line `DELETE FILE: path/to/file.py`; to move one delete it\n"
            "and add it again. If the text itself holds a marker line, lengthen all the markers of the block by the\n"
            "same number of characters. Put a path that has blanks in backticks.\n"
            f"`{NO_NEWLINE}` as a side's last line says that the file ends there without a newline.\n"
        )

    def parse(self, reply: str, leniency: Leniency = STRICT) -> Sequence[Edit] | Unreadable:
        """The blocks and deletions of the reply, in order."""
        return read(reply, leniency)

    def apply(self, edits: Sequence[Edit], tree: Tree, leniency: Leniency = STRICT) -> Applied | NotApplied:
        """The blocks in order, each on the result of those before."""
        return apply_blocks(edits, tree, leniency)

    def encode(self, before: Files, after: Files) -> str | CannotExpress:
        """The change as blocks with as little context as makes every SEARCH unique."""
        return joined((p, encoded_file(p, before.get(p), after.get(p))) for p in changed_paths(before, after))

    def restate(self, path: str, text: str) -> str | CannotExpress:
        """A block whose two sides are the first line, with the context that makes it unique."""
        lines = Lines.of(text)
        return joined([(path, encoded_blocks(path, lines, lines, [(0, 1, 0, 1)]))])
