"""What the attributes of a Rust item say: whether it is there for tests only."""

import re
from collections.abc import Iterator

_TRIVIA = re.compile(r"\s+|//[^\n]*|/\*")
_COMMENT_EDGE = re.compile(r"/\*|\*/")
_ATTRIBUTE = re.compile(r"#\s*\[")
_PIECE = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)|(?P<raw>b?r(?P<hashes>\#*)".*?"(?P=hashes))|(?P<string>b?"(?:\\.|[^"\\])*")"""
    r"""|(?P<char>b?'(?:\\.[^']*|[^'\\])')|(?P<word>(?:r\#)?\w+)|(?P<other>.)""",
    re.DOTALL | re.VERBOSE,
)
_TESTS = {"test", "bench", "rstest", "test_case", "quickcheck", "wasm_bindgen_test"}
_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_DEPTH = 64  # of predicates within each other; what lies deeper is not looked into


def only_for_tests(symbol: bytes) -> bool:
    """Whether an item, from its leading comments and attributes on, is a test or compiled for tests only.

    `#[test]` and its relatives (`#[tokio::test]`), and `#[cfg(...)]` that cannot hold without `test`.
    """
    return any(_is_test(tokens) for tokens in _attributes(symbol.decode("utf-8", "replace")))


def _is_test(tokens: list[str]) -> bool:
    if tokens[:2] == ["cfg", "("]:
        predicate = tokens[2:-1]
        return _holds(predicate, False) is False and _holds(predicate, True) is not False
    path = tokens[: next((i for i, token in enumerate(tokens) if token in ("(", "=", "[", "{")), len(tokens))]
    return bool(path) and path[-1] in _TESTS


def _holds(predicate: list[str], tests: bool, depth: int = 0) -> bool | None:
    """Whether a predicate of `cfg` holds where `test` is as given; None: other settings decide."""
    if predicate == ["test"]:
        return tests
    if predicate[1:2] != ["("] or depth == _DEPTH:
        return {"true": True, "false": False}.get("".join(predicate))
    parts = [_holds(part, tests, depth + 1) for part in _parts(predicate[2:-1])]
    if predicate[0] == "not" and len(parts) == 1:
        return None if parts[0] is None else not parts[0]
    if predicate[0] not in ("all", "any"):
        return None
    decisive = predicate[0] == "any"
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive


def _parts(tokens: list[str]) -> Iterator[list[str]]:
    """The tokens between the commas that stand in no parenthesis."""
    part: list[str] = []
    depth = 0
    for token in tokens:
        depth += (token in _OPENING) - (token in _CLOSING)
        if token == "," and depth == 0:
            yield part
            part = []
        else:
            part.append(token)
    if part:
        yield part


def _attributes(text: str) -> Iterator[list[str]]:
    """The tokens of each attribute that a text begins with, without the brackets around."""
    at = _solid(text, 0)
    while (opened := _ATTRIBUTE.match(text, at)) is not None:
        tokens: list[str] = []
        depth, at = 1, opened.end()
        while depth and (piece := _PIECE.match(text, at)) is not None:
            at = piece.end()
            token = piece[0]
            depth += (token in _OPENING) - (token in _CLOSING)
            if depth and piece["skip"] is None:
                tokens.append(token)
        if depth:
            return  # it has no end
        yield tokens
        at = _solid(text, at)


def _solid(text: str, at: int) -> int:
    """Where what is neither white space nor comment begins, from `at` on."""
    while (trivia := _TRIVIA.match(text, at)) is not None:
        at = trivia.end()
        depth = int(trivia[0] == "/*")  # block comments nest
        while depth:
            edge = _COMMENT_EDGE.search(text, at)
            if edge is None:
                return len(text)
            depth += 1 if edge[0] == "/*" else -1
            at = edge.end()
    return at
