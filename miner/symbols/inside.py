"""Tests that stand inside source files, as in Rust: which symbols of a file they are."""

from miner.symbols.language import Language
from miner.symbols.model import Outline, Symbol


def test_symbols(outline: Outline, language: Language) -> tuple[Symbol, ...]:
    """The outermost symbols of a file that are tests, in order; none where the language keeps no tests in source."""
    if language.tests is None:
        return ()
    found: list[Symbol] = []
    waiting = list(reversed(outline.root.children))
    while waiting:
        symbol = waiting.pop()
        if language.tests(outline.source[symbol.start : symbol.end]):
            found.append(symbol)
        else:
            waiting.extend(reversed(symbol.children))
    return tuple(found)
