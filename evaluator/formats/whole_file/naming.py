"""Which path a line above a fence, a fence's info string or a comment names, if any."""

import re

from evaluator.formats.paths import normal_path
from evaluator.formats.plain_paths import unwrapped
from evaluator.formats.whole_file.file_names import like_a_file

_LIST_OR_HEADING = re.compile(r"(?:#{1,6}|[-*+]|\d{1,3}[.)])[ \t]+")
_REMARK = re.compile(r"[ \t]+\((?:new|updated|modified|changed|full|complete)\b[^()]{0,40}\)(?=:?[*_]*:?\Z)")
_INFO_KEY = re.compile(r"(?:title|file(?:name|path)?|path)=\"?([^\"\s]+)")
_COMMENT = re.compile(r"[ \t]*(?://|#|--|;|<!--|/\*)[ \t]*filepath:[ \t]*(\S.*?)[ \t]*(?:-->|\*/)?[ \t]*\r?\Z")

def plain_path(line: str) -> str | None:
    """The path alone on a line, bare, or in backticks, where it may have blanks; None where the line is prose."""
    name = line.strip()
    if len(name) > 2 and name[0] == name[-1] == "`":
        inner = name[1:-1]
        return normal_path(inner) if "`" not in inner and like_a_file(inner, blanks=True) else None
    if name[:1] in "`*~" or name[-1:] in "`*:" or not like_a_file(name):
        return None
    return normal_path(name)


def line_of(path: str) -> str | None:
    """The line that names a path, so that `plain_path` reads it again; None where there is none."""
    lines = (path, f"./{path}", f"`{path}`", f"`./{path}`")
    return next((line for line in lines if "\n" not in line and plain_path(line) == path), None)


def dressed_path(line: str) -> str | None:
    """The path on a line with more than a path: in bold, in a list or heading, behind a label, before a colon."""
    text = _LIST_OR_HEADING.sub("", line.strip(), count=1)
    text = _REMARK.sub("", text)
    quoted = text.strip("*_: ")
    name = unwrapped(text)
    if "`" in name or not name or not like_a_file(name, blanks=quoted[:1] == quoted[-1:] == "`"):
        return None
    return normal_path(name)


def path_in_info(info: str) -> str | None:
    """The path in an info string: `python src/x.py`, `python:src/x.py`, `src/x.py`, `python title="src/x.py"`."""
    if match := _INFO_KEY.search(info):
        return normal_path(match[1]) if like_a_file(match[1]) else None
    words = info.split()
    if not words or len(words) > 2:
        return None
    name = re.sub(r"\A[\w+#-]+:(?!//)", "", words[-1]) if len(words) == 1 else words[1]
    name = unwrapped(name)
    # A word without a dot or slash is a language (`Makefile`); braces and the like are a highlighter's.
    said = re.search(r"[./\\]", name) and not set(name) & set("{}=,")
    return normal_path(name) if said and like_a_file(name) else None


def path_in_comment(line: str) -> str | None:
    """The path in a comment that says so."""
    match = _COMMENT.match(line)
    return None if match is None else normal_path(match[1])
