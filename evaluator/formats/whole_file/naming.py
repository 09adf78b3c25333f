"""Which path a line above a fence, a fence's info string or a comment names, if any."""

import re

from evaluator.formats.paths import LIKE_A_PATH, normal_path
from evaluator.formats.plain_paths import undressed

_LIST_OR_HEADING = re.compile(r"(?:#{1,6}|[-*+]|\d{1,3}[.)])[ \t]+")
_REMARK = re.compile(r"[ \t]+\((?:new|updated|modified|changed|full|complete)\b[^()]{0,40}\)(?=:?[*_]*:?\Z)")
_INFO_KEY = re.compile(r"(?:title|file(?:name|path)?|path)=\"?([^\"\s]+)")
_COMMENT = re.compile(r"[ \t]*(?://|#|--|;|<!--|/\*)[ \t]*filepath:[ \t]*(\S.*?)[ \t]*(?:-->|\*/)?[ \t]*\r?\Z")
# Names of languages and frameworks that are written like files.
_NO_FILES = {"node.js", "vue.js", "next.js", "nuxt.js", "react.js", "express.js", "three.js", "d3.js", "asp.net",
             "vb.net", ".net"}  # fmt: skip


def plain_path(line: str) -> str | None:
    """The path alone on a line, in backticks where it is not like one; None where the line is prose."""
    name = line.strip()
    if len(name) > 2 and name[0] == name[-1] == "`":
        inner = name[1:-1]
        return normal_path(inner) if "`" not in (inner[0], inner[-1]) and inner.strip() else None
    if not _bare(name) or name[:1] in "`*~" or name[-1:] in "`*:":
        return None
    return normal_path(name)


def dressed_path(line: str) -> str | None:
    """The path on a line with more than a path: in bold, in a list or heading, behind a label, before a colon."""
    text = _LIST_OR_HEADING.sub("", line.strip(), count=1)
    text = _REMARK.sub("", text)
    quoted = text.strip("*_: ")
    name = undressed(text)
    if "`" in name or not name:
        return None
    if quoted[:1] == quoted[-1:] == "`":
        return name
    return name if _bare(name) else None


def path_in_info(info: str) -> str | None:
    """The path in an info string: `python src/x.py`, `python:src/x.py`, `src/x.py`, `python title="src/x.py"`."""
    if match := _INFO_KEY.search(info):
        return normal_path(match[1])
    words = info.split()
    if not words or len(words) > 2:
        return None
    name = re.sub(r"\A[\w+#-]+:(?!//)", "", words[-1]) if len(words) == 1 else words[1]
    name = undressed(name)
    return name if _bare(name) and not set(name) & set("{}=,") else None


def path_in_comment(line: str) -> str | None:
    """The path in a comment that says so."""
    match = _COMMENT.match(line)
    return None if match is None else normal_path(match[1])


def _bare(name: str) -> bool:
    """Whether a word is like a path: with a slash or an extension, and no name of a language."""
    known = name.lower() in _NO_FILES and name != name.lower()
    return bool(name) and not re.search(r"\s", name) and bool(LIKE_A_PATH.search(name)) and not known
