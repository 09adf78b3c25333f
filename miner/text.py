"""Text as lines, the way git sees it, and as bytes."""

import re

_NO_BYTE = re.compile("[\ud800-\udc7f\udd00-\udfff]")  # surrogates that stand for no byte of a file


def to_bytes(text: str) -> bytes:
    """Text as UTF-8; bytes that were no UTF-8 come back as they were, any other lone surrogate as U+FFFD."""
    try:
        return text.encode()  # without surrogates there is nothing to do, which is seen soonest so
    except UnicodeEncodeError:
        pass
    return _NO_BYTE.sub("\ufffd", text).encode("utf-8", "surrogateescape")


def count_lines(content: bytes) -> int:
    """The number of lines that `split_lines` makes of it."""
    return content.count(b"\n") + (not content.endswith(b"\n") and content != b"")


def split_lines(text: str) -> list[str]:
    """The lines of `text`, each with its `\\n` (and the `\\r` before it); only `\\n` ends a line."""
    lines = text.split("\n")
    last = lines.pop()
    return [line + "\n" for line in lines] + ([last] if last else [])
