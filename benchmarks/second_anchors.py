"""Damage to where edits go: row 3, and `wrong_location`."""

from collections.abc import Iterator
from dataclasses import replace

from benchmarks.second_damage import RESOLVED, Label, parses
from benchmarks.second_pieces import Piece, lines_of, pieces
from benchmarks.second_replies import Fault
from benchmarks.second_subject import Subject
from benchmarks.second_writers import KINDS, WRITERS, numbered_hunk, whole_file

MISSING: Label = ("not_applied", "anchor_missing")
AMBIGUOUS: Label = ("not_applied", "anchor_ambiguous")
MISMATCH: Label = ("not_applied", "hunk_mismatch")
UNKNOWN: Label = ("not_applied", "unknown_path")
FORBIDDEN: Label = ("not_applied", "forbidden_path")
ANCHORED = ("search_replace", "udiff", "str_replace")


def misplaced(subject: Subject, name: str) -> Iterator[Fault]:
    """Everything of row 3 in the format `name`."""
    if name == "whole_file":
        yield from _paths(subject, name, [])
        return
    path = next(iter(subject.code), None)
    if path is None:
        return
    old, new = subject.before[path] or "", subject.after[path] or ""
    found = pieces({path: old}, {path: new}, KINDS.get(name, "unique"))
    misfit = MISSING if name in ANCHORED else MISMATCH
    good = _sound(found, old)

    def reply(label: str, rule: str, parts: list[Piece], expected: Label) -> Iterator[Fault]:
        text = WRITERS[name](parts)
        if text:
            yield Fault(label, rule, text, expected)

    yield from reply("every line from memory", "3 " + str(misfit[1]), [_rewritten(found[0]), *found[1:]], misfit)
    if good:
        yield from reply("one removed line from memory", "R10", [_rewritten(good[0], good[0].removed[0])], misfit)
        if name != "unified_diff":
            yield from reply("the same again", "3 " + str(misfit[1]), [good[0], good[0]], misfit)
    if len(found) > 1:
        last = [*found[:-1], _rewritten(found[-1])]
        yield from reply("the last place from memory", "all or nothing", last, misfit)
        if name == "apply_patch" and good == found and all(old.count("".join(p.old)) == 1 for p in found):
            yield from reply("hunks in the wrong order", "3 hunk_mismatch", found[::-1], MISMATCH)
        if name == "unified_diff" and subject.after.keys() == {path} and not any(p.ends for p in found):
            # To the letter they may stand in any order: nothing is wrong with it.
            yield from reply("hunks in another order", "resolved", found[::-1], RESOLVED)
    exists = Piece(path, 0, 0, (), ("zz9 = 1\n",), "add")
    yield from reply("added where one is", "3 hunk_mismatch", [exists], MISMATCH)
    yield from reply("added where one is, below a good one", "3 hunk_mismatch", [*found, exists], MISMATCH)
    yield from _ambiguous(subject, name, path)
    yield from _paths(subject, name, found)
    if name == "str_replace":
        at = len(lines_of(old)) + 40
        text = f'```json\n[\n{{"path": "{path}", "insert_line": {at}, "insert": "zz9\\n"}}\n]\n```\n'
        yield Fault("inserted past the end", "3 anchor_missing", text, MISSING)


def _sound(found: list[Piece], old: str) -> list[Piece]:
    """Pieces with a removed line that occurs once, and once it is gone never again, indented otherwise neither."""

    def gone(piece: Piece, line: str) -> bool:
        return bool(line.strip()) and old.count(line) == 1 and all(line.strip() not in new for new in piece.new)

    return [piece for piece in found if any(gone(piece, line) for line in piece.removed[:1])]


def _rewritten(piece: Piece, only: str | None = None) -> Piece:
    """The piece with its old lines, or one of them, misremembered."""
    old = tuple(f"{a[:-1]} zz9\n" if a.strip() and only in (None, a) and a.endswith("\n") else a for a in piece.old)
    new = tuple(old[piece.old.index(b)] if b in piece.old else b for b in piece.new)
    return replace(piece, old=old, new=new)


def _ambiguous(subject: Subject, name: str, path: str) -> Iterator[Fault]:
    text = subject.before[path] or ""
    lines = lines_of(text)
    twice = sorted({line for line in lines if line.strip() and lines.count(line) > 1 and line.endswith("\n")})
    if not twice:
        return
    line = subject.pick(twice, "twice")
    piece = Piece(path, lines.index(line), lines.index(line), (line,), (f"{line[:-1]} zz9\n",))
    if name in ANCHORED:
        yield Fault("a line that stands twice", "3 anchor_ambiguous", WRITERS[name]([piece]) or "", AMBIGUOUS)
        wrong = replace(piece, path=_unknown(path))
        yield Fault("an unknown path, then twice", "first in order", WRITERS[name]([wrong, piece]) or "", UNKNOWN)
        yield Fault("twice, then an unknown path", "first in order", WRITERS[name]([piece, wrong]) or "", AMBIGUOUS)
    if name == "unified_diff":
        hunk = f"--- a/{path}\n+++ b/{path}\n@@ ... @@\n-{line}+{line[:-1]} zz9\n"
        yield Fault("a line that stands twice, no numbers", "3 anchor_ambiguous", hunk, AMBIGUOUS)


def _unknown(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"{folder}/zz9_{name}".lstrip("/")


def _paths(subject: Subject, name: str, found: list[Piece]) -> Iterator[Fault]:
    path = next((path for path, text in subject.before.items() if text), None)
    if path is None:
        return

    def reply(parts: list[Piece]) -> str:
        if name != "whole_file":
            return WRITERS[name](parts) or ""
        return whole_file({part.path: None if part.whole == "delete" else "".join(part.new) for part in parts})

    gone = Piece(path, 0, 0, tuple(lines_of(subject.before[path] or "")), (), "delete")
    yield Fault("an unknown file deleted", "3 unknown_path", reply([replace(gone, path=_unknown(path))]), UNKNOWN)
    if found:
        yield Fault(
            "an unknown file edited", "3 unknown_path", reply([replace(p, path=_unknown(path)) for p in found]), UNKNOWN
        )
        other = replace(found[0], path=_unknown(path))
        yield Fault("good, then unknown", "all or nothing", reply([*found, other]), UNKNOWN)
        good = f"zz9 = (1,\n{found[0].new[0]}" if found[0].new else "zz9 = (1,\n"
        broken = replace(found[0], new=(*lines_of(good), *found[0].new[1:]))
        if len(found) == 1:
            yield Fault("broken, then unknown", "3 before 4", reply([broken, other]), UNKNOWN)
    for where in ("../zz9_out.py", "/zz9_out.py", "src/../../zz9_out.py", ".git/zz9_out.py", f"{path}/zz9_out.py"):
        added = Piece(where, 0, 0, (), ("x = 1\n",), "add")
        yield Fault(f"added at {where.replace(path, 'FILE')}", "3 forbidden_path", reply([added]), FORBIDDEN)
    folder = path.rpartition("/")[0]
    if folder:
        added = Piece(folder, 0, 0, (), ("x = 1\n",), "add")
        yield Fault("added in the place of a folder", "3 forbidden_path", reply([added]), FORBIDDEN)
    if found and not found[0].whole:
        away = replace(found[0], path=f"../{_unknown(path)}")
        yield Fault("edited outside the tree", "3 forbidden_path", reply([away]), FORBIDDEN)


def elsewhere(subject: Subject, name: str) -> Iterator[Fault]:
    """`wrong_location`: a line of an allowed function, changed in a free one that it stands in as well."""
    if name not in ("unified_diff", "apply_patch"):
        return  # the others refuse an anchor that fits twice (R11)
    for path in subject.code:
        old = subject.sides[path][0]
        allowed = {d.name for d in subject.allowed(path)} & old.definitions.keys()
        free = {d.name for d in subject.free(path)}
        lines = old.lines
        rows = [(i, n) for n in sorted(allowed | free) for i in range(old.definitions[n].body, old.definitions[n].end)]
        where: dict[str, list[tuple[int, str]]] = {}
        for at, owner in sorted(rows):
            where.setdefault(lines[at], []).append((at, owner))
        for line, places in where.items():
            wrong = [at for at, owner in places if owner in free]
            right = [at for at, owner in places if owner in allowed]
            said = f"{line[:-1]}  {subject.words(path).comment} zz9\n"
            if not (wrong and right and line.strip() and line.endswith("\n")):
                continue
            at = wrong[0]
            moved = "".join([*lines[:at], said, *lines[at + 1 :]])
            if not parses(path, moved) or '"""' in line:
                continue
            piece = Piece(path, at, at, (line,), (said,))
            expected: Label = ("misapplied", "wrong_location")
            header = f"--- a/{path}\n+++ b/{path}\n"
            if name == "unified_diff":
                yield Fault("the same line elsewhere", "4 wrong_location", header + numbered_hunk(piece), expected)
                return
            if lines.index(line) == at:
                yield Fault("the first of two", "4 wrong_location", WRITERS[name]([piece]) or "", expected)
                return
