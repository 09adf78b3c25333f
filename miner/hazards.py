"""Hazard tags: what of a change and its files is known to trip edit formats, from the texts alone (pure)."""

import re
from collections.abc import Iterator
from enum import StrEnum
from itertools import groupby

from miner.patches import ABSENT, FilePatch, file_patches
from miner.symbols.files import Files

LONG_LINE = 200  # bytes: longer than any style allows, so data, a minified file or a signature nobody broke
MANY_FILES = 4
MANY_HUNKS = 10

_FENCE = re.compile(rb"^[ \t>]*(?:```|~~~)", re.MULTILINE)
_TAB = re.compile(rb"^\t", re.MULTILINE)
# One space alone is no indentation: comments go on with ` *`.
_SPACES = re.compile(rb"^  +(?![ \t\r\n]|\Z)", re.MULTILINE)
_SPACE_BEFORE_TAB = re.compile(rb"^\t* +\t", re.MULTILINE)


class Tag(StrEnum):
    """A hazard, in the order in which they are listed (docs/strata.md)."""

    REPEATED_ANCHOR = "repeated_anchor"
    CRLF = "crlf"
    NO_FINAL_NEWLINE = "no_final_newline"
    TABS = "tabs"
    MIXED_INDENTATION = "mixed_indentation"
    NON_UTF8 = "non_utf8"
    LONG_LINES = "long_lines"
    MANY_FILES = "many_files"
    MANY_HUNKS = "many_hunks"
    NEW_FILE = "new_file"
    DELETION = "deletion"
    MARKDOWN_FENCES = "markdown_fences"


def hazards(before: Files, patch: bytes) -> list[Tag]:
    """The tags of a change set: its files in the starting tree (those that it adds may be left out), and its patch."""
    files = list(file_patches(patch))
    found = {tag for file in files for tag in _of_file(file, before.get(file.path))}
    if len(files) >= MANY_FILES:
        found.add(Tag.MANY_FILES)
    if sum(1 for file in files for _ in runs(file)) >= MANY_HUNKS:
        found.add(Tag.MANY_HUNKS)
    if any(places > 1 for places in anchor_places(before, patch)):
        found.add(Tag.REPEATED_ANCHOR)
    return [tag for tag in Tag if tag in found]


def _of_file(file: FilePatch, before: bytes | None) -> Iterator[Tag]:
    comes_or_goes = _comes_or_goes(file)
    if comes_or_goes is not None:
        yield comes_or_goes
    added = b"\n".join(line[1:] for hunk in file.hunks for line in _lines(hunk) if line.startswith(b"+"))
    unended = any(b"\n\\ No newline" in hunk for hunk in file.hunks)
    if unended or (before and not before.endswith(b"\n")):
        yield Tag.NO_FINAL_NEWLINE
    yield from _of_text((before or b"") + b"\n" + added)


def _comes_or_goes(file: FilePatch) -> Tag | None:
    old_mode, new_mode = file.modes
    if old_mode == new_mode:  # both are unknown where a patch has no `index` line
        return None
    return {old_mode: Tag.NEW_FILE, new_mode: Tag.DELETION}.get(ABSENT)


def _of_text(text: bytes) -> Iterator[Tag]:
    """What a file's contents say, or those of the lines that come to it."""
    if b"\r\n" in text:
        yield Tag.CRLF
    tabs, spaces = _TAB.search(text) is not None, _SPACES.search(text) is not None
    if tabs:
        yield Tag.TABS
    if (tabs and spaces) or _SPACE_BEFORE_TAB.search(text):
        yield Tag.MIXED_INDENTATION
    try:
        text.decode()
    except UnicodeDecodeError:
        yield Tag.NON_UTF8
    if any(len(line) > LONG_LINE for line in text.split(b"\n")):
        yield Tag.LONG_LINES
    if _FENCE.search(text):
        yield Tag.MARKDOWN_FENCES


def anchor_places(before: Files, patch: bytes) -> list[int]:
    """Of every run of changed lines in a file that is modified, in how many places its minimal anchor stands.

    The minimal anchor is the lines that are taken away; where none are, the nearest line above that is not blank, and
    the blank ones below it (at the start of a hunk: the line below). 0: the starting tree does not have it, as where
    tests that stand inside a source file are around it.
    """
    found = []
    for file in file_patches(patch):
        content = before.get(file.path)
        if content is not None and _comes_or_goes(file) is None:
            lines = content.split(b"\n")
            found += [_places(lines, anchor) for anchor in runs(file)]
    return found


def runs(file: FilePatch) -> Iterator[list[bytes]]:
    """The minimal anchor of every run of consecutive added and deleted lines, each line without its end."""
    for hunk in file.hunks:
        yield from _anchors([line for line in _lines(hunk) if not line.startswith(b"\\")])


def _anchors(lines: list[bytes]) -> Iterator[list[bytes]]:
    """One for each run of a hunk's lines."""
    context: list[bytes] = []  # unchanged lines since the last run
    groups = [(unchanged, list(group)) for unchanged, group in groupby(lines, lambda line: line.startswith(b" "))]
    for n, (unchanged, group) in enumerate(groups):
        if unchanged:
            context = group
            continue
        below = groups[n + 1][1][:1] if n + 1 < len(groups) else []
        yield [line[1:] for line in [line for line in group if line.startswith(b"-")] or _above(context) or below]
        context = []


def _above(context: list[bytes]) -> list[bytes]:
    """The last line that is not blank and the blank ones after it; all, where every one is blank."""
    last = next((n for n in reversed(range(len(context))) if context[n].strip()), 0)
    return context[last:]


def _lines(hunk: bytes) -> list[bytes]:
    """The lines of a hunk below its `@@` line, each with its sign and without its end."""
    return hunk.removesuffix(b"\n").split(b"\n")[1:]


def _places(lines: list[bytes], anchor: list[bytes]) -> int:
    size = len(anchor)
    return sum(lines[n : n + size] == anchor for n, line in enumerate(lines) if anchor and line == anchor[0])
