import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from evaluator.memo import Memo


def test_an_answer_is_worked_out_once_and_kept() -> None:
    memo: Memo[str, int] = Memo(10)
    made: list[str] = []
    assert [memo.get(key, lambda key=key: made.append(key) or len(made)) for key in "abab"] == [1, 2, 1, 2]
    assert made == ["a", "b"]


def test_threads_that_ask_at_once_wait_for_the_first_and_get_its_answer() -> None:
    memo: Memo[str, int] = Memo(10)
    begun, go, made = threading.Event(), threading.Event(), []

    def work() -> int:
        begun.set()
        assert go.wait(60)
        made.append(1)
        return len(made)

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(memo.get, "a", work)
        assert begun.wait(60)
        others = [pool.submit(memo.get, "a", work) for _ in range(3)]
        assert memo.get("b", lambda: 7) == 7, "another key waits for nobody"
        go.set()
        assert [f.result(60) for f in (first, *others)] == [1, 1, 1, 1]


def test_the_one_asked_for_longest_ago_goes_first() -> None:
    memo: Memo[str, str] = Memo(2)
    for key in ("a", "b", "a", "c"):  # a was asked for again: b goes
        memo.get(key, lambda: "old")
    assert [memo.get(key, lambda: "new") for key in ("a", "c", "b")] == ["old", "old", "new"]


def test_an_exception_is_raised_and_not_kept() -> None:
    memo: Memo[str, int] = Memo(2)

    def fail() -> int:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        memo.get("a", fail)
    assert memo.get("a", lambda: 5) == 5


def test_what_is_known_is_told_without_working_anything_out() -> None:
    memo: Memo[str, str | None] = Memo(2)
    assert memo.known("a") is None
    memo.get("a", lambda: "old")
    assert memo.known("a") == "old"
    with pytest.raises(ZeroDivisionError):
        memo.get("b", lambda: str(1 / 0))
    assert memo.known("b") is None
