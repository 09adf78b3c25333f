"""Damage of row 5: on top of the ground truth something changes that the task does not allow, or seems not to."""

import re
from itertools import pairwise

from benchmarks.second_besides import bytes_only, excused, files, removable, swapped, together, without
from benchmarks.second_damage import Made
from benchmarks.second_subject import Subject, inserted


def unasked(subject: Subject) -> Made:
    """Everything of row 5 that can be had of this fixture."""
    made = Made(subject)
    for path in subject.code[:1]:
        _functions(made, path)
        _order(made, path)
        _module(made, path)
        excused(made, path)
        bytes_only(made, path)
        together(made, path)
    files(made)
    return made


def _functions(made: Made, path: str) -> None:
    subject, words = made.subject, made.subject.words(path)
    lines = subject.sides[path][1].lines
    with_ = subject.with_after
    if many := removable(subject, path):
        for salt in ("removed 1", "removed 2"):
            made.add(salt, "5 removed", with_(path, without(lines, subject.pick(many, salt))), detail="removed")
        one = subject.pick(many, "elided")
        remark = (
            f"{lines[one.start][: -len(lines[one.start].lstrip())]}{words.comment} ... other functions as before ...\n"
        )
        made.add("elided function", "5 elision", with_(path, without(lines, one, remark)), detail="elision")
    for salt in ("1", "2"):
        if not (free := subject.free(path)):
            return
        one = subject.pick(free, f"inside {salt}")
        comment = f"{one.indent}{words.comment} zz9\n"
        made.add(
            f"comment inside {salt}", "5 modified", with_(path, inserted(lines, one.body, comment)), detail="modified"
        )
        thrown = inserted(lines, one.body, words.throw.format(i=one.indent))
        made.add(f"throw inside {salt}", "5 modified, R4", with_(path, thrown), detail="modified")
        if one.body > one.start + 1 or not path.endswith(".py"):
            made.add(f"blank line inside {salt}", "R9", with_(path, inserted(lines, one.body, "\n")), detail="modified")
        inside = "".join(lines[one.start : one.end])
        spaced = inside.replace("\n", "  \n", 1)
        made.add(f"trailing blanks {salt}", "R9", with_(path, swapped(lines, one, spaced)), detail="modified")
        short = re.escape(one.name.rpartition(".")[2])
        renamed = re.sub(
            rf"^([ \t]*(?:async )?(?:def|function)) {short}\b", r"\1 zz9_renamed", inside, count=1, flags=re.M
        )
        if renamed != inside:
            made.add(f"renamed {salt}", "5 removed", with_(path, swapped(lines, one, renamed)), detail="removed")


def _order(made: Made, path: str) -> None:
    subject = made.subject
    old, new = subject.sides[path]
    free = subject.free(path)
    neighbours = [
        (a, b)
        for a, b in pairwise(free)
        if a.owner == b.owner
        and not "".join(new.lines[a.end : b.start]).strip()
        and _same_order(subject, path, a.owner)
    ]
    if neighbours:
        a, b = subject.pick(neighbours, "swap")
        swapped = [*new.lines[: a.start], *new.lines[b.start : b.end], *new.lines[a.end : b.start],
                   *new.lines[a.start : a.end], *new.lines[b.end :]]  # fmt: skip
        made.add("functions swapped", "5 reordered", subject.with_after(path, "".join(swapped)), detail="reordered")
    pairs = [i for i in new.imports if i + 1 in new.imports and _movable(new.lines[i], new.lines[i + 1])]
    if pairs and [old.lines[i] for i in old.imports] == [new.lines[i] for i in new.imports]:
        at = subject.pick(pairs, "imports")
        lines = [*new.lines]
        lines[at], lines[at + 1] = lines[at + 1], lines[at]
        made.add("imports swapped", "R8 reordered", subject.with_after(path, "".join(lines)), detail="reordered")


def _movable(one: str, other: str) -> bool:
    return "__future__" not in one + other and "#" not in one + other


def _same_order(subject: Subject, path: str, owner: str) -> bool:
    names = [
        [d.name for d in sorted(side.definitions.values(), key=lambda d: d.start) if d.owner == owner]
        for side in subject.sides[path]
    ]
    return names[0] == names[1]


def _module(made: Made, path: str) -> None:
    subject, words = made.subject, made.subject.words(path)
    old, new = subject.sides[path]
    lines, with_ = new.lines, subject.with_after
    constants = [d for d in new.definitions.values()
                 if d.kind == "constant" and old.definitions.get(d.name) and old.text(d.name) == new.text(d.name)
                 and re.fullmatch(r"\s*\w+ = \d+\n", new.text(d.name))]  # fmt: skip
    if constants:
        one = subject.pick(constants, "constant")
        made.add(
            "constant",
            "5 modified",
            with_(path, swapped(lines, one, lines[one.start].replace("\n", "1\n"))),
            detail="modified",
        )
    tail = "" if lines[-1].endswith("\n") else "\n"
    for name, text in (("function", words.function), ("constant", words.constant)):
        added = f"{''.join(lines)}{tail}\n\n{text.format(n='zz9_added')}"
        if old.text != new.text and lines[-1].endswith("\n"):
            made.add(f"new {name}", "5 added", with_(path, added), detail="added")
    if path.endswith(".py") and new.imports:
        at = new.imports[-1] + 1
        made.add("unused import", "R8", with_(path, inserted(lines, at, "import colorsys\n")), detail="modified")
        kept = [i for i in new.imports if lines[i] in old.lines and "__future__" not in lines[i]]
        if kept:
            gone = subject.pick(kept, "import gone")
            made.add("import removed", "R8", with_(path, "".join(lines[:gone] + lines[gone + 1 :])), detail="modified")
    if path.endswith(".py") and not new.imports and "import" not in "".join(old.lines + lines):
        at = next((i for i, line in enumerate(lines) if line.startswith(("def ", "class ", "@"))), 0)
        made.add(
            "first import, unused", "5 added", with_(path, inserted(lines, at, "import colorsys\n\n")), detail="added"
        )
