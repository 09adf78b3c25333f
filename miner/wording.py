"""Counted things, in words (pure)."""


def plural(count: int, word: str, many: str = "") -> str:
    """`1 fixture`, `2 fixtures`; `many` where it is no `s` that makes it many."""
    return f"{count:,} {word if count == 1 else many or word + 's'}"
