"""Titles of merged changes, as headings and as names of folders."""

import re

_NUMBER = re.compile(r"\s*\(#\d+\)\s*$")


def heading(title: str) -> str:
    """A title on one line, without the pull request's number at its end."""
    return _NUMBER.sub("", " ".join(title.split()))


def slug(title: str, longest: int = 48) -> str:
    """A short name from a title: lower-case ASCII words joined by hyphens."""
    plain = _NUMBER.sub("", title).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall(r"[a-z0-9]+", plain)) or "change"
    return words if len(words) <= longest else words[:longest].rsplit("-", 1)[0]
