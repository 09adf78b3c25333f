"""Tests that stand inside source files (Rust's `mod tests`): told apart by symbol, and laid over other states."""


from miner.symbols.differences import Kind, compare
from miner.symbols.files import language_of, outline_of
from miner.symbols.language import Language
from miner.symbols.model import Outline, Symbol, descendants
from miner.symbols.restore import restore


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


def keeps_tests(path: str) -> bool:
    """Whether files of this name can hold tests among the source."""
    language = language_of(path)
    return language is not None and language.tests is not None


def changed_tests(path: str, before: bytes | None, after: bytes | None) -> list[str]:
    """The symbols inside tests that differ between two states of a file, sorted; none where it keeps no tests."""
    if not keeps_tests(path):
        return []
    old, new = outline_of(path, before), outline_of(path, after)
    own = _tests(path, old) | _tests(path, new)
    found = compare(old, new)
    return sorted(c.name for c in found.changes if c.old in own or c.new in own)


def lay_tests(path: str, content: bytes, solved: bytes) -> bytes | None:
    """`content` with the tests of `solved` in place of its own, or None where they cannot be told apart."""
    tests = [*changed_tests(path, content, solved), *test_entries(path, solved)]
    laid = restore(outline_of(path, content), outline_of(path, solved), tests)
    if changed_tests(path, laid, solved) or outline_of(path, laid).errors > outline_of(path, content).errors:
        return None
    return laid if test_entries(path, solved) <= test_entries(path, laid) | _entries(path, laid) else None


def test_entries(path: str, content: bytes | None) -> set[str]:
    """The import entries that a file has for its tests alone."""
    if not keeps_tests(path) or content is None:
        return set()
    outline, language = outline_of(path, content), language_of(path)
    assert language is not None
    assert language.tests is not None
    own = _tests(path, outline)
    return {
        entry for s in descendants(outline.root) if s.entries
        and (s in own or language.tests(outline.source[s.start : s.end])) for entry in s.entries
    }  # fmt: skip


def _entries(path: str, content: bytes) -> set[str]:
    return {entry for s in descendants(outline_of(path, content).root) for entry in s.entries}


def only_added_tests(path: str, before: bytes | None, after: bytes | None) -> set[str]:
    """The test symbols that `after` has and `before` lacks."""
    if not keeps_tests(path):
        return set()
    old, new = outline_of(path, before), outline_of(path, after)
    own = _tests(path, new)
    return {c.name for c in compare(old, new).changes if c.kind is Kind.ADDED and c.new in own}


def _tests(path: str, outline: Outline) -> set[object]:
    language = language_of(path)
    assert language is not None
    return {s for test in test_symbols(outline, language) for s in descendants(test)}
