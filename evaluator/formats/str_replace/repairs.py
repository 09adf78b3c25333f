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
_NO_WORD = re.compile(r"(?:None|True|False|undefined|NULL)\b")
_QUOTE_BEFORE = re.compile(r"([\[{,:]\s*)[“”„‟]")
_QUOTE_AFTER = re.compile(r"[“”„‟](?=\s*[\]},:])")


@dataclass(frozen=True)
class Loaded:
    """A JSON value, and the repairs that it took to read it."""

    value: object
    steps: tuple[str, ...]


@dataclass(frozen=True)
class Broken:
    """What is wrong with a text that is no JSON, and on which of its lines, from 1; 0: on none of them."""

    what: str
    line: int = 0


def loads(text: str, leniency: Leniency) -> Loaded | Broken:
    """The JSON value of a text by as few repairs as it takes, or what no repair that is admitted mends."""
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
        error = found  # repairs keep the lines as they are
    return error


def _needed(text: str, steps: tuple[str, ...]) -> tuple[str, ...]:
    """Without line breaks in strings there was no need to allow them."""
    if RAW_NEWLINES.name in steps and isinstance(_load(text, strict=True), Loaded):
        return tuple(step for step in steps if step != RAW_NEWLINES.name)
    return steps


def _load(text: str, strict: bool) -> Loaded | Broken:
    try:
        return Loaded(json.JSONDecoder(object_pairs_hook=_once_each, strict=strict).decode(text), ())
    except RecursionError:
        return Broken("it is nested too deeply")
    except json.JSONDecodeError as error:
        return Broken(error.msg.removesuffix(" at") + _hint(text, error), error.lineno)
    except ValueError as error:
        return Broken(str(error)[:200])


def _hint(text: str, error: json.JSONDecodeError) -> str:
    """What is known of other languages, or often forgotten, and stands where a text ceases to be JSON."""
    before, here = text[max(error.pos - 100, 0) : error.pos].rstrip(), text[error.pos : error.pos + 100].lstrip()
    if match := _NO_WORD.match(here):
        return f" (`{match[0]}` is no JSON: `true`, `false` and `null` are)"
    if here[:1] == "'":
        return " (single quotes are no JSON: strings stand in double quotes)"
    if (before[-1:] == "," and here[:1] in ("]", "}")) or (here[:1] == "," and here[1:].lstrip()[:1] in ("]", "}")):
        return " (a comma before a closing bracket is no JSON)"
    if error.msg.startswith("Invalid control"):
        return " (in a string a line break is written `\\n`, a tab `\\t`)"
    if error.msg.startswith("Expecting ','") and not here:
        return " (a closing bracket is missing)"
    if error.msg.startswith("Expecting ','") and before[-1:] == '"':
        return ' (a comma is missing, or a `"` inside a string is not written `\\"`)'
    return ""


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
