"""Token counts, offline: OpenAI's o200k vocabulary stands in for every model's own."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from miner.text import to_bytes

_PIECE = 500_000  # characters; the library refuses a million, and a cut costs a token at most


@cache
def _encoding() -> Any:
    import bpe_openai  # its tables take a third of a second, which `--help` need not pay

    return bpe_openai.get_encoding("o200k_base")


def _pieces(text: str) -> Iterator[str]:
    # A byte that is no UTF-8 arrives as a lone surrogate and counts as one replacement character.
    clean = to_bytes(text).decode("utf-8", "replace")
    for start in range(0, len(clean), _PIECE):
        yield clean[start : start + _PIECE]


def count_tokens(text: str) -> int:
    """The number of o200k tokens of `text`."""
    return sum(len(_encoding().encode_ordinary(piece)) for piece in _pieces(text))


def cut_to_tokens(text: str, limit: int) -> str:
    """The first `limit` tokens of `text` as text, as a reply that met its output cap would end."""
    kept, left = "", limit
    for piece in _pieces(text):
        ids = _encoding().encode_ordinary(piece)[: max(left, 0)]
        kept += str(_encoding().decode(ids)).rstrip("\ufffd")
        left -= len(ids)
    return kept
