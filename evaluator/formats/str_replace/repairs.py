"""Reading JSON as models misspell it: one repair after the other, each by its name."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass

from evaluator.formats.model import Leniency, Tolerance

RAW_NEWLINES = Tolerance(
    "raw_newlines", "line breaks and tabs as they are in strings (Python's json with strict=False; json_repair)"
)
TRAILING_COMMAS = Tolerance("trailing_commas", "a comma before a closing bracket (JSON5)")
BAD_ESCAPES = Tolerance(
    "bad_escapes", "a backslash that starts no escape of JSON, as in `\\d`, stands for itself (json_repair)"
)
SMART_QUOTES = Tolerance("smart_quotes", "typographic quotes around the strings (json_repair)")
REPAIRS = (RAW_NEWLINES, TRAILING_COMMAS, BAD_ESCAPES)

_STRING_OR_COMMA = re.compile(r'("[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z))|,(?=\s*[\]}])', re.DOTALL)
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|\\')
_QUOTE_BEFORE = re.compile(r"([\[{,:]\s*)[“”„‟]")
_QUOTE_AFTER = re.compile(r"[“”„‟](?=\s*[\]},:])")


@dataclass(frozen=True)
class Loaded:
    """A JSON value, and the repairs that it took to read it."""

    value: object
    steps: tuple[str, ...]


def loads(text: str, leniency: Leniency) -> Loaded | str:
    """The JSON value of a text by as few repairs as it takes, or what is wrong with it."""
    error = _load(text, strict=True)
    if isinstance(error, Loaded):
        return error
    strict = True
    steps: tuple[str, ...] = ()
    for repair in REPAIRS:
        if repair.name not in leniency:
            continue
        if repair is RAW_NEWLINES:
            strict, changed = False, text
        else:
            changed = _CHANGES[repair](text)
            if changed == text:
                continue
        text, steps = changed, (*steps, repair.name)
        found = _load(text, strict)
        if isinstance(found, Loaded):
            return Loaded(found.value, _needed(text, steps))
    return error


def _needed(text: str, steps: tuple[str, ...]) -> tuple[str, ...]:
    """Without line breaks in strings there was no need to allow them."""
    if RAW_NEWLINES.name in steps and isinstance(_load(text, strict=True), Loaded):
        return tuple(step for step in steps if step != RAW_NEWLINES.name)
    return steps


def _load(text: str, strict: bool) -> Loaded | str:
    try:
        return Loaded(json.JSONDecoder(object_pairs_hook=_once_each, strict=strict).decode(text), ())
    except RecursionError:
        return "it is nested too deeply"
    except ValueError as error:
        return str(error)[:200]


def _once_each(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("an object has one key twice")
    return found


def _without_trailing_commas(text: str) -> str:
    return _STRING_OR_COMMA.sub(lambda match: match[1] or "", text)


def _with_escaped_backslashes(text: str) -> str:
    return _ESCAPE.sub(lambda match: match[0] if len(match[0]) > 1 else "\\\\", text)


def with_plain_quotes(text: str) -> str:
    """Typographic quotes where JSON has its own."""
    return _QUOTE_AFTER.sub('"', _QUOTE_BEFORE.sub(r'\1"', text))


_CHANGES: dict[Tolerance, Callable[[str], str]] = {
    TRAILING_COMMAS: _without_trailing_commas,
    BAD_ESCAPES: _with_escaped_backslashes,
}
