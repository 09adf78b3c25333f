"""Swift."""

from collections.abc import Callable, Iterator

from tree_sitter import Node

from miner.symbols.language import Language, Rule, flat
from miner.symbols.model import Shape

_KINDS = ("struct", "class", "enum", "protocol", "typealias", "func", "var", "let")  # of single imported names


def _type(node: Node) -> str | None:
    """The name of a class, structure, enumeration or actor; an extension is `extension X`."""
    name = flat(node.child_by_field_name("name"))
    extends = flat(node.child_by_field_name("declaration_kind")) == "extension"
    return (f"extension {name}" if extends else name) or None


def _conditions(node: Node, _outer: Node) -> str:
    """What tells extensions of one type apart: what they conform to, and where."""
    inherited = ", ".join(flat(child) for child in node.named_children if child.type == "inheritance_specifier")
    where = " ".join(flat(child) for child in node.named_children if child.type == "type_constraints")
    return " ".join(filter(None, (inherited, where)))


def _parameters(node: Node, _outer: Node) -> str:
    """The labels and types of the parameters: `on: Int, String`."""
    return ", ".join(_parameter(child) for child in node.named_children if child.type == "parameter")


def _parameter(node: Node) -> str:
    label = flat(node.child_by_field_name("external_name") or node.child_by_field_name("name"))
    of = flat(next(reversed(node.named_children), None))
    return of if label == "_" else f"{label}: {of}"


def _properties(node: Node) -> str | None:
    """What a property declaration binds: `a, b` of `let a = 1, b = 2`."""
    patterns = (child for child in node.children_by_field_name("name") if child.type == "pattern")
    return ", ".join(flat(p.child_by_field_name("bound_identifier") or p) for p in patterns) or None


def _first(node: Node) -> str | None:
    """The name that has no field of its own: of an operator, a precedence group, a macro."""
    kinds = ("custom_operator", "simple_identifier")
    return next((flat(child) for child in node.named_children if child.type in kinds), None)


def _called(name: str) -> Callable[[Node], str]:
    return lambda _node: name


def _entries(node: Node) -> Iterator[str]:
    yield flat(node)


def _binds(entry: str) -> str | None:
    """The name of an `import struct a.B`; a whole module's names are not known."""
    words = entry.split()
    return words[-1].rpartition(".")[2] if len(words) > 1 and words[-2] in _KINDS else None


_FUNCTION = Rule(Shape.FUNCTION, apart=_parameters, value="body")
_NAMELESS = {
    kind: Rule(Shape.FUNCTION, name=_called(kind.partition("_")[0]), apart=_parameters, value="body")
    for kind in ("init_declaration", "deinit_declaration", "subscript_declaration")
}

SWIFT = Language(
    grammar="swift",
    silent_imports=True,
    reached_by_dot=True,
    suffixes=(".swift",),
    rules={
        "class_declaration": Rule(Shape.CLASS, name=_type, apart=_conditions, value="body"),
        "protocol_declaration": Rule(Shape.CLASS, value="body"),
        **dict.fromkeys(("function_declaration", "protocol_function_declaration"), _FUNCTION),
        **_NAMELESS,
        "macro_declaration": Rule(Shape.FUNCTION, name=_first, apart=_parameters),
        **dict.fromkeys(("property_declaration", "protocol_property_declaration"), Rule(Shape.VALUE, name=_properties)),
        **dict.fromkeys(("typealias_declaration", "associatedtype_declaration"), Rule(Shape.VALUE)),
        **dict.fromkeys(("operator_declaration", "precedence_group_declaration"), Rule(Shape.VALUE, name=_first)),
        "import_declaration": Rule(Shape.IMPORT, entries=_entries),
    },
    comments=frozenset({"comment", "multiline_comment"}),
    nested=(b"func ", b"class ", b"struct ", b"enum ", b"actor "),
    binds=_binds,
)
