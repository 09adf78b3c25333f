"""The one screen: a report as Markdown that reads as plain text too. First what decides, then what explains it."""

from collections.abc import Callable

from evaluator.amounts import money
from evaluator.report.across import across_table, own_name
from evaluator.report.findings import note
from evaluator.report.folded import FEW, IN_FULL, Group, folded, told
from evaluator.report.impossible import impossible_markdown
from evaluator.report.model import FormatEstimates, Interval, MixEstimate, ReportFile
from evaluator.report.pair_table import pair_table
from evaluator.report.policy_section import TITLE, policy_section
from evaluator.report.sections import sections
from evaluator.report.tables import table
from evaluator.report.wording import NOTHING, duration, ends, estimated, percent, rate, share, wrapped
from miner.wording import plural

LEGEND = wrapped(
    "Resolved: the tests pass and nothing unintended changed; k/n of trials, then the rate over tasks with its 95% "
    "interval. One fixture, one budget of attempts, one verdict. Silent: the tests pass and something unintended "
    "changed. Latency is a call's, median and 95th percentile. Discarded trials are in no rate; the bounds say where "
    "it could lie had they all failed, or all been resolved. What each number is: docs/reports.md."
)


def as_markdown(report: ReportFile) -> str:
    """The whole report."""
    if not report.fixtures:  # its impossible tasks are all there is
        return one_screen(report)
    pairs = [f"## {group.title}\n\n{_pairs(report, group)}" for group in folded(report)]
    of_policies = policy_section(report)
    beside = [f"## {TITLE}\n\n{of_policies}"] if of_policies else []
    rest = [f"## {title}\n\n{shown}" for title, shown in sections(report)]
    return "\n".join([one_screen(report, fold=True), LEGEND, *pairs, *beside, *rest]) + impossible_markdown(report)


def one_screen(report: ReportFile, fold: bool = False, in_full: str = IN_FULL) -> str:
    """What decides, on one screen: warnings, the bottom line, what was run, the table, and the numbered sentences.

    `fold`: where there are many pairs, one sentence for those with a winner, and one for those without;
    `in_full` says where each stands.
    """
    head = [f"# {_one_line(report.run.model)}\n", *(wrapped(f"**{_one_line(said)}.**") for said in report.warnings),
            bottom_line_markdown(report),
            *([_runs(report)] if report.compared_runs else []), _header(report)]  # fmt: skip
    if not report.fixtures:
        return "\n".join(head) + impossible_markdown(report)
    body = [_headline(report), across_table(report), told(report, folded(report) if fold else [], in_full),
            wrapped(note(report.pairs)) if report.pairs else ""]
    return "\n".join([*head, *(part for part in body if part)])


def bottom_line_markdown(report: ReportFile) -> str:
    """The bottom line as a paragraph that stands out."""
    return wrapped(f"**{_one_line(report.bottom_line)}**")


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _header(report: ReportFile) -> str:
    run = report.run
    served = f" (served {', '.join(report.served)})" if report.served and report.served != [run.model] else ""
    shown = ", prompts show the tests" if run.show_tests else ""
    context = f", {plural(run.context, 'other file')} shown" if run.context else ""
    seen = "every format saw the same fixtures" if len(run.formats) > 1 else "one format"
    what = plural(report.fixtures, "fixture") if report.fixtures else plural(len(run.impossible), "impossible task")
    of = f"{plural(len(report.repositories), 'repository', 'repositories')}, " if report.fixtures else ""
    names = " / ".join(dict.fromkeys(map(own_name, run.formats)))
    return wrapped(
        f"{names} · {run.model}{served} · cap {run.cap:,} incl. reasoning · "
        f"<={plural(run.attempts, 'attempt')}, feedback {run.feedback}{shown}{context}."
    ) + wrapped(
        f"{what}, {of}{plural(run.repeats, 'repeat')}, set {run.set_digest[:12]}; {seen}."
    )


def _runs(report: ReportFile) -> str:
    """The legend of the letters: a line a run, with its formats where the runs have not all the same."""
    runs = report.compared_runs
    same = len({tuple(run.formats) for run in runs}) == 1
    beside = ["" if same else f" ({', '.join(run.formats)})" for run in runs]
    said = [_one_line(f"{run.letter}: {run.name}{formats}") for run, formats in zip(runs, beside, strict=True)]
    return "".join(f"- {line}\n" for line in said)


def _headline(report: ReportFile) -> str:
    columns: list[tuple[str, Callable[[FormatEstimates], str]]] = [("format", lambda f: f.name)]
    if any(f.history for f in report.formats):
        columns.append(("history's mix", lambda f: history(f.history)))
    columns.append(("this set, resolved", resolved))
    if report.run.repeats > 1:
        columns.append(("all repeats", lambda f: rate(f.every_repeat)))
    columns += [
        ("silent", lambda f: share(f.silent, f.trials)),
        ("cost/resolved", price), ("latency", latency), ("discarded", discards),
    ]  # fmt: skip
    return table([title for title, _ in columns], [[cell(f) for _, cell in columns] for f in report.formats])


def history(of: MixEstimate | None) -> str:
    """`94% [88, 97]`; where part of the mix was not seen, where the estimate could be: `84-94% [80, 97]`."""
    if of is None:
        return NOTHING
    if of.unseen == 0:
        return rate(Interval(value=of.least, low=of.low, high=of.high))
    return f"{percent(of.least)}-{percent(of.most)} [{ends(of.low, of.high)}]"


def resolved(f: FormatEstimates) -> str:
    """`106/120 88% [81, 93]`."""
    return f"{f.resolved}/{f.trials} {rate(f.this_set)}" if f.trials else NOTHING


def price(f: FormatEstimates) -> str:
    """What a resolved task cost; `unpriced` is not free."""
    if f.trials and f.cost_total is None:
        return "unpriced"
    if f.cost_per_resolved is None:
        return "none resolved" if f.trials else NOTHING
    return estimated(money(f.cost_per_resolved.value), f.counted_here)


def latency(f: FormatEstimates) -> str:
    """Of calls, the median and what 5% exceed."""
    if f.latency_p50 is None or f.latency_p95 is None:
        return NOTHING
    return f"{duration(f.latency_p50)}, {duration(f.latency_p95)}"


def discards(f: FormatEstimates) -> str:
    """`3 (57-76%)`."""
    return f"{sum(f.discarded.values())}" + (f" ({ends(*f.bounds, '-')}%)" if f.bounds else "")


def _pairs(report: ReportFile, group: Group) -> str:
    """A sentence each; of more pairs a table, as the sentences would differ in their numbers alone."""
    if len(group.numbered) > FEW:
        return pair_table(report, [(n, pair) for (n, _), pair in zip(group.numbered, group.pairs, strict=True)])
    return "".join(wrapped(f"{n}. {sentence}", "   ") for n, sentence in group.numbered)
