"""The second injector's outlines: definitions of a file by `ast` (Python) or by regular expressions and indentation.

Only what is certain is offered: an outline may miss definitions, it must not invent any.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.second_pieces import lines_of
from miner import python_ast


@dataclass(frozen=True)
class Definition:
    """A function, class or constant: lines `start` to `end` (half-open, from 0, with the comments right above it).

    New statements may go in front of line `body`, indented by `indent`; `plain` says that no other is nested in it.
    """

    name: str
    kind: str  # function, class, constant
    start: int
    end: int
    body: int
    indent: str
    plain: bool

    @property
    def owner(self) -> str:
        """The class it stands in, or the empty string."""
        return self.name.rpartition(".")[0]


@dataclass(frozen=True)
class Outline:
    """The definitions of one file whose names are alone, and its top-level import statements of one line each."""

    lines: list[str]
    definitions: dict[str, Definition]
    imports: tuple[int, ...] = ()

    def text(self, name: str) -> str:
        """The lines of a definition."""
        found = self.definitions[name]
        return "".join(self.lines[found.start : found.end])

    def functions(self) -> list[Definition]:
        """Functions and methods, from top to bottom."""
        return sorted((d for d in self.definitions.values() if d.kind == "function"), key=lambda d: d.start)


def outline(path: str, text: str) -> Outline | None:
    """The outline of a file, None where its language is not known or it does not parse."""
    suffix = path.rpartition(".")[2]
    if suffix == "py":
        return _python(text)
    pattern = _HEADERS.get(suffix)
    return _braces(text, pattern) if pattern else None


def _alone(found: list[Definition]) -> dict[str, Definition]:
    names = [one.name for one in found]
    return {one.name: one for one in found if names.count(one.name) == 1}


def _python(text: str) -> Outline | None:
    try:
        tree = python_ast.parse(text.removeprefix("\ufeff"))
    except (SyntaxError, ValueError):
        return None
    lines = lines_of(text)
    if "\f" in text or "\r" in text.replace("\r\n", "\n") or len(lines) != len(text.splitlines()):
        return None  # ast counts lines otherwise
    imports = tuple(
        node.lineno - 1
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        and node.lineno == node.end_lineno
        and ";" not in lines[node.lineno - 1]
    )
    return Outline(lines, _alone(list(_nodes(tree.body, "", lines, True))), imports)


def _nodes(body: list[ast.stmt], prefix: str, lines: list[str], offered: bool) -> Iterator[Definition]:
    for node in body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                kind = "class" if isinstance(node, ast.ClassDef) else "function"
                yield _block(node, kind, prefix, lines)
                if kind == "class":
                    yield from _nodes(node.body, f"{prefix}{node.name}.", lines, offered)
            case ast.Assign(targets=[ast.Name(id=name)]) if node.lineno == node.end_lineno:
                at = node.lineno - 1
                yield Definition(prefix + name, "constant", at, at + 1, at, "", True)
            case _:  # namesakes in `if` and `try` must be known, so that no name is taken to be alone
                for field in ("body", "orelse", "finalbody", "handlers"):
                    inner = getattr(node, field, [])
                    flat = [s for one in inner for s in (one.body if isinstance(one, ast.ExceptHandler) else [one])]
                    for found in _nodes(flat, prefix, lines, False):
                        yield found
                        yield found  # twice: known, and not alone


def _block(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, kind: str, prefix: str, lines: list[str]
) -> Definition:
    start = min([node.lineno, *(one.lineno for one in node.decorator_list)]) - 1
    while start and re.match(r"[ \t]*#", lines[start - 1]) and _indent(lines[start - 1]) == _indent(lines[start]):
        start -= 1
    docstring = ast.get_docstring(node, clean=False) is not None
    rest = node.body[1:] if docstring else node.body
    first = rest[0] if rest else node.body[0]
    decorated = [one.lineno for one in getattr(first, "decorator_list", [])]
    body = min([first.lineno, *decorated]) - 1 if rest else (node.body[0].end_lineno or 0)
    nested = any(
        isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for one in ast.walk(node)
        if one is not node
    )
    on_one_line = body < node.lineno or node.body[0].lineno == node.lineno
    indent = "" if on_one_line else " " * node.body[0].col_offset
    return Definition(
        prefix + node.name, kind, start, node.end_lineno or 0, body, indent, not nested and not on_one_line
    )


def _indent(line: str) -> str:
    return re.match(r"[ \t]*", line)[0]  # type: ignore[index]


_NAME = r"[A-Za-z_$][\w$]*"
_HEADERS = {
    "js": re.compile(rf"(?:async )?function ({_NAME})\(.*\{{$|((?:{_NAME}\.)+{_NAME}) = (?:async )?function\b.*\{{$"),
    "go": re.compile(r"func ([A-Za-z_]\w*)\(.*\{$|func \(\w+ \*?(\w+)\) \w+\(.*\{$"),
    "java": re.compile(r"[ \t]+(?:public |private |protected |static |final )+[\w<>\[\], ]+ (\w+)\([^;]*\) ?\{$"),
}


def _braces(text: str, header: re.Pattern[str]) -> Outline:
    lines, found = lines_of(text), []
    for at, line in enumerate(lines):
        match = header.match(line.rstrip())
        if match is None:
            continue
        indent = _indent(line)
        close = re.compile(rf"{indent}\}}[;)]*\s*$")
        end = next((i for i in range(at + 1, len(lines)) if close.match(lines[i])), None)
        inside = "".join(lines[at + 1 : end])
        if end is None or inside.count("{") != inside.count("}"):
            continue
        start = at
        while start and re.match(r"[ \t]*(//|/\*|\*)", lines[start - 1]):
            start -= 1
        name = next(group for group in match.groups() if group)
        plain = not re.search(rf"function {_NAME}|: (async )?function|{_NAME} = (async )?function|=>|\bclass\b", inside)
        found.append(Definition(name, "function", start, end + 1, at + 1, indent + "  ", plain))
    return Outline(lines, _alone(found))
