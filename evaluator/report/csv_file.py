"""The attempts of a run as CSV, for spreadsheets and data frames: a row an attempt, in the order they were made."""

import csv
import io
from collections.abc import Iterable, Iterator

from evaluator.journal import AttemptLine

FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet may take a cell that begins so for
_COLUMNS = [name for name in AttemptLine.model_fields if name != "schema_"]


def rows(lines: Iterable[AttemptLine]) -> Iterator[list[str]]:
    """The header, then a row a line: every field; of lists, what they hold, separated by `; `."""
    yield _COLUMNS
    for line in lines:
        yield [_cell(getattr(line, name)) for name in _COLUMNS]


def as_csv(lines: Iterable[AttemptLine]) -> str:
    """The rows as RFC 4180 has them."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows(lines))
    return out.getvalue()


def _cell(value: object) -> str:
    """Text from models and repositories that a spreadsheet would run as a formula gets an apostrophe before it."""
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return str(value)
    text = "; ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    text = text.encode("utf-8", "backslashreplace").decode()  # a lone surrogate cannot be written
    return f"'{text}" if text.startswith(FORMULA) else text
