"""`unified_diff`: hunks with line numbers, as `diff -u`, POSIX.1-2017 and git write and apply them.

Hunk counts must be right (git and patch refuse others). As in patch, a hunk that does not fit at its
stated line is looked for elsewhere, nearest first, never with fuzz. An empty line counts as an empty
context line, which git accepts because GNU diff may write it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaluator.formats.model import (
    NO_NEWLINE,
    STRICT,
    Applied,
    CannotExpress,
    Edit,
    Leniency,
    NotApplied,
    Placement,
    Tolerance,
    Tree,
    Unreadable,
)
from evaluator.formats.paths import forbidden, normal_path, unknown, unspellable
from evaluator.formats.reply import changed_paths, joined
from evaluator.taxonomy import Detail
from miner.symbols.files import Files, text_of
from miner.symbols.lines import changed_blocks
from miner.text import split_lines, to_bytes

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_CONTEXT = 3


@dataclass(frozen=True)
class Hunk:
    """One hunk: the stated first line (from 1) of its old side, its old and new lines with line ends.

    `lead` and `trail` count the context lines before the first and after the last changed line.
    """

    line: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    lead: int
    trail: int

    def touched(self, place: int) -> tuple[int, int]:
        """The lines that the hunk changes, without its outer context, where it is placed at `place`."""
        return place + self.lead, place + len(self.old) - self.trail


@dataclass(frozen=True)
class FileDiff(Edit):
    """The hunks of one file; `creates` and `deletes` where a side is /dev/null."""

    hunks: tuple[Hunk, ...]
    creates: bool = False
    deletes: bool = False


class UnifiedDiff:
    """The unified diff."""

    name = "unified_diff"
    tolerances: tuple[Tolerance, ...] = ()

    def instructions(self) -> str:
        """How to write a unified-diff reply."""
        return (
            "Answer with a unified diff that `git apply` accepts, in one code fence:\n\n"
            "```diff\n--- a/path/to/file.py\n+++ b/path/to/file.py\n@@ -10,7 +10,8 @@\n context line\n"
            "-removed line\n+added line\n+added line\n context line\n```\n\n"
            "Every line of a hunk begins with a space (unchanged), `-` (removed) or `+` (added). The numbers after\n"
            "@@ are the first line and the number of lines of the hunk in the old and in the new file. Give three\n"
            "unchanged lines around a change. A new file has `--- /dev/null`, a deleted one `+++ /dev/null`.\n"
            f"Where a file has no newline at its end, its last line is followed by `{NO_NEWLINE}`.\n"
        )

    def parse(self, reply: str, leniency: Leniency = STRICT) -> Sequence[Edit] | Unreadable:  # noqa: ARG002
        """The file diffs of the reply; text around them is prose."""
        lines = reply.split("\n")
        edits: list[Edit] = []
        at = 0
        while at < len(lines):
            if not _is_header(lines, at):
                at += 1
                continue
            parsed = _file_diff(lines, at)
            if isinstance(parsed, Unreadable):
                return parsed
            edit, at = parsed
            edits.append(edit)
        return edits or Unreadable(Detail.NO_EDIT, "No `--- a/path` and `+++ b/path` lines were found.")

    def apply(self, edits: Sequence[Edit], tree: Tree, leniency: Leniency = STRICT) -> Applied | NotApplied:  # noqa: ARG002
        """All the hunks, placed against each file as it was before the diff of that file."""
        files: dict[str, bytes | None] = {}
        placements: list[Placement] = []
        fitted = 0
        for edit in edits:
            assert isinstance(edit, FileDiff)
            if (refusal := forbidden(edit.path, tree, fitted)) is not None:
                return refusal
            current = files[edit.path] if edit.path in files else tree.read(edit.path)
            if current is None and not edit.creates:
                return unknown(edit.path, fitted)
            if edit.creates and current:
                return NotApplied(Detail.HUNK_MISMATCH, f"{edit.path} is said to be new but exists.", fitted)
            lines = split_lines(text_of(current))
            placed = _place(edit, lines, fitted)
            if isinstance(placed, NotApplied):
                return placed
            starts, places = placed
            fitted += len(edit.hunks) or 1
            result = "".join(_replaced(lines, edit.hunks, starts))
            if edit.deletes and result:
                message = f"{edit.path} is said to be deleted but the hunks leave {len(split_lines(result))} lines."
                return NotApplied(Detail.HUNK_MISMATCH, message, fitted)
            files[edit.path] = None if edit.deletes else to_bytes(result)
            placements += places
        return Applied(files, tuple(placements))

    def encode(self, before: Files, after: Files) -> str | CannotExpress:
        """The diff with three lines of context, in a fence."""
        parts = ((p, _encode_file(p, before.get(p), after.get(p))) for p in changed_paths(before, after))
        return _fenced(joined(parts, ""))

    def restate(self, path: str, text: str) -> str | CannotExpress:
        """A hunk that removes the first line and adds it again."""
        lines = split_lines(text)
        header = _header(path, created=False, deleted=False)
        if isinstance(header, CannotExpress):
            return header
        return _fenced(joined([(path, header + _encode_hunk([(0, 1, 0, 1)], lines, lines))]))


def _is_header(lines: list[str], at: int) -> bool:
    return lines[at].startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ ")


def _file_diff(lines: list[str], at: int) -> tuple[FileDiff, int] | Unreadable:
    """The file diff whose header is at `at`, and the index of the line after it."""
    old, new = (_header_path(lines[at + side]) for side in (0, 1))
    path = old if new is None else new
    if path is None:
        return Unreadable(Detail.BAD_BLOCK, f"Line {at + 1} of the reply: both sides are /dev/null.")
    at += 2
    hunks: list[Hunk] = []
    while at < len(lines) and (match := _HUNK.match(lines[at])):
        parsed = _hunk(lines, at, match)
        if isinstance(parsed, Unreadable):
            return parsed
        hunk, at = parsed
        hunks.append(hunk)
    if not hunks and old is not None and new is not None:
        return Unreadable(Detail.BAD_BLOCK, f"The diff of {path} has no hunk.", unterminated=at >= len(lines))
    return FileDiff(normal_path(path), tuple(hunks), creates=old is None, deletes=new is None), at


def _header_path(line: str) -> str | None:
    """The path of a `---` or `+++` line, without its time stamp and `a/` or `b/`; None for /dev/null."""
    path = line[4:].split("\t", 1)[0].strip()
    if path == "/dev/null":
        return None
    return path[2:] if path.startswith(("a/", "b/")) else path


def _hunk(lines: list[str], at: int, header: re.Match[str]) -> tuple[Hunk, int] | Unreadable:
    start = at
    want_old, want_new = (int(header[group] or 1) if header[group] != "0" else 0 for group in (2, 4))
    old: list[str] = []
    new: list[str] = []
    marks = ""
    at += 1
    while len(old) < want_old or len(new) < want_new:
        if at >= len(lines):
            message = f"The hunk on line {start + 1} of the reply ends early: its counts say more lines."
            return Unreadable(Detail.BAD_BLOCK, message, unterminated=True)
        mark, text = (lines[at][:1] or " "), lines[at][1:] + "\n"
        if mark not in " +-" or (lines[at] == "" and at == len(lines) - 1):
            break
        at += 1
        ends_bare = at < len(lines) and lines[at].startswith("\\ ")
        text = text[:-1] if ends_bare else text
        at += ends_bare
        marks += mark
        if mark in " -":
            old.append(text)
        if mark in " +":
            new.append(text)
    overlong = at < len(lines) and lines[at][:1] in ("+", "-", " ") and not _is_header(lines, at)
    if (len(old), len(new)) != (want_old, want_new) or overlong:
        message = (
            f"The hunk on line {start + 1} of the reply is inconsistent: its header says {want_old} old and "
            f"{want_new} new lines, its body differs."
        )
        unterminated = at >= len(lines) - 1 and not overlong
        return Unreadable(Detail.BAD_BLOCK, message, unterminated=unterminated)
    lead, trail = (len(marks) - len(m) for m in (marks.lstrip(" "), marks.rstrip(" ")))
    return Hunk(int(header[1]), tuple(old), tuple(new), lead, min(trail, len(old) - lead)), at


def _place(edit: FileDiff, lines: list[str], fitted: int) -> tuple[list[int], list[Placement]] | NotApplied:
    """Where each hunk goes: its stated line, moved by the offset so far, or else the nearest fit below the last."""
    starts: list[int] = []
    placements: list[Placement] = []
    offset, floor = 0, 0
    for number, hunk in enumerate(edit.hunks, 1):
        stated = (hunk.line - 1 if hunk.old else hunk.line) + offset
        fits = _fits(hunk, lines)
        here = [n for n in fits if n >= floor] if hunk.old else [min(max(stated, floor), len(lines))]
        if not here:
            message = f"{edit.path}: hunk {number} (line {hunk.line}) does not match the file."
            return NotApplied(Detail.HUNK_MISMATCH, message, fitted + number - 1)
        chosen = min(here, key=lambda n: (abs(n - stated), n))
        offset += chosen - stated
        floor = chosen + len(hunk.old)
        others = tuple(hunk.touched(n) for n in fits if n != chosen)
        placements.append(Placement(edit.path, hunk.touched(chosen), others))
        starts.append(chosen)
    return starts, placements


def _fits(hunk: Hunk, lines: list[str]) -> list[int]:
    size, wanted = len(hunk.old), list(hunk.old)
    if not size:
        return []
    return [n for n in range(len(lines) - size + 1) if lines[n] == wanted[0] and lines[n : n + size] == wanted]


def _replaced(lines: list[str], hunks: Sequence[Hunk], starts: Sequence[int]) -> Iterator[str]:
    at = 0
    for hunk, start in zip(hunks, starts, strict=True):
        yield from lines[at:start]
        yield from hunk.new
        at = start + len(hunk.old)
    yield from lines[at:]


def _fenced(diff: str | CannotExpress) -> str | CannotExpress:
    return diff if isinstance(diff, CannotExpress) else f"```diff\n{diff}```\n"


def _header(path: str, created: bool, deleted: bool) -> str | CannotExpress:
    sides = "/dev/null" if created else f"a/{path}", "/dev/null" if deleted else f"b/{path}"
    if "\n" in path or _header_path(f"--- a/{path}") != path or normal_path(path) != path:
        return unspellable(path)
    return f"--- {sides[0]}\n+++ {sides[1]}\n"


def _encode_file(path: str, before: bytes | None, after: bytes | None) -> str | CannotExpress:
    header = _header(path, created=before is None, deleted=after is None)
    if isinstance(header, CannotExpress):
        return header
    old, new = split_lines(text_of(before)), split_lines(text_of(after))
    groups: list[list[tuple[int, int, int, int]]] = []
    for block in changed_blocks(text_of(before), text_of(after)):
        if groups and block[0] - groups[-1][-1][1] <= 2 * _CONTEXT:
            groups[-1].append(block)
        else:
            groups.append([block])
    return header + "".join(_encode_hunk(group, old, new) for group in groups)


def _encode_hunk(group: list[tuple[int, int, int, int]], old: list[str], new: list[str]) -> str:
    above = min(_CONTEXT, group[0][0])
    below = min(_CONTEXT, len(old) - group[-1][1])
    i, j = group[0][0] - above, group[0][2] - above
    old_count, new_count = group[-1][1] + below - i, group[-1][3] + below - j
    body, at = [], i
    for i1, i2, j1, j2 in group:
        body += [_line(" ", line) for line in old[at:i1]]
        body += [_line("-", line) for line in old[i1:i2]] + [_line("+", line) for line in new[j1:j2]]
        at = i2
    body += [_line(" ", line) for line in old[at : at + below]]
    starts = (i + 1 if old_count else i), (j + 1 if new_count else j)
    return f"@@ -{starts[0]},{old_count} +{starts[1]},{new_count} @@\n" + "".join(body)


def _line(mark: str, line: str) -> str:
    return mark + line if line.endswith("\n") else f"{mark}{line}\n{NO_NEWLINE}\n"
