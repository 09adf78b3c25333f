"""Counted things, in words (pure)."""


def plural(count: int, word: str) -> str:
    """`1 fixture`, `2 fixtures`."""
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"
