"""Markdown tables that line up, so that they read as plain text too."""

from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; every row has as many cells as the header."""
    widths = [max(len(row[n]) for row in (header, *rows)) for n in range(len(header))]
    out = [_row(header, widths), "|" + "|".join("-" * (width + 2) for width in widths) + "|"]
    return "\n".join(out + [_row(row, widths) for row in rows]) + "\n"


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)) + " |"
