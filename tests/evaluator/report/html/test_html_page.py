"""The page as a file: what it holds, and what it leaves out of a run that is too large for it."""

import base64
import hashlib
import json
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest

from evaluator.journal import DiskJournal, Kept, TaskFacts
from evaluator.report.build import build
from evaluator.report.html.listed import COLUMNS, listed
from evaluator.report.html.page import page, write_html
from evaluator.report.model import ReportFile
from miner.mix import MixCell


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the texts of those that are wanted."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append((self.found[-1][0] if self.found else "", data))


@pytest.fixture
def made(journal: Callable[..., object], tmp_path: Path) -> Callable[..., tuple[ReportFile, str]]:
    """The report of a run made by hand, and its page."""

    def make(*rows: str, **how: object) -> tuple[ReportFile, str]:
        run, lines = journal(*rows, **how)  # type: ignore[misc]
        report = build(run, lines)
        return report, page(report, listed(tmp_path, report, lines))

    return make


def test_one_file_with_its_own_style_and_script_alone(hostile_run: Path) -> None:
    text = (hostile_run / "report.html").read_text("utf-8")
    elements = Elements(text)
    for tag, attributes in elements.found:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base")
        assert "src" not in attributes
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        assert (attributes.get("href") or "#").startswith("#")
    policy = next(a["content"] or "" for t, a in elements.found if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        source = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        assert len(source) == 1
        assert f"'sha256-{base64.b64encode(hashlib.sha256(source[0].encode()).digest()).decode()}'" in policy
    for banned in ("innerHTML", "insertAdjacentHTML", "outerHTML", "document.write", "eval("):
        assert banned not in text


def test_it_says_what_the_report_says(made: Callable[..., tuple[ReportFile, str]]) -> None:
    facts = {
        f"r/{n}-x": TaskFacts(stratum="inside" if n < 9 else "past", large=n % 2 == 0, rewrite_tokens=9)
        for n in range(18)
    }
    mix = [MixCell(repository="r", stratum=name, changes=9) for name in ("inside", "past")]
    report, text = made(*["+-"] * 14, "++", "s-", "?-", "e+", run={"tasks": facts, "mix": mix})
    words = " ".join("".join(data for _, data in Elements(text).texts).split())
    for sentence in report.findings:
        assert sentence in words
    assert "search_replace resolves MORE than whole_file" in words
    assert "history’s mix" in words
    assert "16/17 94%" in words
    assert "infra_error" in words
    for title in ("How tasks ended", "First attempts", "Why trials were discarded", "inside", "past", "small", "large"):
        assert title in words


@pytest.mark.parametrize("rows", [("?",), ("??", "??"), ("+",), ("c ", " c")])
def test_runs_with_little_or_no_evidence(made: Callable[..., tuple[ReportFile, str]], rows: tuple[str, ...]) -> None:
    report, text = made(*rows)
    words = "".join(data for _, data in Elements(text).texts)
    without = sum(f.this_set is None for f in report.formats)
    assert words.count("This set no evidence") == without
    assert ("nan" in words) is ("inf%" in words) is False


def test_a_run_that_has_just_begun(made: Callable[..., tuple[ReportFile, str]]) -> None:
    _, text = made("  ")
    assert "no evidence" in text
    assert "Unfinished: 0 of 4 trials" in made("  ", "  ")[1]


def test_of_a_large_run_it_lists_and_carries_a_part_and_says_so(journal: Callable[..., object], tmp_path: Path) -> None:
    run, lines = journal("++", "++", "--", "++")  # type: ignore[misc]
    with DiskJournal(tmp_path / "run", run) as kept:
        for n, line in enumerate(lines):
            kept.add(line, Kept((), f"{n}" * 2000))
    report = build(run, lines)
    everything = listed(tmp_path / "run", report, lines)
    assert (everything.left_out, everything.without_texts, len(everything.rows)) == (0, 0, 8)
    size = len(everything.blocks[2])
    part = listed(tmp_path / "run", report, lines, most_rows=7, most_bytes=size + 1)
    assert (part.left_out, part.without_texts, len(part.rows)) == (2, 4, 6)
    assert list(part.blocks) == [2]  # the fixture whose attempts failed
    text = page(report, part)
    assert "2 more attempts are in attempts.jsonl: this page lists 6." in text
    assert "The texts of 4 attempts are not in this page" in text


def test_rows_say_which_attempt_decides(journal: Callable[..., object], tmp_path: Path) -> None:
    run, lines = journal("c", "+")  # type: ignore[misc]
    again = lines[0].model_copy(update={"attempt": 2})
    rows = listed(tmp_path, build(run, [*lines, again]), [*lines, again]).rows
    at = {name: n for n, name in enumerate(COLUMNS)}
    assert [(row[at["key"]], row[at["final"]], row[at["verdict"]]) for row in rows] == [
        ("search_replace.r1.a1", 0, "truncated"), ("search_replace.r1.a2", 1, "truncated"),
        ("search_replace.r1.a1", 1, "resolved"),
    ]  # fmt: skip


def test_rows_say_whose_tokens_were_counted_here(journal: Callable[..., object], tmp_path: Path) -> None:
    run, lines = journal("+-", counted_here=False, input_counted_here=False)  # type: ignore[misc]
    told = [lines[0], lines[1].model_copy(update={"input_counted_here": True})]
    at = COLUMNS.index("estimated")
    assert [row[at] for row in listed(tmp_path, build(run, told), told).rows] == [0, 1]


def test_a_run_without_transcripts_has_a_page(journal: Callable[..., object], tmp_path: Path) -> None:
    run, lines = journal("+-")  # type: ignore[misc]
    path = write_html(tmp_path, build(run, lines), lines)
    assert path == tmp_path / "report.html"
    data = re.search(r'id="data">(.*?)</script>', path.read_text("utf-8"))
    assert data is not None
    assert json.loads(data[1])["fixtures"] == ["r/0-x"]


def test_a_difference_is_a_minus(made: Callable[..., tuple[ReportFile, str]]) -> None:
    assert "search_replace minus whole_file" in made("+-", "++")[1]


@pytest.mark.parametrize("repeats", [1, 2])
def test_repeats_have_a_column(made: Callable[..., tuple[ReportFile, str]], repeats: int) -> None:
    text = made("+-", "++", run={"repeats": repeats})[1]
    assert (">on all repeats</th>" in text) is (repeats > 1)
