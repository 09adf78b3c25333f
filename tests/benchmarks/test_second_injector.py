"""The second injector and the scorer give the same labels, and its writers and outlines say what they should."""

import threading
from pathlib import Path

import pytest

from benchmarks.second_outline import outline
from benchmarks.second_scored import Extent, scored
from benchmarks.second_table import named, printed
from benchmarks.second_writers import write
from evaluator.bench import TaskBench
from evaluator.formats import ALL
from evaluator.formats.model import STRICT, Applied, EditFormat, Unreadable
from evaluator.scoring import Tests
from evaluator.taxonomy import Category
from miner.fixtures import FixtureFolder, Task
from miner.symbols.files import Files

FOLDER = FixtureFolder(Path(__file__).parents[2] / "fixtures")
IDS = [fixture for fixture in FOLDER.ids() if not FOLDER.task(fixture).impossible]


class TruthBench(TaskBench):
    """A real tree; the tests pass where every line that the change set adds is there, and nothing throws."""

    def run_tests(self, changed: Files) -> Tests:
        now = {path: changed.get(path, before) for path, before in self.task.before.items()}
        gone = any(now[path] is None and after is not None for path, after in self.task.after.items())
        throws = any(b'RuntimeError("zz9")' in (content or b"") for content in changed.values())
        missing = any(
            _lines(after) - _lines(self.task.before[p]) - _lines(now[p]) for p, after in self.task.after.items()
        )
        return Tests.FAIL if gone or throws or missing else Tests.PASS


def _lines(content: bytes | None) -> set[bytes]:
    return {line.rstrip(b"\r") for line in (content or b"").split(b"\n")}


def bench_of(task: Task) -> TaskBench:
    return TruthBench(task, threading.Lock())


@pytest.mark.parametrize("fixture", [IDS[0], IDS[8]])
def test_labels_and_scores_agree(fixture: str) -> None:
    rows = list(scored(FOLDER.task(fixture), Extent(tested=16, share=0.2), bench_of))
    assert not [row for row in rows if not row.agrees], printed(rows)
    assert {row.expected[0] for row in rows} == {None, *(category.value for category in Category)}
    assert {row.format for row in rows} == {fmt.name for fmt in ALL}


def test_a_disagreement_is_seen_and_printed() -> None:
    class Broken(TruthBench):
        def run_tests(self, changed: Files) -> Tests:
            return Tests.FAIL

    # Tests that fail with the ground truth belie the label `resolved`, which follows from the proof.
    rows = list(scored(FOLDER.task(IDS[0]), Extent(tested=0, share=0.3), lambda task: Broken(task, threading.Lock())))
    odd = [row for row in rows if not row.agrees]
    assert {named(row.expected) for row in odd} == {"resolved"}
    assert "label resolved, score wrong_change.tests_fail" in printed(rows)


@pytest.mark.parametrize("fmt", ALL, ids=[fmt.name for fmt in ALL])
def test_its_writers_say_the_ground_truth_to_the_letter(fmt: EditFormat) -> None:
    written = 0
    for fixture in IDS[::3]:
        task = FOLDER.task(fixture)
        before, after = ({p: c and c.decode() for p, c in side.items()} for side in (task.before, task.after))
        reply = write(fmt.name, before, after)
        assert reply is not None, fixture
        edits = fmt.parse(reply, STRICT)
        assert not isinstance(edits, Unreadable), (fixture, edits)
        applied = fmt.apply(edits, bench_of(task).tree, STRICT)
        assert isinstance(applied, Applied), (fixture, applied)
        assert applied.files == {path: content for path, content in task.after.items() if content != task.before[path]}
        written += 1
    assert written == len(IDS[::3]) > 8


OUTLINES = {
    "Python": ("a.py", "# why\n@d\ndef f():\n    return 1\n\n\nclass A:\n    def m(self):\n        pass\n",
               {"f": (0, 4), "A": (6, 9), "A.m": (7, 9)}),
    "Python, a name that is not alone": ("a.py", "if x:\n    def f(): pass\nelse:\n    def f(): pass\n", {}),
    "JavaScript": ("a.js", "/** why */\nfunction f(a) {\n  if (a) {\n  }\n}\n\nres.g = function g() {\n};\n",
                   {"f": (0, 5), "res.g": (6, 8)}),
    "Go": ("a.go", "package a\n\n// F is.\nfunc F(a int) int {\n\treturn 1\n}\n", {"F": (2, 6)}),
    "Java": ("A.java", "class A {\n  /** why */\n  public int f(int a) {\n    return 1;\n  }\n}\n", {"f": (1, 5)}),
}  # fmt: skip


@pytest.mark.parametrize(("path", "text", "places"), OUTLINES.values(), ids=OUTLINES.keys())
def test_outlines(path: str, text: str, places: dict[str, tuple[int, int]]) -> None:
    found = outline(path, text)
    assert found is not None
    assert {name: (d.start, d.end) for name, d in found.definitions.items()} == places
