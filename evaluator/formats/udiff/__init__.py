"""`udiff`: a unified diff without line numbers, its hunks found by their content.

The grammar is the one that Aider's "udiff" edit format asks models for: `---` and `+++` lines name the file, every hunk
opens with a line that begins with `@@`, and its unchanged and removed lines must occur exactly once in the file.
"""

from collections.abc import Sequence
from dataclasses import replace

from evaluator.formats.ladder import SHARED
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
from evaluator.formats.recovery import PATH_RECOVERY
from evaluator.formats.reply import changed_paths, joined
from evaluator.formats.search_replace.placing import apply_blocks
from evaluator.formats.udiff.reading import READING, read
from evaluator.formats.udiff.writing import file_diff, restated
from miner.symbols.files import Files

__all__ = ["UDiff"]
_WORDS = (
    ("Block ", "Hunk "), ("its SEARCH is empty", "it has only new lines"), ("its SEARCH lines", "its old lines"),
    ("quote the lines to replace in SEARCH", "give unchanged lines around the new ones"),
    ("leave SEARCH empty to add it", "write `--- /dev/null` to add it"), ("The REPLACE lines", "The new lines"),
    ("as the block says", "as the hunk says"), ("more blocks", "more hunks"),
)  # fmt: skip


class UDiff:
    """The unified diff without line numbers."""

    name = "udiff"
    tolerances: tuple[Tolerance, ...] = (*READING, PATH_RECOVERY, *SHARED)

    def instructions(self) -> str:
        """How to write a diff without line numbers."""
        return (
            "Answer with a unified diff without line numbers, in one code fence:\n\n"
            "```diff\n--- a/path/to/file.py\n+++ b/path/to/file.py\n@@ ... @@\n unchanged line\n-removed line\n"
            "+added line\n unchanged line\n```\n\n"
            "Begin a hunk with `@@ ... @@` for every place you change. Every line of a hunk begins with a space\n"
            "(unchanged), `-` (removed) or `+` (added). Quote unchanged and removed lines exactly, and enough of them\n"
            "to occur only once in the file. Hunks apply in order, each to the result of those before it. A new file\n"
            "has `--- /dev/null`, a deleted one `+++ /dev/null` and no hunks. To move a file delete it and add it.\n"
            f"Where a file has no newline at its end, its last line is followed by `{NO_NEWLINE}`.\n"
        )

    def parse(self, reply: str, leniency: Leniency = STRICT) -> Sequence[Edit] | Unreadable:
        """The hunks of the reply, in order; text around the diffs is prose."""
        return read(reply, leniency)

    def apply(self, edits: Sequence[Edit], tree: Tree, leniency: Leniency = STRICT) -> Applied | NotApplied:
        """The hunks in order, each on the result of those before."""
        outcome = apply_blocks(edits, tree, leniency)
        if isinstance(outcome, Applied):
            return outcome
        message = outcome.message
        for word, ours in _WORDS:
            message = message.replace(word, ours)
        return replace(outcome, message=message)

    def encode(self, before: Files, after: Files) -> str | CannotExpress:
        """The change as hunks with as little context as makes each unique."""
        paths = changed_paths(before, after)
        return _fenced(joined(((path, file_diff(path, before.get(path), after.get(path))) for path in paths), ""))

    def restate(self, path: str, text: str) -> str | CannotExpress:
        """A hunk that removes the first line and adds it again."""
        return _fenced(joined([(path, restated(path, text))]))


def _fenced(diff: str | CannotExpress) -> str | CannotExpress:
    return diff if isinstance(diff, CannotExpress) else f"```diff\n{diff}```\n"
