"""One spelling for texts of a source file that may be written in several: numbers, strings, comments."""

import re
from functools import cache

_VERBATIM = re.compile(r"string|heredoc|nowdoc|regex|char_|character|rune|quoted|template_literal")
_SPACED = frozenset({"concatenated_string", "chained_string", "string_array"})
_NUMBER = re.compile(
    r"number|integer|float|(?:\w+_)?(?:int|integer|float|floating_point|imaginary|real|number)_literal"
)
_MARKER = re.compile(rb"\A(?:#+|//+|/\*+)")
_QUOTED = re.compile(rb"\\(.)", re.DOTALL)
_NAME = re.compile(rb"[A-Za-z_$][\w$]*\Z|(?:0|[1-9][0-9]*)\Z")
_EXPONENT = re.compile(rb"e\+?(-?)0*(?=[0-9])")
_TOKEN = re.compile(rb"""\w+|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[][(){},;]|[^][(){},;\w\s"']+|["']""")
_LINES = re.compile(rb"[ \t]*\r?\n\s*")


@cache
def verbatim(kind: str) -> bool:
    """Whether white space inside a node of this type is part of a text."""
    return _VERBATIM.search(kind) is not None and kind not in _SPACED


@cache
def is_number(kind: str) -> bool:
    """Whether a leaf of this type is a number."""
    return _NUMBER.fullmatch(kind) is not None


def number(text: bytes, fractions: bool) -> bytes:
    """A number in lower case; with `fractions`, in its shortest form."""
    text = text.lower()
    if not fractions or text.startswith((b"0x", b"0b", b"0o")) or text.endswith(b"n"):
        return text
    digits, e, power = _EXPONENT.sub(rb"e\1", text).partition(b"e")
    if b"." in digits:
        digits = digits.rstrip(b"0").rstrip(b".")
    return (b"0" + digits if digits.startswith(b".") else digits or b"0") + (e + power if power != b"0" else b"")


def unescaped(text: bytes) -> bytes:
    """A string's contents with its quotes not escaped: which of them must be depends on those around it."""
    return _QUOTED.sub(lambda match: match[match[1] in (b'"', b"'")], text)


def opening(text: bytes) -> bytes:
    """The prefix and quotes that a Python string starts with, spelled in one way."""
    prefix = text.rstrip(b"\"'")
    letters = bytes(sorted(prefix.lower().replace(b"u", b"")))
    return letters + text[len(prefix) :].replace(b"'", b'"')


def string(text: bytes, key: bool, escapes: bool) -> bytes:
    """A string in quotes, spelled in one way; without them where it is a `key` that needs none."""
    inner = unescaped(text[1:-1]) if escapes else text[1:-1]
    return inner if key and _NAME.match(inner) else b'"' + inner + b'"'


def comment_words(text: bytes) -> list[bytes]:
    """The words of a comment: how they are laid out, and what starts its lines, is no part of it."""
    words = _MARKER.sub(b"", text).removesuffix(b"*/").split()
    return [word for word in words if word.strip(b"*")]


def markup(text: bytes) -> bytes:
    """Text between tags: line breaks, with the white space around them, are one blank, and none at the ends."""
    parts = _LINES.split(text)
    inner = [part for part in parts[1:-1] if part]
    return b" ".join([part for part in (parts[0], *inner, parts[-1] if len(parts) > 1 else b"") if part])


def macro(text: bytes) -> tuple[bytes, ...]:
    """The tokens of a macro's body, which the grammar leaves as it is."""
    return tuple(_TOKEN.findall(text.replace(b"\\\n", b" ")))
