"""`unified_diff`, as faults write it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

from evaluator.faults.grammar.anchors import BAD_BLOCK, NO_EDIT, UNKNOWN, anchor_slips, renamed
from evaluator.faults.grammar.model import Grammar, Quote, Slip, Text, replaced
from evaluator.faults.grammar.udiff import hunk_lines
from evaluator.faults.model import Label
from evaluator.taxonomy import Category, Detail

_MISSING = Detail.HUNK_MISMATCH
_MISMATCH = Label(Category.NOT_APPLIED, _MISSING)
_NUMBERS = re.compile(r"^@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n", re.MULTILINE)
_NOTE = "\\ No newline"


def _quoted(quote: Quote) -> str:
    mark, path = ("`", quote.path[1:-1]) if quote.path.startswith("`") else ("", quote.path)
    sides = [f"{mark}{side}/{path}{mark}" for side in "ab"]
    old, new = len(quote.anchor), len(quote.result)
    first = [quote.line + bool(count) for count in (old, new)]
    return f"--- {sides[0]}\n+++ {sides[1]}\n@@ -{first[0]},{old} +{first[1]},{new} @@\n{hunk_lines(quote)}"


def _without_numbers(quote: Quote) -> str:
    return _NUMBERS.sub("@@ ... @@\n", _quoted(quote))


def _bodies(text: str) -> Iterator[tuple[re.Match[str], int, int]]:
    """Every hunk of a reply that the format encoded: its header, where its last line begins and where it ends."""
    at = 0
    while (header := _NUMBERS.search(text, at)) is not None:
        left = [int(header[2]), int(header[4])]
        last = end = header.end()
        while any(left):
            last, mark = end, text[end]
            left = [left[0] - (mark in " -"), left[1] - (mark in " +")] if mark != "\\" else left
            end = text.index("\n", end) + 1
        yield header, last, end
        at = end


def _open_edits(text: str) -> list[tuple[int, int]]:
    """Where at least the last line of a hunk is missing."""
    return [(header.end(), last) for header, last, _ in _bodies(text) if last > header.end()]


def _changes_nothing(text: str, _random: Random) -> str | None:
    """A hunk of context alone, whose counts say so."""
    for header, _, end in _bodies(text):
        lines = [line for line in text[header.end() : end].split("\n")[:-1] if line[:1] == " "]
        if lines:
            counts = f"@@ -{header[1]},{len(lines)} +{header[3]},{len(lines)} @@\n"
            return text[: header.start()] + counts + "".join(f"{line}\n" for line in lines) + text[end:]
    return None


def _fewer_lines(text: str, _random: Random) -> str | None:
    header = next((header for header, _, _ in _bodies(text) if int(header[2]) and int(header[4])), None)
    if header is None:
        return None
    more = f"@@ -{header[1]},{int(header[2]) + 1} +{header[3]},{int(header[4]) + 1} @@\n"
    return text[: header.start()] + more + text[header.end() :]


def _unmarked(text: str, _random: Random) -> str | None:
    """A context line without its blank; those that look like another part of a diff keep it."""
    for header, _, end in _bodies(text):
        for line in re.finditer(r"^ (?=\w)", text[header.end() : end], re.MULTILINE):
            at = header.end() + line.start()
            return text[:at] + text[at + 1 :]
    return None


def _split_fence(text: str, _random: Random) -> str | None:
    """A new fence between two hunks of one file."""
    ends = [end for _, _, end in _bodies(text) if text.startswith("@@ ", end)]
    return f"{text[: ends[0]]}```\n\n```diff\n{text[ends[0] :]}" if ends else None


def _unended(text: str, _random: Random) -> str | None:
    """The bare diff without the newline of its last line, which is one of a hunk."""
    bare = text.removeprefix("```diff\n").removesuffix("\n```\n")
    last = bare.rpartition("\n")[2]
    return None if last.startswith(_NOTE) or bare.endswith(" ") or not last else bare


def _shifted(quote: Quote, random: Random) -> Quote | None:
    """Numbers that are wrong by a few lines, of an edit that neither begins nor ends the file."""
    if not quote.line or not quote.below:
        return None
    return replace(quote, line=quote.line + random.randint(1, 9))


def _bare_hunk(quote: Quote, _random: Random) -> Quote | None:
    """An edit without context that begins and ends no file."""
    if not quote.old or not quote.above or not quote.below or not any(line.strip() for line in quote.old):
        return None
    return replace(quote, line=quote.line + len(quote.above), above=(), below=())


def _outer_context(quote: Quote, _random: Random) -> Quote | None:
    """An outermost line of context from memory, with as much context on both sides."""
    if len(quote.above) != 3 or len(quote.below) != 3 or not any(line.strip() for line in quote.old):
        return None
    return replace(quote, above=(f"{quote.above[0]} as remembered", *quote.above[1:]))


def _of(name: str, letter: Label, text: Text, also: tuple[str, ...] = ()) -> Slip:
    return Slip(name, frozenset({name}), letter, text=text, also=frozenset(also))


_ANCHORS = anchor_slips(_MISSING)
_PATHS = frozenset({"path_decoration", "path_recovery"})

GRAMMAR = Grammar(
    opening="```diff\n",
    between="",
    closing="```\n",
    open_edits=_open_edits,
    breaks={
        "without_header": replaced(r"\A```diff\n--- .*\n\+\+\+ .*\n(?=@@ -)", "```diff\n"),
        "changes_nothing": _changes_nothing,
        "new_with_old_lines": replaced(r"^--- a/.*$(?=\n\+\+\+ b/.*\n@@ -\d+,[1-9])", "--- /dev/null"),
    },
    slips=(
        _ANCHORS["trailing_space"],
        _ANCHORS["line_endings"],
        Slip("lookalikes", frozenset({"lookalikes"}), _MISMATCH, quote=_ANCHORS["lookalikes"].quote),
        Slip("indentation", frozenset({"indentation"}), _MISMATCH, quote=_ANCHORS["indentation"].quote),
        renamed("path_decoration", _PATHS, UNKNOWN, "`{}`".format),
        _of("missing_sentinel", BAD_BLOCK, replaced(r"^--- a/.*\n(?=\+\+\+ b/.*\n@@ -)", "")),
        _of("marker_noise", NO_EDIT, replaced(r"^(?=.)", "  ", 0)),
        _of("hunk_counts", BAD_BLOCK, _fewer_lines),
        _of("unmarked_context", BAD_BLOCK, _unmarked, also=("hunk_counts",)),
        _of("fence_noise", BAD_BLOCK, _split_fence),
        _of("reply_end", BAD_BLOCK, _unended),
        Slip("shifted_numbers", frozenset(), Label(), quote=_shifted, stands=True),
        Slip(
            "edge_context", frozenset({"edge_context", "context_fuzz"}), _MISMATCH, quote=_bare_hunk, stands=True,
        ),
        Slip("context_fuzz", frozenset({"context_fuzz"}), _MISMATCH, quote=_outer_context),
    ),
    quote=_quoted,
    missing=_MISSING,
    ambiguous=_without_numbers,
    ambiguous_needs=frozenset({"hunk_numbers"}),
    misplaced=lambda twin: _quoted(twin.quote()),
)  # fmt: skip
