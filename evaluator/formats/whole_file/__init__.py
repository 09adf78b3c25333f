"""`whole_file`: every changed file is written out whole, in a fence, its path on the line above.

The grammar is ours, after what chat models do unasked; fences follow CommonMark 0.31, section 4.5
(a closing fence is at least as long as the opening one). A deleted file is a line `DELETE FILE: path`.
Of two fences for one file the last counts.
"""

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from evaluator.formats.ladder import LINE_ENDINGS
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
from evaluator.formats.paths import deletion, unspellable
from evaluator.formats.plain_paths import PATH_DECORATION
from evaluator.formats.recovery import PATH_RECOVERY
from evaluator.formats.reply import changed_paths, joined
from evaluator.formats.whole_file import applying
from evaluator.formats.whole_file.applying import BYTE_ORDER_MARK
from evaluator.formats.whole_file.foreign import is_edit_of
from evaluator.formats.whole_file.naming import line_of
from evaluator.formats.whole_file.reading import (
    FENCE_NOISE,
    LINE_NUMBERS,
    NESTED_FENCES,
    PATH_IN_COMMENT,
    PATH_IN_FENCE,
    Rewrite,
    read,
)
from miner.symbols.files import Files, text_of
from miner.text import to_bytes

__all__ = ["Rewrite", "WholeFile", "longer_fence"]

_LANGUAGES = {".py": "python", ".pyi": "python", ".js": "javascript", ".ts": "typescript", ".md": "markdown"}


class WholeFile:
    """The whole-file rewrite."""

    name = "whole_file"
    tolerances: tuple[Tolerance, ...] = (
        FENCE_NOISE, NESTED_FENCES, LINE_NUMBERS, PATH_DECORATION, PATH_IN_FENCE, PATH_IN_COMMENT, PATH_RECOVERY,
        LINE_ENDINGS, BYTE_ORDER_MARK,
    )  # fmt: skip

    def instructions(self) -> str:
        """How to write a whole-file reply."""
        return (
            "Answer with the complete new contents of every file you change, and of every file you add.\n"
            "For each, write its path alone on a line, and directly below it the contents in a code fence:\n\n"
            "path/to/file.py\n```python\n...every line of the file...\n```\n\n"
            "Never leave lines out or abbreviate them. If the contents hold a line of backticks, use a longer\n"
            f"fence. If a file has no newline at its end, end its contents with the line `{NO_NEWLINE}`.\n"
            "Put a path that has blanks in backticks. Where a file at the top has a name without an ending, write\n"
            "`./name`.\n"
            "To delete a file write the line `DELETE FILE: path/to/file.py`.\n"
        )

    def parse(self, reply: str, leniency: Leniency = STRICT) -> Sequence[Edit] | Unreadable:
        """The files written out or deleted; fences without a path above them are prose."""
        return read(reply, leniency)

    def apply(self, edits: Sequence[Edit], tree: Tree, leniency: Leniency = STRICT) -> Applied | NotApplied:
        """Every file rewritten; the last wins where a file is written twice."""
        return applying.apply([edit for edit in edits if isinstance(edit, Rewrite)], tree, leniency)

    def encode(self, before: Files, after: Files) -> str | CannotExpress:
        """The changed files, whole."""
        return joined((p, _block(p, after.get(p), before.get(p))) for p in changed_paths(before, after))

    def restate(self, path: str, text: str) -> str | CannotExpress:
        """The file, whole, as it is."""
        return joined([(path, _block(path, to_bytes(text), to_bytes(text)))])


def _block(path: str, content: bytes | None, before: bytes | None) -> str | CannotExpress:
    if content is None:
        return deletion(path)
    if (line := line_of(path)) is None:
        return unspellable(path)
    text = text_of(content)
    if before is not None and is_edit_of(path, text_of(before), text):
        return CannotExpress(f"{path} itself is to be an edit of what it is now")
    if text and not text.endswith("\n"):
        text += f"\n{NO_NEWLINE}\n"
    elif text.removesuffix("\n").split("\n")[-1].rstrip("\r") == NO_NEWLINE:
        return CannotExpress(f"{path} itself ends in the line that says that a file has no final newline")
    fence = longer_fence(text)
    return f"{line}\n{fence}{_LANGUAGES.get(PurePosixPath(path).suffix, '')}\n{text}{fence}\n"


def longer_fence(text: str) -> str:
    """A run of backticks longer than any at the start of a line of `text`, at least three."""
    for length in (3, 4, 5, 6):  # looked for one by one: ten times as fast as the expression over a long prompt
        fence = "`" * length
        if f"\n{fence}" not in text and not text.startswith(fence):
            return fence
    longest = max((len(run) for run in re.findall(r"^`+", text, re.MULTILINE)), default=0)
    return "`" * max(3, longest + 1)
