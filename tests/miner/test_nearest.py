import pytest

from miner.errors import ToolError
from miner.nearest import did_you_mean, matching, meant, nearest

IDS = ["svc/81-tidy", "svc/811-correctly-round", "svc/811-correctly-round-impossible", "team/811-other", "team/99-x"]

CASES = {
    "a number": ("811", ["svc/811-correctly-round", "svc/811-correctly-round-impossible", "team/811-other"]),
    "a number of a repository": ("team/811", ["team/811-other"]),
    "a path": ("fixtures/team/811-other/", ["team/811-other"]),
    "part of a name": ("round", ["svc/811-correctly-round", "svc/811-correctly-round-impossible"]),
    "a slip": ("svc/81-tidi", ["svc/81-tidy"]),
    "another repository": ("srv/81-tidy", ["svc/81-tidy"]),
    "no repository, and a slip": ("811-othr", ["team/811-other"]),
    "not a number's start": ("8111", []),
    "nothing near": ("zebra/1", []),
    "nothing": ("", []),
    "a slash": ("/", []),
}


@pytest.mark.parametrize(("asked", "found"), CASES.values(), ids=CASES.keys())
def test_nearest(asked: str, found: list[str]) -> None:
    assert nearest(asked, IDS)[: len(found)] == found
    assert bool(nearest(asked, IDS)) is bool(found)


def test_what_is_offered_is_a_question_and_no_more_than_three() -> None:
    assert did_you_mean("team/811", IDS) == "Did you mean team/811-other?"
    assert did_you_mean("team/811", []) == ""
    assert len(nearest("1", [f"r/1-{n}" for n in range(9)])) == 3


MATCHING = {
    "an id": ("svc/81-tidy", ["svc/81-tidy"]),
    "a number and its repository": ("svc/81", ["svc/81-tidy"]),
    "a number": ("99", ["team/99-x"]),
    "a number of two": ("811", ["svc/811-correctly-round", "team/811-other"]),
    "a fixture that has a twin": ("811-correctly", ["svc/811-correctly-round"]),
    "its name, though that of its twin begins so": ("811-correctly-round", ["svc/811-correctly-round"]),
    "the twin": ("svc/811-correctly-round-impossible", ["svc/811-correctly-round-impossible"]),
    "the twin, in short": ("811-correctly-round-im", ["svc/811-correctly-round-impossible"]),
    "a folder of the shell's completion": ("svc/81-tidy/", ["svc/81-tidy"]),
    "half a number": ("9", []), "half a repository": ("sv/81", []), "a path elsewhere": ("other/svc/81-tidy", []),
    "a word": ("tidy", []), "nothing": ("", []), "a slash": ("/", []),
}  # fmt: skip


@pytest.mark.parametrize(("asked", "found"), MATCHING.values(), ids=MATCHING.keys())
def test_a_fixture_is_meant_by_its_number_or_the_start_of_its_name(asked: str, found: list[str]) -> None:
    assert matching(asked, IDS) == found


def test_an_impossible_end_alone_makes_no_twin() -> None:
    assert matching("7", ["r/7-fail", "r/7-not-impossible"]) == ["r/7-fail", "r/7-not-impossible"]


def test_each_is_meant_once_and_what_is_not_clear_is_said() -> None:
    assert meant(["99", "team/99-x", "81"], IDS, "none", "look") == ["team/99-x", "svc/81-tidy"]
    for asked, said in {
        "811": "2 fixtures fit: 811. Write more of one: svc/811-correctly-round, team/811-other.",
        "tidi": "none: tidi. look", "tidy": "none: tidy. Did you mean svc/81-tidy?",
    }.items():
        with pytest.raises(ToolError) as raised:
            meant([asked], IDS, "none", "look")
        assert str(raised.value) == said
    with pytest.raises(ToolError, match=r"r/1-2 and 6 more\."):
        meant(["1"], [f"r/1-{n}" for n in range(9)], "none", "look")
