"""How money is written."""

from decimal import Decimal


def money(usd: float | None) -> str:
    """`$12,345`, below a thousand `$31.20`, below ten cents two digits that count: `$0.000012`. None: `unpriced`."""
    if usd is None:
        return "unpriced"
    if usd == 0:
        return "$0.00"
    if usd < 0.0995:  # a float's own short form has an exponent where it is small
        return f"${Decimal(f'{usd:.1e}'):f}"
    return f"${usd:,.0f}" if usd >= 999.995 else f"${usd:.2f}"
