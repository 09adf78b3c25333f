"""Stored replies scored again: runs written by hand, whose lines say what other code might have said."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from evaluator.bench import TaskBench
from evaluator.formats import FORMATS
from evaluator.journal import (
    AttemptLine,
    DiskJournal,
    Kept,
    RunFile,
    StoredRun,
    read_calls,
    read_transcript,
    reply_path,
    transcript_path,
    truth_path,
)
from evaluator.messages import Message
from evaluator.models.model import Reply
from evaluator.rescore import Again, changed, rescore, resolved, verdict
from evaluator.running.attempt import Attempt, Terms, scored
from evaluator.taxonomy import Category, Detail, Discard, Signal
from miner.errors import ToolError
from miner.fixtures import Task

ASKED = (Message("system", "Be brief.\n"), Message("user", "Change it."))
RESOLVED: dict[str, object] = {"failure_category": None, "detail": None, "signal": None}
UNREAD: dict[str, object] = {"failure_category": Category.MALFORMED, "signal": Signal.PARSER}
NO_EDIT, BAD_BLOCK = UNREAD | {"detail": Detail.NO_EDIT}, UNREAD | {"detail": Detail.BAD_BLOCK}
HARNESS: dict[str, object] = {"discarded": Discard.HARNESS_ERROR, "error": "KeyError: 1"} | RESOLVED
FORMAT = FORMATS["whole_file"]
PROSE = "I would rather not."


@dataclass
class Run:
    """A run of one fixture in one format, attempt by attempt."""

    task: Task
    bench: TaskBench
    folder: Path

    @property
    def settings(self) -> RunFile:
        return RunFile(
            set_digest="0", cap=8_000, model="m", simulated=False, formats=["whole_file"], attempts=3, seed=1,
            fixtures=[self.task.id], started="", version="0",
        )  # fmt: skip

    @property
    def right(self) -> str:
        return FORMAT.encode(self.task.before, self.task.after)

    def line(self, number: int, text: str, said: dict[str, object]) -> AttemptLine:
        """The line that today's code writes of a reply, but for what is `said` otherwise."""
        attempt = Attempt(self.bench, FORMAT, number, ASKED)
        made = scored(attempt, Reply(text, "stop", 1, 2, 3, "m-1"), "m", Terms.of(self.settings))
        return made.line.model_copy(update={"ended": f"2026-01-0{number}"} | said)

    def write(self, *attempts: tuple[str | None, dict[str, object]]) -> StoredRun:
        """Attempts 1, 2, ..., each with its reply (None: the call gave none) and what its line says of it."""
        with DiskJournal(self.folder, self.settings) as journal:
            for number, (text, said) in enumerate(attempts, 1):
                line = self.line(number, text or "", said)
                if text is not None:
                    journal.store(line.key, Reply(text, "stop", 1, 2, 3, "m-1"))
                journal.add(line, Kept(ASKED, text or "", sentence="As it was."))
        return StoredRun(self.folder)

    def again(self, stored: StoredRun, into: DiskJournal | None = None) -> list[Again]:
        return list(rescore(stored, {"whole_file": FORMAT}, {self.task.id: self.bench}, into, 2))


@pytest.fixture
def run(checked_in: list[Task], truth_bench: Callable[[Task], TaskBench], tmp_path: Path) -> Run:
    return Run(checked_in[0], truth_bench(checked_in[0]), tmp_path / "run")


def test_what_was_scored_by_the_same_code_comes_to_the_same(run: Run) -> None:
    stored = run.write((PROSE, {}), ("", {}), (run.right, {}))
    found = run.again(stored)
    assert [(a.old, a.scored, a.differs, a.besides) for a in found] == [(a, True, False, []) for a in stored.lines]
    assert [a.new for a in found] == stored.lines
    assert [verdict(line) for line in stored.lines] == ["malformed/no_edit", "malformed/no_edit", "resolved"]
    assert changed(stored.settings, found) == []


CASES = {  # replies (R: right, P: prose, -: none) and what their lines say -> the changes: attempt, was, is, note
    "a right reply was not understood": ("R", [NO_EDIT], [(1, "malformed/no_edit", "resolved", "")]),
    "prose was taken for an edit": (
        "P", [RESOLVED], [(1, "resolved", "malformed/no_edit", "would have caused another attempt")],
    ),
    "a retry was for nothing": (
        "RR", [NO_EDIT, {}], [(1, "malformed/no_edit", "resolved", "would have spared 1 more attempt")],
    ),
    "two retries were for nothing": (
        "RPR", [BAD_BLOCK, {}, {}], [(1, "malformed/bad_block", "resolved", "would have spared 2 more attempts")],
    ),
    "the last attempt there may be": ("PPP", [{}, {}, RESOLVED], [(3, "resolved", "malformed/no_edit", "")]),
    "another detail, retried all the same": (
        "PR", [BAD_BLOCK, {}], [(1, "malformed/bad_block", "malformed/no_edit", "")],
    ),
    "our bug of old": ("R", [HARNESS], [(1, "harness_error", "resolved", "")]),
    "our bug of old, with a retry due": (
        "P", [HARNESS], [(1, "harness_error", "malformed/no_edit", "would have caused another attempt")],
    ),
    "a call that gave nothing": ("-", [{"discarded": Discard.INFRA_ERROR, "error": "503"}], []),
    "a refusal": ("-", [{"discarded": Discard.REFUSAL}], []),
}  # fmt: skip


@pytest.mark.parametrize(("replies", "said", "expected"), CASES.values(), ids=CASES.keys())
def test_what_comes_to_another_verdict_is_told_with_what_it_would_have_caused_or_spared(
    run: Run, replies: str, said: list[dict[str, object]], expected: list[tuple[int, str, str, str]]
) -> None:
    texts: dict[str, str | None] = {"R": run.right, "P": PROSE, "-": None}
    stored = run.write(*((texts[which], line) for which, line in zip(replies, said, strict=True)))
    found = run.again(stored)
    rows = changed(stored.settings, found)
    assert [(r.again.old.attempt, verdict(r.again.old), verdict(r.again.new), r.note) for r in rows] == expected
    assert [a.scored for a in found] == [which != "-" for which in replies]
    assert [a.new for a in found if not a.scored] == [a.old for a in found if not a.scored]


def test_the_same_verdict_for_another_reason_is_told_apart(run: Run) -> None:
    stored = run.write((PROSE, {"feedback": "Try again.", "edits": 3}))
    (found,) = run.again(stored)
    assert (found.differs, found.besides) == (False, ["edits", "feedback"])


def test_resolved_trials_are_counted_by_their_last_attempt(run: Run) -> None:
    found = run.again(run.write((run.right, NO_EDIT), (PROSE, RESOLVED)))
    assert resolved([a.old for a in found]) == {"whole_file": 1}
    assert resolved([a.new for a in found]) == {}


def test_the_new_run_has_replies_calls_transcripts_and_the_conversation_as_it_was(run: Run, tmp_path: Path) -> None:
    stored = run.write((run.right, NO_EDIT), (None, {"discarded": Discard.INFRA_ERROR, "error": "503"}))
    with DiskJournal(tmp_path / "new", stored.settings) as journal:
        found = run.again(stored, journal)
    again = StoredRun(tmp_path / "new")
    first, second = again.lines
    assert again.lines == [a.new for a in found]
    assert (first.ended, first.valid, second) == ("2026-01-01", True, stored.lines[1])
    assert again.reply(first) == stored.reply(stored.lines[0])
    assert list(read_calls(again.folder / "calls.jsonl")) == [first.key]
    kept = read_transcript(transcript_path(again.replies, *first.key))
    assert (kept.messages, kept.reply, kept.sentence) == (ASKED, run.right, (
        "Resolved: the tests pass, and nothing unintended changed."
    ))  # fmt: skip
    assert kept.diff.startswith("--- ")
    assert read_transcript(transcript_path(again.replies, *second.key)) == Kept(ASKED, "", sentence="As it was.")
    assert truth_path(again.replies, run.task.id).read_text().startswith("--- ")


def test_a_run_from_before_calls_and_transcripts_were_kept_is_scored_again(run: Run) -> None:
    stored = run.write((PROSE, {}), (run.right, NO_EDIT))
    lines = [line.model_dump_json(by_alias=True, exclude_defaults=True) + "\n" for line in stored.lines]
    (run.folder / "attempts.jsonl").write_text("".join(lines))
    (run.folder / "calls.jsonl").unlink()
    for path in run.folder.rglob("*.md"):
        path.unlink()
    found = run.again(StoredRun(run.folder))
    assert [(a.differs, verdict(a.new)) for a in found] == [(False, "malformed/no_edit"), (True, "resolved")]
    assert found[0].new == stored.lines[0]


def test_a_reply_that_is_gone_or_was_changed_is_an_error_that_names_it(run: Run) -> None:
    stored = run.write((PROSE, {}))
    path = reply_path(stored.replies, *stored.lines[0].key)
    path.write_text("other")
    with pytest.raises(ToolError, match=r"not what was written: .*whole_file\.r1\.a1\.reply\.txt"):
        run.again(stored)
    path.unlink()
    with pytest.raises(ToolError, match=r"a stored reply is missing: .*whole_file\.r1\.a1\.reply\.txt"):
        run.again(stored)


def test_an_attempt_of_a_fixture_that_the_run_does_not_name_is_an_error(run: Run) -> None:
    stored = run.write((PROSE, {}))
    with pytest.raises(ToolError, match="what the run does not name"):
        list(rescore(stored, {"whole_file": FORMAT}, {}, None, 2))
    with pytest.raises(ToolError, match="what the run does not name"):
        list(rescore(stored, {}, {run.task.id: run.bench}, None, 2))


def test_another_repeat_runs_its_tests_anew(run: Run) -> None:
    ran: list[int] = []
    bench = run.bench

    class Counting(type(bench)):  # type: ignore[misc]
        def _run(self, changed: object) -> object:
            ran.append(1)
            return super()._run(changed)

    counting = Counting(run.task, bench.lock)
    with DiskJournal(run.folder, run.settings.model_copy(update={"repeats": 2})) as journal:
        for repeat in (1, 1, 2, 2):
            line = run.line(1, run.right, {"repeat": repeat, "call": 1 + (len(journal.lines) % 2)})
            journal.store(line.key, Reply(run.right, "stop", 1, 2, 3, "m-1"))
            journal.add(line, Kept(ASKED, run.right))
    found = list(rescore(StoredRun(run.folder), {"whole_file": FORMAT}, {run.task.id: counting}, None, 1))
    assert [a.differs for a in found] == [False] * 4
    assert len(ran) == 2, "once for each repeat"
