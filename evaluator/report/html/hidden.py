"""Characters that hide, move or drive text, and how they are shown: defined here once, for Python and for the page.

Texts of models and repositories may hold control characters (ANSI escapes), marks that turn the direction of what
follows, characters of no width, and lone surrogates (bytes that were no UTF-8). All are shown as visible escapes.
"""

import re

from markupsafe import Markup, escape

# Closed ranges of code points: C0 without tab and line feed, C1; soft hyphen, joiners, fillers, marks of direction and
# isolates, separators of lines and paragraphs, variation selectors, the byte order mark, lone surrogates, tags.
_RANGES = (
    (0x00, 0x08), (0x0B, 0x1F), (0x7F, 0x9F), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160),
    (0x17B4, 0x17B5), (0x180B, 0x180F), (0x200B, 0x200F), (0x2028, 0x202E), (0x2060, 0x206F), (0x3164, 0x3164),
    (0xD800, 0xDFFF), (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF0, 0xFFFB), (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A), (0xE0000, 0xE0FFF),
)  # fmt: skip

_HIDDEN = re.compile("[" + "".join(f"\\U{a:08x}-\\U{b:08x}" for a, b in _RANGES) + "]")

SCRIPT_PATTERN = "[" + "".join(f"\\u{{{a:x}}}-\\u{{{b:x}}}" for a, b in _RANGES) + "]"
"""The same for a script: `new RegExp(SCRIPT_PATTERN, "gu")`, by which only surrogates that are alone are found."""


def escape_of(character: str) -> str:
    """How a hidden character is shown: `\\x1b`, `\\u202e`, `\\U000e0001`. The page's script does the same."""
    point = ord(character)
    return f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def visible(text: object) -> object:
    """Text as markup that shows all of it; markup and what is no text stay as they are."""
    if not isinstance(text, str) or isinstance(text, Markup):
        return text
    parts = []
    at = 0
    for found in _HIDDEN.finditer(text):
        parts += [escape(text[at : found.start()]), Markup('<span class="esc">{}</span>').format(escape_of(found[0]))]
        at = found.end()
    return Markup("").join([*parts, escape(text[at:])])


def plain(text: str) -> str:
    """The same as plain text, for attributes and labels."""
    return _HIDDEN.sub(lambda found: escape_of(found[0]), text)
