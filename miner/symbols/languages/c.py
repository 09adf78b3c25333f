"""C."""

from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import OPEN, WRAP, Language, Name, Rule, by_field, flat
from miner.symbols.languages.macros import masked
from miner.symbols.model import Shape

_BARE = ("parenthesized_declarator", "attributed_declarator", "reference_declarator", "variadic_declarator")
_CORES = ("structured_binding_declarator", "operator_cast")


def core_of(declarator: Node) -> tuple[Node, Node | None]:
    """What a declarator declares, below its `*`, `[]` and `()`, and the function declarator right around it.

    The latter is None for anything but a function: a pointer to one is none.
    """
    node, function = declarator, None
    while node.type not in _CORES:
        inner = node.child_by_field_name("declarator")
        if inner is None and node.type in _BARE:  # these hold it in no field
            inner = next((c for c in node.named_children if not c.type.startswith("attribute")), None)
        if inner is None:
            break
        if node.type == "function_declarator":
            function = node
        elif node.type != "parenthesized_declarator":
            function = None
        node = inner
    return node, function


def _declared(node: Node) -> str | None:
    """The names that a declaration declares: `a`, or `a, b`."""
    cores = (core_of(d)[0] for d in node.children_by_field_name("declarator"))
    return ", ".join(flat(core) for core in cores) or None


def is_prototype(node: Node) -> bool:
    """Whether a declaration only says that something is defined elsewhere: a prototype, or `extern`."""
    if any(child.type == "storage_class_specifier" and child.text == b"extern" for child in node.named_children):
        return True
    declarator = node.child_by_field_name("declarator")
    return declarator is not None and core_of(declarator)[1] is not None


def _apart(node: Node, _outer: Node) -> str:
    return "declaration" if is_prototype(node) else ""


def _apart_tag(node: Node, _outer: Node) -> str:
    """`struct` of what a struct contains; `struct declaration` where that is left out."""
    kind = node.type.removesuffix("_specifier")
    return kind if node.child_by_field_name("body") is not None else f"{kind} declaration"


def fixed(apart: str, name: Name = by_field("name")) -> Rule:
    """A value that one word tells from its namesakes."""
    return Rule(Shape.VALUE, name=name, apart=lambda _definition, _outer: apart)


def include(node: Node) -> Iterator[str]:
    """An `#include` on one line."""
    yield f"#include {flat(node.child_by_field_name('path'))}"


MACRO = fixed("macro")
PREPROCESSOR = {
    "preproc_include": Rule(Shape.IMPORT, entries=include),
    "preproc_def": MACRO,
    "preproc_function_def": MACRO,
    **dict.fromkeys(("preproc_if", "preproc_ifdef", "preproc_elif", "preproc_elifdef", "preproc_else"), OPEN),
}
_TAG = Rule(Shape.VALUE, apart=_apart_tag)

C = Language(
    grammar="c",
    suffixes=(".c",),
    rules={
        **PREPROCESSOR,
        "function_definition": Rule(Shape.FUNCTION, name=_declared),
        "declaration": Rule(Shape.VALUE, name=_declared, apart=_apart),
        "type_definition": fixed("typedef", _declared),
        **dict.fromkeys(("struct_specifier", "union_specifier", "enum_specifier"), _TAG),
        "linkage_specification": WRAP,
        "declaration_list": OPEN,
    },
    masked=masked,
)
