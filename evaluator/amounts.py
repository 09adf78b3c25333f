"""How money and time are written."""


def money(usd: float | None) -> str:
    """`$1,234.50`, below a dollar `$0.0123`, or `unpriced`."""
    if usd is None:
        return "unpriced"
    return f"${usd:,.4f}" if 0 < usd < 0.995 else f"${usd:,.2f}"


def duration(seconds: float) -> str:
    """`45 s`, `12 min`, `3 h 20 min`."""
    minutes = round(seconds / 60)
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02} min"
