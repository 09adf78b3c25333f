"""What follows the one screen: how tasks ended, and what explains it. Descriptive: no verdict is taken from these."""

from collections.abc import Callable, Iterator, Sequence

from evaluator.amounts import money
from evaluator.report.gathering_section import gathering_section
from evaluator.report.model import Cost, FormatEstimates, ReportFile, SizeRow
from evaluator.report.tables import table
from evaluator.report.wording import NOTHING, ROUNDING, estimated, percent, rate, share, wrapped
from evaluator.taxonomy import Category, Detail

REASONS = 3  # the commonest are shown, all are in report.json


def sections(report: ReportFile) -> Iterator[tuple[str, str]]:
    """Titles and tables, without those that have nothing to say."""
    formats = report.formats
    yield "How tasks ended", _endings(formats)
    yield "First attempts", _first(formats)
    yield "Resolved by size of a whole-file rewrite against the cap, and by change", _groups(
        formats, "size, change", lambda f: [*f.sizes, *f.change]
    )
    if any(f.tags for f in formats):
        yield "Resolved by hazard of the tree", _groups(formats, "hazard", lambda f: f.tags)
    if any(f.trials for f in formats):
        yield "Tests against unintended changes (last attempts that applied)", _crossed(formats)
    yield "Applying, retrying, tokens and money", _effort(formats)
    if any(f.bought for f in formats):
        yield "What each leniency bought (first attempts that only it applied)", _bought(formats)
    if gathered := gathering_section(report):
        yield "Where failures gather", gathered
    if len(report.repositories) > 1:
        yield "By repository, and without it", _repositories(report)
    if report.discard_reasons:
        yield "Why trials were discarded", _discarded(report)


def _endings(formats: Sequence[FormatEstimates]) -> str:
    rows = [[c.value, *(str(f.failed[c]) for f in formats)] for c in Category]
    rows.append(["resolved", *(str(f.resolved) for f in formats)])
    rows.append(["sum = n", *(str(sum(f.failed.values()) + f.resolved) for f in formats)])
    details = [d for d in Detail if any(f.details.get(d) for f in formats)]
    rows += [[f"  of which {d.value}", *(str(f.details.get(d, 0)) for f in formats)] for d in details]
    return table(["tasks", *(f.name for f in formats)], rows) + _not_silent(formats)


def _not_silent(formats: Sequence[FormatEstimates]) -> str:
    """Why fewer are silent than ended as an unintended change."""
    failing = []
    for f in formats:
        unintended, also = f.failed[Category.UNINTENDED_CHANGE], f.tests_by_unintended["fail_unintended"]
        if also and unintended == f.silent + also:  # else some of them ended in another row
            failing.append(f"{f.name} {also} of {unintended}")
    said = "Of `unintended_change` these failed their tests too, so that they are not silent: "
    return "\n" + wrapped(f"{said}{', '.join(failing)}.") if failing else ""


def _first(formats: Sequence[FormatEstimates]) -> str:
    rows = [[c.value, *(str(f.first[c]) for f in formats)] for c in Category]
    rows.append(["resolved", *(str(f.first_resolved) for f in formats)])
    return table(["first attempts", *(f.name for f in formats)], rows)


def _groups(formats: Sequence[FormatEstimates], title: str, rows_of: Callable[[FormatEstimates], Sequence[SizeRow]]
            ) -> str:  # fmt: skip
    names = [row.name for row in rows_of(formats[0])] if formats else []
    rows = [
        [name, *(share(rows_of(f)[n].resolved.k, rows_of(f)[n].resolved.n) for f in formats)]
        for n, name in enumerate(names)
    ]
    return table([title, *(f.name for f in formats)], rows)


def _crossed(formats: Sequence[FormatEstimates]) -> str:
    named = {
        "pass_clean": "pass, nothing unintended (resolved)", "pass_unintended": "pass, unintended (silent)",
        "fail_clean": "fail, nothing unintended", "fail_unintended": "fail, unintended",
    }  # fmt: skip
    rows = [[said, *(str(n) for f in formats for k, n in f.tests_by_unintended.items() if k == key)]
            for key, said in named.items()]  # fmt: skip
    return table(["tests, changes", *(f.name for f in formats)], rows)


def _effort(formats: Sequence[FormatEstimates]) -> str:
    rows = [
        ["apply rate, of attempts [95%]", *map(_applied, formats)],
        ["edits applied, first attempts", *(share(f.edits_applied, f.edits) for f in formats)],
        ["attempts a task", *(_number(f.mean_attempts, ".2f") for f in formats)],
        ["output tokens a task (median)", *(_tokens(f, f.output_tokens) for f in formats)],
        ["input tokens a task (median)", *(_tokens(f, f.input_tokens) for f in formats)],
        ["input tokens from caches", *map(_cached, formats)],
        ["cost a resolved task [95%]", *(_priced(f, f.cost_per_resolved) for f in formats)],
        ["cost a task, caches cold", *(_priced(f, f.cost_per_task) for f in formats)],
        ["paid in all", *map(_paid, formats)],
        ["resolved by excuse alone", *(share(f.strict_would_change, f.trials) for f in formats)],
    ]  # fmt: skip
    return table(["", *(f.name for f in formats)], rows)


def _bought(formats: Sequence[FormatEstimates]) -> str:
    columns = ["format", "tolerance", "attempts", "resolved", "misapplied", "unintended"]
    return table(columns, [
        [f.name, row.tolerance, str(row.attempts), str(row.resolved), str(row.misapplied), str(row.unintended)]
        for f in formats for row in f.bought
    ])  # fmt: skip


def _repositories(report: ReportFile) -> str:
    rows = []
    for name in report.repositories:
        cells = []
        for f in report.formats:
            count, without = f.repositories.per_repository.get(name), f.repositories.leave_one_out.get(name)
            without_it = "" if without is None else f", else {percent(without)}"
            cells.append(share(count.k, count.n) + without_it if count else NOTHING)
        rows.append([name, *cells])
    return table(["repository", *(f.name for f in report.formats)], rows)


def _discarded(report: ReportFile) -> str:
    kinds = [f"{f.name}: " + ", ".join(f"{n} {d.value}" for d, n in f.discarded.items())
             for f in report.formats if f.discarded]  # fmt: skip
    reasons = list(report.discard_reasons.items())[:REASONS]
    return "; ".join(kinds) + ".\n\n" + table(["trials", "reason"], [[str(n), _one_line(said)] for said, n in reasons])


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _paid(f: FormatEstimates) -> str:
    return estimated(money(f.paid_total), f.counted_here)


def _percent(of: float | None) -> str:
    return NOTHING if of is None else percent(of)


def _cached(f: FormatEstimates) -> str:
    return "-" if f.trials and f.cached_share is None else _percent(f.cached_share)  # the provider does not say


def _number(value: float | None, how: str) -> str:
    return NOTHING if value is None else format(value, how)


def _tokens(f: FormatEstimates, value: float | None) -> str:
    return estimated(_number(value, ",.0f"), f.counted_here)


def _applied(f: FormatEstimates) -> str:
    """A bootstrap of what does not vary has no width, which is no certainty: then there is no interval."""
    if not f.reached_applier or f.apply_rate is None or f.apply_rate.high - f.apply_rate.low < ROUNDING:
        return share(f.applied, f.reached_applier)
    return f"{f.applied}/{f.reached_applier} {rate(f.apply_rate)}"


def _priced(f: FormatEstimates, usd: float | Cost | None) -> str:
    if usd is None:
        return NOTHING if not f.trials else "unpriced" if f.cost_total is None else "none resolved"
    if isinstance(usd, Cost):
        ends = "" if usd.low is None or usd.high is None else f" [{money(usd.low)[1:]}, {money(usd.high)[1:]}]"
        return estimated(money(usd.value), f.counted_here) + ends
    return estimated(money(usd), f.counted_here)
