"""Go."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import OPEN, WRAP, Language, Rule, flat, text
from miner.symbols.model import Shape

_VERSION = re.compile(r"v[0-9]+")
_IDENTIFIER = re.compile(r"\w+")


def _group(node: Node) -> Rule:
    """Each part of a `const ( ... )` stands for itself, even where there is one; `const A = 1` is one with its part."""
    return OPEN if node.child_count > 1 and node.children[1].type == "(" else WRAP


def _names(node: Node) -> str | None:
    """What a declaration binds: `a, b` of `var a, b = 1, 2`."""
    return ", ".join(flat(name) for name in node.children_by_field_name("name") if name.is_named) or None


def _apart(node: Node, _outer: Node) -> str:
    """The type of a `var _ I = ...`, of which a file may hold many."""
    return flat(node.child_by_field_name("type"))


def _method(node: Node) -> str | None:
    """`(*Server).Serve`: the receiver's type without its parameters, and the name."""
    receiver = node.child_by_field_name("receiver")
    declared = receiver.named_children if receiver is not None else []
    of = declared[0].child_by_field_name("type") if declared else None
    star = ""
    while of is not None and of.type in ("pointer_type", "parenthesized_type"):
        star += "*" if of.type == "pointer_type" else ""
        of = next(iter(of.named_children), None)
    if of is not None and of.type == "generic_type":
        of = of.child_by_field_name("type")
    return f"({star}{flat(of)}).{flat(node.child_by_field_name('name'))}"


def _entries(node: Node) -> Iterator[str]:
    """The imported packages, each as the statement that would import it alone."""
    for spec in node.named_children:
        if spec.type == "import_spec_list":
            yield from _entries(spec)
        elif spec.type == "import_spec":
            name = flat(spec.child_by_field_name("name"))
            path = text(spec.child_by_field_name("path")).strip('`"')
            yield f'import {name} "{path}"' if name else f'import "{path}"'


def _binds(entry: str) -> str | None:
    """The name that an entry binds; without one, what its path suggests: `b` of `a/go-b.v1/v2`."""
    name, _, path = entry.removeprefix("import ").rpartition(" ")
    if name:
        return None if name in ("_", ".") else name
    parts = path.strip('"').split("/")
    if len(parts) > 1 and _VERSION.fullmatch(parts[-1]):
        parts.pop()
    suggested = _IDENTIFIER.match(parts[-1].removeprefix("go-"))
    return suggested[0] if suggested else None


_GROUP = Rule(Shape.WRAP, pick=_group)

GO = Language(
    grammar="go",
    suffixes=(".go",),
    rules={
        "function_declaration": Rule(Shape.FUNCTION),
        "method_declaration": Rule(Shape.FUNCTION, name=_method),
        **dict.fromkeys(("const_declaration", "var_declaration", "type_declaration"), _GROUP),
        "var_spec_list": OPEN,
        **dict.fromkeys(("const_spec", "var_spec"), Rule(Shape.VALUE, name=_names, apart=_apart)),
        **dict.fromkeys(("type_spec", "type_alias"), Rule(Shape.FUNCTION, value="type")),
        "method_elem": Rule(Shape.VALUE),
        "import_declaration": Rule(Shape.IMPORT, entries=_entries),
    },
    nested=(b"type ",),
    classes=frozenset({"interface_type"}),
    binds=_binds,
)
