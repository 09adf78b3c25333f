"""Reading the files that a reply writes out: fences, the path of each, and what is admitted around them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.formats.fences import Fence
from evaluator.formats.model import NO_NEWLINE, Edit, Leniency, Tolerance, Unreadable
from evaluator.formats.paths import deleted_path
from evaluator.formats.plain_paths import PATH_DECORATION
from evaluator.formats.whole_file.naming import dressed_path, path_in_comment, path_in_info, plain_path
from evaluator.taxonomy import Detail

PATH_IN_FENCE = Tolerance(
    "path_in_fence", "the path in the fence's info string, alone or behind the language (Continue, Cursor)"
)
PATH_IN_COMMENT = Tolerance(
    "path_in_comment", "the path in a comment `filepath: ...`, the first line of the contents, which it is no part of "
    "(VS Code)",
)  # fmt: skip
NESTED_FENCES = Tolerance(
    "nested_fences", "a fence in the contents, as long as the one around them, that names a language is closed by the "
    "next one, and so does not end the file (chat clients)",
)  # fmt: skip
FENCE_NOISE = Tolerance("fence_noise", "one more fence around the whole reply (chat clients)")
LINE_NUMBERS = Tolerance("line_numbers", "every line begins with its number and `|`, from 1 on (Roo Code)")

_NUMBERED = re.compile(r"[ \t]*(\d{1,9}) ?\| ?")


@dataclass(frozen=True)
class Rewrite(Edit):
    """A file's whole new contents, or None to delete it."""

    content: str | None


def read(reply: str, leniency: Leniency) -> Sequence[Edit] | Unreadable:
    """The files written out or deleted, at least one; fences without a path are prose."""
    raw = reply.split("\n")
    found = _read(raw, leniency)
    if isinstance(found, Unreadable) and FENCE_NOISE.name in leniency and (inner := _unwrapped(raw)) is not None:
        again = _read(inner, leniency)
        if not isinstance(again, Unreadable):
            return [Rewrite(e.path, e.content, steps=(FENCE_NOISE.name, *e.steps)) for e in again]
    return found


def _read(raw: list[str], leniency: Leniency) -> list[Rewrite] | Unreadable:
    lines = [line.removesuffix("\r") for line in raw]
    fences = [(n, fence) for n, line in enumerate(lines) if (fence := Fence.of(line)) is not None]
    edits: list[Rewrite] = []
    number = after = 0  # the next fence, and the line below the last file or fence
    for at, line in enumerate(lines):
        if at < after:
            continue
        while number < len(fences) and fences[number][0] < at:
            number += 1
        if (gone := _deleted(line, leniency)) is not None:
            edits.append(gone)
            after = at + 1
        elif number < len(fences) and fences[number][0] == at:
            above = lines[max(after, at - 2) : at]
            end = _closing(fences, number)
            if end is None:
                if not edits and not _begins(lines, above, fences[number:], leniency):
                    break  # code beside prose, which no path makes a file
                message = f"The code fence opened on line {at + 1} of the reply is never closed."
                return Unreadable(Detail.BAD_BLOCK, message, unterminated=True)
            named = _path(above, fences[number][1], raw[at + 1 : end][:1], leniency)
            after = end + 1
            if named is not None:
                outer = _closing_nested(lines, fences, number, end) if NESTED_FENCES.name in leniency else None
                end = end if outer is None else outer
                path, taken, first = named
                steps = [*([taken] if taken else []), *([] if outer is None else [NESTED_FENCES.name])]
                edits.append(_file(path, raw[at + 1 + first : end], steps, leniency))
                after = end + 1
    return edits or Unreadable(Detail.NO_EDIT, "No file was found: write its path, then its contents in a fence.")


def _begins(lines: list[str], above: list[str], open_: list[tuple[int, Fence]], leniency: Leniency) -> bool:
    """Whether the first of these fences, which is not closed, or anything below it has a path."""
    first = open_[0][0]
    places = [(above, *open_[0]), *((lines[max(first + 1, at - 2) : at], at, fence) for at, fence in open_[1:])]
    return any(_path(over, fence, lines[at + 1 : at + 2], leniency) for over, at, fence in places) or any(
        _deleted(line, leniency) for line in lines[first + 1 :]
    )


def _deleted(line: str, leniency: Leniency) -> Rewrite | None:
    if (path := deleted_path(line)) is not None:
        return Rewrite(path, None)
    if PATH_DECORATION.name in leniency and (path := deleted_path(line.strip().strip("*`"))) is not None:
        return Rewrite(path, None, steps=(PATH_DECORATION.name,))
    return None


def _file(path: str, content: list[str], steps: list[str], leniency: Leniency) -> Rewrite:
    if LINE_NUMBERS.name in leniency and (plain := _unnumbered(content)) is not None:
        content, steps = plain, [*steps, LINE_NUMBERS.name]
    return Rewrite(path, _text(content), steps=tuple(steps))


def _closing(fences: list[tuple[int, Fence]], number: int) -> int | None:
    """The line that closes a fence by the specification."""
    opened = fences[number][1]
    later = (fences[k] for k in range(number + 1, len(fences)))
    return next((n for n, fence in later if fence.closes(opened)), None)


def _closing_nested(lines: list[str], fences: list[tuple[int, Fence]], number: int, end: int) -> int | None:
    """Where a fence ends in truth whose plain end closes one inside it; None where the plain end is right.

    Only fences that name a language are known to open: a bare one may as well be the end. A path alone on the
    line above a fence begins the next file.
    """
    outer, inside = fences[number][1], list[Fence]()
    for n, fence in (fences[k] for k in range(number + 1, len(fences))):
        if n > end and plain_path(lines[n - 1]) is not None:
            return None
        if fence.marks[0] != outer.marks[0]:
            continue
        if not fence.info and inside:
            if fence.closes(inside[-1]):
                inside.pop()
        elif fence.info and len(fence.marks) >= len(outer.marks):
            inside.append(fence)
        elif fence.closes(outer):
            return n if n > end else None
    return None


def _path(
    above: list[str], fence: Fence, content: list[str], leniency: Leniency
) -> tuple[str, str | None, int] | None:  # fmt: skip
    """The path of a fence, the tolerance that it took, and how many lines of the contents tell it."""
    while above and not above[-1].strip():
        above = above[:-1]
    line = above[-1] if above else ""
    if (path := plain_path(line)) is not None:
        return path, None, 0
    if PATH_DECORATION.name in leniency and (path := dressed_path(line)) is not None:
        return path, PATH_DECORATION.name, 0
    if PATH_IN_FENCE.name in leniency and (path := path_in_info(fence.info)) is not None:
        return path, PATH_IN_FENCE.name, 0
    if PATH_IN_COMMENT.name in leniency and content and (path := path_in_comment(content[0])) is not None:
        return path, PATH_IN_COMMENT.name, 1
    return None


def _unwrapped(raw: list[str]) -> list[str] | None:
    """The lines inside a fence around the whole reply."""
    solid = [n for n, line in enumerate(raw) if line.strip()]
    if len(solid) < 3:
        return None
    first, last = (Fence.of(raw[n].rstrip()) for n in (solid[0], solid[-1]))
    if first is None or last is None or not last.closes(first):
        return None
    return raw[solid[0] + 1 : solid[-1]]


def _unnumbered(lines: list[str]) -> list[str] | None:
    numbered = [_NUMBERED.match(line) for line in lines]
    if len(lines) < 2 or any(m is None or int(m[1]) != n for n, m in enumerate(numbered, 1)):
        return None
    return [line[m.end() :] for line, m in zip(lines, numbered, strict=True) if m is not None]


def _text(lines: list[str]) -> str:
    if lines and lines[-1].rstrip("\r") == NO_NEWLINE:
        return "\n".join(lines[:-1])
    return "".join(line + "\n" for line in lines)
