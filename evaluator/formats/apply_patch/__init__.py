"""`apply_patch`: the V4A envelope, a patch of sections whose hunks are found by their content.

The grammar is that of OpenAI's GPT-4.1 prompting guide (with its reference applier) and of Codex, in Lark in
its parser: Begin and End Patch, Add, Delete and Update File, Move to, `@@` scopes, End of File. A hunk goes to
the first place after the last one, and below its scopes, where its context and removed lines stand.

Where the two disagree: lines of a new file each end with a newline (Codex); a hunk without context is put where
the search stands, not at the end of the file (reference); a file keeps or lacks its final newline as the patch
says (reference: the text after it is a last, empty line, which a hunk at the end of the file may remove or add);
sections of one file apply in order (Codex); no file is written over by Add or Move (reference).
"""

from collections.abc import Sequence

from evaluator.formats.apply_patch import writing
from evaluator.formats.apply_patch.applying import Applying
from evaluator.formats.apply_patch.patch import TOLERANCES, Action, Hunk, Section
from evaluator.formats.apply_patch.reading import read
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
from miner.symbols.files import Files

__all__ = ["Action", "ApplyPatch", "Hunk", "Section"]


class ApplyPatch:
    """The V4A patch."""

    name = "apply_patch"
    tolerances: tuple[Tolerance, ...] = TOLERANCES

    def instructions(self) -> str:
        """How to write a patch."""
        return (
            "Answer with one patch in this format, and nothing else:\n\n"
            "*** Begin Patch\n*** Update File: path/to/file.py\n@@ class Greeter:\n@@     def greet(self):\n"
            "         name = self.name\n-        print(name)\n+        print(f'Hello, {name}')\n"
            "         return name\n*** Add File: path/to/new.py\n+first line\n+second line\n"
            "*** Delete File: path/to/old.py\n*** End Patch\n\n"
            "Every line of a hunk begins with a blank (unchanged), `-` (removed) or `+` (added). Quote the file's\n"
            "lines exactly, and show three unchanged lines above and below a change. Each hunk begins with `@@`;\n"
            "there are no line numbers: where its lines occur more than once, write the line of the class or\n"
            "function around it after `@@ `, and further `@@ ` lines to narrow it down. Hunks follow each other\n"
            "from top to bottom and do not overlap. To rename a file write `*** Move to: path/to/other.py` right\n"
            "below its `*** Update File:` line. `*** End of File` below a hunk says that it stands at the end of\n"
            "the file; there, what follows the final newline is an empty line, which can be removed (`-`) or\n"
            f"added (`+`). A file shown with the line `{NO_NEWLINE}` lacks that newline; the line is not in it.\n"
        )

    def parse(self, reply: str, leniency: Leniency = STRICT) -> Sequence[Edit] | Unreadable:
        """The sections of the patch."""
        return read(reply, leniency)

    def apply(self, edits: Sequence[Edit], tree: Tree, leniency: Leniency = STRICT) -> Applied | NotApplied:
        """The sections in order, each on the result of those before."""
        return Applying(tree, leniency).apply([edit for edit in edits if isinstance(edit, Section)])

    def encode(self, before: Files, after: Files) -> str | CannotExpress:
        """The patch with three lines of context, and scopes or more context where those are not enough."""
        return writing.write(before, after)

    def restate(self, path: str, text: str) -> str | CannotExpress:
        """A hunk that removes the first line and adds it again."""
        return writing.restate(path, text)
