"""Unintended changes in words: how far each reaches, and what was renamed or moved."""

from collections.abc import Sequence

from miner.symbols.differences import Kind, compare
from miner.symbols.extent import extents
from miner.symbols.files import Change, Files, language_of, outline_of
from miner.symbols.model import BODY
from miner.symbols.moves import Compared, Move, moves


def described(before: Files, after: Files, changes: Sequence[Change]) -> tuple[str, ...]:
    """Of every change its kind, and in brackets its extent or what became of the symbol: `modified (comment)`,
    `removed (moved to b.py::g)`."""
    compared: dict[str, Compared] = {}
    reach: dict[tuple[str, str], str] = {}
    for path in {change.path for change in changes}:
        language = language_of(path)
        if language is None:
            continue
        old, new = outline_of(path, before.get(path)), outline_of(path, after.get(path))
        compared[path] = Compared(old, new, compare(old, new))
        found = extents(old, new, compared[path].found, language)
        reach |= {(path, name): extent.value for name, extent in found.items()}
    notes = reach | _notes(moves(compared)) if compared else reach
    return tuple(_worded(change, notes.get((change.path, change.symbol), "")) for change in changes)


def _worded(change: Change, note: str) -> str:
    if not note or change.kind in (Kind.REORDERED, Kind.BYTES):
        return change.kind.value
    return f"{change.kind.value} ({note})"


def _notes(found: Sequence[Move]) -> dict[tuple[str, str], str]:
    notes: dict[tuple[str, str], str] = {}
    for move in found:
        word = move.kind.value.replace("_", " ")
        to, origin = (
            name if move.old_path == move.new_path else f"{path}::{name}"
            for path, name in ((move.new_path, move.new_name), (move.old_path, move.old_name))
        )
        for name in (move.old_name, f"{move.old_name}.{BODY}"):
            notes[move.old_path, name] = f"{word} to {to}"
        for name in (move.new_name, f"{move.new_name}.{BODY}"):
            notes[move.new_path, name] = f"{word} from {origin}"
    return notes
