"""Whether the contents written out for a file are no contents but an edit of it in another format."""

import re
from pathlib import PurePosixPath

# Files that may hold such text as theirs.
_HOLDERS = {".diff", ".patch", ".rej", ".md", ".markdown", ".rst", ".txt", ".adoc", ".org", ".snap", ".out", ""}
_BLOCK = re.compile(r"<{5,9} ?SEARCH\s*\Z")
_BLOCK_END = re.compile(r">{5,9} ?REPLACE\s*\Z")
_DIVIDER = re.compile(r"={5,9}\s*\Z")
_DIFF = re.compile(r"diff --git |--- \S|\*\*\* (?:Begin Patch|Update File: )|@@ .*@@")
_BEGINS = re.compile(r"\s*(?:<{5}|diff --git|---|\*\*\*|@@)")
_DIFF_LINE = re.compile(
    r"[-+ @\\]|diff --git |index |new file|deleted file|old mode|new mode|similarity|rename |\*\*\* |\Z"
)
_NAMED = re.compile(r"(?:--- |\+\+\+ |\*\*\* Update File: )(?:[ab]/)?(\S.*)")


def is_edit_of(path: str, before: str, content: str) -> bool:
    """Whether `content` is, whole, search/replace blocks or a diff or patch of the file, and not text as it holds.

    A file may hold such text: it is not taken for an edit in a patch or text document, in a file that begins
    so already, or where it neither names the file nor quotes its lines.
    """
    if PurePosixPath(path).suffix.lower() in _HOLDERS:
        return False
    content = _below_its_name(path, content)
    if not _BEGINS.match(content):
        return False
    lines = [line.removesuffix("\r") for line in content.split("\n")]
    solid = [line for line in lines if line.strip()]
    there = {line.strip() for line in before.split("\n") if line.strip()}
    if len(solid) < 3 or solid[0].strip() in there:
        return False
    if _BLOCK.match(solid[0]) and _BLOCK_END.match(solid[-1]):
        return bool(there.intersection(_searched(lines)))
    if not _DIFF.match(solid[0]) or not all(map(_DIFF_LINE.match, lines)):
        return False
    named = {match[1].split("\t")[0].strip() for line in lines if (match := _NAMED.match(line))}
    quoted = {line[1:].strip() for line in lines if line[:1] in ("-", " ")}
    return path in named or len(there & quoted) > 1


def _below_its_name(path: str, content: str) -> str:
    """The contents without a first line that is the file's path: blocks of search/replace stand below it."""
    first, _, rest = content.lstrip().partition("\n")
    return rest if first.strip().strip("`") == path else content


def _searched(lines: list[str]) -> list[str]:
    """The lines of the SEARCH sides, without the white space around them."""
    quoted: list[str] = []
    inside = False
    for line in lines:
        if _BLOCK.match(line):
            inside = True
        elif _DIVIDER.match(line):
            inside = False
        elif inside:
            quoted.append(line.strip())
    return quoted
