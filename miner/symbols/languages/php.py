"""PHP."""

from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import OPEN, Language, Rule, by_field, flat, picked, text
from miner.symbols.model import Shape


def _elements(node: Node) -> str | None:
    """The names that a constant or property declaration declares: `A`, or `$a, $b`."""
    elements = [child for child in node.named_children if child.type in ("const_element", "property_element")]
    return ", ".join(flat(next(iter(element.named_children), None)) for element in elements) or None


def _defined(node: Node) -> str | None:
    """`A` of `define('A', 1)`."""
    arguments = node.child_by_field_name("arguments")
    first = next(iter(arguments.named_children), None) if arguments is not None else None
    return flat(first).strip("'\"") or None


def _pick_call(node: Node) -> Rule | None:
    return _DEFINE if text(node.child_by_field_name("function")) == "define" else None


def _pick_assignment(node: Node) -> Rule | None:
    """A variable of the file; `$a->b = 1` and `[$a, $b] = ...` are statements."""
    left = node.child_by_field_name("left")
    return _VARIABLE if left is not None and left.type == "variable_name" else None


def _entries(node: Node) -> Iterator[str]:
    """The bindings of a `use` statement, each as the statement that would bind it alone."""
    group = node.child_by_field_name("body")
    prefix = "".join(flat(child) + "\\" for child in node.named_children if child.type == "namespace_name")
    kind = _kind(node)
    for clause in (node if group is None else group).named_children:
        if clause.type == "namespace_use_clause":
            path = flat(next(iter(clause.named_children), None)).removeprefix("\\")
            alias = flat(clause.child_by_field_name("alias"))
            yield f"use {kind or _kind(clause)}{prefix}{path}" + (f" as {alias}" if alias else "")


def _kind(node: Node) -> str:
    """`function ` or `const ` where a statement or clause says so."""
    return next((f"{child.type} " for child in node.children if child.type in ("function", "const")), "")


def _binds(entry: str) -> str | None:
    """`Y` of `use A\\X as Y`, `X` of `use A\\X`."""
    return entry.split()[-1].rpartition("\\")[2]


_CLASS = Rule(Shape.CLASS)
_FUNCTION = Rule(Shape.FUNCTION)
_ELEMENTS = Rule(Shape.VALUE, name=_elements)
_DEFINE = Rule(Shape.VALUE, name=_defined)
_VARIABLE = Rule(Shape.VALUE, name=by_field("left"))

PHP = Language(
    grammar="php",
    suffixes=(".php",),
    rules={
        "function_definition": _FUNCTION,
        "method_declaration": _FUNCTION,
        **dict.fromkeys(
            ("class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"), _CLASS
        ),
        "const_declaration": _ELEMENTS,
        "property_declaration": _ELEMENTS,
        "function_call_expression": picked(_pick_call),
        "assignment_expression": picked(_pick_assignment),
        "namespace_use_declaration": Rule(Shape.IMPORT, entries=_entries),
        **dict.fromkeys(
            ("namespace_definition", "compound_statement", "declaration_list", "enum_declaration_list",
             "expression_statement", "if_statement", "else_clause", "else_if_clause", "colon_block", "try_statement",
             "catch_clause", "finally_clause"),
            OPEN,
        ),
    },
    nested=(b"function ", b"class ", b"interface ", b"trait ", b"enum "),
    binds=_binds,
)  # fmt: skip
