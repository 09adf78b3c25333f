"""The way out that is part of every format's grammar: one line `BLOCKED: why` (docs/taxonomy.md, R3)."""

import re

_EXAMPLE = "why"  # what the note says in the place of a reason
NOTE = (
    "If the task cannot be carried out with the files above, edit nothing and answer with one line that says why:\n\n"
    f"BLOCKED: {_EXAMPLE}\n"
)
NO_REASON = "A line that begins with `BLOCKED:` has to say why."
_LINE = re.compile(r"^BLOCKED:[ \t]*([^\r\n]*)", re.MULTILINE)


def blocked(reply: str) -> str | None:
    """What a reply says stands in its way, where a line of it says so. Whether it also edits is not looked at.

    The note's own line, given back, says nothing: small models repeat what they were told.
    """
    return next((reason for reason in _reasons(reply) if _tells(reason)), None)


def without_reason(reply: str) -> bool:
    """Whether a reply means to say what stands in its way, and does not."""
    reasons = _reasons(reply)
    return bool(reasons) and not any(map(_tells, reasons))


def _reasons(reply: str) -> list[str]:
    return [match[1].rstrip() for match in _LINE.finditer(reply)]


def _tells(reason: str) -> bool:
    return reason.strip("`*<>.?!\"' ").lower() not in ("", _EXAMPLE)
