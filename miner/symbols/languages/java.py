"""Java."""

from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import OPEN, Language, Rule, flat, text
from miner.symbols.model import Shape


def _declared(node: Node) -> str | None:
    """The names that a field declaration declares: `a`, or `a, b`."""
    return ", ".join(flat(d.child_by_field_name("name")) for d in node.children_by_field_name("declarator")) or None


def _apart(definition: Node, _outer: Node) -> str:
    """The types of the parameters; a record's compact constructor has none of its own."""
    parameters = definition.child_by_field_name("parameters")
    return "" if parameters is None else ", ".join(_types(parameters))


def _field(_definition: Node, _outer: Node) -> str:
    return "field"  # a method may have the same name


def _types(parameters: Node) -> Iterator[str]:
    for parameter in parameters.named_children:
        if parameter.type == "formal_parameter":
            dimensions = parameter.child_by_field_name("dimensions")  # `int a[]` is an `int[]`
            yield flat(parameter.child_by_field_name("type")) + flat(dimensions)
        elif parameter.type == "spread_parameter":
            spread = (c for c in parameter.named_children if c.type not in _BESIDE_A_SPREAD)
            yield flat(next(spread, None)) + "..."


def _entries(node: Node) -> Iterator[str]:
    """The statement itself on one line, without semicolon and comments."""
    parts = {child.type: text(child) for child in node.children}
    path = parts.get("scoped_identifier") or parts.get("identifier", "")
    static = "static " if "static" in parts else ""
    yield f"import {static}{''.join(path.split())}{'.*' if 'asterisk' in parts else ''}"


def _binds(entry: str) -> str | None:
    """`C` of `import a.b.C`, `m` of `import static a.B.m`; None for `*`."""
    last = entry.rpartition(".")[2].split()[-1]
    return None if last == "*" else last


_BESIDE_A_SPREAD = ("modifiers", "variable_declarator", "line_comment", "block_comment")
_CLASS = Rule(Shape.CLASS)
_FIELD = Rule(Shape.VALUE, name=_declared, apart=_field)
# Inside a function a method is one of an anonymous class, which is text of the function around it.
_METHOD = Rule(Shape.FUNCTION, apart=_apart, member=True)

JAVA = Language(
    grammar="java",
    suffixes=(".java",),
    rules={
        **dict.fromkeys(
            ("class_declaration", "interface_declaration", "enum_declaration", "record_declaration",
             "annotation_type_declaration"),
            _CLASS,
        ),
        **dict.fromkeys(
            ("method_declaration", "constructor_declaration", "compact_constructor_declaration",
             "annotation_type_element_declaration"),
            _METHOD,
        ),
        "field_declaration": _FIELD,
        "constant_declaration": _FIELD,
        "import_declaration": Rule(Shape.IMPORT, entries=_entries),
        **dict.fromkeys(
            ("class_body", "interface_body", "enum_body", "enum_body_declarations", "annotation_type_body"), OPEN
        ),
    },
    comments=frozenset({"line_comment", "block_comment"}),
    nested=(b"class ", b"interface ", b"enum ", b"record "),
    binds=_binds,
)  # fmt: skip
