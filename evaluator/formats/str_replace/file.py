"""A file that `str_replace` edits: one text, and its lines."""

from collections.abc import Sequence

from evaluator.formats.index import Text
from evaluator.formats.model import Placement
from evaluator.formats.touched import touched
from miner.symbols.files import text_of
from miner.text import to_bytes

SHOWN = 5  # places


def occurrences(text: str, old: str) -> tuple[list[int], int]:
    """The first offsets at which a text that is not empty stands, overlaps too, and at how many it does in all."""
    found, at, count = [], text.find(old), 0
    while at >= 0:
        count += 1
        if count <= SHOWN:
            found.append(at)
        at = text.find(old, at + 1)
    return found, count


class File:
    """The text of a file as edits change it. Its lines are what `\\n` parts: the last is empty after a final one."""

    def __init__(self, path: str, content: bytes) -> None:
        self.path = path
        self._whole: str | None = text_of(content)
        self.lines = Text(self.text.split("\n"))
        self._size = len(self.lines.lines) - (self.lines.lines[-1] == "")  # lines of the file before

    @property
    def text(self) -> str:
        """The text as it is now."""
        if self._whole is None:
            self._whole = "\n".join(self.lines.lines)
        return self._whole

    def content(self) -> bytes:
        """The contents as they are now."""
        return to_bytes(self.text)

    def count(self) -> int:
        """How many lines the file has now."""
        return len(self.lines.lines) - (self.lines.lines[-1] == "")

    def ends(self) -> str:
        """What ends every line: `\\r\\n`, `\\n`, or nothing where they differ or there are none."""
        total, returns = self.text.count("\n"), self.text.count("\r\n")
        return "" if not total or 0 < returns < total else "\r\n" if returns else "\n"

    def places(self, old: str) -> tuple[list[int], int]:
        """Where a text that is not empty stands."""
        return occurrences(self.text, old)

    def line_at(self, offset: int) -> int:
        """The index from 0 of the line that an offset is in."""
        return self.text.count("\n", 0, offset)

    def replace(self, start: int, end: int, new: str) -> Placement | None:
        """Put a new text in the place of the characters from `start` to `end`."""
        text = self.text
        first, last = self.line_at(start), self.line_at(end) + 1
        head = text[text.rfind("\n", 0, start) + 1 : start]
        stop = text.find("\n", end)
        tail = text[end : stop if stop >= 0 else len(text)]
        placement = self.replace_lines(first, last, (head + new + tail).split("\n"))
        self._whole = text[:start] + new + text[end:]
        return placement

    def replace_lines(self, first: int, last: int, new: Sequence[str]) -> Placement | None:
        """Put new lines in the place of the half-open range of lines."""
        placement = touched(self.path, self.lines, first, last, new)
        self.lines.replace(first, last, new)
        if not self.lines.lines:
            self.lines.replace(0, 0, [""])
        self._whole = None
        if placement is None or placement.chosen[1] <= self._size:
            return placement
        # What follows the final newline is no line of the file: the last line lost, or gets, its newline.
        return Placement(self.path, (min(placement.chosen[0], max(self._size - 1, 0)), self._size))
