"""The section on where failures gather: two tables, and what they leave out."""

from collections import defaultdict
from collections.abc import Sequence

from evaluator.report.model import Gathering, Place, ReportFile
from evaluator.report.tables import table
from evaluator.report.wording import comma, wrapped
from miner.wording import plural

_WIDEST = 60  # characters of a name
_NAMED = 3  # formats that failed equally often, by name; more are counted
_RANKS = 3  # of formats: those that failed most often, and those next
_OWN: tuple[Place, ...] = ("fixture", "tag")  # places of which not every trial has failed


def gathering_section(report: ReportFile) -> str:
    """The section's text, without its title; empty where failures gather nowhere.

    Two tables, as of the places of the second not every trial could have failed there: shares of other wholes.
    """
    if not report.gatherings:
        return ""
    own = [g for g in report.gatherings if g.kind in _OWN]
    parts = [_table(report, own, "failed, of its trials")] if own else []
    parts.append(wrapped(_of_own(report, own)))
    rest = [g for g in report.gatherings if g.kind not in _OWN]
    parts += [_table(report, rest, "of all failed trials")] if rest else []
    if more := [plural(n, kind) for kind, n in report.gatherings_more.items()]:
        parts.append(wrapped(f"Not listed, as none of them has more failures than those that are: {comma(more)}."))
    return "\n".join(parts)


def _of_own(report: ReportFile, own: Sequence[Gathering]) -> str:
    failed = sum(sum(f.failed.values()) for f in report.formats)
    whole = f"of all trials ({failed:,} of {sum(f.trials for f in report.formats):,})"
    if not own:
        return f"In no fixture and no tag do failures gather: none has two or more, and a greater share than {whole}."
    return f"Fixtures and tags are here where a greater share of trials failed than {whole}."


def _table(report: ReportFile, found: Sequence[Gathering], title: str) -> str:
    rows = [[g.kind, _short(g.name), f"{g.failed} of {g.trials}", formats_said(g, len(report.formats))] for g in found]
    return table(["", "where", title, "failures by format"], rows)


def formats_said(place: Gathering, formats: int) -> str:
    """`a: 9; b, c: 7 each; 2 others: fewer`. Equals are one rank; where all failed equally often, `all 6: 3 each`."""
    if not place.each:  # an older report.json
        return ", ".join(place.formats[:_NAMED])
    ranks: dict[int, list[str]] = defaultdict(list)
    for name, times in zip(place.formats, place.each, strict=True):
        ranks[times].append(name)
    said = []
    for times, names in sorted(ranks.items(), reverse=True)[:_RANKS]:
        who = ", ".join(names)
        if len(names) > _NAMED:
            who = f"all {formats}" if len(names) == formats else f"{len(names)} formats"
        said.append(f"{who}: {times}" + (" each" if len(names) > 1 else ""))
    others = sum(map(len, ranks.values())) - sum(len(ranks[times]) for times in sorted(ranks, reverse=True)[:_RANKS])
    return "; ".join([*said, *([f"{plural(others, 'other')}: fewer"] if others else [])])


def _short(name: str) -> str:
    said = " ".join(name.split())
    return said if len(said) <= _WIDEST else f"...{said[3 - _WIDEST :]}"
