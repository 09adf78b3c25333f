"""C++."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import OPEN, WRAP, Language, Rule, flat, picked, text
from miner.symbols.languages.c import PREPROCESSOR, core_of, fixed, is_prototype
from miner.symbols.languages.macros import masked
from miner.symbols.model import Shape

_BLANKS = re.compile(r"(?<=[<(\[])\s+|\s+(?=[*&\[\].,)>])")  # those that types are written without
_QUALIFIERS = ("type_qualifier", "ref_qualifier")
_TYPES = ("class_specifier", "struct_specifier", "union_specifier", "enum_specifier")


def _dotted(name: Node | None) -> str:
    """A name as symbols are written: `a::b<T>::c` is `a.b<T>.c`."""
    if name is None:
        return ""
    if name.type in ("qualified_identifier", "dependent_name"):
        scope = name.child_by_field_name("scope")
        last = _dotted(name.child_by_field_name("name"))
        return last if scope is None else f"{_dotted(scope)}.{last}"
    if name.type == "nested_namespace_specifier":
        return ".".join(_dotted(child) for child in name.named_children)
    if name.type == "operator_cast":  # its parameters and qualifiers are in it
        return flat(name).partition("(")[0].strip()
    return flat(name) if name.type != "template_type" else _BLANKS.sub("", flat(name))


def _named(node: Node) -> str | None:
    return _dotted(node.child_by_field_name("name")) or None


def _declared(node: Node) -> str | None:
    """The names that a declaration declares: `a`, or `a, b`."""
    cores = (core_of(d)[0] for d in node.children_by_field_name("declarator"))
    return ", ".join(_dotted(core) for core in cores) or None


def _type_of(parameter: Node) -> str:
    """A parameter without its name and default value."""
    start, whole = parameter.start_byte, parameter.text or b""
    if parameter.type == "optional_parameter_declaration":
        default = parameter.child_by_field_name("default_value")
        whole = whole[: None if default is None else default.start_byte - start].rstrip().removesuffix(b"=")
    declarator = parameter.child_by_field_name("declarator")
    name = None if declarator is None else _parameter_name(declarator)
    if name is not None:
        whole = whole[: name.start_byte - start] + b" " + whole[name.end_byte - start :]
    return _BLANKS.sub("", " ".join(whole.decode("utf-8", "surrogateescape").split()))


def _parameter_name(node: Node) -> Node | None:
    """The identifier in a parameter's declarator: the one that is in no list of parameters or size of an array."""
    while node.type != "identifier":
        inner = node.child_by_field_name("declarator")
        if inner is None:
            inner = next((c for c in node.named_children if c.type == "identifier" or "declarator" in c.type), None)
        if inner is None:
            return None
        node = inner
    return node


def _apart(node: Node, _outer: Node) -> str:
    """The types of the parameters and what qualifies the method: `int, char*; const`."""
    declarator = node.child_by_field_name("declarator")
    if declarator is None:
        return ""
    function = core_of(declarator)[1]
    parts = [] if function is None else [
        ", ".join(_types(function)), *(text(c) for c in function.named_children if c.type in _QUALIFIERS)
    ]  # fmt: skip
    # A declaration without a type is a constructor's: like other members that are only declared, it is plain.
    if node.type == "declaration" and node.child_by_field_name("type") is not None and is_prototype(node):
        parts.append("declaration")
    return "; ".join(part for part in parts if part)


def _types(function: Node) -> Iterator[str]:
    parameters = function.child_by_field_name("parameters")
    for child in () if parameters is None else parameters.children:
        if child.type == "...":
            yield "..."
        elif child.is_named and child.type != "comment" and child.text != b"void":
            yield _type_of(child)


def _is_type(node: Node | None) -> bool:
    """Whether a type is defined here, and has a name."""
    return (
        node is not None
        and node.type in _TYPES
        and node.child_by_field_name("body") is not None
        and node.child_by_field_name("name") is not None
    )


def _pick_declaration(node: Node) -> Rule:
    """`struct A { ... } a;` is the struct."""
    return WRAP if _is_type(node.child_by_field_name("type")) else _DECLARATION


def _pick_class(node: Node) -> Rule:
    return _FORWARD if node.child_by_field_name("body") is None else _CLASS


def _pick_namespace(node: Node) -> Rule:
    return OPEN if node.child_by_field_name("name") is None else _CLASS


def _using(node: Node) -> Iterator[str]:
    yield flat(node).rstrip("; ")


def _binds(entry: str) -> str | None:
    """`y` of `using x::y`; None for whole namespaces, modules and `#include`."""
    words = entry.split()
    if words[0] != "using" or words[1] == "namespace":
        return None
    return words[-1].rpartition("::")[2]


_CLASS = Rule(Shape.CLASS, name=_named)
_FORWARD = fixed("declaration", _named)
_DECLARATION = Rule(Shape.VALUE, name=_declared, apart=_apart)
_VALUE = Rule(Shape.VALUE, name=_named)
_USING = Rule(Shape.IMPORT, entries=_using)

CPP = Language(
    grammar="cpp",
    suffixes=(".cc", ".cpp", ".cxx", ".hpp", ".hh", ".hxx", ".h", ".ipp", ".tpp"),
    rules={
        **PREPROCESSOR,
        "function_definition": Rule(Shape.FUNCTION, name=_declared, apart=_apart),
        **dict.fromkeys(("declaration", "field_declaration"), picked(_pick_declaration)),
        **dict.fromkeys(("class_specifier", "struct_specifier", "union_specifier"), picked(_pick_class)),
        "namespace_definition": picked(_pick_namespace),
        **dict.fromkeys(("type_definition", "template_instantiation"), _DECLARATION),
        **dict.fromkeys(
            ("enum_specifier", "alias_declaration", "concept_definition", "namespace_alias_definition"), _VALUE
        ),
        **dict.fromkeys(("using_declaration", "import_declaration"), _USING),
        **dict.fromkeys(
            ("template_declaration", "friend_declaration", "linkage_specification", "export_declaration"), WRAP
        ),
        **dict.fromkeys(("declaration_list", "field_declaration_list"), OPEN),
    },
    nested=(b"class ", b"struct ", b"union "),
    masked=masked,
    binds=_binds,
)
