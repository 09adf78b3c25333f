"""report.html of a run: the template filled in, and written."""

import base64
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from evaluator.journal import AttemptLine
from evaluator.report.findings import NOTE
from evaluator.report.folded import FEW, groups, parted
from evaluator.report.html import figures
from evaluator.report.html.hidden import SCRIPT_PATTERN, plain, visible
from evaluator.report.html.listed import COLUMNS, Listed, listed
from evaluator.report.html.tables import part, parts
from evaluator.report.html.texts import CAP
from evaluator.report.impossible import impossible_markdown
from evaluator.report.model import ReportFile
from evaluator.report.policy_section import TITLE, policy_section
from evaluator.report.screen import LEGEND, discards, history, latency, price, resolved
from evaluator.report.sections import sections
from evaluator.report.wording import rate, share
from miner.record import write_atomically


def write_html(folder: Path, report: ReportFile, lines: Sequence[AttemptLine]) -> Path:
    """Write `report.html` into a run's folder, of its report, its attempts and what is in its `replies/`."""
    path = folder / "report.html"
    write_atomically(path, page(report, listed(folder, report, lines)))
    return path


def page(report: ReportFile, attempts: Listed) -> str:
    """The page: one file, that asks for nothing else and runs no script but its own."""
    loader = PackageLoader("evaluator.report.html")
    # Whatever is put in is escaped, and all characters that hide are shown, so that no place can forget to.
    made = Environment(
        loader=loader, autoescape=True, finalize=visible, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    made.filters["plain"] = plain
    style, script = (_source(made, name) for name in ("style.css", "page.js"))
    ended, *rest = [part(title, markdown) for title, markdown in sections(report)]
    return made.get_template("page.html.j2").render(
        report=report, run=report.run, style=Markup(style), script=Markup(script), policy=_policy(style, script),
        figures=figures, headline=_headline(report), note=NOTE, legend=" ".join(LEGEND.split()), ended=ended,
        sections=rest, told=_told(report), of_policies=part(TITLE, policy_section(report)),
        impossible=parts(impossible_markdown(report)), attempts=attempts, blocks=attempts.blocks,
        data=_inert({
            "columns": COLUMNS, "fixtures": attempts.fixtures, "formats": attempts.formats, "rows": attempts.rows,
            "hidden": SCRIPT_PATTERN, "cap": CAP,
        }),
    )  # fmt: skip


def _headline(report: ReportFile) -> list[dict[str, Any]]:
    return [
        {"name": f.name, "history": history(f.history), "resolved": resolved(f), "every": rate(f.every_repeat),
         "silent": share(f.silent, f.trials), "price": price(f), "latency": latency(f), "discards": discards(f)}
        for f in report.formats
    ]  # fmt: skip


def _told(report: ReportFile) -> list[tuple[str, list[tuple[int, str]]]]:
    """The numbered sentences in order, those of many pairs under one for all: the plot of pairs has each too."""
    many = [group for group in groups(report) if len(group.numbered) > FEW]
    return [(group.together if group else "", numbered)
            for group, numbered in parted(report, many)]  # fmt: skip


def _source(made: Environment, name: str) -> str:
    assert made.loader is not None
    return made.loader.get_source(made, name)[0]


def _policy(style: str, script: str) -> Markup:
    """No request of any kind; the page's own style and script, by their digests, and nobody else's."""
    rules = {"style-src": style, "script-src": script}
    allowed = "; ".join(f"{rule} 'sha256-{_digest(text)}'" for rule, text in rules.items())
    return Markup(f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _inert(data: object) -> Markup:
    """JSON that can stand inside a script element: nothing in it ends the element, or is a character that hides."""
    text = json.dumps(data, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))
