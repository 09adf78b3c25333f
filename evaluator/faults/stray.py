"""The smallest edit nobody asked for: a comment or blank line that changes no behaviour, in one known symbol."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from miner.fixtures import Task
from miner.symbols.files import Files, language_of
from miner.symbols.language import Language
from miner.symbols.lines import covers, range_name
from miner.symbols.model import MODULE, Outline, Segment, Shape, is_container
from miner.symbols.outline import outline
from miner.text import split_lines, to_bytes

_REMARK = "nobody asked for this"
_CONTEXT = 3  # lines that an anchored format quotes around an edit: they must occur once


@dataclass(frozen=True)
class Stray:
    """A change set with one stray edit in it: all its files before and after, and the one symbol it strays to."""

    before: Files
    after: Files
    symbol: str  # path::Qualified.name, or path::<lines after k>


def stray_edit(
    before: Files, after: Files, allowed: Mapping[str, Collection[str]], others: Iterable[tuple[str, str]] = ()
) -> Stray | None:
    """The change from `before` to `after` and one stray edit, outside what `allowed` names; None if no place is.

    The change set's own files come first, then the `others` of the tree (path and contents), as they come.
    """
    for path in sorted(before):
        old, new = as_text(before[path]), as_text(after.get(path))
        if old and new:
            for text, name in _strays(path, old, new, allowed.get(path, ())):
                return Stray(before, {**after, path: to_bytes(text)}, f"{path}::{name}")
    for path, old in others:
        for text, name in _strays(path, old, old, ()):
            return Stray({**before, path: to_bytes(old)}, {**after, path: to_bytes(text)}, f"{path}::{name}")
    return None


def edit_of_what_is_shown(task: Task) -> tuple[Files, Files]:
    """The files of a small edit before and after it: of one that is shown, or a new one where none has a place."""
    shown = ((path, text) for path, content in sorted(task.shown.items()) if (text := as_text(content)))
    stray = stray_edit({}, {}, {}, shown)
    return (stray.before, stray.after) if stray else ({"unasked.py": None}, {"unasked.py": b"UNASKED = 1\n"})


def as_text(content: bytes | None) -> str | None:
    """Contents that a reply can quote, or None for bytes that are no text."""
    try:
        return None if content is None or b"\0" in content else content.decode()
    except UnicodeDecodeError:
        return None


def _strays(path: str, before: str, after: str, allowed: Collection[str]) -> Iterator[tuple[str, str]]:
    """`after` with a stray edit, and the symbol or line range of `before` that it is in."""
    language = language_of(path)
    if language is not None:
        yield from _in_symbols(language, before, after, allowed)
        return
    lines = len(split_lines(before))
    if _ends_alike(before, after) and not covers(allowed, lines, lines):
        yield after + _line_end(before), range_name(lines, lines)


def _in_symbols(
    language: Language, before: str, after: str, allowed: Collection[str]
) -> Iterator[tuple[str, str]]:  # fmt: skip
    """A comment above a definition, else above a constant, else at the end, where it is the module's."""
    old, new = (outline(text.encode(), language) for text in (before, after))
    remark = f"{language.line_comment} {_REMARK}"
    if old.errors or new.errors:
        return
    places = [n for n, s in enumerate(new.segments) if s.name not in allowed and _is_kept(s, old, new)]
    for n in sorted(places, key=lambda n: new.segments[n].shape is not Shape.FUNCTION):
        segment, above = new.segments[n], "".join(s.text for s in new.segments[:n])
        if (above.endswith("\n") or not above) and before.count(_first_lines(segment.text)) == 1:
            first = segment.text.partition("\n")[0]
            comment = first[: len(first) - len(first.lstrip())] + remark + _line_end(segment.text)
            yield above + comment + after[len(above) :], segment.name
    if MODULE not in allowed and _ends_alike(before, after):
        end = _line_end(before)
        yield f"{after}{end}{remark}{end}", MODULE


def _is_kept(segment: Segment, old: Outline, new: Outline) -> bool:
    """Whether a segment is one symbol, the same before and after."""
    return (
        not is_container(segment.name) and len(new.named(segment.name)) == 1
        and [s.core for s in old.named(segment.name)] == [segment.core]
    )  # fmt: skip


def _ends_alike(before: str, after: str) -> bool:
    """Whether a line can be added at the end, below a last line that is the same on both sides, in one place only."""
    last = "".join(split_lines(before)[-_CONTEXT:])
    return last.endswith("\n") and before.count(last) == 1 and split_lines(after)[-1:] == split_lines(before)[-1:]


def _first_lines(text: str) -> str:
    return "".join(split_lines(text)[:_CONTEXT])


def _line_end(text: str) -> str:
    return "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
