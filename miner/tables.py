"""Tables and lists on standard output: as wide as the terminal, and elsewhere no wider than a page."""

import shutil
import sys
import textwrap

from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table

WIDTH = 120  # columns where there is no terminal
_GAP = 2  # blanks between two columns


def print_table(table: Table) -> None:
    """Print a table. Where nobody watches, its last column is wrapped between words; no id is ever broken."""
    if sys.stdout.isatty():
        Console().print(table)
        return
    *whole, last = table.columns
    for column in whole:
        column.no_wrap = True
    words = [word for text in _texts(last) for word in text.split()]
    least = sum(max(map(cell_len, _texts(column))) + _GAP for column in whole) + max(map(cell_len, words), default=0)
    Console(width=max(WIDTH, least)).print(table)


def _texts(column: Column) -> list[str]:
    return [str(column.header), *map(str, column.cells)]


def wrapped(text: str, indent: str) -> str:
    """A text on as many lines as it takes, the later ones further in; no word is broken."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else WIDTH
    return textwrap.fill(
        text, max(width, 40), initial_indent=indent, subsequent_indent=f"{indent}  ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip
