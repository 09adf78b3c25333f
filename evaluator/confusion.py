"""The confusion matrix of a calibration: what faults were made for against what the scorer said."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from evaluator.calibration import Tried
from evaluator.faults import Label
from evaluator.report.tables import table
from evaluator.taxonomy import Category

_NO_ANSWER = "no answer"


def as_markdown(tried: Sequence[Tried]) -> str:
    """Counts per format and language, a matrix of categories per format, and every cell off the diagonal by detail."""
    formats = list(dict.fromkeys(t.format for t in tried))
    off = sum(not t.agrees for t in tried)
    head = (
        f"{len(tried):,} replies with {len({t.fault for t in tried})} faults, over {len({t.fixture for t in tried})} "
        f"fixtures and {len(formats)} formats: {len(tried) - off:,} scored as made, {off:,} otherwise.\n"
    )
    sections = [("By format and language", _by_language(tried))]
    sections += [(f"Made for (rows), scored as (columns): {f}", _matrix(t for t in tried if t.format == f))
                 for f in formats]  # fmt: skip
    sections.append(("By detail", _by_detail(tried, formats)))
    if off:
        sections.append(("Scored otherwise than made", _off_diagonal(tried)))
    return "# Calibration\n\n" + head + "".join(f"\n## {title}\n\n{body}" for title, body in sections)


def as_data(tried: Sequence[Tried], files: Callable[[Tried], str | None]) -> dict[str, object]:
    """The whole matrix by format, language and detail, and each disagreement with the file its reply is in."""
    cells = Counter((t.format, t.language, str(t.expected), _got(t)) for t in tried)
    return {
        "schema": 1, "injected": len(tried), "agreeing": sum(t.agrees for t in tried),
        "faults": dict(sorted(Counter(t.fault for t in tried).items())),
        "cells": [
            {"format": f, "language": language, "made_for": made, "scored_as": scored, "count": count}
            for (f, language, made, scored), count in sorted(cells.items())
        ],
        "disagreements": [
            {"fixture": t.fixture, "format": t.format, "fault": t.fault, "made_for": str(t.expected),
             "scored_as": _got(t), "error": t.error, "reply": files(t)}
            for t in tried if not t.agrees
        ],
    }  # fmt: skip


def _by_language(tried: Sequence[Tried]) -> str:
    groups: Counter[tuple[str, str]] = Counter((t.format, t.language) for t in tried)
    off = Counter((t.format, t.language) for t in tried if not t.agrees)
    rows = [[f, language, f"{count:,}", f"{off[f, language]:,}"] for (f, language), count in groups.items()]
    return table(["format", "language", "injected", "off the diagonal"], rows)


def _matrix(tried: Iterable[Tried]) -> str:
    names = [*(c.value for c in Category), "resolved"]
    counts = Counter((_category(t.expected), _category(t.got)) for t in tried)
    columns = [*names, *([_NO_ANSWER] if any(got == _NO_ANSWER for _, got in counts) else [])]
    return table(["", *columns], [[row, *(str(counts[row, column]) for column in columns)] for row in names])


def _by_detail(tried: Sequence[Tried], formats: Sequence[str]) -> str:
    counts = Counter((str(t.expected), t.format) for t in tried)
    labels = sorted({label for label, _ in counts})
    return table(["made for", *formats], [[label, *(str(counts[label, f]) for f in formats)] for label in labels])


def _off_diagonal(tried: Sequence[Tried]) -> str:
    cells: dict[tuple[str, str, str, str], list[Tried]] = {}
    for t in tried:
        if not t.agrees:
            cells.setdefault((t.format, t.fault, str(t.expected), t.error or _got(t)), []).append(t)
    return table(
        ["format", "fault", "made for", "scored as", "count", "for example"],
        [[*key, str(len(found)), found[0].fixture] for key, found in sorted(cells.items(), key=lambda c: -len(c[1]))],
    )


def _category(label: Label | None) -> str:
    if label is None:
        return _NO_ANSWER
    return label.category.value if label.category else "resolved"


def _got(tried: Tried) -> str:
    return _NO_ANSWER if tried.got is None else str(tried.got)
