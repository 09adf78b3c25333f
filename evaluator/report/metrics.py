"""A row for METRICS.md after every run of a real model, and whether a stopping condition holds."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from evaluator.amounts import money
from evaluator.journal import RunFile
from evaluator.report.model import FormatEstimates, Interval, ReportFile
from evaluator.report.wording import NOTHING, ROUNDING, estimated, rate, share
from miner.errors import ToolError, printable
from miner.wording import plural

HEADER = (
    "| date | change | model | set | format | pass rate (every repeat) | edit success | mean attempts | mean cost |\n"
    "|---|---|---|---|---|---|---|---|---|\n"
)
_CONDITION = re.compile(r"\s*pass\s*>=\s*([0-9]*\.?[0-9]+)\s*")


@dataclass(frozen=True)
class Condition:
    """Stop when the pass rate is at least this, by the lower end of its interval."""

    least: float


def condition(text: str) -> Condition:
    """A condition such as `pass>=0.7`; raises `ValueError` for anything else."""
    found = _CONDITION.fullmatch(text)
    if found is None or not 0 < float(found[1]) <= 1:
        raise ValueError(f"not a condition: {text!r}; such as pass>=0.7, a fraction of 1")
    return Condition(float(found[1]))


def pass_rate(f: FormatEstimates, repeats: int) -> Interval | None:
    """The share of tasks that are solved on every repeat; at one repeat, that are resolved."""
    return f.every_repeat if repeats > 1 else f.this_set


def metrics_rows(report: ReportFile, change: str) -> list[str]:
    """A row a format; raises `ToolError` for a simulated or an unfinished run: neither is a measurement."""
    run = report.run
    if run.simulated:
        raise ToolError("a simulated run is no measurement", run.model, "Append rows of runs of real models.")
    if report.ended < report.planned:
        left = f"{report.ended} of {report.planned} trials have ended"
        raise ToolError("the run is not finished", left, "Go on with `evaluator run --resume`.")
    return [_row([run.started[:10], change, run.model, _set(run), *_cells(f, run.repeats)]) for f in report.formats]


def _set(run: RunFile) -> str:
    """The set's digest, and where the run was over a part of it how large a part."""
    asked = len(run.fixtures) + len(run.impossible)
    part = run.set_tasks is not None and asked < run.set_tasks
    return run.set_digest[:12] + (f" ({asked} of {run.set_tasks})" if part else "")


def _cells(f: FormatEstimates, repeats: int) -> list[str]:
    cost = estimated(money(f.cost_per_task), f.counted_here) if f.trials else NOTHING
    return [
        f.name, _passed(f, repeats), share(f.edits_applied, f.edits) if f.anchored else "-",
        NOTHING if f.mean_attempts is None else f"{f.mean_attempts:.2f}", cost,
    ]  # fmt: skip


def _passed(f: FormatEstimates, repeats: int) -> str:
    """`6/8 75% [41, 93]`: trials at one repeat, over repeats the tasks that are known to be solved on all or not."""
    found = pass_rate(f, repeats)
    if found is None:
        return NOTHING
    known = f.trials if repeats == 1 else f.tasks - f.every_repeat_unknown
    return f"{round(found.value * known)}/{known} {rate(found)}"


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(" ".join(printable(cell).replace("|", "\\|").split()) for cell in cells) + " |\n"


def append(path: Path, rows: Sequence[str]) -> int:
    """Add rows at the end of a file, which is made where there is none; what stands in it is never changed.

    Where it does not end in our table, the header goes before the rows. Rows that it holds already are not added
    again; how many were added.
    """
    content = path.read_bytes() if path.exists() else b""
    text = content.decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    there = set(text.splitlines())
    rows = [row for row in rows if row.rstrip("\n") not in there]
    if not rows:
        return 0
    in_table = text.rstrip("\n").rpartition("\n\n")[2].startswith(HEADER.partition("\n")[0])
    if in_table and not text.endswith("\n\n"):
        before = "" if text.endswith("\n") else "\n"
    else:
        before = ("" if not text else "\n" if text.endswith("\n") else "\n\n") + HEADER
    with path.open("a", encoding="utf-8", newline="\r\n" if b"\r\n" in content else "\n") as file:
        file.write(before + "".join(rows))
    return len(rows)


def stopping(report: ReportFile, stop_when: Condition | None, until: date | None, today: date) -> list[str]:
    """Whether the stopping condition holds, a sentence a format, and whether the date has come."""
    said = []
    for f in report.formats if stop_when else []:
        found = pass_rate(f, report.run.repeats)
        assert stop_when is not None
        if found is None:
            said.append(f"pass >= {stop_when.least:g}: no evidence for {f.name}, go on.")
            continue
        holds = found.low >= stop_when.least - ROUNDING
        verdict = "holds, stop" if holds else "does not hold, go on"
        said.append(
            f"pass >= {stop_when.least:g}: {verdict}: {f.name}, lower bound {found.low:.3f} (point {found.value:.3f})."
        )
    if until is not None:
        left = (until - today).days
        come = f"go on, {plural(left, 'day')} left" if left > 0 else "the date has come, stop"
        said.append(f"until {until}: {come}.")
    return said
