"""Bytes that no line shows: line endings, byte order mark, final newline, tabs for blanks (docs/taxonomy.md, R9).

A whole file's line endings are undone by the ladder of `whole_file` (R10), so the fault of the answer leaves some lines
as they are; the one that does not is of the reply.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from evaluator.faults.answer import Answer, is_readable, is_unmistakable, parses, solved
from evaluator.faults.made import Fixed
from evaluator.faults.model import RESOLVED, Injected, Label, Site
from evaluator.faults.places import is_source, neighbours, sources, tokens
from evaluator.formats.model import CannotExpress, EditFormat
from evaluator.taxonomy import Category, Detail
from miner.symbols.files import has_symbols
from miner.symbols.model import Shape

BYTES = Label(Category.UNINTENDED_CHANGE, Detail.BYTES)
_BOM = b"\xef\xbb\xbf"


def other_endings(answer: Answer, random: Random) -> Iterator[Answer]:
    """The lines of one neighbour in CRLF, or in LF where the file has CRLF."""
    for place in neighbours(answer, random, Shape.FUNCTION, Shape.VALUE, Shape.CLASS):
        text = place.content[place.start : place.end]
        content = place.replaced(place.start, place.end, _turned(text))
        mixed = b"\r\n" in content and content.count(b"\r\n") < content.count(b"\n")
        if mixed and not _ends_mixed(place.content) and parses(place.path, content):
            yield answer.edited(place.path, content)


def all_but_one(answer: Answer, random: Random) -> Iterator[Answer]:
    """All lines of a file of the task in CRLF (or LF) but the first, which keeps its ending."""
    for path, content in _texts(answer, random):
        first, newline, rest = content.partition(b"\n")
        if rest.count(b"\n") and not _ends_mixed(content):
            yield answer.edited(path, first + newline + _turned(rest))


def _turned(text: bytes) -> bytes:
    return text.replace(b"\r\n", b"\n") if b"\r\n" in text else text.replace(b"\n", b"\r\n")


def _ends_mixed(content: bytes) -> bool:
    return 0 < content.count(b"\r\n") < content.count(b"\n")


def with_mark(answer: Answer, random: Random) -> Iterator[Answer]:
    """A byte order mark where there was none."""
    for path, content in _texts(answer, random):
        if not content.startswith(_BOM) and (not has_symbols(path) or parses(path, _BOM + content)):
            yield answer.edited(path, _BOM + content)


def other_end(answer: Answer, random: Random) -> Iterator[Answer]:
    """The final newline dropped, or one added where there was none; the last line is as before."""
    for path, content in _texts(answer, random):
        before = answer.before(path)
        assert before is not None
        if before.splitlines(keepends=True)[-1:] != content.splitlines(keepends=True)[-1:] or not content.strip():
            continue
        ended = content.endswith(b"\n")
        edited = content.removesuffix(b"\n").removesuffix(b"\r") if ended else content + b"\n"
        if edited.rstrip(b"\r\n") + b"\n" in (edited, edited + b"\n"):  # no blank line more or fewer
            yield answer.edited(path, edited)


def with_tabs(answer: Answer, random: Random) -> Iterator[Answer]:
    """A tab for every four blanks that a neighbour is indented by; of Python's only one that nothing else is around."""
    for place in neighbours(answer, random, Shape.FUNCTION):
        text = place.content[place.start : place.core]
        multiline = any(b"\n" in place.content[start:end] for start, end, _ in tokens(place))
        if multiline or (place.language.indented and (place.content[place.start : place.start + 1]).isspace()):
            continue
        tabbed = re.sub(rb"(?m)^(?:    )+", lambda m: b"\t" * (len(m[0]) // 4), text)
        content = place.replaced(place.start, place.core, tabbed)
        if tabbed != text and b"\t" not in text and parses(place.path, content):
            yield answer.edited(place.path, content)


def _texts(answer: Answer, random: Random) -> Iterator[tuple[str, bytes]]:
    """The files that the task modifies, then other source files with symbols."""
    own = sorted(path for path in answer.site.truth if is_source(path) and not has_symbols(path))
    for path in [*random.sample(own, len(own)), *sources(answer, random)]:
        content = answer.at(path)
        if content is not None and is_readable(content) and is_readable(answer.before(path)):
            yield path, content


@dataclass(frozen=True)
class WholeEndings:
    """A file of the task in other line endings, all of it: nothing to a `whole_file` that grants `line_endings`."""

    name: str = "bytes_all_endings"
    labels: tuple[Label, ...] = (BYTES, RESOLVED)
    needs_tests: bool = False

    def replies(self, site: Site, fmt: EditFormat, random: Random) -> Iterator[Injected]:
        """Replies, in random order; none of an impossible task."""
        if site.task.impossible:
            return
        undone = fmt.name == "whole_file" and "line_endings" in site.leniency(fmt)
        answer = solved(site)
        for path, content in _texts(answer, random):
            before = answer.before(path)
            assert before is not None
            if b"\n" not in content or _ends_mixed(content) or _ends_mixed(before) or path not in site.truth:
                continue
            damaged = answer.edited(path, _turned(content))
            if is_unmistakable(damaged):
                files = damaged.damaged(BYTES)
                text = fmt.encode(files.before, files.after)
                if not isinstance(text, CannotExpress):
                    yield Injected(text, RESOLVED if undone else BYTES)


FAULTS = (
    Fixed("bytes_endings", BYTES, (other_endings,)),
    Fixed("bytes_endings_but_one", BYTES, (all_but_one,)),
    Fixed("bytes_mark", BYTES, (with_mark,)),
    Fixed("bytes_final_newline", BYTES, (other_end,)),
    Fixed("bytes_tabs", BYTES, (with_tabs,)),
)
BY_FORMAT = (WholeEndings(),)
