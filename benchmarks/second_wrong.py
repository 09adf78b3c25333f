"""Damage of rows 4 and 6: files that do not parse, changes that the tests must judge, and none at all."""

import re
from difflib import SequenceMatcher

from benchmarks.second_besides import removable, without
from benchmarks.second_damage import Made
from benchmarks.second_pieces import Texts, changed, lines_of
from benchmarks.second_subject import Subject, inserted


def broken(subject: Subject) -> Made:
    """Everything of row 4 that does not depend on the format."""
    made = Made(subject)
    for path in subject.code[:1]:
        words = subject.words(path)
        lines = subject.sides[path][1].lines
        text = "".join(lines)
        full = text if text.endswith("\n") else f"{text}\n"
        made.add(
            "broken definition at the end",
            "4 broken_syntax",
            subject.with_after(path, full + words.broken),
            row4="broken_syntax",
        )
        for salt, many in (("free", subject.free(path)), ("allowed", subject.allowed(path))):
            if many:
                one = subject.pick(many, "bracket")
                bracket = f"{one.indent}zz9 = (1,\n"
                opened = subject.with_after(path, inserted(lines, one.body, bracket))
                made.add(f"open bracket, {salt}", "4 broken_syntax", opened, row4="broken_syntax")
                half = _half(lines, one.start, one.end)
                if half:
                    made.add(
                        f"bracket gone, {salt}", "4 broken_syntax", subject.with_after(path, half), row4="broken_syntax"
                    )
        if many := removable(subject, path):
            one = subject.pick(many, "4 before 5")
            gone = without(lines, one)
            gone = gone if gone.endswith("\n") else f"{gone}\n"
            made.add(
                "removed and broken", "4 before 5", subject.with_after(path, gone + words.broken), row4="broken_syntax"
            )
        if len(lines) > 40:
            # The page's own example: a remark inside a bracket, in the place of the rest of the file.
            kept = "".join(lines[: len(lines) // 2])
            cut = f"{kept}zz9 = [\n    {words.comment} ... rest of the file unchanged ...\n"
            made.add("rest elided in a bracket", "4 elision", subject.with_after(path, cut), row4="elision")
        new = f"{path.rpartition('/')[0]}/zz9_new.{path.rpartition('.')[2]}".lstrip("/")
        made.add("new file is broken", "4 broken_syntax", {**subject.after, new: words.broken}, row4="broken_syntax")
    return made


def _half(lines: list[str], start: int, end: int) -> str | None:
    """The lines without the first closing bracket at a line's end between `start` and `end`."""
    for at in range(start, end):
        cut = re.sub(r"\)(:?;?)\n$", r"\1\n", lines[at])
        if (
            cut != lines[at]
            and "#" not in lines[at]
            and "/" not in lines[at]
            and lines[at].count("(") == lines[at].count(")")
        ):
            return "".join([*lines[:at], cut, *lines[at + 1 :]])
    return None


def judged(subject: Subject, endless: bool) -> Made:
    """Everything of row 6, and what ends resolved: the tests say which."""
    made = Made(subject)
    made.add("the ground truth", "resolved", subject.after)
    for name, full in _parts(subject).items():
        made.add(name, "R1, R5", full, full)
    for path in subject.code[:1]:
        words, lines = subject.words(path), subject.sides[path][1].lines
        for salt in ("1", "2"):
            if many := subject.allowed(path):
                one = subject.pick(many, f"judged {salt}")
                for name, said in (("throws", words.throw), ("leaves early", words.leave)):
                    full = subject.with_after(path, inserted(lines, one.body, said.format(i=one.indent)))
                    made.add(f"{name} {salt}", "6 tests_fail, R5", full, full)
                if endless and salt == "1":
                    full = subject.with_after(path, inserted(lines, one.body, words.endless.format(i=one.indent)))
                    made.add("endless", "6 tests_timeout", full, full)
        old = subject.sides[path][0]
        only = [d for d in subject.free(path) if d.name in old.definitions]
        if only:
            one = old.definitions[subject.pick(only, "wrong function").name]
            start: Texts = {**subject.before}
            for name, said in (("throws", words.throw), ("comment", f"{{i}}{words.comment} zz9\n")):
                full = {**start, path: inserted(old.lines, one.body, said.format(i=one.indent))}
                made.add(f"only the wrong function: {name}", "R4", full, start, detail="modified")
            gone = {**start, path: without(old.lines, one)}
            owners = [d.owner for d in old.definitions.values()]
            if not one.owner or owners.count(one.owner) > 2:
                made.add("only a function removed", "R4", gone, start, detail="removed")
    notes, test = "docs/zz9_new.md", "tests/test_zz9_new.py"
    made.add("only a new other file", "R6, 6 no_effect", {notes: "New.\n"}, {notes: "New.\n"}, ignored=(notes,))
    made.add("only a new test file", "R6, 6 no_effect", {test: "x = 1\n"}, {test: "x = 1\n"}, ignored=(test,))
    return made


def _parts(subject: Subject) -> dict[str, Texts]:
    """The ground truth with one of its places missing: the first, the last, one file."""
    found: dict[str, Texts] = {}
    paths = changed(subject.before, subject.after)
    if len(paths) > 1:
        gone = subject.pick(paths, "file missing")
        found["one file missing"] = {**subject.after, gone: subject.before[gone]}
    for path in subject.code[:1]:
        for name, at in (("first place missing", 0), ("last place missing", -1)):
            text = _without_place(subject.before[path] or "", subject.after[path] or "", at)
            if text is not None:
                found[name] = subject.with_after(path, text)
    return found


def _without_place(old: str, new: str, at: int) -> str | None:
    before, after = lines_of(old), lines_of(new)
    codes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    places = [code for code in codes if code[0] != "equal"]
    if len(places) < 2:
        return None
    left = places[at]
    return "".join("".join(before[c[1] : c[2]] if c == left else after[c[3] : c[4]]) for c in codes)
