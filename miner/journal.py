"""harvest.jsonl: one line per merged change that was looked at, written as each is done."""

import json
from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from miner.errors import ToolError
from miner.record import HarvestLine, as_data, read_plain, write_atomically


def read_lines(path: Path) -> list[HarvestLine]:
    """The lines of a harvest.jsonl; a torn last line, left by a kill, is dropped."""
    if not path.exists():
        return []
    rows = read_plain(path).split(b"\n")
    found = []
    for number, row in enumerate(rows, 1):
        if not row.strip():
            continue
        try:
            found.append(HarvestLine.model_validate_json(row))
        except ValidationError:
            if number == len(rows):
                break
            raise ToolError("damaged line", f"{path}:{number}", "Delete that line and harvest again.") from None
    return found


class Journal:
    """The lines of one repository by commit, kept on disk at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines = {line.commit: line for line in read_lines(path)}
        # Written anew at once: a line after a torn one would be lost with it.
        self._write(list(self.lines.values()))

    def add(self, line: HarvestLine) -> None:
        """Add a line, in place of an earlier one of the same commit."""
        self.lines[line.commit] = line
        with self.path.open("ab") as file:
            file.write(_as_json(line))

    def put_in_order(self, commits: Sequence[str]) -> None:
        """Write the lines in the history's order; those that are not of it come last, by number."""
        order = {commit: place for place, commit in enumerate(commits)}
        last = len(order)
        self._write(sorted(self.lines.values(), key=lambda line: (order.get(line.commit, last), line.number)))

    def _write(self, lines: Sequence[HarvestLine]) -> None:
        write_atomically(self.path, b"".join(map(_as_json, lines)))


def _as_json(line: HarvestLine) -> bytes:
    return json.dumps(as_data(line), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
