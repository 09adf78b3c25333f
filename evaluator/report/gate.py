"""Whether a run is good enough for CI: rates against what was asked, on the bound of their interval."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluator.report.model import FormatEstimates, Interval, ReportFile
from evaluator.report.wording import NOTHING, ROUNDING


@dataclass(frozen=True)
class Asked:
    """What is asked of formats, as fractions; the key None stands for every format that is not named."""

    min_resolved: Mapping[str | None, float]
    max_silent: Mapping[str | None, float]


@dataclass(frozen=True)
class Check:
    """One demand on one format: what was `asked`, what was `found`, and whether it `passed`."""

    format: str
    asked: str
    found: str
    passed: bool


def checks(report: ReportFile, asked: Asked, point: bool) -> list[Check]:
    """Every demand; a rate without evidence, and a run that has not ended or that two models served, fail.

    `point`: rates instead of bounds.
    """
    found = [check for f in report.formats for check in _of_format(f, asked, point)]
    if report.ended < report.planned:
        ended = f"{report.ended} of {report.planned} trials"
        found.append(Check("every format", "the run has ended", ended, False))
    if len(report.served) > 1:  # models are never pooled
        found.append(Check("every format", "one served model", ", ".join(report.served), False))
    return found


def _of_format(f: FormatEstimates, asked: Asked, point: bool) -> Iterator[Check]:
    least, most = _asked(asked.min_resolved, f.name), _asked(asked.max_silent, f.name)
    if least is not None:
        value = _taken(f.this_set, "low", point)
        yield Check(f.name, f"resolved >= {least:g}", _said(f.this_set, "lower", value, point),
                    value is not None and value >= least - ROUNDING)  # fmt: skip
    if most is not None:
        value = _taken(f.silent_defects, "high", point)
        yield Check(f.name, f"silent <= {most:g}", _said(f.silent_defects, "upper", value, point),
                    value is not None and value <= most + ROUNDING)  # fmt: skip


def _asked(of: Mapping[str | None, float], name: str) -> float | None:
    return of.get(name, of.get(None))


def _taken(of: Interval | None, end: str, point: bool) -> float | None:
    return None if of is None else of.value if point else of.low if end == "low" else of.high


def _said(of: Interval | None, end: str, value: float | None, point: bool) -> str:
    if of is None or value is None:
        return NOTHING
    return f"{value:.3f} (point)" if point else f"{value:.3f} ({end} bound; point {of.value:.3f})"


def failing(found: Sequence[Check]) -> list[Check]:
    """Those that did not pass."""
    return [check for check in found if not check.passed]
