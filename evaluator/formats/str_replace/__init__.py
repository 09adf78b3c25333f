"""`str_replace`: a JSON list of edits, with the semantics of the well-known text-editor tool.

After Claude's text editor tool (its commands `str_replace`, `insert` and `create`): `old` is any text, not whole lines
only, that occurs exactly once. Ours are the one list for all edits (RFC 8259), and `delete`. Modules: `edits` (what is
read), `reading` and `repairs`, `file` and `placing`, `writing`.
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
from evaluator.formats.str_replace.edits import Create, Delete, Insert, Replace
from evaluator.formats.str_replace.placing import PLACING, apply_edits
from evaluator.formats.str_replace.reading import READING, read
from evaluator.formats.str_replace.writing import encoded_file, listed, replacements, written
from miner.symbols.files import Files

__all__ = ["Create", "Delete", "Insert", "Replace", "StrReplace"]


class StrReplace:
    """A JSON list of replacements of unique strings."""

    name = "str_replace"
    tolerances: tuple[Tolerance, ...] = (*READING, *PLACING)

    def instructions(self) -> str:
        """How to write a str_replace reply."""
        return (
            "Answer with one JSON list of edits in a ```json fence. The edits:\n\n"
            "```json\n[\n"
            '{"path": "path/to/file.py", "old": "the text to replace\\n", "new": "the new text\\n"},\n'
            '{"path": "path/to/file.py", "insert_line": 12, "insert": "lines that come after line 12\\n"},\n'
            '{"path": "path/to/new.py", "create": "the contents of a new file\\n"},\n'
            '{"path": "path/to/gone.py", "delete": true}\n]\n```\n\n'
            "`old` is text of the file exactly, white space included, and enough of it to occur only once in the\n"
            "file. `insert_line` 0 is the top of the file. Edits apply in order, each to the result of those before\n"
            "it. To move a file delete it and create it again. A text ends in a newline only where you write `\\n`:\n"
            f"the line `{NO_NEWLINE}` is never part of an edit.\n"
        )

    def parse(self, reply: str, leniency: Leniency = STRICT) -> Sequence[Edit] | Unreadable:
        """The edits of the list, in order."""
        return read(reply, leniency)

    def apply(self, edits: Sequence[Edit], tree: Tree, leniency: Leniency = STRICT) -> Applied | NotApplied:
        """The edits in order, each on the result of those before."""
        return apply_edits(edits, tree, leniency)

    def encode(self, before: Files, after: Files) -> str | CannotExpress:
        """The change as replacements of as few whole lines as are unique."""
        paths = changed_paths(before, after)
        return listed(joined(((p, encoded_file(p, before.get(p), after.get(p))) for p in paths), ",\n"))

    def restate(self, path: str, text: str) -> str | CannotExpress:
        """A replacement of the first line, with the lines below that make it unique, by itself."""
        return listed(written(path, replacements(text, text, [(0, 1, 0, 1)])))
