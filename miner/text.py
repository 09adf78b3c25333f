"""Text as lines, the way git sees it."""


def split_lines(text: str) -> list[str]:
    """The lines of `text`, each with its `\\n` (and the `\\r` before it); only `\\n` ends a line."""
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])
