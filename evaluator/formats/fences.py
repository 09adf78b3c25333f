"""Code fences as Markdown has them (CommonMark 0.31, 4.5), from the line's beginning."""

import re
from dataclasses import dataclass

# The info string of a fence of backticks holds none.
_OPEN = re.compile(r"(?:(`{3,})([^`]*)|(~{3,})(.*))\Z")


@dataclass(frozen=True)
class Fence:
    """An opening fence: what its line is made of, the info string without white space around it."""

    marks: str
    info: str

    @classmethod
    def of(cls, line: str) -> "Fence | None":
        """The fence that a line opens, or None."""
        match = _OPEN.match(line)
        return None if match is None else cls(match[1] or match[3], (match[2] or match[4] or "").strip())

    def closes(self, opened: "Fence") -> bool:
        """Whether the line that this was read from closes another fence."""
        return not self.info and self.marks[0] == opened.marks[0] and len(self.marks) >= len(opened.marks)
