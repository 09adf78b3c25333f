"""What is remembered, and what makes room."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from miner.remembered import remembered


@pytest.mark.parametrize(
    ("asked", "done"),
    [
        ("aa", "a"),
        ("a b a b", "a b"),
        ("a b c a", "a b c a"),  # c took the place of a
        ("a b a c a b", "a b c b"),  # a was used last, so b went
        ("a 333 a 333", "a 333 333"),  # too heavy by itself: takes nobody's place
        ("a 22 a", "a 22 a"),
    ],
)
def test_what_was_used_last_is_kept_as_far_as_it_fits(asked: str, done: str) -> None:
    calls: list[str] = []

    @remembered(2, len)
    def shout(word: str) -> str:
        calls.append(word)
        return word.upper()

    words = asked.split() if " " in asked else list(asked)
    assert [shout(word) for word in words] == [word.upper() for word in words]
    assert calls == done.split()


def test_threads_that_ask_for_the_same_leave_the_room_as_it_was() -> None:
    calls: list[int] = []

    @remembered(50, lambda _: 1)
    def double(n: int) -> int:
        calls.append(n)
        return 2 * n

    with ThreadPoolExecutor(8) as pool:
        asked = [n % 50 for n in range(5000)]
        assert list(pool.map(double, asked)) == [2 * n for n in asked]
    del calls[:]
    assert [double(n) for n in range(50)] == [2 * n for n in range(50)]
    assert not calls  # all fifty are still there, each counted once
