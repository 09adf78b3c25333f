"""The attempts that the page lists, and how much of them it carries: a run can be larger than a page should be."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evaluator.journal import AttemptLine
from evaluator.report.html.texts import block, by_fixture, key_of
from evaluator.report.model import ReportFile
from evaluator.sentence import sentence
from evaluator.trials import trials

MOST_ROWS = 20_000  # attempts listed
MOST_BYTES = 24 * 2**20  # of packed texts: some seconds to read and pack


@dataclass(frozen=True)
class Listed:
    """What the page's script works on.

    `rows` are lists of the fields named in `COLUMNS`; fixture and format are numbers into `fixtures` and `formats`.
    `blocks` are the packed texts by number of fixture, of those that have some. `left_out`: attempts not listed.
    """

    fixtures: list[str]
    formats: list[str]
    rows: list[list[Any]]
    blocks: dict[int, str] = field(default_factory=dict)
    left_out: int = 0

    @property
    def without_texts(self) -> int:
        """Attempts listed whose texts are not in the page."""
        return sum(row[0] not in self.blocks for row in self.rows)


COLUMNS = (
    "fixture", "format", "repeat", "attempt", "verdict", "detail", "tokens", "latency", "cost", "final", "key",
    "sentence", "unintended", "excused", "estimated",
)  # fmt: skip
"""`verdict`: `resolved`, a category, or the kind of discard. `final`: whether it decides its trial. Times are in ms.
`estimated`: whether its tokens were counted here."""


def listed(
    folder: Path, report: ReportFile, lines: Sequence[AttemptLine], most_rows: int = MOST_ROWS,
    most_bytes: int = MOST_BYTES,
) -> Listed:  # fmt: skip
    """The attempts of a run in the order of its set; where they are too many, those of the last fixtures are left out.

    Texts are taken while they fit, the fixtures with most failures first: these are what is looked at.
    """
    own = set(report.run.formats)
    groups = by_fixture(line for line in lines if line.format in own)
    order = [name for name in (*report.run.fixtures, *report.run.impossible) if name in groups]
    final = {id(trial.last) for trial in trials(line for group in groups.values() for line in group)}
    names: list[str] = []
    kept: list[AttemptLine] = []
    for name in order:
        if kept and len(kept) + len(groups[name]) > most_rows:
            break
        names.append(name)
        kept += groups[name]
    numbers = {name: n for n, name in enumerate(names)}
    formats = {name: n for n, name in enumerate(report.run.formats)}
    rows = [_row(line, numbers, formats, id(line) in final) for line in kept]
    total = sum(len(groups[name]) for name in order)
    blocks = _blocks(folder / "replies", groups, numbers, most_bytes)
    return Listed(names, list(formats), rows, blocks, total - len(kept))


def _row(line: AttemptLine, fixtures: dict[str, int], formats: dict[str, int], final: bool) -> list[Any]:
    return [
        fixtures[line.fixture], formats[line.format], line.repeat, line.attempt, verdict_of(line),
        line.detail.value if line.detail else "", line.output_tokens, line.latency_ms, line.cost_usd, int(final),
        key_of(line), sentence(line), [s for s in line.unintended_changes if s not in line.excused], list(line.excused),
        int(line.estimated),
    ]  # fmt: skip


def verdict_of(line: AttemptLine) -> str:
    """`resolved`, the category of its failure, or the kind of discard."""
    if line.discarded is not None:
        return line.discarded.value
    return line.failure_category.value if line.failure_category else "resolved"


def _blocks(replies: Path, groups: dict[str, list[AttemptLine]], numbers: dict[str, int], room: int) -> dict[int, str]:
    failures = {name: sum(verdict_of(line) != "resolved" for line in groups[name]) for name in numbers}
    found: dict[int, str] = {}
    for name in sorted(numbers, key=lambda name: -failures[name]):
        if room <= 0:
            break
        text = block(replies, name, groups[name])
        if len(text) <= room:
            found[numbers[name]] = text
        room -= len(text)
    return found
