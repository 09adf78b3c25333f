"""Token counts, offline: OpenAI's o200k vocabulary stands in for every model's own."""

import importlib.util
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from miner.text import to_bytes

_VOCABULARY = "o200k_base"
_PIECE = 500_000  # characters; the library refuses a million, and a cut costs a token at most


@cache
def _counter() -> Callable[[str], int]:
    """What counts the tokens of a piece.

    The compiled half of the library holds the vocabulary and is all that counting needs. The other half reads three
    vocabularies again on import, which takes longer than many a harvest: it is left out where the library is laid
    out as we know it.
    """
    package = importlib.util.find_spec("bpe_openai")
    for folder in (package and package.submodule_search_locations) or ():
        for compiled in Path(folder).glob("_bindings.*"):
            spec = importlib.util.spec_from_file_location("bpe_openai._bindings", compiled)
            if spec is not None and spec.loader is not None:
                bindings = importlib.util.module_from_spec(spec)
                spec.loader.exec_module(bindings)
                count: Callable[[str], int] = bindings.tokenizer_for_encoding(_VOCABULARY).count
                return count
    return lambda piece: len(_encoding().encode_ordinary(piece))


@cache
def _encoding() -> Any:
    import bpe_openai  # its tables take half a second, which only cutting needs

    return bpe_openai.get_encoding(_VOCABULARY)


def _pieces(text: str) -> Iterator[str]:
    # A byte that is no UTF-8 arrives as a lone surrogate and counts as one replacement character.
    clean = to_bytes(text).decode("utf-8", "replace")
    for start in range(0, len(clean), _PIECE):
        yield clean[start : start + _PIECE]


def count_tokens(text: str) -> int:
    """The number of o200k tokens of `text`."""
    return sum(_counter()(piece) for piece in _pieces(text))


def cut_to_tokens(text: str, limit: int) -> str:
    """The first `limit` tokens of `text` as text, as a reply that met its output cap would end."""
    kept, left = "", limit
    for piece in _pieces(text):
        ids = _encoding().encode_ordinary(piece)[: max(left, 0)]
        kept += str(_encoding().decode(ids)).rstrip("\ufffd")
        left -= len(ids)
    return kept
