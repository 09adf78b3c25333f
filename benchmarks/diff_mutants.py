"""Real diffs of merged changes, and the ways in which they are damaged, as models and stale trees damage them."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from miner.git import Objects, borrow
from miner.sources.log import read_commits
from miner.sources.model import Unit
from miner.sources.subjects import merged_changes

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$")
_LARGEST = 60_000  # characters of a diff
_REGULAR = {"100644", "100755", "000000"}


@dataclass(frozen=True)
class Case:
    """A diff, and the files that it is for."""

    diff: str
    files: dict[str, bytes]


def real_cases(repo: Path, last: int) -> Iterator[Case]:
    """The diffs of the last merged changes, file by file, and whole where they have a few files."""
    with TemporaryDirectory() as scratch:
        git, head = borrow(repo, Path(scratch) / "read.git", tags=False)
        with Objects(git) as objects:
            for change in islice(merged_changes(read_commits(git, head), Unit.PULL), last):
                diff = git.run(
                    "diff", "--no-color", "--no-ext-diff", "--no-textconv", "--find-renames", change.base, change.merged
                )
                if any({file.old_mode, file.new_mode} - _REGULAR for file in change.files) or b"\0" in diff:
                    continue
                try:
                    text = diff.decode()
                except UnicodeDecodeError:
                    continue
                before = {f.old_path or f.path: objects.read(f.old_blob) for f in change.files if f.status != "A"}
                files = {path: content for path, content in before.items() if content is not None}
                parts = re.split(r"^(?=diff --git )", text, flags=re.MULTILINE)[1:]
                parts = [part for part in parts if "\nGIT binary patch" not in part and "\nBinary files" not in part]
                if 1 < len(parts) <= 4 and sum(map(len, parts)) < _LARGEST:
                    yield Case("".join(parts), files)
                for part in parts:
                    if len(part) < _LARGEST:
                        named = {path: content for path, content in files.items() if path in part}
                        yield Case(part, named)


Damage = Callable[[random.Random, Case], Case]


def _lines(change: Callable[[random.Random, list[str]], list[str] | None]) -> Damage:
    """A damage to the lines of the diff, each with its line end."""

    def damage(rng: random.Random, case: Case) -> Case:
        lines = change(rng, case.diff.splitlines(keepends=True) if "\r" not in case.diff else _split(case.diff))
        return case if lines is None else Case("".join(lines), case.files)

    return damage


def _split(text: str) -> list[str]:
    return [line + "\n" for line in text.split("\n")[:-1]]


def _pick(rng: random.Random, lines: list[str], marks: str) -> int | None:
    inside = [n for n, line in enumerate(lines) if line[0] in marks and _in_hunk(lines, n)]
    return rng.choice(inside) if inside else None


def _in_hunk(lines: list[str], at: int) -> bool:
    if lines[at].startswith(("--- ", "+++ ")) and _HUNK.match("".join(lines[at + 1 : at + 3]).rpartition("\n@@")[0]):
        return False
    above = next((n for n in range(at, -1, -1) if lines[n].startswith(("@@", "diff --git "))), 0)
    return lines[above].startswith("@@")


def _each_hunk(lines: list[str], change: Callable[[list[int]], list[int]]) -> list[str]:
    result = []
    for line in lines:
        if match := _HUNK.match(line):
            a, b, c, d = change([int(match[n] or 1) for n in (1, 2, 3, 4)])
            line = f"@@ -{max(a, 0)},{max(b, 0)} +{max(c, 0)},{max(d, 0)} @@{match[5]}\n"
        result.append(line)
    return result


def recounted(lines: list[str]) -> list[str]:
    """The same lines, every hunk's counts set right."""
    result = list(lines)
    for at, line in enumerate(lines):
        if match := _HUNK.match(line):
            old = new = 0
            for below in lines[at + 1 :]:
                if below[0] not in " +-\\\n" or below.startswith("-- \n"):
                    break
                old += below[0] in " -\n"
                new += below[0] in " +\n"
            result[at] = f"@@ -{match[1]},{old} +{match[3]},{new} @@{match[5]}\n"
    return result


def _shift(rng: random.Random, lines: list[str]) -> list[str]:
    by = rng.choice([-40, -7, -2, -1, 1, 2, 7, 40])
    both = rng.random() < 0.7
    return _each_hunk(lines, lambda n: [n[0] + by, n[1], n[2] + by * both, n[3]])


def _one_shift(rng: random.Random, lines: list[str]) -> list[str] | None:
    heads = [n for n, line in enumerate(lines) if _HUNK.match(line)]
    if not heads:
        return None
    at, by = rng.choice(heads), rng.choice([-9, -3, -1, 1, 3, 9])
    return [*lines[:at], *_each_hunk([lines[at]], lambda n: [n[0] + by, n[1], n[2] + by, n[3]]), *lines[at + 1 :]]


def _counts(rng: random.Random, lines: list[str]) -> list[str]:
    by, which = rng.choice([-3, -1, 1, 2]), rng.choice([(0, 1), (1, 0), (1, 1)])
    return _each_hunk(lines, lambda n: [n[0], n[1] + by * which[0], n[2], n[3] + by * which[1]])


def _altered(marks: str, alter: Callable[[random.Random, str], list[str]], recount: float = 1.0) -> Damage:
    def change(rng: random.Random, lines: list[str]) -> list[str] | None:
        if (at := _pick(rng, lines, marks)) is None:
            return None
        changed = [*lines[:at], *alter(rng, lines[at]), *lines[at + 1 :]]
        return recounted(changed) if rng.random() < recount else changed

    return _lines(change)


def _word(_: random.Random, line: str) -> list[str]:
    return [line[0] + (re.sub(r"\w+", "altered", line[1:], count=1) if line.strip() else "  altered\n")]


def _white(rng: random.Random, line: str) -> list[str]:
    body, kind = line[1:].rstrip("\n"), rng.randrange(4)
    return [line[0] + (f"{body} ", f"\t{body}", body.replace("    ", "\t", 1), body.lstrip())[kind] + "\n"]


def _edges(rng: random.Random, lines: list[str]) -> list[str]:
    """Context at the edges of hunks left out."""
    kept, above, below = [], rng.randrange(4), rng.randrange(4)
    blocks = "".join(lines).split("\n@@")
    head = blocks[0]
    for block in blocks[1:]:
        first, *body = block.split("\n")
        body, rest = _body(body)
        lead = next((n for n, line in enumerate(body) if line[:1] != " "), 0)
        trail = next((n for n, line in enumerate(reversed(body)) if line[:1] != " "), 0)
        cut = min(above, lead)
        body = body[cut : len(body) - min(below, trail)]
        first = re.sub(r"(?<=[-+])\d+", lambda m: str(int(m[0]) + cut), first)  # noqa: B023
        kept.append("\n@@" + "\n".join([first, *body, *rest]))
    return recounted(_split(head + "".join(kept)))


def _body(lines: list[str]) -> tuple[list[str], list[str]]:
    end = next((n for n, line in enumerate(lines) if line[:1] not in (" ", "+", "-", "\\") or not line), len(lines))
    return lines[:end], lines[end:]


def _reorder(rng: random.Random, lines: list[str]) -> list[str] | None:
    heads = [n for n, line in enumerate(lines) if _HUNK.match(line)]
    if len(heads) < 2 or any(line.startswith("diff --git") for line in lines[heads[0] :]):
        return None
    hunks = [lines[a:b] for a, b in zip(heads, [*heads[1:], len(lines)], strict=True)]
    rng.shuffle(hunks)
    return lines[: heads[0]] + [line for hunk in hunks for line in hunk]


def _drop_hunk(rng: random.Random, lines: list[str]) -> list[str] | None:
    heads = [n for n, line in enumerate(lines) if _HUNK.match(line)]
    if len(heads) < 2:
        return None
    at = rng.randrange(len(heads) - 1)
    return lines[: heads[at]] + lines[heads[at + 1] :]


def _twice(_: random.Random, lines: list[str]) -> list[str] | None:
    heads = [n for n, line in enumerate(lines) if _HUNK.match(line)]
    if not heads or any(line.startswith("diff --git") for line in lines[1:]):
        return None
    end = (*heads[1:], len(lines))[0]
    return lines[:end] + lines[heads[0] :]


def _truncate(rng: random.Random, case: Case) -> Case:
    return Case(case.diff[: rng.randrange(len(case.diff))], case.files)


def _drift(rng: random.Random, case: Case) -> Case:
    """The diff as it was, the files since edited elsewhere, or here."""
    files = {}
    for path, content in case.files.items():
        lines = content.split(b"\n")
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(lines) + 1)
            kind = rng.randrange(3)
            count = rng.randrange(1, 6)
            new = [[b"drifted"] * count, [], lines[at : at + count] * 2][kind]
            lines[at : at + (0 if kind == 0 else count)] = new
        files[path] = b"\n".join(lines)
    return Case(case.diff, files)


def _final(rng: random.Random, case: Case) -> Case:
    """The files with another end, or the diff with another word about it."""
    if rng.random() < 0.4:
        ends = {path: text[:-1] if text.endswith(b"\n") else text + b"\n" for path, text in case.files.items()}
        return Case(case.diff, ends)
    note = "\\ No newline at end of file\n"
    if note in case.diff:
        return Case(case.diff.replace(note, "", 1), case.files)
    return Case(case.diff + note, case.files)


def _crlf(rng: random.Random, case: Case) -> Case:
    diff = case.diff.replace("\n", "\r\n")
    if rng.random() < 0.5:
        return Case(diff, case.files)
    return Case(diff, {path: text.replace(b"\n", b"\r\n") for path, text in case.files.items()})


def _headers(rng: random.Random, lines: list[str]) -> list[str]:
    dropped = rng.choice([("diff --git ", "index ", "similarity "), ("index ",), ("new file ", "deleted file "),
                          ("--- ",), ("+++ ",), ("rename ",)])  # fmt: skip
    heads = {n for n, line in enumerate(lines) if line.startswith(dropped) and not _in_hunk(lines, n)}
    return [line for n, line in enumerate(lines) if n not in heads]


def _prose(rng: random.Random, lines: list[str]) -> list[str]:
    words = rng.choice(["```\n", "- I changed this\n", "\n", " \n", "+ more\n", "Now the other file:\n"])
    if rng.random() < 0.5:
        return [*lines, words]
    starts = [n for n, line in enumerate(lines) if line.startswith(("diff --git ", "@@"))]
    at = rng.choice(starts)
    return [*lines[:at], words, *lines[at:]]


DAMAGES: dict[str, Damage] = {
    "none": lambda _, case: case,
    "all lines shifted": _lines(_shift),
    "one hunk shifted": _lines(_one_shift),
    "counts": _lines(_counts),
    "context dropped": _altered(" ", lambda _r, _l: [], 0.8),
    "context doubled": _altered(" ", lambda _, line: [line, line], 0.8),
    "context altered": _altered(" ", _word),
    "context added": _altered(" ", lambda _, line: [line, " made up\n"]),
    "edges dropped": _lines(_edges),
    "removed line altered": _altered("-", _word),
    "removed line dropped": _altered("-", lambda _r, _l: []),
    "white space": _altered(" -", _white),
    "blank context bare": _lines(lambda _, lines: ["\n" if line == " \n" else line for line in lines]),
    "unmarked context": _altered(" ", lambda _, line: [line[1:]], 0),
    "hunks reordered": _lines(_reorder),
    "hunk dropped": _lines(_drop_hunk),
    "hunk twice": _lines(_twice),
    "truncated": _truncate,
    "drifted file": _drift,
    "final newline": _final,
    "no newline at the reply's end": lambda _, case: Case(case.diff.removesuffix("\n"), case.files),
    "CRLF": _crlf,
    "headers": _lines(_headers),
    "prose": _lines(_prose),
}
