"""The scorer gives every reply of the table the label that the taxonomy's page gives it (hand_labelled/README.md)."""

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluator.appliers import granted, leniency
from evaluator.formats import FORMATS
from evaluator.formats.model import Tree
from evaluator.scoring import Score, Tests, score_reply
from evaluator.taxonomy import Category, Detail, StopReason
from miner.fixtures import Task
from miner.record import Impossible
from miner.symbols.files import SYMBOLS_VERSION, Files, allowed_by

TABLES = sorted((Path(__file__).parent / "hand_labelled").glob("*.yaml"))
STOPS: dict[str, StopReason | None] = {"stop": "stop", "length": "length", "timeout": "timeout", "unknown": None}
RULES = {f"R{number}" for number in range(1, 13)}
MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class TableTask(Task):
    """A task whose files stand in a table instead of in a bundle."""

    start: Files
    solved: Files

    @property
    def before(self) -> Files:  # type: ignore[override]
        return {path: self.start.get(path) for path in self.fixture.source_files}

    @property
    def after(self) -> Files:  # type: ignore[override]
        return {path: self.solved.get(path) for path in self.fixture.source_files}


@dataclass(frozen=True)
class Case:
    """A row of a table, with the row of its task."""

    row: dict[str, Any]
    task: dict[str, Any]
    language: str

    @property
    def start(self) -> Files:
        marked = self.task.get("bom", ())
        return {p: (MARK if p in marked else b"") + text.encode() for p, text in self.task["start"].items()}

    @property
    def solved(self) -> Files:
        files = dict(self.start)
        for edit in self.task["truth"]:
            files[edit["file"]] = replaced(files[edit["file"]] or b"", edit)
        return files

    @property
    def reply(self) -> str:
        return self._rewritten() + self.row.get("reply", "")

    def _rewritten(self) -> str:
        rewrite = self.row.get("rewrite")
        if rewrite is None:
            return ""
        files = self.start if rewrite["of"] == "start" else self.solved
        text = (files[rewrite["file"]] or b"").removeprefix(MARK)
        for edit in rewrite.get("edits", ()):
            text = replaced(text, edit)
        if rewrite.get("crlf"):
            text = text.replace(b"\n", b"\r\n")
        return f"{rewrite['file']}\n```{self.language}\n{text.decode()}```\n"

    def run_tests(self, changed: Files) -> Tests:
        """What the task's test command would say of the starting tree with these files laid over it."""
        tree = {path: (content or b"").decode() for path, content in {**self.start, **changed}.items()}
        if any(rule["contains"] in tree[rule["file"]] for rule in self.task.get("timeout_if", ())):
            return Tests.TIMEOUT
        return Tests.PASS if all(holds(rule, tree[rule["file"]]) for rule in self.task["tests"]) else Tests.FAIL


def replaced(text: bytes, edit: dict[str, str]) -> bytes:
    """The text after an edit, whose old text must occur in it once: else the table is not what it says."""
    assert text.count(edit["old"].encode()) == 1, edit
    return text.replace(edit["old"].encode(), edit["new"].encode())


def holds(rule: dict[str, Any], text: str) -> bool:
    if "lacks" in rule:
        return rule["lacks"] not in text
    return any(wanted in text for wanted in rule.get("contains_any", [rule.get("contains")]))


def cases() -> list[Case]:
    tables = [yaml.safe_load(path.read_text()) for path in TABLES]
    return [Case(row, table["tasks"][row["task"]], table["language"]) for table in tables for row in table["replies"]]


def marks(case: Case) -> list[pytest.MarkDecorator]:
    """A row with a `known` defect of the scorer must fail, until it is mended."""
    return [pytest.mark.xfail(strict=True, reason=case.row["known"])] if "known" in case.row else []


CASES = cases()


def label(score: Score) -> str:
    return "resolved" if score.category is None else f"{score.category}/{score.detail}"


@pytest.fixture
def scored(checked_in: list[Task], tree_of: Callable[..., Tree]) -> Callable[[Case], Score]:
    def score(case: Case) -> Score:
        start, solved = case.start, case.solved
        sources = sorted({edit["file"] for edit in case.task["truth"]})
        record = checked_in[0].fixture.model_copy(
            update={
                "source_files": sources, "symbols_version": SYMBOLS_VERSION,
                "allowed": allowed_by({p: start.get(p) for p in sources}, {p: solved.get(p) for p in sources}),
                "test_files": case.task.get("test_files", []), "dropped_files": case.task.get("other_files", []),
                "impossible": impossible(case.task),
            }
        )  # fmt: skip
        some = replace(checked_in[0], fixture=record)
        task = TableTask(some.folder, some.fixture, some.repository, some.store, start, solved)
        fmt = FORMATS[case.row["format"]]
        others = [other for other in FORMATS.values() if other is not fmt]
        stop = STOPS[case.row.get("stop", "stop")]
        tolerated = leniency(granted(case.row.get("applier", "standard"), [fmt]), fmt)
        return score_reply(case.reply, stop, fmt, others, task, tree_of(start), case.run_tests, tolerated)

    return score


def impossible(task: dict[str, Any]) -> Impossible | None:
    if not task.get("impossible"):
        return None
    return Impossible(of="table/0-task", withheld=["app/ledger.py"], shown=list(task["start"]), repeats=1)


@pytest.mark.parametrize("case", [pytest.param(case, id=case.row["id"], marks=marks(case)) for case in CASES])
def test_a_reply_has_the_label_that_the_page_gives_it(scored: Callable[[Case], Score], case: Case) -> None:
    found = scored(case)
    assert label(found) == case.row["label"], f"{case.row['why']} ({found.unintended}, {found.kinds})"
    if "unintended" in case.row:
        assert sorted(set(found.unintended) - set(found.excused)) == sorted(case.row["unintended"])
    if "excused" in case.row:
        assert sorted(found.excused) == sorted(case.row["excused"])


@pytest.mark.parametrize("language", sorted({case.language for case in CASES}))
def test_the_ground_truth_of_every_task_passes_its_tests_and_the_starting_tree_fails(language: str) -> None:
    for case in CASES:
        if case.language == language and not case.task.get("impossible"):
            assert case.run_tests(case.solved) is Tests.PASS
            assert case.run_tests({}) is Tests.FAIL


def test_the_table_has_every_label_rule_and_format_and_no_name_twice() -> None:
    labels = Counter(case.row["label"] for case in CASES)
    assert {name.split("/")[-1] for name in labels} == {*Detail, "resolved"}
    assert {name.split("/")[0] for name in labels} == {*Category, "resolved"}
    rules = Counter(rule for case in CASES for rule in case.row.get("rules", ()))
    assert set(rules) == RULES
    assert min(rules.values()) >= 2
    formats = Counter(case.row["format"] for case in CASES)
    assert set(formats) >= set(FORMATS)
    assert min(formats.values()) >= 5
    assert max(Counter(case.row["id"] for case in CASES).values()) == 1


def test_the_page_has_the_rules_that_the_table_names() -> None:
    page = (Path(__file__).parents[2] / "docs" / "taxonomy.md").read_text()
    assert set(re.findall(r"^- \*\*(R\d+)\b", page, re.MULTILINE)) == RULES
