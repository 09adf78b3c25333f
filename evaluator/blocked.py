"""The way out that is part of every format's grammar: one line `BLOCKED: why` (docs/taxonomy.md, R3)."""

import re

NOTE = (
    "If the task cannot be carried out with the files above, edit nothing and answer with one line that says why:\n\n"
    "BLOCKED: why\n"
)
_LINE = re.compile(r"^BLOCKED:[ \t]*(\S[^\r\n]*)", re.MULTILINE)


def blocked(reply: str) -> str | None:
    """What a reply says stands in its way, where a line of it says so. Whether it also edits is not looked at."""
    match = _LINE.search(reply)
    return match[1].rstrip() if match else None
