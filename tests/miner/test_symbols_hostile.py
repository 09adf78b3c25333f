"""Texts made to break the partition: they are taken apart, or are one symbol, and no edit of them is lost."""

import pytest

from miner.symbols.compare import symbols, unallowed
from miner.symbols.languages import BY_NAME
from tests.miner.symbol_cases import check_partition

DEEP = 10_000
PYTHON = {
    "nested ifs": "".join(" " * n + "if x:\n" for n in range(1500)) + " " * 1500 + "pass\n",
    "nested functions": "".join(" " * n + "def f():\n" for n in range(1500)) + " " * 1500 + "pass\n",
    "nested parentheses": "x = " + "(" * DEEP + ")" * DEEP + "\n",
    "brackets never closed": "x = " + "[" * DEEP,
    "a line of a megabyte": "x = [" + "1, " * 333_000 + "]\n",
    "statements on one line": "x = 1; " * 20_000 + "\n",
    "namesakes": "def f():\n    return 1\n\n\n" * 5_000,
    "comments": "x = 1\n" + "# a comment\n" * 5_000,
    "blank lines": "x = 1\n" + "\n" * 300_000,
    "NUL": "\0" * 100_000,
    "no UTF-8": "\udcff\udc80 = 1\n" * 1_000,
    "carriage returns": "x = 1\r" * 5_000,
    "one character": "x",
}


@pytest.mark.parametrize("text", PYTHON.values(), ids=PYTHON.keys())
def test_hostile_text_is_partitioned_and_an_edit_of_it_seen(text: str) -> None:
    before, after = symbols(text, "python"), symbols(text[: len(text) // 2] + "y" + text[len(text) // 2 :], "python")
    check_partition(before)
    check_partition(after)
    assert unallowed(before, after, []) != []
    assert unallowed(before, before, []) == []


@pytest.mark.parametrize("language", BY_NAME)
@pytest.mark.parametrize("opening", ["{", "(", "[", "f(){", "class A {", "/*", '"', "<"])
def test_deep_nesting_is_partitioned_in_every_language(language: str, opening: str) -> None:
    check_partition(symbols(opening * 500, language))
    check_partition(symbols(opening * 100 + "}" * 100, language))


def test_what_cannot_be_parsed_in_linear_time_is_one_symbol() -> None:
    found = symbols("def f():\n    pass\n\n\nx\n" + "# a comment\n" * 20_000, "python")
    assert [segment.name for segment in found.segments] == ["<module>"]
