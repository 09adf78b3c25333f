"""The header of a file's diff: `---` and `+++` alone, or after `diff --git` and git's extended header lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from evaluator.formats.unified_diff.names import common_name, header_name, never_existed, plain_name

GIT = "diff --git "
_MODE = re.compile(r"(old mode|new mode|new file mode|deleted file mode) ([0-7]+)\s*\Z")
_NAMED = re.compile(r"(rename from|rename to|rename old|rename new|copy from|copy to) (.+)\Z")
_IGNORED = ("similarity index ", "dissimilarity index ", "index ")
WORDS = (
    "old mode ", "new mode ", "new file mode ", "deleted file mode ", "rename from ", "rename to ", "rename old ",
    "rename new ", "copy from ", "copy to ", *_IGNORED, "--- ", "+++ ",
)  # fmt: skip


@dataclass(frozen=True)
class Header:
    """What a header says: the old and new path (None: /dev/null), and what becomes of the file.

    `new` and `gone` None: the header does not say; `plain`: it changes nothing by itself, so there must be hunks.
    """

    old: str | None
    new: str | None
    created: bool | None = None
    gone: bool | None = None
    copies: bool = False
    link: bool = False
    plain: bool = True
    written: tuple[str, ...] = ()


class BadHeader(Exception):
    """A header that contradicts itself; the message says how."""


def is_pair(lines: Sequence[str], at: int) -> bool:
    """Whether a `---` and a `+++` line stand here."""
    return lines[at].startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ ")


def pair(lines: Sequence[str], at: int) -> Header:
    """The header made of a `---` and a `+++` line; raises `BadHeader`."""
    texts = lines[at][4:], lines[at + 1][4:]
    old, new = map(header_name, texts)
    written = tuple(name for name in (new, old) if name is not None)
    if old is None and new is None:
        raise BadHeader("both sides are /dev/null")
    if old is None or (new is not None and never_existed(texts[0])):
        return Header(None, plain_name(new or ""), True, False, written=written)
    if new is None or never_existed(texts[1]):
        return Header(plain_name(old), None, False, True, written=written)
    first, second = plain_name(old), plain_name(new)
    # As git has it: x rather than x.orig where the one begins the other, else the new name.
    name = first if second.startswith(first) else second
    return Header(name, name, written=written)


def git_header(lines: Sequence[str], at: int) -> tuple[Header, int]:
    """The header that begins with the `diff --git` line here, and the line after it; raises `BadHeader`.

    The line after is the next one where nothing of a header follows, which then is no header.
    """
    found = _GitHeader(common_name(lines[at][len(GIT) :]))
    at += 1
    while at < len(lines) and lines[at].startswith(WORDS):
        found.read(lines[at])
        at += 1
    return found.header(), at


class _GitHeader:
    """The extended header lines of one file, read one by one."""

    def __init__(self, name: str | None) -> None:
        self._name = name
        self._old: str | None = None
        self._new: str | None = None
        self._kinds: set[str] = set()
        self._modes: dict[str, str] = {}
        self._written: list[str] = []

    def read(self, line: str) -> None:
        """Take in one line."""
        if match := _MODE.match(line):
            self._modes[match[1].split()[0]] = match[2]
            if match[1] == "new file mode":
                self._kinds.add("new")
                self._new = self._name
            elif match[1] == "deleted file mode":
                self._kinds.add("deleted")
                self._old = self._name
        elif match := _NAMED.match(line):
            kind, side = match[1].split()
            self._kinds.add(kind)
            name = plain_name("a/" + (header_name(match[2]) or ""))
            self._set("old" if side in ("from", "old") else "new", name)
        elif line.startswith(("--- ", "+++ ")):
            self._side(line)
        elif not line.startswith(_IGNORED):
            raise BadHeader(f"{line!r} is no header line of git's")
        if len(self._kinds) > 1:
            raise BadHeader(f"one file cannot be {' and '.join(sorted(self._kinds))}")

    def _side(self, line: str) -> None:
        side, absent = ("old", "new") if line.startswith("--- ") else ("new", "deleted")
        name = header_name(line[4:])
        if name is None and absent in self._kinds:
            return
        if name is None or absent in self._kinds:
            missing = f"no `{'new' if side == 'old' else 'deleted'} file mode` line" if name is None else "one"
            raise BadHeader(f"{line!r}, but there is {missing}")
        self._written.append(name)
        known = self._old if side == "old" else self._new
        if known is not None and known != plain_name(name):
            raise BadHeader(f"{line!r} names another file than the lines above it")
        self._set(side, plain_name(name))

    def _set(self, side: str, name: str) -> None:
        if side == "old":
            self._old = name
        else:
            self._new = name

    def header(self) -> Header:
        """What the lines amount to."""
        created, gone = "new" in self._kinds, "deleted" in self._kinds
        old, new = self._old, self._new
        if old is None and new is None:
            old = new = self._name
        if (old is None and not created) or (new is None and not gone):
            raise BadHeader("it does not say which file it is about")
        modes = self._modes
        changes = bool(self._kinds) or ("old" in modes and "new" in modes and modes["old"] != modes["new"])
        link = int(modes.get("new", "100644"), 8) >> 12 != 0o10  # no regular file
        return Header(
            None if created else old, None if gone else new, created, gone, "copy" in self._kinds, link,
            not changes, tuple(dict.fromkeys(self._written)),
        )  # fmt: skip
