"""The way out that is part of every format's grammar: one line `BLOCKED: why` (docs/taxonomy.md, R3)."""

import re

_EXAMPLE = "why"  # what the note says in the place of a reason
NOTE = (
    "If the task cannot be carried out with the files above, edit nothing and answer with one line that says why:\n\n"
    f"BLOCKED: {_EXAMPLE}\n"
)
_LINE = re.compile(r"^BLOCKED:[ \t]*(\S[^\r\n]*)", re.MULTILINE)


def blocked(reply: str) -> str | None:
    """What a reply says stands in its way, where a line of it says so. Whether it also edits is not looked at.

    The note's own line, given back, says nothing: small models repeat what they were told.
    """
    reasons = (match[1].rstrip() for match in _LINE.finditer(reply))
    return next((reason for reason in reasons if reason.strip("`*<>.?!\"' ").lower() != _EXAMPLE), None)
