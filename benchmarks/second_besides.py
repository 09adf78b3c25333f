"""More damage of row 5: what is excused or ignored, bytes alone, several kinds at once, whole files."""

import re

from benchmarks.second_damage import Made
from benchmarks.second_outline import Definition
from benchmarks.second_pieces import lines_of
from benchmarks.second_subject import Subject, inserted


def without(lines: list[str], one: Definition, instead: str = "") -> str:
    """The lines without a definition and the blank lines below it."""
    end = one.end
    while end < len(lines) and not lines[end].strip():
        end += 1
    blanks = "\n" * (end - one.end) if instead else ""
    return "".join([*lines[: one.start], instead + blanks, *lines[end:]])


def removable(subject: Subject, path: str) -> list[Definition]:
    """Free functions that are not the only member of their class."""
    new = subject.sides[path][1]
    owners = [d.owner for d in new.definitions.values()]
    return [d for d in subject.free(path) if not d.owner or owners.count(d.owner) > 2]


def swapped(lines: list[str], one: Definition, text: str) -> str:
    """The lines with another text in the place of a definition."""
    return "".join([*lines[: one.start], text, *lines[one.end :]])


def excused(made: Made, path: str) -> None:
    """R7: additions that an allowed function uses, and one that none does."""
    subject, words = made.subject, made.subject.words(path)
    lines = subject.sides[path][1].lines
    if not (allowed := subject.allowed(path)) or not lines[-1].endswith("\n"):
        return
    one = subject.pick(allowed, "excused")
    called = inserted(lines, one.body, words.call.format(i=one.indent, n="zz9_helper"))
    helped = f"{called}\n\n{words.function.format(n='zz9_helper')}"
    full = subject.with_after(path, helped)
    made.add("helper that is used", "R7", full, full)
    imports = subject.sides[path][1].imports
    if path.endswith(".py") and imports and imports[-1] < one.start:
        used = inserted(lines, one.body, f"{one.indent}colorsys.rgb_to_hsv\n")
        full = subject.with_after(path, inserted(lines_of(used), imports[-1] + 1, "import colorsys\n"))
        made.add("import that is used", "R7, R8", full, full)
    both = inserted(lines_of(helped), 0, "") + f"\n\n{words.function.format(n='zz9_other')}"
    made.add("helper used, another not", "R7", subject.with_after(path, both), full, detail="added")


def bytes_only(made: Made, path: str) -> None:
    """Nothing but line ends, byte order mark, final newline, tabs."""
    subject = made.subject
    lines, with_ = subject.sides[path][1].lines, subject.with_after
    text = "".join(lines)
    if "\r" in text or "\ufeff" in text or not text.endswith("\n") or "\r" in (subject.before[path] or ""):
        return
    crlf = text.replace("\n", "\r\n")
    made.add("all CRLF", "5 bytes, R10", with_(path, crlf), detail="bytes", healed=("whole_file",))
    made.add("BOM added", "5 bytes", with_(path, "\ufeff" + text), detail="bytes")
    last = max(subject.free(path), key=lambda d: d.end, default=None)
    if last and last.end == len(lines):
        made.add("final newline gone", "5 bytes", with_(path, text[:-1]), detail="bytes")
    if free := subject.free(path):
        one = subject.pick(free, "crlf")
        inside = "".join(lines[one.start : one.end])
        made.add(
            "CRLF in a function",
            "5 bytes",
            with_(path, swapped(lines, one, inside.replace("\n", "\r\n"))),
            detail="bytes",
        )
        if path.endswith(".py") and '"""' not in inside and not one.owner:
            tabbed = re.sub(r"(?m)^( {4})+", lambda m: "\t" * (len(m[0]) // 4), inside)
            made.add("tabs in a function", "R9 bytes", with_(path, swapped(lines, one, tabbed)), detail="bytes")


def together(made: Made, path: str) -> None:
    """Several kinds at once: the first in the order of the page is the detail."""
    subject, words = made.subject, made.subject.words(path)
    lines, with_ = subject.sides[path][1].lines, subject.with_after
    many = removable(subject, path)
    if len(many) < 2 or not lines[-1].endswith("\n"):
        return
    upper, lower = many[0], many[-1]
    gone = without(lines, lower)  # the lower one first, so that the upper one's lines stay where they are
    noted = inserted(lines_of(gone), upper.body, f"{upper.indent}{words.comment} zz9\n")
    made.add("removed and modified", "5 in order", with_(path, noted), detail="removed")
    ended = lines_of(gone)
    ended[upper.start : upper.end] = [line.replace("\n", "\r\n") for line in ended[upper.start : upper.end]]
    made.add("removed and CRLF", "5 in order", with_(path, "".join(ended)), detail="removed")
    more = f"{gone}\n\n{words.function.format(n='zz9_added')}"
    made.add("removed and added", "5 in order", with_(path, more), detail="removed")
    remark = (
        f"{lines[upper.start][: -len(lines[upper.start].lstrip())]}{words.comment} ... other functions as before ...\n"
    )
    made.add("removed and elided", "5 in order", with_(path, without(lines_of(gone), upper, remark)), detail="elision")
    if allowed := [d for d in subject.allowed(path) if d.end <= lower.start]:
        one = subject.pick(allowed, "both")
        base = inserted(lines, one.body, words.throw.format(i=one.indent))
        full = inserted(lines_of(gone), one.body, words.throw.format(i=one.indent))
        made.add("removed, and the right one throws", "R4", with_(path, full), with_(path, base), detail="removed")


def files(made: Made) -> None:
    """Whole files: new ones, tests, others of the tree."""
    subject = made.subject
    taken = {*subject.before}
    suffix = next((path.rpartition(".")[2] for path in subject.code), "py")
    folder = next(iter(sorted(taken)), "").rpartition("/")[0]
    words = subject.words(f"x.{suffix}")
    after = subject.after
    text = words.function.format(n="zz9_new")
    made.add("new source file", "5 added", {**after, f"{folder}/zz9_new.{suffix}".lstrip("/"): text}, detail="added")
    tests = f"tests/test_zz9_new.{suffix}" if suffix == "py" else f"test/zz9_new.test.{suffix}"
    made.add("new test file", "R6", {**after, tests: text}, {**after, tests: text}, ignored=(tests,))
    notes = "docs/zz9_new.md"
    made.add("new other file", "R6", {**after, notes: "New.\n"}, {**after, notes: "New.\n"}, ignored=(notes,))
    _tests(made, suffix)
    others = [p for p in sorted(subject.paths) if p.startswith(f"{folder}/") and p.endswith(f".{suffix}")]
    others = [
        p for p in others if p not in taken and p not in subject.own_tests and "test" not in p and subject.read(p)
    ]
    if others:
        path = subject.pick(others, "other source")
        old = subject.read(path) or ""
        made.add("source file deleted", "5 removed", {**after, path: None}, detail="removed")
        moved = f"{folder}/zz9_moved.{suffix}".lstrip("/")
        made.add("source file moved", "5 removed", {**after, path: None, moved: old}, detail="removed")
        if old.endswith("\n") and "\r" not in old:
            more = f"{old}\n\n{words.function.format(n='zz9_added')}"
            made.add("function in another file", "5 added", {**after, path: more}, detail="added")


def _tests(made: Made, suffix: str) -> None:
    """R6: what exists and is test, configuration of tests or other; what the ground truth itself touches is ignored."""
    subject, after = made.subject, made.subject.after
    mark = subject.words(f"x.{suffix}").comment
    conftest = "tests/zz9/conftest.py"
    made.add(
        "conftest added", "R6", {**after, conftest: "x = 1\n"}, {**after, conftest: "x = 1\n"}, ignored=(conftest,)
    )
    tests = [
        p for p in sorted(subject.paths) if re.search(rf"(^|/)tests?/.*\.{suffix}$", p) and p not in subject.before
    ]
    texts = {p: subject.read(p) or "" for p in [*tests[:40], *subject.own_tests, "pyproject.toml", "README.md"]}
    whole = {p: old for p, old in texts.items() if old.endswith("\n") and "\r" not in old}
    for path in [p for p in whole if p in tests and p not in subject.own_tests][:1]:
        made.add("test modified", "R6 modified", {**after, path: f"{whole[path]}{mark} zz9\n"}, detail="modified")
        made.add("test deleted", "R6 removed", {**after, path: None}, detail="removed")
    for path in [p for p in ("pyproject.toml", "README.md") if p in whole and p not in subject.own_tests]:
        made.add(f"{path} modified", "R6 modified", {**after, path: f"{whole[path]}# zz9\n"}, detail="modified")
    for path in [p for p in whole if p in subject.own_tests and p not in subject.before][:1]:
        noted = {**after, path: f"{whole[path]}{mark} zz9\n"}
        made.add("the ground truth's own test or other file", "R6", noted, noted, ignored=(path,))
