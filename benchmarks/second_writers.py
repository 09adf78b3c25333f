"""The second injector's own writers: a change as a reply in each of the six formats, after docs/formats.md alone.

A writer gives None for what it has no simple way to say; these replies are left out, they are no finding.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from benchmarks.second_pieces import Piece, Texts, changed, pieces

UNENDED = "\\ No newline at end of file"
KINDS = {"unified_diff": "numbered", "apply_patch": "ordered"}  # the others need anchors that occur once
Writer = Callable[[Sequence[Piece]], str | None]


def write(name: str, before: Texts, after: Texts) -> str | None:
    """The reply of the format `name` that turns `before` into `after`."""
    if any(not re.fullmatch(r"[\w./@+-]+", path) for path in changed(before, after)):
        return None
    if name == "whole_file":
        return whole_file({path: after.get(path) for path in changed(before, after)})
    return WRITERS[name](pieces(before, after, KINDS.get(name, "unique")))


def whole_file(files: Texts) -> str:
    """Every file in a fence of its own; None deletes it."""
    parts = []
    for path, text in files.items():
        if text is None:
            parts.append(f"DELETE FILE: {path}\n")
            continue
        fence = "`" * max([3, *(len(run) + 1 for run in re.findall(r"`{3,}", text))])
        named = path if "/" in path or "." in path else f"`{path}`"
        parts.append(f"{named}\n{fence}\n{_ended(text)}{fence}\n")
    return "\n".join(parts)


def _ended(text: str) -> str:
    return text if text.endswith("\n") or not text else f"{text}\n{UNENDED}\n"


def _marks(lines: Iterable[tuple[str, str]]) -> str:
    return "".join(mark + _ended(line) for mark, line in lines)


def _by_path(found: Sequence[Piece]) -> list[tuple[str, list[Piece]]]:
    return [(path, list(group)) for (path, _), group in groupby(found, key=lambda p: (p.path, p.whole))]


def _header(path: str, whole: str) -> str:
    old = "/dev/null" if whole == "add" else f"a/{path}"
    new = "/dev/null" if whole == "delete" else f"b/{path}"
    return f"--- {old}\n+++ {new}\n"


def unified_diff(found: Sequence[Piece]) -> str | None:
    """`diff -u` with numbers."""
    parts = []
    for path, hunks in _by_path(found):
        if hunks[0].whole and not hunks[0].old + hunks[0].new:
            return None  # an empty file has no hunk
        parts.append(_header(path, hunks[0].whole) + "".join(map(numbered_hunk, hunks)))
    return "".join(parts)


def numbered_hunk(piece: Piece) -> str:
    """One hunk; a side without lines names the line above."""
    old, new = len(piece.old), len(piece.new)
    sides = f"-{piece.start + (old > 0)},{old} +{piece.new_start + (new > 0)},{new}"
    return f"@@ {sides} @@\n{_marks(piece.marked())}"


def udiff(found: Sequence[Piece]) -> str | None:
    """`diff -u` without numbers; a deletion is its header alone."""
    parts = []
    for path, hunks in _by_path(found):
        whole = hunks[0].whole
        if whole == "add" and not hunks[0].new:
            return None
        body = "" if whole == "delete" else "".join(f"@@ ... @@\n{_marks(hunk.marked())}" for hunk in hunks)
        if re.search(r"^(--- |\+\+\+ )", body, re.MULTILINE):
            return None  # would read as a header
        parts.append(_header(path, whole) + body)
    return "".join(parts)


def search_replace(found: Sequence[Piece]) -> str | None:
    """One block a piece."""
    return "\n".join(map(block, found))


def block(piece: Piece) -> str:
    """One block, its markers longer than any in the text."""
    if piece.whole == "delete":
        return f"DELETE FILE: {piece.path}\n"
    old, new = "".join(piece.old), "".join(piece.new)
    runs = [len(run) for run in re.findall(r"(?m)^[ \t]*([<=>]{4,})", old + "\n" + new)]
    long = max([run + 3 for run in runs] + [7])
    # Where only one side lacks the final newline both say what they are; where both do, neither needs to.
    said_old, said_new = (_ended(old), _ended(new)) if old.endswith("\n") != new.endswith("\n") else (old, new)
    said_old, said_new = (text if not text or text.endswith("\n") else f"{text}\n" for text in (said_old, said_new))
    return f"{piece.path}\n{'<' * long} SEARCH\n{said_old}{'=' * long}\n{said_new}{'>' * long} REPLACE\n"


def apply_patch(found: Sequence[Piece]) -> str | None:
    """The V4A envelope; context alone says where."""
    parts = []
    for path, hunks in _by_path(found):
        whole = hunks[0].whole
        if whole == "delete":
            parts.append(f"*** Delete File: {path}\n")
            continue
        if whole == "add":
            if any(not line.endswith("\n") for line in hunks[0].new):
                return None
            parts.append(f"*** Add File: {path}\n{_plain('+', hunks[0].new)}")
            continue
        parts.append(f"*** Update File: {path}\n" + "".join(map(envelope_hunk, hunks)))
    return f"*** Begin Patch\n{''.join(parts)}*** End Patch\n"


def envelope_hunk(piece: Piece) -> str:
    """One hunk. The final newline is an empty last line: to add or remove it is to add or remove that line."""
    old, new = "".join(piece.old), "".join(piece.new)
    body = "".join(mark + line.removesuffix("\n") + "\n" for mark, line in _without_ends(piece))
    if old.endswith("\n") != new.endswith("\n") and old and new:
        return f"@@\n{body}{'-' if old.endswith(chr(10)) else '+'}\n*** End of File\n"
    return f"@@\n{body}"


def _without_ends(piece: Piece) -> list[tuple[str, str]]:
    bare = Piece(
        piece.path, 0, 0, *(tuple(line.removesuffix("\n") for line in side) for side in (piece.old, piece.new))
    )
    return bare.marked()


def _plain(mark: str, lines: Iterable[str]) -> str:
    return "".join(mark + line for line in lines)


def objects(found: Sequence[Piece]) -> list[dict[str, object]]:
    """The edits of `str_replace`."""
    made: list[dict[str, object]] = []
    for piece in found:
        if piece.whole == "delete":
            made.append({"path": piece.path, "delete": True})
        elif piece.whole == "add":
            made.append({"path": piece.path, "create": "".join(piece.new)})
        else:
            made.append({"path": piece.path, "old": "".join(piece.old), "new": "".join(piece.new)})
    return made


def listed(edits: Sequence[dict[str, object]]) -> str:
    """A list of edits in its fence."""
    rows = ",\n".join(json.dumps(edit, ensure_ascii=False) for edit in edits)
    return f"```json\n[\n{rows}\n]\n```\n"


def str_replace(found: Sequence[Piece]) -> str | None:
    """One list in JSON."""
    return listed(objects(found))


WRITERS: dict[str, Writer] = {
    "unified_diff": unified_diff,
    "udiff": udiff,
    "search_replace": search_replace,
    "apply_patch": apply_patch,
    "str_replace": str_replace,
}
