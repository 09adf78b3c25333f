"""How numbers read: rates, differences, p values and times."""

from collections.abc import Sequence
from textwrap import wrap

from evaluator.report.model import Interval
from evaluator.statistics.exact import ALPHA

NOTHING = "no evidence"
WIDTH = 110


ROUNDING = 1e-9  # of sums of fractions


def percent(fraction: float) -> str:
    """`88%`. Less than all is never `100%`, and more than nothing never `0%`: `>99%`, `<1%`."""
    shown = f"{fraction:.0%}"
    if shown == "100%" and fraction < 1 - ROUNDING:
        return ">99%"
    return "<1%" if shown == "0%" and fraction > ROUNDING else shown


def ends(low: float, high: float, between: str = ", ") -> str:
    """The ends of an interval in percent, `81, 93`; never rounded to one that claims more: not `100, 100` or `0, 0`."""
    return percent(low)[:-1].replace("<1", "0") + between + percent(high)[:-1].replace(">99", "100")


def rate(of: Interval | None) -> str:
    """`88% [81, 93]`, or `no evidence`."""
    return NOTHING if of is None else f"{percent(of.value)} [{ends(of.low, of.high)}]"


def points(fraction: float) -> str:
    """A difference of rates in percentage points: `+7.7`."""
    return f"{100 * fraction + 0.0:+.1f}"


def difference(of: Interval) -> str:
    """`+7.7 points [-0.9, 16.3]`."""
    return f"{points(of.value)} points [{100 * of.low:.1f}, {100 * of.high:.1f}]"


def p_value(p: float) -> str:
    """`p = 1`, `p = .11`, `p = .039`, or `p < .001`."""
    if p < 0.001:
        return "p < .001"
    if p > 0.995:
        return "p = 1"
    digits = 2 if p >= 0.1 else 4 if abs(p - ALPHA) < 0.0005 else 3  # on which side of 5% it lies can be seen
    return "p = " + f"{p:.{digits}f}".removeprefix("0")


def duration(milliseconds: float) -> str:
    """`14 s`, below ten seconds `1.4 s`, below one `140 ms`."""
    if milliseconds < 1000:
        return f"{milliseconds:.0f} ms"
    seconds = milliseconds / 1000
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:,.0f} s"


def share(k: int, n: int) -> str:
    """`2/120 2%`, or `no evidence`."""
    return f"{k}/{n} {percent(k / n)}" if n else NOTHING


def estimated(shown: str, counted_here: int | None) -> str:
    """A number of tokens, or what they cost, with `~` where some were counted here, in another vocabulary."""
    return f"~{shown}" if counted_here and any(c.isdigit() for c in shown) else shown


def wrapped(text: str, indent: str = "") -> str:
    """Lines of at most `WIDTH` characters, later ones indented, ending in a new line."""
    lines = wrap(text, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    return "\n".join(lines) + "\n"


def comma(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(part for part in (", ".join(names[:-1]), names[-1]) if part)


def about(count: int) -> str:
    """`~1,900`: two digits that count."""
    if count < 100:
        return f"~{count}"
    unit = 10 ** (len(str(count)) - 2)
    return f"~{round(count / unit) * unit:,}"
