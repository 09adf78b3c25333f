"""The task as the model sees it: the merged change's title and body, without what machines and templates add."""

import re

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_TRAILER = re.compile(r"(?i)[a-z][a-z-]*-by:\s.*|(?:change-id|cherry-picked-from|git-svn-id):\s.*")
_NUMBER = re.compile(r"\s*\(#\d+\)\s*$")
_BLANKS = re.compile(r"\n{3,}")


def prompt_text(title: str, body: str) -> str:
    """The Markdown of `prompt.md`: the title as heading, the cleaned body below it."""
    heading = _NUMBER.sub("", " ".join(title.split()))
    text = clean_body(body)
    return f"# {heading}\n" + (f"\n{text}\n" if text else "")


def clean_body(body: str) -> str:
    """A pull request's body without template comments and without its closing trailers."""
    text = _COMMENT.sub("", body.replace("\r\n", "\n"))
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and (not lines[-1] or _TRAILER.fullmatch(lines[-1].strip()) or lines[-1].strip("-") == ""):
        lines.pop()
    return _BLANKS.sub("\n\n", "\n".join(lines)).strip()


def slug(title: str, longest: int = 48) -> str:
    """A short name from a title: lower-case ASCII words joined by hyphens."""
    plain = _NUMBER.sub("", title).encode("ascii", "ignore").decode().lower()
    words = "-".join(re.findall(r"[a-z0-9]+", plain)) or "change"
    return words if len(words) <= longest else words[:longest].rsplit("-", 1)[0]
