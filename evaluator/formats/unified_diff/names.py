"""File names in the headers of a diff, as GNU diff and git write them.

Sources: POSIX.1-2017 `diff -u`; GNU diffutils (time stamps, quoting); git's `diff --git` headers. A name's leading
`a/` or `b/` is git's prefix; a name without one is whole, as `diff -u` and `git diff --no-prefix` write it.
"""

import re

from evaluator.formats.paths import normal_path

_STAMP = re.compile(
    r"(?:\t| +)(?:\d\d)?\d\d-\d\d-\d\d(?: \d\d:\d\d:\d\d(?:\.\d+)?)?(?: [+-]\d{4}| [+-]\d\d:\d\d)?\Z"
)
_EPOCH = re.compile(r"(1969-12-31|1970-01-01) (\d\d):(\d\d):00(?:\.0+)? ([+-])(\d\d):?(\d\d)\Z")
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_ESCAPED = re.compile(r'\\(?:([abtnvfr"\\])|([0-3][0-7]{2}))|[^\\"]')


def header_name(text: str) -> str | None:
    """The name after `--- ` or `+++ `, without its time stamp; None for /dev/null."""
    if (quoted := unquoted(text)) is not None:
        return quoted[0]
    stamp = _STAMP.search(text)
    name = text[: stamp.start()] if stamp else re.split(r"[\t\r]", text, maxsplit=1)[0]
    return None if re.match(r"/dev/null(?:\s|\Z)", text) else name


def plain_name(name: str) -> str:
    """The path that a name of a header stands for."""
    name = name.replace("\\", "/")
    return normal_path(re.sub(r"/{2,}", "/", name[2:] if name.startswith(("a/", "b/")) else name))


def never_existed(text: str) -> bool:
    """Whether a header's time stamp is the epoch's first second: `diff -N` dates a missing file so."""
    match = _EPOCH.search(text.rstrip("\r"))
    if match is None:
        return False
    day, hour, minute, sign, zone_hours, zone_minutes = match.groups()
    zone = (int(zone_hours) * 60 + int(zone_minutes)) * (-1 if sign == "-" else 1)
    return (int(hour) * 60 + int(minute)) - (24 * 60 if day.startswith("1969") else 0) == zone


def unquoted(text: str) -> tuple[str, str] | None:
    """A name in C-style quotes at the start of a text, and what follows it; None where there is none."""
    if not text.startswith('"'):
        return None
    at, found = 1, bytearray()
    while match := _ESCAPED.match(text, at):
        if match[1]:
            found.append(_ESCAPES[match[1]])
        elif match[2]:
            found.append(int(match[2], 8))
        else:
            found += match[0].encode("utf-8", "surrogatepass")
        at = match.end()
    return (found.decode("utf-8", "surrogateescape"), text[at + 1 :]) if text[at : at + 1] == '"' else None


def common_name(text: str) -> str | None:
    """The one path of a `diff --git a/path b/path` line, by what follows the words; None where they differ."""
    text = text.rstrip("\r")
    if (first := unquoted(text)) is not None:
        rest = first[1].strip(" \t")
        second = unquoted(rest)
        other = second[0] if second else rest
        return plain_name(first[0]) if plain_name(first[0]) == plain_name(other) else None
    for gap in re.finditer(r"[ \t]+", text):
        rest = text[gap.end() :]
        second = unquoted(rest)
        name = plain_name(text[: gap.start()])
        if name and name == plain_name(second[0] if second else rest):
            return name
    return None
