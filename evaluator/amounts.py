"""How money is written."""


def money(usd: float | None) -> str:
    """`$1,234.50`, below a dollar `$0.0123`, or `unpriced`."""
    if usd is None:
        return "unpriced"
    return f"${usd:,.4f}" if 0 < usd < 0.995 else f"${usd:,.2f}"
