"""`whole_file`: every changed file is written out whole, in a fence, its path on the line above.

The grammar is ours, after what chat models do unasked; fences follow CommonMark 0.31, section 4.5
(a closing fence is at least as long as the opening one). A deleted file is a line `DELETE FILE: path`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

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
from evaluator.formats.paths import (
    deleted_path,
    deletion,
    forbidden,
    line_of_path,
    path_of_line,
    unknown,
    unspellable,
)
from evaluator.formats.reply import changed_paths, joined
from evaluator.taxonomy import Detail
from miner.symbols.files import Files, text_of
from miner.text import to_bytes

_OPEN = re.compile(r"(`{3,}|~{3,})[ \t]*([\w.+#-]*)[ \t]*\r?\Z")
_LANGUAGES = {".py": "python", ".pyi": "python", ".js": "javascript", ".ts": "typescript", ".md": "markdown"}


@dataclass(frozen=True)
class Rewrite(Edit):
    """A file's whole new contents, or None to delete it."""

    content: str | None


class WholeFile:
    """The whole-file rewrite."""

    name = "whole_file"
    tolerances: tuple[Tolerance, ...] = ()

    def instructions(self) -> str:
        """How to write a whole-file reply."""
        return (
            "Answer with the complete new contents of every file you change, and of every file you add.\n"
            "For each, write its path alone on a line, and directly below it the contents in a code fence:\n\n"
            "path/to/file.py\n```python\n...every line of the file...\n```\n\n"
            "Never leave lines out or abbreviate them. If the contents hold a line of backticks, use a longer\n"
            f"fence. If a file has no newline at its end, end its contents with the line `{NO_NEWLINE}`.\n"
            "To delete a file write the line `DELETE FILE: path/to/file.py`.\n"
        )

    def parse(self, reply: str, leniency: Leniency = STRICT) -> Sequence[Edit] | Unreadable:  # noqa: ARG002
        """The files written out or deleted; fences without a path above them are prose."""
        lines = reply.split("\n")
        edits: list[Edit] = []
        at = 0
        while at < len(lines):
            if (gone := deleted_path(lines[at])) is not None:
                edits.append(Rewrite(gone, None))
            elif match := _OPEN.match(lines[at]):
                end = _closing(lines, at, match[1])
                path = _path_above(lines, at)
                if end is None:
                    message = f"The code fence opened on line {at + 1} of the reply is never closed."
                    return Unreadable(Detail.BAD_BLOCK, message, unterminated=True)
                if path is not None:
                    edits.append(Rewrite(path, _content(lines[at + 1 : end])))
                at = end
            at += 1
        if not edits:
            return Unreadable(Detail.NO_EDIT, "No file was found: write its path, then its contents in a fence.")
        return edits

    def apply(self, edits: Sequence[Edit], tree: Tree, leniency: Leniency = STRICT) -> Applied | NotApplied:  # noqa: ARG002
        """Every file rewritten; the last wins where a file is written twice."""
        files: dict[str, bytes | None] = {}
        for fitted, edit in enumerate(edits):
            assert isinstance(edit, Rewrite)
            if (refusal := forbidden(edit.path, tree, fitted)) is not None:
                return refusal
            if edit.content is None and files.get(edit.path, tree.read(edit.path)) is None:
                return unknown(edit.path, fitted)
            content = edit.content
            files[edit.path] = None if content is None else to_bytes(content)
        return Applied(files)

    def encode(self, before: Files, after: Files) -> str | CannotExpress:
        """The changed files, whole."""
        return joined((path, _block(path, after.get(path))) for path in changed_paths(before, after))

    def restate(self, path: str, text: str) -> str | CannotExpress:
        """The file, whole, as it is."""
        return joined([(path, _block(path, to_bytes(text)))])


def _closing(lines: list[str], start: int, fence: str) -> int | None:
    closing = re.compile(rf"{re.escape(fence[0])}{{{len(fence)},}}[ \t]*\r?\Z")
    return next((n for n in range(start + 1, len(lines)) if closing.match(lines[n])), None)


def _path_above(lines: list[str], at: int) -> str | None:
    """The path on the line above a fence (one blank line may stand between), or None for prose."""
    above = [line.strip() for line in lines[max(at - 2, 0) : at]]
    if above and not above[-1]:
        above.pop()
    return path_of_line(above[-1]) if above else None


def _content(lines: list[str]) -> str:
    if lines and lines[-1].rstrip("\r") == NO_NEWLINE:
        return "\n".join(lines[:-1])
    return "".join(line + "\n" for line in lines)


def _block(path: str, content: bytes | None) -> str | CannotExpress:
    if content is None:
        return deletion(path)
    line = line_of_path(path)
    if "\n" in line or _OPEN.match(line) or _path_above([line], 1) != path:
        return unspellable(path)
    text = text_of(content)
    if text and not text.endswith("\n"):
        text += f"\n{NO_NEWLINE}\n"
    elif text.removesuffix("\n").split("\n")[-1].rstrip("\r") == NO_NEWLINE:
        return CannotExpress(f"{path} itself ends in the line that says that a file has no final newline")
    fence = longer_fence(text)
    return f"{line}\n{fence}{_LANGUAGES.get(PurePosixPath(path).suffix, '')}\n{text}{fence}\n"


def longer_fence(text: str) -> str:
    """A run of backticks longer than any at the start of a line of `text`, at least three."""
    longest = max((len(run) for run in re.findall(r"^`+", text, re.MULTILINE)), default=0)
    return "`" * max(3, longest + 1)
