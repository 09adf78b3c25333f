"""Finding the JSON list of edits in a reply, and reading it, to the letter or with tolerances."""

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from evaluator.formats.model import STRICT, Edit, Leniency, Tolerance, Unreadable
from evaluator.formats.str_replace.edits import KEY_NAMES, edit_of
from evaluator.formats.str_replace.repairs import REPAIRS, SMART_QUOTES, Broken, loads, with_plain_quotes
from evaluator.taxonomy import Detail

FENCE_NOISE = Tolerance(
    "fence_noise", "the list bare among prose, in another fence than ```json, or in parts (LangChain's and other "
    "parsers of JSON answers)"
)  # fmt: skip
MISSING_SENTINEL = Tolerance("missing_sentinel", "the fence is not closed after the whole list")
SINGLE_EDIT = Tolerance("single_edit", "one edit that is not in a list (as tools are called, one edit a call)")
JSON_WRAPPED = Tolerance(
    "json_wrapped", "the list as `edits` of an object, with the path beside it (Claude Code's MultiEdit)"
)
HTML_ESCAPED = Tolerance(
    "html_escaped", "`&quot;`, `&lt;`, `&amp;` and the like in all of the reply, or in an `old` that does not fit "
    "otherwise (Cline, Roo Code)"
)  # fmt: skip
READING = (
    FENCE_NOISE, MISSING_SENTINEL, SINGLE_EDIT, JSON_WRAPPED, KEY_NAMES, *REPAIRS, SMART_QUOTES, HTML_ESCAPED,
)  # fmt: skip

_NOTHING = Unreadable(
    Detail.NO_EDIT,
    'No JSON list of edits was found: write `[{"path": ..., "old": ..., "new": ...}]` in a ```json fence.',
)
_OPEN = re.compile(r"^```json[ \t]*\r?$", re.MULTILINE)
_CLOSE = re.compile(r"^```[ \t]*\r?$", re.MULTILINE)
_START = re.compile(r"\[\s*(?:[{\]]|\Z)|\{\s*\S")
# A key, so in quotes: code is full of braces around the bare word, and would be taken for edits in bad JSON.
_WITH_PATH = re.compile(r"""["'“”„‟](?:file_)?path["'“”„‟]""")
# A string may end with the text, so that what starts in one is not looked at again.
_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)


# Where a list, or an object, has an end for the eye, whatever a bad quote makes of its brackets: in a string of JSON
# there is no line break, and no quote that is not escaped.
_SEEN_END = {
    "[": re.compile(r"""(?:(?<!\\)"|\b[tT]rue)\s*\}\s*(?:,\s*)?\][ \t]*\r?$""", re.MULTILINE),
    "{": re.compile(r"""(?:(?<!\\)"|\b[tT]rue)\s*\}[ \t]*\r?$""", re.MULTILINE),
}
_FENCE = re.compile(r"^```.*$", re.MULTILINE)
_BEFORE_FENCE = re.compile(r"[\]}],?\s*\Z")


@dataclass(frozen=True)
class _Found:
    """A JSON value in a reply, its lines above it; one that is not `whole` goes on where the reply ends."""

    text: str
    whole: bool
    above: int = 0
    steps: tuple[str, ...] = ()


def read(reply: str, leniency: Leniency) -> Sequence[Edit] | Unreadable:
    """The edits of a reply by the mildest tolerances; where none will do, what is wrong with it."""
    found = _edits(_to_the_letter(reply), STRICT)
    if not isinstance(found, Unreadable) or not leniency:
        return found
    again: Sequence[Edit] | Unreadable = _edits(list(_anywhere(reply, leniency)), leniency)
    for tolerance, change in _WHOLE_REPLY.items():
        if not isinstance(again, Unreadable):
            return again
        if tolerance.name in leniency and (text := change(reply)) != reply:
            other = _edits(list(_anywhere(text, leniency)), leniency)
            if not isinstance(other, Unreadable):
                return [replace(edit, steps=(*edit.steps, tolerance.name)) for edit in other]
            if again.detail is Detail.NO_EDIT or other.unterminated:
                again = other
    return found if isinstance(again, Unreadable) and again.detail is Detail.NO_EDIT else again


_WHOLE_REPLY: dict[Tolerance, Callable[[str], str]] = {SMART_QUOTES: with_plain_quotes, HTML_ESCAPED: html.unescape}


def _to_the_letter(reply: str) -> list[_Found]:
    """The list that is all of the reply, or all of its one ```json fence."""
    if reply.lstrip().startswith("["):
        value = next(_values(reply, 0), None)
        return [_Found(reply, value is None or value.whole)]
    opened = list(_OPEN.finditer(reply))
    if not opened:
        return []
    start = opened[0].end()
    above = reply.count("\n", 0, start)
    closed = _CLOSE.search(reply, start)
    value = next(_values(reply, start), None)
    if closed is None:
        return [_Found(reply[start:], value is not None and value.whole, above, (MISSING_SENTINEL.name,))]
    if len(opened) > 1:
        return [_Found(reply[start:], whole=True, above=above)]  # there is to be one, and so this is no JSON
    return [_Found(reply[start : closed.start()], whole=True, above=above)]


def _anywhere(reply: str, leniency: Leniency) -> Iterator[_Found]:
    """The JSON values in a reply that can be edits, as they have paths, with what it took to find each."""
    strict = _to_the_letter(reply)
    for value in _values(reply, 0):
        if not _WITH_PATH.search(value.text):
            continue
        if [value.text] == [one.text.strip() for one in strict]:
            steps = strict[0].steps
        else:
            steps = (FENCE_NOISE.name,)
        if leniency.issuperset(steps):
            yield replace(value, steps=steps)


def _values(text: str, start: int) -> Iterator[_Found]:
    """Lists of objects, and objects, from their first bracket to the one that closes it."""
    counted = above = 0
    while (match := _START.search(text, start)) is not None:
        depth, end = 0, None
        for token in _TOKEN.finditer(text, match.start()):
            depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token[0], 0)
            if depth == 0:
                end = token.end()
                break
        closed = end is not None
        if end is None:
            end = _seen_end(text, match.start())
        above += text.count("\n", counted, match.start())
        counted = match.start()
        yield _Found(text[match.start() : end], end is not None, above)
        if end is None or not closed:
            return  # what follows a bad quote would be scanned again and again
        start = end


def _seen_end(text: str, start: int) -> int | None:
    """Where a value that no bracket closes ends for the eye; None where it goes on until the reply ends."""
    fence = _FENCE.search(text, start)
    if fence is not None and fence[0].strip() == "```":
        before = text[start : fence.start()]
        if _BEFORE_FENCE.search(before[-200:]):
            return start + len(before.rstrip())
    ended = _SEEN_END[text[start]].search(text, start)
    return None if ended is None else ended.end()


def _edits(found: Sequence[_Found], leniency: Leniency) -> Sequence[Edit] | Unreadable:
    edits: list[Edit] = []
    for value in found:
        if not value.whole:
            message = "The list of edits is not closed: the reply ends before it does."
            return Unreadable(Detail.BAD_BLOCK, message, unterminated=True)
        if not leniency.issuperset(value.steps):
            return Unreadable(Detail.BAD_BLOCK, "The ```json fence is not closed.")
        loaded = loads(value.text, leniency)
        if isinstance(loaded, Broken):
            where = f" on line {value.above + loaded.line} of the reply" if loaded.line else ""
            return Unreadable(Detail.BAD_BLOCK, f"The edits are not valid JSON{where}: {loaded.what}.")
        items, steps = _items(loaded.value, leniency)
        if items is None:
            return Unreadable(Detail.BAD_BLOCK, "The edits are not a JSON list.")
        for item in items:
            edit = edit_of(item, leniency)
            if isinstance(edit, str):
                return Unreadable(Detail.BAD_BLOCK, f"Edit {len(edits) + 1} {edit}.")
            edits.append(replace(edit, steps=(*value.steps, *steps, *edit.steps, *loaded.steps)))
    return edits or _NOTHING


def _items(value: object, leniency: Leniency) -> tuple[list[object] | None, tuple[str, ...]]:
    if isinstance(value, list):
        return value, ()
    if not isinstance(value, dict):
        return None, ()
    inner = value.get("edits")
    if isinstance(inner, list) and JSON_WRAPPED.name in leniency:
        outer = {key: value[key] for key in ("path", "file_path") if key in value}
        return [{**outer, **item} if isinstance(item, dict) else item for item in inner], (JSON_WRAPPED.name,)
    return ([value], (SINGLE_EDIT.name,)) if SINGLE_EDIT.name in leniency else (None, ())
