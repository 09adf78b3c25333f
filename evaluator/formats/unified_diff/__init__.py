"""`unified_diff`: hunks with line numbers, as `diff -u`, POSIX.1-2017 and git write and apply them.

To the letter it is what `git apply` (no options, in a repository) accepts, and gives the same bytes; docs/formats.md
says where not, and why. The ladder is what `git apply` does with options, GNU patch does by itself, and a few
readings that agents do before they call either.
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
from evaluator.formats.unified_diff import applying, lenient, reading, writing
from evaluator.formats.unified_diff.hunks import FileDiff, Hunk
from evaluator.formats.unified_diff.paths import DECORATION, RECOVERY
from evaluator.formats.unified_diff.placed import PLACING
from miner.symbols.files import Files
from miner.text import split_lines

__all__ = ["FileDiff", "Hunk", "UnifiedDiff"]


class UnifiedDiff:
    """The unified diff."""

    name = "unified_diff"
    tolerances: tuple[Tolerance, ...] = (*lenient.READING, DECORATION, RECOVERY, *PLACING)

    def instructions(self) -> str:
        """How to write a unified-diff reply."""
        return (
            "Answer with a unified diff that `git apply` accepts, in one code fence:\n\n"
            "```diff\n--- a/path/to/file.py\n+++ b/path/to/file.py\n@@ -10,7 +10,8 @@\n context line\n"
            " context line\n context line\n-removed line\n+added line\n+added line\n context line\n context line\n"
            " context line\n```\n\n"
            "Every line of a hunk begins with a space (unchanged), `-` (removed) or `+` (added). The numbers after\n"
            "@@ are the first line and the number of lines of the hunk in the old and in the new file. Give three\n"
            "unchanged lines around a change, fewer only where the file begins or ends. A new file has\n"
            "`--- /dev/null` and `@@ -0,0 +1,N @@`; a deleted one has `+++ /dev/null` and all of its lines removed.\n"
            "To move a file write `diff --git a/old.py b/new.py`, `rename from old.py` and `rename to new.py` on\n"
            "lines above its `---` line.\n"
            f"Where a file has no newline at its end, its last line is followed by `{NO_NEWLINE}`.\n"
        )

    def parse(self, reply: str, leniency: Leniency = STRICT) -> Sequence[Edit] | Unreadable:
        """The file diffs of the reply; text around them is prose."""
        found = reading.read(reply)
        if isinstance(found, Unreadable) and leniency:
            return lenient.read(reply, leniency, found)
        return found

    def apply(self, edits: Sequence[Edit], tree: Tree, leniency: Leniency = STRICT) -> Applied | NotApplied:
        """All the diffs, each placed in its file as it was before that diff."""
        diffs = [edit for edit in edits if isinstance(edit, FileDiff)]
        assert len(diffs) == len(edits)
        return applying.apply(diffs, tree, leniency)

    def encode(self, before: Files, after: Files) -> str | CannotExpress:
        """The diff with three lines of context, in a fence; renames are a deletion and a new file."""
        changes = [(path, before.get(path), after.get(path)) for path in changed_paths(before, after)]
        # The header of an empty file would take the `---` line below it for its own, so those come last.
        changes.sort(key=lambda change: {change[1], change[2]} == {None, b""})
        return _fenced(joined(((path, writing.file_diff(path, old, new)) for path, old, new in changes), ""))

    def restate(self, path: str, text: str) -> str | CannotExpress:
        """A hunk that removes the first line and adds it again."""
        lines = split_lines(text)
        header = writing.header_of(path, b"some", b"some")
        if isinstance(header, CannotExpress):
            return header
        return _fenced(joined([(path, header + writing.hunk([(0, 1, 0, 1)], lines, lines))]))


def _fenced(diff: str | CannotExpress) -> str | CannotExpress:
    return diff if isinstance(diff, CannotExpress) else f"```diff\n{diff}```\n"
