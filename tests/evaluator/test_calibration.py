"""The confusion matrix: what agrees is on the diagonal, whatever does not is counted, named and kept to read."""

import json
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from evaluator import calibration, confusion
from evaluator.appliers import granted
from evaluator.calibration import Plan, Tried, calibrate, write_disagreements
from evaluator.faults import RESOLVED, Injected, Label, Site
from evaluator.faults.model import FileFault, ReplyFault
from evaluator.formats import FORMATS
from evaluator.formats.model import EditFormat
from evaluator.taxonomy import Category, Detail
from miner.fixtures import Task

NO_EDIT = Label(Category.MALFORMED, Detail.NO_EDIT)
HERE = [FORMATS["whole_file"], FORMATS["udiff"]]


class Prose:
    """Says nothing that is an edit, and claims to have the label that it is given."""

    name, needs_tests = "prose", False

    def __init__(self, label: Label) -> None:
        self.labels = (label,)

    def replies(self, site: Site, fmt: EditFormat, random: Random) -> Iterable[Injected]:
        yield Injected("Done.", self.labels[0])


class Raises:
    name, labels, needs_tests = "raises", (RESOLVED,), False

    def damages(self, site: Site, random: Random) -> Iterable[object]:
        raise ValueError("an oversight")


def tried(tasks: list[Task], *faults: object) -> list[Tried]:
    wanted: list[FileFault | ReplyFault] = list(faults)  # type: ignore[arg-type]
    plan = Plan(HERE, granted("standard", HERE), wanted)
    seen: list[int] = []
    found = calibrate(tasks, plan, 2, lambda so_far: seen.append(len(so_far)))
    assert seen[-1] == len(found)
    return found


def test_what_is_scored_as_made_is_on_the_diagonal(checked_in: list[Task]) -> None:
    found = tried(checked_in[:3], Prose(NO_EDIT))
    assert [t.agrees for t in found] == [True] * 6
    assert "6 replies with 1 faults, over 3 fixtures and 2 formats: 6 scored as made, 0 otherwise" in (
        confusion.as_markdown(found)
    )
    assert "Scored otherwise" not in confusion.as_markdown(found)


def test_a_label_that_the_scorer_does_not_give_is_off_the_diagonal_and_kept(
    checked_in: list[Task], tmp_path: Path
) -> None:
    found = tried(checked_in[:2], Prose(NO_EDIT), Prose(Label(Category.MALFORMED, Detail.BAD_BLOCK)))
    assert sum(not t.agrees for t in found) == 4
    text = confusion.as_markdown(found)
    assert "4 scored as made, 4 otherwise" in text
    assert "malformed/bad_block | malformed/no_edit" in text
    written = write_disagreements(tmp_path, found)
    assert sorted(p.read_text() for p in written.values()) == ["Done."] * 4
    data = json.loads(json.dumps(confusion.as_data(found, lambda t: str(written.get(t)))))
    assert (data["injected"], data["agreeing"], len(data["disagreements"])) == (8, 4, 4)
    assert sum(cell["count"] for cell in data["cells"]) == 8
    assert all(Path(one["reply"]).is_file() for one in data["disagreements"])


def test_a_fault_that_raises_agrees_with_nothing_and_hides_no_other(checked_in: list[Task]) -> None:
    found = tried(checked_in[:1], Raises(), Prose(NO_EDIT))
    assert [(t.fault, t.agrees) for t in found] == [("raises", False)] * 2 + [("prose", True)] * 2
    assert "a bug: ValueError: an oversight" in confusion.as_markdown(found)
    assert "no answer" in confusion.as_markdown(found)


class Interrupts(Prose):
    """Somebody presses Ctrl-C while the first of many replies is made."""

    made = 0

    def replies(self, site: Site, fmt: EditFormat, random: Random) -> Iterable[Injected]:
        if self.made == 0:
            os.kill(os.getpid(), signal.SIGINT)
        self.made += 1
        time.sleep(0.02)
        return super().replies(site, fmt, random)


def test_an_interruption_does_not_wait_for_the_rest_of_a_fixture(checked_in: list[Task]) -> None:
    fault = Interrupts(NO_EDIT)
    with pytest.raises(KeyboardInterrupt):
        tried(checked_in[:1], *[fault] * 200)
    assert 0 < fault.made < 400


def test_the_language_is_that_of_most_files(checked_in: list[Task]) -> None:
    assert calibration.language(checked_in[0]) == "python"
