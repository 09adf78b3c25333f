import pytest

from miner.nearest import did_you_mean, nearest

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
