"""The report of a run as data: everything that the screen, the files and the pages say."""

from collections import Counter
from collections.abc import Sequence

from evaluator.journal import AttemptLine, RunFile
from evaluator.report.bottom_line import bottom_line
from evaluator.report.comparisons import comparisons
from evaluator.report.counts import by_format, finished
from evaluator.report.discarding import discards_said, reasons_of
from evaluator.report.findings import findings
from evaluator.report.gatherings import gatherings
from evaluator.report.impossible import impossible_rows, only_impossible, possible
from evaluator.report.model import ReportFile
from evaluator.report.natural_mix import Mix, of_run, repository_of
from evaluator.report.pairs import served
from evaluator.report.per_format import estimates
from evaluator.report.policies import policies
from evaluator.report.policy_section import policy_finding
from evaluator.report.warned import warnings


def build(run: RunFile, lines: Sequence[AttemptLine], weights: Mix | None = None, margin: float | None = None
          ) -> ReportFile:  # fmt: skip
    """The report over all of a run's `lines`.

    `weights` stand in for the mix of the run's own set; `margin` (a fraction) asks whether formats are equivalent.
    """
    own, apart = possible(run, lines), set(run.impossible)
    done = finished(run, own)
    mix = weights or of_run(run)
    formats = [estimates(name, run, mine, mix) for name, mine in by_format(run, done).items()]
    names = served(own)
    compared = comparisons(run, names, done, mix, margin)
    gathered = gatherings(run, [t for t in done if t.has_evidence])
    mixed = [] if compared.refused else policies(run, done)
    reasons = reasons_of(done)
    apart_rows = impossible_rows(run, lines)
    # Where no trial has a result the bottom line says why already.
    lost = discards_said(formats, reasons) if any(f.trials for f in formats) else ""
    return ReportFile(
        run=run, served=names, warnings=warnings(run, names, len(done), lines), fixtures=len(run.fixtures),
        repositories=sorted({repository_of(fixture) for fixture in run.fixtures}), ended=len(done),
        planned=len(run.fixtures) * run.repeats * len(run.formats), formats=formats, blocks=compared.blocks,
        complete=compared.complete, pairs=compared.pairs, not_compared=compared.refused,
        policies=mixed, bottom_line=only_impossible(run, apart_rows) or
        bottom_line(run, formats, compared.pairs, compared.refused, reasons),
        findings=findings(formats, compared.pairs, compared.refused, mix is not None, policy_finding(mixed, run), lost)
        if run.fixtures else [],
        gatherings=gathered.places, gatherings_more=gathered.more,
        discard_reasons=dict(Counter(reasons).most_common()), impossible=apart_rows,
        impossible_served=served([line for line in lines if line.fixture in apart]),
    )  # fmt: skip
