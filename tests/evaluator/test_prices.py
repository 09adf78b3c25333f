"""Prices: which row a name finds, what a call costs, and what is refused in a table."""

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from evaluator.journal import Price
from evaluator.prices import BUILT_IN, UNPRICED, Costs, costs, price_of, price_table
from miner.errors import ToolError


@dataclass(frozen=True)
class Call:
    input_tokens: int
    output_tokens: int
    cached_tokens: int | None = 0
    cache_write_tokens: int | None = 0


def row(model: str, cost: float = 1.0) -> Price:
    return Price(model=model, as_of=date(2026, 1, 1), input=cost, output=cost)


TABLE = (row("a:m", 1), row("a:m-mini", 2), row("b:*", 3), row("a:odd[1]*", 4), row("a:*-free", 0))
NAMES = [
    ("a:m", 1), ("a:m-2025-08-07", 1), ("a:m-20250929", 1), ("a:m-mini", 2), ("a:m-mini-20250101", 2),
    ("b:anything/at-all", 3), ("a:odd[1]", 4), ("a:odd[1]x", 4), ("a:x-free", 0),
    ("a:m-nano", None), ("a:m-2", None), ("m", None), ("a:mm", None), ("a:odd1", None), ("A:m", None), ("", None),
]  # fmt: skip


@pytest.mark.parametrize(("name", "cost"), NAMES)
def test_which_row_a_name_finds(name: str, cost: float | None) -> None:
    found = price_of(name, TABLE)
    assert (found and found.input) == cost


UNPRICED_NAMES = ["command:./ask", "replay:runs/x", "simulated:perfect", "simulated:a.yaml", "openai:gpt-5-unheard-of"]


@pytest.mark.parametrize("name", UNPRICED_NAMES)
def test_what_has_no_row_is_unpriced(name: str) -> None:
    assert price_of(name, price_table()) is None
    assert costs(None, Call(10, 10)) == UNPRICED == Costs(None, None)


PRICE = Price(model="m", as_of=date(2026, 1, 1), input=3, output=15, cache_read=0.3, cache_write=3.75)
UNCACHED = Price(model="m", as_of=date(2026, 1, 1), input=3, output=15)
CALLS = [
    (Call(1_000_000, 0), PRICE, 3, 3),
    (Call(0, 1_000_000), PRICE, 15, 15),
    (Call(1_000_000, 0, cached_tokens=1_000_000), PRICE, 3, 0.3),
    (Call(1_000_000, 0, cached_tokens=None, cache_write_tokens=None), PRICE, 3, 3),  # not said: none was cheaper
    (Call(1_000_000, 0, cache_write_tokens=1_000_000), PRICE, 3, 3.75),
    (Call(10_000, 1_000, 6_000, 2_000), PRICE, 0.045, (2 * 3 + 6 * 0.3 + 2 * 3.75 + 15) / 1_000),
    (Call(10_000, 1_000, 6_000, 2_000), UNCACHED, 0.045, 0.045),
    (Call(10, 0, cached_tokens=20), PRICE, 30e-6, 6e-6),  # a provider that counts cached tokens apart pays no negative
    (Call(5, 5), row("free", 0), 0, 0),
]  # fmt: skip


@pytest.mark.parametrize(("call", "price", "canonical", "paid"), CALLS)
def test_what_a_call_costs(call: Call, price: Price, canonical: float, paid: float) -> None:
    found = costs(price, call)
    assert (found.canonical, found.paid) == (pytest.approx(canonical), pytest.approx(paid))


def test_rows_of_ones_own_win(tmp_path: Path) -> None:
    own = tmp_path / "own.yaml"
    own.write_text("prices:\n- {model: 'openai:gpt-5', as_of: 2026-01-01, input: 1, output: 2}\n"
                   "- {model: 'simulated:article', as_of: 2026-01-01, input: 1, output: 2}\n")  # fmt: skip
    table = price_table(own)
    assert [price_of(n, table).output for n in ("openai:gpt-5", "simulated:article")] == [2, 2]
    assert price_of("openai:gpt-5-mini", table) == price_of("openai:gpt-5-mini", price_table())


REFUSED = [
    ("- {model: m, as_of: 2026-01-01, input: -1, output: 2}", "m: input is -1.0, which is no price"),
    ("- {model: m, as_of: 2026-01-01, input: .nan, output: 2}", "input is nan"),
    ("- {model: m, as_of: 2026-01-01, input: 1, output: .inf}", "output is inf"),
    ("- {model: m, as_of: 2026-01-01, input: 1}", "prices.0.output: Field required"),
    ("- {model: m, input: 1, output: 1}", "prices.0.as_of: Field required"),
    ("- {model: m, as_of: 2026-01-01, input: 1, output: 1, cached: 1}", "prices.0.cached: Extra inputs"),
    ("- {model: m, as_of: 2026-01-01, input: 1, output: 1}\n" * 2, "m has two rows"),
    ("", "prices: Input should be a valid list"),
    ("- [", "unreadable prices"),
]  # fmt: skip


@pytest.mark.parametrize(("rows", "said"), REFUSED)
def test_a_table_that_cannot_be_used_is_refused(tmp_path: Path, rows: str, said: str) -> None:
    own = tmp_path / "own.yaml"
    own.write_text(f"prices:\n{rows}\n")
    with pytest.raises(ToolError, match=r"own\.yaml") as caught:
        price_table(own)
    assert said in str(caught.value)


def test_a_table_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="cannot read the prices"):
        price_table(tmp_path / "none.yaml")


def test_our_own_rows_are_dated_and_cheaper_where_a_cache_was_read() -> None:
    rows = price_table()
    assert len(rows) >= 12
    assert BUILT_IN.read_text().count("as_of") == len(rows)
    for found in rows:
        assert found.cache_read is not None
        assert 0 < found.cache_read < found.input < found.output, found.model
        assert found.cache_write is None or found.cache_write >= found.input, found.model
