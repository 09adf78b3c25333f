"""Markdown tables that line up, so that they read as plain text too."""

import re
from collections.abc import Sequence

_BREAK = re.compile(r"[^\S\n]*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]\s*")


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; every row has as many cells as the header."""
    header, rows = [_cell(cell) for cell in header], [[_cell(cell) for cell in row] for row in rows]
    widths = [max(len(row[n]) for row in (header, *rows)) for n in range(len(header))]
    out = [_row(header, widths), "|" + "|".join("-" * (width + 2) for width in widths) + "|"]
    return "\n".join(out + [_row(row, widths) for row in rows]) + "\n"


def _cell(text: str) -> str:
    """Text that stays one cell of one line, whoever wrote it."""
    return _BREAK.sub(" ", text).replace("|", "\\|")


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"
