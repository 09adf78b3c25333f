"""Lines of a journal: one JSON object each, sealed with a checksum as its last field.

The checksum is the CRC-32 (zlib's) of the line's bytes before it: `{"a": 1, "crc32": "9f0b1c2d"}` seals `{"a": 1`.
"""

import json
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from miner.errors import ToolError
from miner.record import Record, as_data, first_problem

T = TypeVar("T")
R = TypeVar("R", bound=Record)

_SEAL = b', "crc32": "'
_LENGTH = len(_SEAL) + 8 + len(b'"}')
_FIELDS: dict[type[Record], set[str]] = {}


class Damaged(ValueError):
    """A line whose bytes are not those that were written."""


def sealed(record: Record) -> bytes:
    """A record as one line with its checksum and line break.

    A lone surrogate (a byte that was no UTF-8) can be written as JSON but not read again: it becomes `?`.
    """
    body = json.dumps(as_data(record), ensure_ascii=False).encode("utf-8", "replace").removesuffix(b"}")
    return b'%b%b%08x"}\n' % (body, _SEAL, zlib.crc32(body))


def unsealed(row: bytes) -> bytes:
    """A line's JSON without its checksum; as it is where it has none (older runs). Raises `Damaged`."""
    body, seal = row[:-_LENGTH], row[-_LENGTH:]
    if not seal.startswith(_SEAL):
        return row
    if seal != b'%b%08x"}' % (_SEAL, zlib.crc32(body)):
        raise Damaged("its checksum is not that of its contents")
    return body + b"}"


def read_rows(path: Path, parse: Callable[[bytes], T], remedy: str) -> Iterator[tuple[T, int]]:
    """What `parse` makes of each line, and the offset in bytes where the line ends.

    A last line without a line break that cannot be read was torn by a kill, and is left out. Any other line that
    cannot be read raises `ToolError`, naming it; so does a file that cannot.
    """
    end = 0
    try:
        with path.open("rb") as file:
            for number, row in enumerate(file, 1):
                end += len(row)
                if row == b"\n":
                    continue
                try:
                    yield parse(unsealed(row.removesuffix(b"\n"))), end
                except (ValidationError, Damaged) as error:
                    if not row.endswith(b"\n"):
                        return
                    raise ToolError("damaged line", f"{path}:{number}", f"{_problem(error)}. {remedy}") from None
    except OSError as error:
        raise ToolError("cannot read the attempts", path, f"{error.strerror}. Give a run's folder.") from None


def light(record: R) -> R:
    """The same record in a third of the memory: which of its fields were given is kept once for all."""
    known = _FIELDS.setdefault(type(record), set(type(record).model_fields))
    object.__setattr__(record, "__pydantic_fields_set__", known)
    return record


def _problem(error: Exception) -> str:
    return first_problem(error).rstrip(".")
