"""Counted things and times, in words (pure)."""


def plural(count: int, word: str, many: str = "") -> str:
    """`1 fixture`, `2 fixtures`; `many` where it is no `s` that makes it many."""
    return f"{count:,} {word if count == 1 else many or word + 's'}"


def duration(seconds: float) -> str:
    """`45 s`, `12 min`, `3 h 20 min`."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02} min"
