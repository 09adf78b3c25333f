from dataclasses import replace
from pathlib import Path

import pytest

from miner.asked import Options
from miner.fixtures import FixtureFolder, load_fixture
from miner.harvest import harvest
from miner.kind import Kind
from miner.prompt.cut import MARK
from miner.prompt.make import LeakPolicy
from miner.rare import Rare
from miner.record import HarvestLine
from miner.rejection import Rejection
from miner.strata import Definition
from tests.miner.conftest import Repo

OLD = "def send(url, body):\n    return post(url, body)\n"
NEW = "def send(url, body, limit=3):\n    for attempt in range(limit):\n        if post(url, body).status != 503:\n            return attempt\n    raise GaveUp(url, limit)\n"  # noqa: E501
BODY = f"The gateway answers 503 now and then, so that a payment fails. Try again:\n\n```python\n{NEW}```\n"
ID = "x/2-feat-retry-posts-on-503"


def harvested(options: Options) -> list[HarvestLine]:
    return harvest(options, lambda line: None)


@pytest.fixture
def options(repo: Repo, tmp_path: Path) -> Options:
    """A history of one change whose description holds all of its code."""
    repo.commit("Start", {"pyproject.toml": "", "a.py": OLD, "tests/test_a.py": "1\n"})
    repo.commit(f"feat: Retry posts on 503 (#2)\n\n{BODY}", {"a.py": NEW, "tests/test_a.py": "2\n3\n"})
    return Options(repo.path, tmp_path / "out", "x", prove=False)


def place(options: Options) -> Path:
    return next((options.out / "x").glob("*/fixture.yaml")).parent


def test_the_answer_is_cut_out_of_the_prompt_and_the_record_says_so(options: Options) -> None:
    line = harvested(options)[0]
    record = load_fixture(place(options))
    text = (place(options) / "prompt.md").read_text()
    assert MARK in text
    assert "range(limit)" not in text
    assert "The gateway answers 503" in text
    assert record.prompt is not None
    assert (record.prompt.leak, record.prompt.cut, record.prompt.thin) == (1.0, 1, False)
    assert record.kind is Kind.FEATURE
    assert (line.leak, line.thin) == (1.0, False)


def test_rejected_for_its_prompt_and_kept_by_another_policy_later(options: Options) -> None:
    rejecting = replace(options, leak=LeakPolicy.REJECT)
    line = harvested(rejecting)[0]
    assert (line.rejection, line.fixture) == (Rejection.PROMPT_LEAKS, None)
    assert "100%" in line.detail
    assert harvested(rejecting) == [line]
    assert harvested(replace(options, leak=LeakPolicy.KEEP))[0].fixture is not None
    assert NEW in (place(options) / "prompt.md").read_text()


def test_rejected_for_its_prompt_and_screened_again_by_another_policy_where_all_are(options: Options) -> None:
    rejecting = replace(options, leak=LeakPolicy.REJECT, rare=Rare(("large",), 8000, Definition()))
    assert harvested(rejecting)[0].rejection is Rejection.PROMPT_LEAKS
    assert harvested(replace(rejecting, leak=LeakPolicy.CUT))[0].fixture == ID


def test_a_prompt_that_was_edited_is_noted_and_outlives_another_harvest(options: Options) -> None:
    harvested(options)
    folder = place(options)
    assert not FixtureFolder(options.out).task(f"x/{folder.name}").prompt_edited
    (folder / "prompt.md").write_text("# Retry, please\n")
    (options.out / "x/harvest.jsonl").unlink()  # so that everything is done again
    assert harvested(options)[0].fixture is not None
    task = FixtureFolder(options.out).task(f"x/{folder.name}")
    assert task.prompt == "# Retry, please\n"
    assert task.prompt_edited
    (folder / "prompt.md").unlink()
    (options.out / "x/harvest.jsonl").unlink()
    harvested(options)
    assert not FixtureFolder(options.out).task(f"x/{folder.name}").prompt_edited


def test_the_funnel_ends_with_what_is_to_be_said_of_prompts(repo: Repo, tmp_path: Path, miner) -> None:
    repo.commit("Start", {"pyproject.toml": "", "a.py": OLD, "tests/test_a.py": "1\n"})
    repo.commit("Fix bug (#2)", {"a.py": NEW, "tests/test_a.py": "2\n"})
    done = miner("harvest", "--repo", repo.path, "--out", tmp_path / "out", "--no-prove", "--leak", "reject")
    assert done.code == 0, done.err
    assert "too thin to act on" in done.out
    assert "holds some of the answer" not in done.out
