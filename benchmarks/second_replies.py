"""Damage to replies: rows 1 and 2, `BLOCKED`, and what must be read as if nothing were wrong."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.second_damage import RESOLVED, Label
from benchmarks.second_pieces import lines_of, pieces
from benchmarks.second_subject import Subject
from benchmarks.second_writers import KINDS, WRITERS, listed, objects, whole_file, write

PROSE = "Use `+` instead of `-` there.\n"
BLOCKED = "BLOCKED: what must change is not in the files that were shown.\n"


@dataclass(frozen=True)
class Fault:
    """A reply, why it stopped, and its label by which rule of docs/taxonomy.md."""

    name: str
    rule: str
    reply: str
    expected: Label
    stop: str | None = "stop"


def cut(subject: Subject, name: str, whole: str) -> Iterator[Fault]:
    """Row 1, and what rule R1 says of the same replies with other stop reasons."""
    half = whole[: len(whole) // 2]
    length: Label = ("truncated", "stop_length")
    yield Fault("half, length", "1 stop_length", half, length, "length")
    yield Fault("whole, length", "R1", whole, length, "length")
    yield Fault("prose, length", "1 before 2", PROSE, length, "length")
    yield Fault("BLOCKED, length", "1 before BLOCKED", BLOCKED, length, "length")
    yield Fault("nothing, length", "1 in_reasoning", "", ("truncated", "in_reasoning"), "length")
    yield Fault("blanks, length", "1 in_reasoning", " \n\t\n", ("truncated", "in_reasoning"), "length")
    yield Fault("half, timeout", "1 timed_out", half, ("truncated", "timed_out"), "timeout")
    yield Fault("whole, timeout", "1 timed_out", whole, ("truncated", "timed_out"), "timeout")
    for number, opened in enumerate(_open(subject, name)):
        yield Fault(f"open {number}, unknown stop", "1 unterminated", opened, ("truncated", "unterminated"), None)
        yield Fault(f"open {number}, normal stop", "R1, 2 bad_block", opened, ("malformed", "bad_block"))
        yield Fault(f"open {number}, length", "1 stop_length", opened, length, "length")
    yield Fault("whole, unknown stop", "resolved", whole, RESOLVED, None)
    yield Fault("prose, unknown stop", "2 no_edit", PROSE, ("malformed", "no_edit"), None)


def _open(subject: Subject, name: str) -> Iterator[str]:
    """Replies that end inside an open edit, for certain."""
    path = next(
        (path for path, text in subject.after.items() if text and subject.before[path] and "```" not in text), None
    )
    if path is None:
        return
    text = subject.after[path] or ""
    if name == "whole_file":
        yield f"{path}\n```\n{''.join(lines_of(text)[:3])}"
        return
    found = pieces({path: subject.before[path]}, {path: text}, KINDS.get(name, "unique"))[:1]
    whole = WRITERS[name](found) or ""
    if name == "unified_diff" and len(found[0].old) > 3:
        yield "".join(lines_of(whole)[:4])
        yield "".join(lines_of(whole)[:3])
    elif name == "udiff":
        yield "".join(lines_of(whole)[:3])
        yield "".join(lines_of(whole)[:2])
    elif name == "search_replace":
        yield "".join(lines_of(whole)[:3])
        yield "".join(lines_of(whole)[:-1])
    elif name == "apply_patch":
        yield "".join(lines_of(whole)[:-1])
        yield "".join(lines_of(whole)[:2])
    elif name == "str_replace":
        yield whole[: whole.index('"old"') + 9]
        yield whole[: whole.rindex("}")]


def unread(subject: Subject, name: str, whole: str) -> Iterator[Fault]:
    """Row 2 and `BLOCKED`."""
    none: Label = ("malformed", "no_edit")
    gave_up: Label = ("wrong_change", "gave_up")
    yield Fault("prose", "2 no_edit", PROSE, none)
    yield Fault("nothing", "2 no_edit", "", none)
    yield Fault("a snippet in a fence", "2 no_edit", f"{PROSE}\n```python\nx = 1\n```\n", none)
    yield Fault("BLOCKED", "R3", BLOCKED, gave_up)
    yield Fault("BLOCKED below prose", "R3", f"{PROSE}\n{BLOCKED}", gave_up)
    yield Fault("BLOCKED, unknown stop", "R3", BLOCKED, gave_up, None)
    yield Fault("BLOCKED without a reason", "R3", "BLOCKED:\n", none)
    yield Fault("BLOCKED, blank reason", "R3", "BLOCKED:   \n", none)
    yield Fault("BLOCKED within a line", "R3", "I am BLOCKED: no file was shown.\n", none)
    yield Fault("BLOCKED beside the edit", "R3", f"{BLOCKED}\n{whole}", RESOLVED)
    for number, bad in enumerate(_bad(subject, name)):
        yield Fault(f"bad block {number}", "2 bad_block", bad, ("malformed", "bad_block"))
        yield Fault(f"bad block {number} and BLOCKED", "R3", f"{BLOCKED}\n{bad}", ("malformed", "bad_block"))
    other: Label = ("malformed", "other_format")
    for wrote in ("whole_file", *WRITERS):
        text = write(wrote, subject.before, subject.after)
        if text and _finds_none(subject, name, wrote):
            yield Fault(f"{wrote} instead", "2 other_format", text, other)
            # To the letter an envelope has no prose around it, so that beside `BLOCKED` it is none (R2).
            judged = gave_up if wrote == "apply_patch" else other
            yield Fault(f"{wrote} instead, BLOCKED", "R3, R2", f"{BLOCKED}\n{text}", judged)
        path = next(iter(subject.code), None)
        if (
            text
            and name == "whole_file"
            and wrote in ("unified_diff", "search_replace", "apply_patch", "udiff")
            and path
        ):
            alone = write(wrote, {path: subject.before[path]}, {path: subject.after[path]})
            if alone and "```" not in alone:
                yield Fault(f"contents are {wrote}", "2 other_format", whole_file({path: alone}), other)


def _finds_none(subject: Subject, asked: str, wrote: str) -> bool:
    """Whether the asked-for grammar finds no edit in another's reply, for certain (R2)."""
    if asked == wrote or {asked, wrote} == {"unified_diff", "udiff"}:
        return False  # each may read the other's hunks
    deletes = any(text is None for text in subject.after.values())
    return not (deletes and {asked, wrote} == {"whole_file", "search_replace"})  # they share the line that deletes


def _bad(subject: Subject, name: str) -> Iterator[str]:
    path = next((path for path in subject.code if subject.after[path]), None)
    if path is None:
        return
    old, new = subject.before[path] or "", subject.after[path] or ""
    found = pieces({path: old}, {path: new}, KINDS.get(name, "unique"))[:1]
    first = next((line for line in lines_of(old) if line.strip()), "x\n")
    if name == "search_replace":
        good = WRITERS[name](found) or ""
        yield f"{path}\n<<<<<<< SEARCH\n{first}>>>>>>> REPLACE\n"
        yield f"{good}\n{path}\n<<<<<<< SEARCH\n{first}>>>>>>> REPLACE\n"
        yield f"{path}\n=======\n{first}>>>>>>> REPLACE\n"
    elif name == "unified_diff":
        yield f"--- a/{path}\n+++ b/{path}\n@@ -1,1 +1,1 @@\n {lines_of(old)[0]}"
        yield f"diff --git a/{path} b/{path}\nindex 1234567..89abcde 100644\nGIT binary patch\nliteral 3\nKcmZzz\n\n"
    elif name == "apply_patch":
        yield f"*** Begin Patch\n*** Update File: {path}\n*** End Patch\n"
        yield (WRITERS[name](found) or "").replace("*** End Patch", f"*** Frobnicate File: {path}\n*** End Patch")
    elif name == "str_replace":
        edits = objects(found)
        yield listed([{**edits[0], "zz9": 1}])
        yield listed([{"path": path, "old": first}])
        yield listed([*edits, {"path": path, "old": first}])
        yield listed(edits).replace('"path":', '"path"', 1)
    elif name == "udiff":
        yield f"--- a/{path}\n+++ b/{path}\n"


def harmless(name: str, whole: str) -> Iterator[Fault]:
    """What surrounds an edit and is none."""
    yield Fault("prose around", "resolved", f"{PROSE}\n{whole}\nThat is all.\n", RESOLVED)
    if name in ("unified_diff", "udiff", "apply_patch") and "```" not in whole:
        yield Fault("in a fence", "resolved", f"{PROSE}\n```diff\n{whole}```\n", RESOLVED)
