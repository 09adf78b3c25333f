from pathlib import Path

import bpe_openai
import pytest

from miner.tokens import count_tokens, cut_to_tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [("", 0), ("hello", 1), ("hello world", 2), ("\udcff", 1), ("<|endoftext|>", 7)],
    ids=["empty", "word", "words", "a byte that is no UTF-8", "a special token is plain text"],
)
def test_count_of_known_texts(text: str, expected: int) -> None:
    assert count_tokens(text) == expected


def test_a_text_longer_than_the_library_takes_is_counted() -> None:
    line = "value = compute(1)\n"
    assert count_tokens(line * 60_000) == pytest.approx(60_000 * count_tokens(line), rel=0.01)


@pytest.mark.parametrize("limit", [0, 1, 2, 5, 1000])
def test_cut_text_is_a_start_of_the_text_and_within_the_limit(limit: int) -> None:
    text = "def f(x):\n    return x + 1  # größer\n"
    cut = cut_to_tokens(text, limit)
    assert text.startswith(cut)
    assert count_tokens(cut) <= limit
    assert (cut == text) is (limit >= count_tokens(text))


def test_cut_never_ends_inside_a_character() -> None:
    text = "🏳️‍🌈🦜𓀀" * 5
    for limit in range(count_tokens(text)):
        assert text.startswith(cut_to_tokens(text, limit))


def test_a_text_of_more_tokens_than_the_library_lets_through_is_counted() -> None:
    text = "".join(chr(0x4E00 + n % 20_000) for n in range(0, 7 * 250_000, 7))
    assert count_tokens(text) > 200_000


def test_counting_gives_what_encoding_gives() -> None:
    text = Path(__file__).read_text() + "größer <|endoftext|> 🦜\r\n\t x  "
    assert count_tokens(text) == len(bpe_openai.get_encoding("o200k_base").encode_ordinary(text))
