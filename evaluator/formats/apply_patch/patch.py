"""What a patch of the V4A envelope is: sections, their hunks, and the tolerances that its appliers have."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from evaluator.formats.ladder import BLANK_LINES, INDENTATION, LINE_ENDINGS, LOOKALIKES, TRAILING_SPACE
from evaluator.formats.model import Edit, Tolerance
from evaluator.formats.plain_paths import PATH_DECORATION
from evaluator.formats.recovery import PATH_RECOVERY

BEGIN, END = "*** Begin Patch", "*** End Patch"
END_OF_FILE = "*** End of File"
MOVE = "*** Move to: "

FENCE_NOISE = Tolerance(
    "fence_noise", "prose, fences or a here-document around the patch, or several patches (chat clients; Codex reads "
    "its patch out of a here-document)",
)  # fmt: skip
MARKER_NOISE = Tolerance(
    "marker_noise", "white space around `***` lines, asterisks behind a marker (`*** Begin Patch ***`), a doubled "
    "`*** End Patch`, no blank after `@@` or `File:` (Codex, VS Code; the asterisks: small models)",
)  # fmt: skip
MISSING_SENTINEL = Tolerance(
    "missing_sentinel", "no `*** Begin Patch` above the first section, or no `*** End Patch` where the fence around "
    "the patch is closed or the next patch begins (VS Code)",
)  # fmt: skip
JSON_WRAPPED = Tolerance("json_wrapped", "the patch is a string in the JSON of a call of the tool (Codex)")
BLANK_CONTEXT = Tolerance(
    "blank_context", "an empty line in a hunk is an empty line of context, between sections nothing (reference applier)"
)
BARE_CONTEXT = Tolerance("bare_context", "a line of a hunk without its mark is context (VS Code)")
SURROUNDING_SPACE = Tolerance(
    "surrounding_space", "white space at both ends of lines is not compared; new lines stay as written (reference "
    "applier, Codex)",
)  # fmt: skip
END_IGNORED = Tolerance(
    "end_of_file", "a hunk that is not at the end, whatever `*** End of File` says, is looked for as any other "
    "(reference applier, VS Code)",
)  # fmt: skip
SCOPE_IGNORED = Tolerance(
    "scope_ignored", "a scope that is no line of the file (reference applier, VS Code), or below which the hunk does "
    "not stand (VS Code), is passed over",
)  # fmt: skip

# How lines are compared, mildest first: the reference applier's rstrip and strip; a shift of the whole hunk is
# VS Code's, look-alikes are Codex's last step, and it leaves out a blank line at a hunk's end.
COMPARING = (LINE_ENDINGS, TRAILING_SPACE, INDENTATION, SURROUNDING_SPACE, LOOKALIKES)
TOLERANCES = (
    FENCE_NOISE, MARKER_NOISE, MISSING_SENTINEL, JSON_WRAPPED, BLANK_CONTEXT, BARE_CONTEXT, PATH_DECORATION,
    PATH_RECOVERY, *COMPARING, BLANK_LINES, END_IGNORED, SCOPE_IGNORED,
)  # fmt: skip


class Action(StrEnum):
    """What a section does with its file; the value is the word of its header."""

    ADD = "Add"
    DELETE = "Delete"
    UPDATE = "Update"


@dataclass(frozen=True)
class Hunk:
    """One hunk: its scopes, outermost first, and its lines without `\\n`, the first character their mark.

    `at_end`: it is said to stand at the end of the file. `line` is where it begins in the reply, from 1.
    """

    scopes: tuple[str, ...]
    lines: tuple[str, ...]
    at_end: bool = False
    line: int = 0

    @cached_property
    def old(self) -> list[str]:
        """The lines that must stand in the file: context and removed ones."""
        return [line[1:] for line in self.lines if line[0] != "+"]

    @cached_property
    def new(self) -> list[str]:
        """The lines that stand there afterwards: context and added ones."""
        return [line[1:] for line in self.lines if line[0] != "-"]

    @cached_property
    def outer(self) -> tuple[int, int] | None:
        """How many lines of context stand above and below all of its changes; None where it changes nothing."""
        marks = "".join(line[0] for line in self.lines)
        if not marks.strip():
            return None
        return len(marks) - len(marks.lstrip()), len(marks) - len(marks.rstrip())


@dataclass(frozen=True)
class Section(Edit):
    """What the patch does with one file: the contents of a new one, or hunks, or a new path, or nothing (delete)."""

    action: Action
    content: str = ""
    hunks: tuple[Hunk, ...] = ()
    move: str | None = None
