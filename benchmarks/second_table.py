"""What the second injector prints: labels against scores, and the disagreements by class."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Protocol

Label = tuple[str | None, str | None]


class Scored(Protocol):
    """As much of a row as is printed."""

    @property
    def fixture(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def format(self) -> str: ...
    @property
    def fault(self) -> str: ...
    @property
    def rule(self) -> str: ...
    @property
    def expected(self) -> Label: ...
    @property
    def got(self) -> Label: ...
    @property
    def unintended(self) -> list[str]: ...
    @property
    def agrees(self) -> bool: ...


def named(label: Label) -> str:
    """A label in one word."""
    return ".".join(part for part in label if part) or "resolved"


def printed(rows: Sequence[Scored]) -> str:
    """The tables and the disagreements."""
    parts = [_confusion(rows), _labels(rows), _disagreements(rows)]
    agree = sum(row.agrees for row in rows)
    fixtures = len({row.fixture for row in rows})
    parts.append(f"{fixtures} fixtures, {len(rows)} replies, {agree} agree, {len(rows) - agree} disagree")
    return "\n\n".join(part for part in parts if part)


def _confusion(rows: Sequence[Scored]) -> str:
    counts: Counter[tuple[str, str, str, str]] = Counter()
    for row in rows:
        counts[row.language, row.format, row.expected[0] or "resolved", row.got[0] or "resolved"] += 1
    lines = [f"{'language':9}{'format':16}{'label':20}{'score':20}{'replies':>8}"]
    lines += [f"{a:9}{b:16}{c:20}{d:20}{n:8}{'' if c == d else '  <'}" for (a, b, c, d), n in sorted(counts.items())]
    return "\n".join(lines)


def _labels(rows: Sequence[Scored]) -> str:
    counts = Counter((named(row.expected), row.agrees) for row in rows)
    names = sorted({name for name, _ in counts})
    lines = [f"{'label':36}{'injected':>10}{'agree':>8}"]
    lines += [f"{name:36}{counts[name, True] + counts[name, False]:10}{counts[name, True]:8}" for name in names]
    return "\n".join(lines)


def _disagreements(rows: Sequence[Scored]) -> str:
    classes: dict[tuple[str, str, str], list[Scored]] = defaultdict(list)
    for row in rows:
        if not row.agrees:
            classes[row.fault, named(row.expected), named(row.got)].append(row)
    lines = []
    for (fault, expected, got), many in sorted(classes.items(), key=lambda item: -len(item[1])):
        formats = Counter(row.format for row in many)
        lines.append(f"{len(many):5} {fault} ({many[0].rule}): label {expected}, score {got}; {dict(formats)}")
        lines += [f"        {row.format} {row.fixture} {row.unintended[:3]}" for row in many[:3]]
    return "\n".join(lines)
