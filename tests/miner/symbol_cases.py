"""What every row of a language's table must hold to, besides naming the changes that it says."""

from collections.abc import Collection

from miner.symbols.compare import allowed_symbols, symbols, unallowed
from miner.symbols.model import Outline

Case = tuple[str, str, list[str]]  # text before, text after, the changes as "kind name", sorted


def read(language: str, text: str) -> Outline:
    return symbols(text, language)


def changes(language: str, before: str, after: str, allowed: Collection[str] = ()) -> list[str]:
    return sorted(f"{c.kind.value} {c.name}" for c in unallowed(read(language, before), read(language, after), allowed))


def check(language: str, case: Case) -> None:
    before, after, expected = case
    assert changes(language, before, after) == expected
    for text in (before, after):
        check_partition(read(language, text))
        assert changes(language, text, text) == []
        assert read(language, text).errors == 0, "a row must be what the language's grammar accepts"
    old, new = read(language, before), read(language, after)
    assert unallowed(old, new, allowed_symbols(old, new)) == []
    assert (changes(language, after, before) == []) is (before == after)


def check_partition(found: Outline) -> None:
    place = 0
    for segment in found.segments:
        assert segment.start == place < segment.end
        assert found.source[segment.start : segment.end].decode("utf-8", "surrogateescape") == segment.text
        place = segment.end
    assert place == len(found.source)
