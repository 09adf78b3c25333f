"""What calls cost: a small dated table of list prices, and rows of one's own (docs/planning.md).

A model without a row is unpriced: its costs are None, never 0.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Literal, Protocol

from pydantic import AfterValidator, Field

from evaluator.journal import Price
from miner.record import Record, load_yaml

BUILT_IN = Path(__file__).with_name("prices.yaml")
_MILLION = 1_000_000
_DATED = re.compile(r"-\d{4}-?\d{2}-?\d{2}")  # the end of a dated version's name
_MOST = 100_000.0  # USD per million tokens; dearer is a slip of the decimal point
_PRICES = ("input", "output", "cache_read", "cache_write")


class Tokens(Protocol):
    """What a price is applied to. Cached and cache-write tokens are of the input."""

    @property
    def input_tokens(self) -> float:
        """Of the prompt, all of them."""

    @property
    def output_tokens(self) -> float:
        """Of the reply, reasoning included."""

    @property
    def cached_tokens(self) -> float | None:
        """Of the input, those that a prompt cache held; None: not known, so that none is taken to be cheaper."""

    @property
    def cache_write_tokens(self) -> float | None:
        """Of the input, those that a prompt cache was given to hold; None: not known."""


@dataclass(frozen=True)
class Costs:
    """What a call cost, in USD; both None: unpriced.

    `canonical` supposes that no cache held anything, so that formats compare alike whatever their order (rule 5 of
    docs/statistics.md). `paid` is what the table says was charged.
    """

    canonical: float | None
    paid: float | None


UNPRICED = Costs(None, None)


def _sane(rows: list[Price]) -> list[Price]:
    for row in rows:
        for name in _PRICES:
            value = getattr(row, name)
            if value is not None and not 0 <= value <= _MOST:  # also where it is no number
                raise ValueError(f"{row.model}: {name} is {value}, which is no price in USD per million tokens")
        if [other.model for other in rows].count(row.model) > 1:
            raise ValueError(f"{row.model} has two rows")
    return rows


class PricesFile(Record):
    """prices.yaml, or the file of `--prices`."""

    schema_: Literal[1] = Field(default=1, alias="schema")
    prices: Annotated[list[Price], Field(min_length=1), AfterValidator(_sane)]


def price_table(own: Path | None = None) -> tuple[Price, ...]:
    """The rows to look prices up in, one's own first; raises `ToolError` where the file cannot be used."""
    remedy = "Its layout is that of evaluator/prices.yaml (docs/planning.md)."
    files = [BUILT_IN] if own is None else [own, BUILT_IN]
    return tuple(row for file in files for row in load_yaml(file, PricesFile, remedy).prices)


def price_of(name: str, table: Sequence[Price]) -> Price | None:
    """The first row that the model's name fits, or None: unpriced.

    A row fits the model that it names and its dated versions; a `*` in it stands for anything.
    """
    undated = name[: dated.start()] if (dated := re.search(f"{_DATED.pattern}$", name)) else name
    return next((row for row in table if row.model in (name, undated) or _fits(name, row.model)), None)


def _fits(name: str, pattern: str) -> bool:
    return "*" in pattern and fnmatchcase(name, pattern.replace("[", "[[]").replace("?", "[?]"))


def costs(price: Price | None, call: Tokens) -> Costs:
    """What a call with these tokens cost."""
    if price is None:
        return UNPRICED
    read = price.input if price.cache_read is None else price.cache_read
    write = price.input if price.cache_write is None else price.cache_write
    held, given = call.cached_tokens or 0, call.cache_write_tokens or 0
    plain = max(call.input_tokens - held - given, 0)
    reply = call.output_tokens * price.output
    paid = plain * price.input + held * read + given * write + reply
    return Costs((call.input_tokens * price.input + reply) / _MILLION, paid / _MILLION)
