"""Lines that are a comment and nothing else, in the language that a file has by its name."""

import re
from collections.abc import Collection
from pathlib import PurePosixPath

from miner.symbols.files import language_of
from miner.symbols.language import Language
from miner.symbols.parse import parse

# How comments begin in files without symbols: the line comment, and the ends of a block comment.
_HASH, _SLASHES, _DASHES, _SEMICOLON = ("#",), ("//",), ("--",), (";", "#")
_MARKUP = ("<!--",)
_BY_SUFFIX: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((".yaml", ".yml", ".toml", ".sh", ".bash", ".zsh", ".fish", ".r", ".pl", ".jl", ".ex", ".exs",
                     ".cmake", ".tf", ".nix", ".mk", ".properties", ".conf", ".dockerfile", ".env", ".graphql"), _HASH),
    **dict.fromkeys((".scss", ".less", ".sass", ".dart", ".zig", ".groovy", ".gradle", ".proto", ".json5", ".jsonc",
                     ".m", ".mm", ".v", ".sol", ".glsl", ".json"), _SLASHES),
    **dict.fromkeys((".sql", ".lua", ".hs", ".elm", ".adb", ".ads", ".vhd"), _DASHES),
    **dict.fromkeys((".ini", ".cfg", ".el", ".lisp", ".clj", ".asm"), _SEMICOLON),
    **dict.fromkeys((".html", ".htm", ".xml", ".svg", ".vue", ".svelte", ".md", ".markdown", ".xhtml"), _MARKUP),
    ".css": (), ".tex": ("%",), ".erl": ("%",), ".bat": ("REM ", "rem ", "::"), ".vb": ("'",), ".ml": (),
}  # fmt: skip
_BY_NAME = {"Makefile": _HASH, "Dockerfile": _HASH, "Rakefile": _HASH, "Gemfile": _HASH, "CMakeLists.txt": _HASH}
_BLOCKS = (("{/*", "*/}"), ("/*", "*/"), ("<!--", "-->"), ("(*", "*)"), ("{-", "-}"), ("--[[", "]]"))
_BLOCK_SUFFIXES = {"(*": (".ml",), "{-": (".hs", ".elm"), "--[[": (".lua",)}
_PLACEHOLDER = re.compile(r"(?:\.\.\.|pass)[ \t]+(?=#)")  # Python's body of nothing, before its comment

def remark(path: str, line: str) -> str | None:
    """What a comment says that is all of a line; None where the line is no comment."""
    text = line.strip()
    language = language_of(path)
    if language is not None and language.line_comment == "#":
        text = _PLACEHOLDER.sub("", text, count=1)
    for start, end in _BLOCKS:
        if text.startswith(start) and text.endswith(end) and len(text) >= len(start) + len(end):
            return text[len(start) : -len(end)] if _knows_block(path, start) else None
    for start in _line_comments(path):
        if text.startswith(start):
            return text[len(start) :]
    if language is not None and text.startswith("*") and not text.endswith("*/"):
        return text[1:]  # inside a block comment, or so the tree must tell
    return None


def _line_comments(path: str) -> tuple[str, ...]:
    language = language_of(path)
    if language is not None:
        return ("#", "//") if PurePosixPath(path).suffix == ".php" else (language.line_comment,)
    name = PurePosixPath(path)
    return _BY_NAME.get(name.name, _BY_SUFFIX.get(name.suffix.lower(), ()))


def _knows_block(path: str, start: str) -> bool:
    suffix = PurePosixPath(path).suffix.lower()
    language = language_of(path)
    if language is not None:
        in_jsx = start == "{/*" and suffix in (".js", ".jsx", ".tsx")
        return in_jsx or (start == "/*" and language.line_comment == "//")
    if start == "<!--":
        return _BY_SUFFIX.get(suffix) == _MARKUP
    if start == "/*":
        return _BY_SUFFIX.get(suffix) == _SLASHES or suffix in (".css", ".vue", ".svelte", ".sql")
    return suffix in _BLOCK_SUFFIXES.get(start, ())


def remarks_among(path: str, text: str, lines: Collection[int]) -> set[int]:
    """Those of the lines that are comments in the syntax tree, and no text of a string; all where there is no tree."""
    language = language_of(path)
    if language is None or not lines:
        return {*lines}
    source = text.encode("utf-8", "surrogateescape")
    root = parse(source if language.masked is None else language.masked(source), language)
    if root is None:
        return {*lines}
    found: set[int] = set()
    offset = 0
    for n, line in enumerate(text.split("\n")):
        size = len(line.encode("utf-8", "surrogateescape"))
        if n in lines:
            last = offset + len(line.rstrip().removesuffix("}").encode("utf-8", "surrogateescape")) - 1
            node = root.descendant_for_byte_range(last, last)
            if node is not None and _is_comment(node.type, language):
                found.add(n)
        offset += size + 1
    return found


def _is_comment(kind: str, language: Language) -> bool:
    return kind in language.comments or "comment" in kind


