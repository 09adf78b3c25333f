"""Interrupted runs: nothing that was paid for is asked again, and the result is that of an unbroken run."""

import errno
import itertools
import os
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from evaluator.bench import TaskBench, Tested
from evaluator.formats import FORMATS
from evaluator.journal import AttemptLine, DiskJournal, Key, read_attempts, reply_path
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.running.driver import run
from evaluator.scoring import Tests
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.git import GitFailed
from miner.symbols.files import Files

Answers = dict[str, Callable[..., Reply]]


def test_a_fault_of_the_tool_ends_the_run_and_keeps_what_was_made(a_run, asked, answers: Answers) -> None:
    def answer(request: Request) -> Reply:
        if len(model.requests) > 5:
            raise ToolError("no key", "model", "Set it.")
        return answers["right"](request)

    setting, model = a_run(), asked(answer)
    with pytest.raises(ToolError, match="no key"):
        setting.run(model)
    second, every = asked(answers["right"]), len(FORMATS) * len(setting.benches)
    assert len(setting.run(second)) == every
    assert len(second.keys) == every - 5
    assert len({*second.keys} & {*model.keys[:5]}) == 0, "what was answered is stored, if not scored yet"


@pytest.mark.parametrize("stop_after", [1, 7, 20])
def test_an_interrupted_run_resumed_equals_an_unbroken_one_and_asks_nothing_twice(
    a_run, asked, answers: Answers, untimed, stop_after: int
) -> None:
    whole = a_run(4, "whole").run(asked(answers["right_at_last"]))
    setting, first, made = a_run(4), asked(answers["right_at_last"]), list[AttemptLine]()

    def interrupt(line: AttemptLine) -> None:
        made.append(line)
        if len(made) == stop_after:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        setting.run(first, interrupt)
    assert len(read_attempts(setting.folder / "attempts.jsonl")) >= stop_after
    second = asked(answers["right_at_last"])
    lines = setting.run(second)
    assert untimed(lines) == untimed(whole)
    assert sorted([*first.keys, *second.keys]) == sorted((a.fixture, a.format, a.attempt) for a in whole)
    third = asked(answers["right_at_last"])
    assert setting.run(third) == lines
    assert third.keys == []


def test_replies_that_can_be_written_are_kept_where_others_cannot(a_run, asked, answers: Answers) -> None:
    setting, first = a_run(1), asked(answers["right"])
    fixture = next(iter(setting.benches))
    blocked = [reply_path(setting.folder / "replies", fixture, name, 1, 1) for name in ("udiff", "whole_file")]
    for path in blocked:
        path.mkdir(parents=True)  # no file can be written there
    with pytest.raises(ToolError, match="cannot write"):
        setting.run(first)
    for path in blocked:
        path.rmdir()
    second = asked(answers["right"])
    assert len(setting.run(second)) == len(FORMATS)
    assert {name for _, name, _ in {*first.keys} & {*second.keys}} <= {"udiff", "whole_file"}


def test_a_reply_that_comes_while_the_run_is_ended_is_stored(a_run, asked, answers: Answers) -> None:
    ended = threading.Event()

    class Held(asked):  # type: ignore[misc]
        def close(self) -> None:
            ended.set()

    def answer(request: Request) -> Reply:
        if len(model.requests) > 1:
            assert ended.wait(20), "the model is closed when the run is ended"
        return answers["right"](request)

    def interrupt(line: AttemptLine) -> None:
        raise KeyboardInterrupt

    setting, model = a_run(2), Held(answer)
    with pytest.raises(KeyboardInterrupt):
        setting.run(model, interrupt)
    second = asked(answers["right"])
    assert len(setting.run(second)) == 2 * len(FORMATS)
    assert len(model.keys) >= 2
    assert not {*model.keys} & {*second.keys}


@pytest.mark.parametrize("late", [False, True])
def test_a_signal_that_comes_while_a_reply_is_stored_loses_none(a_run, asked, answers: Answers, late: bool) -> None:
    class Signalled(DiskJournal):
        def store(self, key: Key, reply: Reply) -> None:
            begun.append(key)
            if len(begun) == 3 and not late:
                raise KeyboardInterrupt
            super().store(key, reply)
            if len(begun) == 3 and late:
                raise KeyboardInterrupt

    setting, model, begun = a_run(2), asked(answers["right"]), list[Key]()
    with Signalled(setting.folder, setting.settings) as journal, pytest.raises(KeyboardInterrupt):
        run(setting.settings, setting.formats, setting.benches, model, journal, 2, lambda line: None, 2)
    second = asked(answers["right"])
    assert len(setting.run(second)) == 2 * len(FORMATS)
    assert not {*model.keys} & {*second.keys}


def test_a_refusal_that_comes_while_the_run_is_ended_is_kept(a_run, asked, answers: Answers) -> None:
    """It was paid for; its text is no reply to be scored."""
    ended = threading.Event()

    class Held(asked):  # type: ignore[misc]
        def close(self) -> None:
            ended.set()

    def answer(request: Request) -> Reply:
        if len(model.requests) > 1:
            assert ended.wait(20), "the model is closed when the run is ended"
            raise NoEvidence(Discard.REFUSAL, "declined", reply=answers["said"]("I cannot."))
        return answers["right"](request)

    def interrupt(line: AttemptLine) -> None:
        if not ended.is_set():
            raise KeyboardInterrupt

    setting, model = a_run(2), Held(answer)
    with pytest.raises(KeyboardInterrupt):
        setting.run(model, interrupt)
    second = asked(answers["right"])
    lines = setting.run(second)
    refused = [line for line in lines if line.discarded is Discard.REFUSAL]
    assert len(lines) == 2 * len(FORMATS)
    assert len(refused) == len(model.keys) - 1 > 0
    assert not {*model.keys} & {*second.keys}


def test_what_cannot_be_scored_while_the_run_is_ended_is_scored_later(a_run, asked, answers: Answers) -> None:
    """Ctrl-C reaches every process of a terminal's: the git that scoring stands on ends before we do."""
    interrupted, calls = threading.Event(), itertools.count()

    class WithoutGit(TaskBench):
        def run_tests(self, changed: Files) -> Tests:
            if next(calls):
                assert interrupted.wait(20)
                raise GitFailed(["read-tree"], "")
            return super().run_tests(changed)

        def _run(self, laid: Files) -> Tested:
            return Tested(Tests.PASS)

    def interrupt(line: AttemptLine) -> None:
        if not interrupted.is_set():
            interrupted.set()
            time.sleep(0.3)  # for one of the others to fail meanwhile
            raise KeyboardInterrupt

    setting, model = a_run(2), asked(answers["right"])
    benches, setting.benches = setting.benches, {
        name: WithoutGit(bench.task, bench.lock) for name, bench in setting.benches.items()
    }  # fmt: skip
    with pytest.raises(KeyboardInterrupt):
        setting.run(model, interrupt)
    setting.benches, second = benches, asked(answers["right"])
    lines = setting.run(second)
    assert [line.error for line in lines if line.discarded] == []
    assert len(lines) == 2 * len(FORMATS)
    assert not {*model.keys} & {*second.keys}


def test_a_machine_without_its_temporary_folder_ends_the_run_and_no_trial(
    a_run, asked, answers: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Temporary(TaskBench):
        def _run(self, laid: Files) -> Tested:
            with tempfile.TemporaryDirectory():
                return Tested(Tests.PASS)

    setting, second = a_run(1), asked(answers["right"])
    setting.benches = {name: Temporary(bench.task, bench.lock) for name, bench in setting.benches.items()}
    with monkeypatch.context() as changed:
        changed.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
        with pytest.raises(ToolError, match=r"the machine cannot go on: .*/gone"):
            setting.run(asked(answers["right"]))
    lines = setting.run(second)
    assert [line.error for line in lines if line.discarded] == []


@pytest.mark.parametrize("of", ["calls", "scores"])
def test_a_machine_that_cannot_go_on_ends_the_run_and_no_trial(a_run, asked, answers: Answers, of: str) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/tmp/somewhere")

    class Full(TaskBench):
        def _run(self, laid: Files) -> Tested:
            raise full

    def answer(request: Request) -> Reply:
        if of == "calls":
            raise full
        return answers["right"](request)

    setting, model = a_run(2), asked(answer)
    benches = setting.benches
    if of == "scores":
        setting.benches = {name: Full(bench.task, bench.lock) for name, bench in benches.items()}
    with pytest.raises(ToolError, match=r"the machine cannot go on: /tmp/somewhere\. No space left on device"):
        setting.run(model)
    setting.benches, second = benches, asked(answers["right"])
    lines = setting.run(second)
    assert [line.error for line in lines if line.discarded] == []
    assert len(lines) == 2 * len(FORMATS)
    assert len(second.keys) + (len(model.keys) if of == "scores" else 0) == len(lines)


def test_a_resumed_trial_goes_on_with_the_conversation_it_had(a_run, asked, answers: Answers) -> None:
    setting, first = a_run(2), asked(answers["right_at_last"])
    lines = setting.run(first)
    unbroken = dict(zip(first.keys, first.requests, strict=True))
    path = setting.folder / "attempts.jsonl"
    rows = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(row for row, a in zip(rows, lines, strict=True) if a.attempt < 3))
    calls = setting.folder / "calls.jsonl"
    rows = calls.read_bytes().splitlines(keepends=True)
    calls.write_bytes(b"".join(row for row in rows if b'"attempt": 3' not in row and b'"attempt":3' not in row))
    second = asked(answers["right_at_last"])
    assert len(setting.run(second)) == len(lines)
    assert len(second.keys) == len(lines) / 3
    for key, request in zip(second.keys, second.requests, strict=True):
        assert key[2] == 3
        assert request.messages == unbroken[key].messages


def test_a_stored_reply_without_a_line_is_scored_and_not_asked_for(a_run, asked, answers: Answers, untimed) -> None:
    setting = a_run(2)
    lines = setting.run(asked(answers["right_at_last"]))
    (setting.folder / "attempts.jsonl").unlink()
    second = asked(answers["right"])
    assert untimed(setting.run(second)) == untimed(lines)
    assert second.keys == []


def test_a_missing_reply_of_a_trial_to_go_on_with_is_an_error(a_run, asked, answers: Answers) -> None:
    setting = a_run(1)
    setting.run(asked(lambda request: answers["said"]("prose")))
    path = setting.folder / "attempts.jsonl"
    path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
    (setting.folder / "calls.jsonl").unlink()
    line = read_attempts(path)[0]
    reply_path(setting.folder / "replies", *line.key).unlink()
    with pytest.raises(ToolError, match="a stored reply is missing"):
        setting.run(asked(answers["right"]))
