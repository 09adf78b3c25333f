from pathlib import Path

import pytest

from evaluator.formats import FORMATS
from evaluator.journal import AttemptLine, DiskJournal, Kept, RunFile, load_run, read_attempts
from evaluator.messages import Message
from evaluator.models import model_named
from evaluator.models.model import NoEvidence, Reply, Request
from evaluator.models.replay import Replay
from evaluator.taxonomy import Discard
from miner.errors import ToolError
from miner.fixtures import Task
from miner.tokens import count_tokens

ASKED = (Message("user", "Please change it."),)


def request(task: Task, attempt: int = 1, name: str = "whole_file") -> Request:
    return Request(ASKED, 8_000, task, FORMATS[name], 1, attempt)


@pytest.fixture
def task(checked_in: list[Task]) -> Task:
    return checked_in[0]


@pytest.fixture
def run_folder(tmp_path: Path, task: Task) -> Path:
    settings = RunFile(
        set_digest="0", cap=8000, model="m", simulated=False, formats=["whole_file"], attempts=3, seed=1,
        fixtures=[task.id], started="", version="",
    )  # fmt: skip
    journal = DiskJournal(tmp_path / "run", settings)
    line = AttemptLine(
        fixture=task.id, format="whole_file", model="m", repeat=1, attempt=1, valid=False, output_tokens=77,
        input_tokens=5, latency_ms=900, stop_reason="length", served_model="m-0105",
    )  # fmt: skip
    journal.add(line, Kept(ASKED, "caf\u00e9\r\n\udcff"))
    journal.close()
    return tmp_path / "run"


@pytest.mark.parametrize("part", ["", "replies"], ids=["a run", "its replies"])
def test_a_stored_reply_comes_back_with_what_was_recorded_of_the_call(
    run_folder: Path, task: Task, part: str
) -> None:
    reply = Replay(run_folder / part).reply(request(task))
    # The line is one of before it was noted who counted.
    known = Reply("caf\u00e9\r\n\udcff", "length", 5, 77, 900, "m-0105", counted_here=None, input_counted_here=None)
    assert reply == known


def test_replies_without_a_journal_have_no_stop_reason_and_counted_tokens(tmp_path: Path, task: Task) -> None:
    path = tmp_path / task.id / "whole_file.r1.a1.reply.txt"
    path.parent.mkdir(parents=True)
    path.write_text("hello there")
    reply = Replay(tmp_path).reply(request(task))
    assert (reply.text, reply.stop_reason) == ("hello there", None)
    assert reply.output_tokens == count_tokens("hello there")
    assert reply.input_tokens == count_tokens(ASKED[0].content)
    assert (reply.counted_here, reply.input_counted_here, reply.cached_tokens) == (True, True, None)


@pytest.mark.parametrize(("attempt", "name"), [(2, "whole_file"), (1, "unified_diff")])
def test_a_reply_that_is_not_stored_says_nothing_of_the_format(
    run_folder: Path, task: Task, attempt: int, name: str
) -> None:
    with pytest.raises(NoEvidence, match="no stored reply") as caught:
        Replay(run_folder).reply(request(task, attempt, name))
    assert caught.value.reason is Discard.HARNESS_ERROR


def test_the_replay_of_a_simulation_is_one_and_that_of_a_model_is_not(run_folder: Path) -> None:
    assert not Replay(run_folder).simulated
    path = run_folder / "attempts.jsonl"
    line = read_attempts(path)[0].model_copy(update={"served_model": "simulated:article"})
    path.write_text(line.model_dump_json(by_alias=True) + "\n")  # as runs wrote lines once, without a checksum
    assert Replay(run_folder).simulated


def test_of_an_attempt_that_was_called_twice_the_last_call_is_replayed_with_all_that_is_known_of_it(
    run_folder: Path, task: Task
) -> None:
    settings, first = load_run(run_folder), read_attempts(run_folder / "attempts.jsonl")[0]
    answered = Reply("second", "stop", 5, 6, 7, "m-0105", cached_tokens=3, reasoning_tokens=4, first_token_ms=2)
    journal = DiskJournal(run_folder, settings)
    journal.store((*first.key[:4], 2), answered)
    journal.add(first.model_copy(update={"call": 2}), Kept(ASKED, "second"))
    journal.close()
    assert Replay(run_folder).reply(request(task)) == answered
    (run_folder / "attempts.jsonl").unlink()
    (run_folder / "calls.jsonl").unlink()
    assert Replay(run_folder).reply(request(task)).text == "second"


def test_what_was_discarded_without_a_reply_is_discarded_again(run_folder: Path, task: Task) -> None:
    settings, first = load_run(run_folder), read_attempts(run_folder / "attempts.jsonl")[0]
    lost = first.model_copy(update={"call": 2, "discarded": Discard.INFRA_ERROR, "error": "503"})
    journal = DiskJournal(run_folder, settings)
    journal.add(lost, Kept(ASKED, ""))
    journal.close()
    with pytest.raises(NoEvidence, match="503") as caught:
        Replay(run_folder).reply(request(task))
    assert caught.value.reason is Discard.INFRA_ERROR


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="no stored replies"):
        model_named(f"replay:{tmp_path / 'gone'}", [], [], 1)


@pytest.mark.parametrize("name", ["replay:", "replay", "gpt", "simulated:", "simulated:other", ""])
def test_an_unknown_model_is_refused_with_those_that_exist(name: str) -> None:
    with pytest.raises(ToolError, match=r"Known: simulated:perfect, simulated:article, .*, replay:DIR"):
        model_named(name, [], [], 1)
