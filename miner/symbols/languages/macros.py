"""Macros that the grammars of C and C++ cannot read, blanked out for the parser only.

`class API A {`, `NORETURN void f();`, `BEGIN_NAMESPACE` alone on its line: a grammar that does not expand macros
loses the definition, and often all that follows. These shapes are recognized by words in capitals where
no name can stand. A wrong guess costs a name at most: symbols are compared by the text as it is.
"""

import re

_WORD = rb"[A-Z][A-Z0-9_]{2,}(?!\w)"
_FLAT = rb"[^(){};]*"
_ARGUMENTS = rb"\(" + _FLAT + rb"(?:\(" + _FLAT + rb"(?:\(" + _FLAT + rb"\)" + _FLAT + rb")*\)" + _FLAT + rb")*\)"
_NAME = rb"[A-Za-z_][\w:]*(?:<[^;{}()]{0,200}?>)?"
_BELOW = (  # what stands below or right of a macro, by what the macro is
    rb"(?P<specifier>(?=\s+(?:(?:const\s+)?(?!const\b)" + _NAME + rb"[\s*&]+[\w~]"  # API int f()
    rb"|template\s*<|~|\w+\s*" + _ARGUMENTS + rb"\s*(?:noexcept\s*)?:[^:])))"
    rb"|(?P<attribute>(?=\s+" + _NAME + rb"\s*(?:final\s*)?[:{]))"  # class API A {
    rb"|(?P<suffix>(?=\s*[;{]))"  # int f() NOEXCEPT;
    rb"|(?P<parameter>(?=\s*[,>]))"  # template <class T, ENABLE_IF(...)>
    rb"|(?P<condition>(?=[ ]?\())"  # if CONSTEXPR (...)
    rb"|(?P<statement>(?=[ \t]*\r?$)(?!\s*(?:\{|\w+\s*\()))"  # BEGIN_NAMESPACE, no type of `f(` below
)
_MACRO = re.compile(_WORD + rb"(?P<call>" + _ARGUMENTS + rb")?(?:" + _BELOW + rb")", re.MULTILINE)
_ABOVE = {
    "specifier": re.compile(rb"(?<!\w)\Z"),
    "attribute": re.compile(rb"\b(?:class|struct|union)\s+\Z"),
    "suffix": re.compile(rb"(?:\)|\bconst)(?:[ \t]|\r?\n[ \t])[ \t]*\Z"),
    "parameter": re.compile(rb",\s*\Z"),
    "condition": re.compile(rb"\bif \Z"),
    "statement": re.compile(rb"(?:\n|[;{}:>]\s*?\n[ \t]+|\A[ \t]*)\Z"),  # indented, it stands below an end
}
_SOLID = re.compile(rb"[^\r\n]")
_NEAR = 80


def masked(source: bytes) -> bytes:
    """A text of the same length and the same lines, with such macros blank."""
    readable = bytearray(source)
    for match in _MACRO.finditer(source):
        start = _start(match, source)
        if start is not None:
            readable[start : match.end()] = _SOLID.sub(b" ", source[start : match.end()])
    return bytes(readable)


def _start(match: re.Match[bytes], source: bytes) -> int | None:
    """Where the blank begins, or None where this is no such macro."""
    shape, at = match.lastgroup, match.start()
    near = source[max(0, at - _NEAR) : at]
    above = _ABOVE[shape].search(near) if shape is not None else None
    if above is None or near[near.rfind(b"\n") + 1 :].lstrip().startswith(b"#"):
        return None
    if shape == "parameter":  # with its comma
        return at - len(near) + above.start() if match["call"] else None
    return at
