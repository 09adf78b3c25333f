"""Rust."""

from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import OPEN, WRAP, Language, Rule, flat
from miner.symbols.languages.rust_attributes import only_for_tests
from miner.symbols.model import Shape

_COMMENTS = frozenset({"line_comment", "block_comment"})
_DEPTH = 64  # of use trees within each other; what lies deeper is read as one path


def _impl(node: Node) -> str:
    """`impl Display for X<T>`, without the parameters and bounds that stand around it."""
    of, trait = (flat(node.child_by_field_name(field)) for field in ("type", "trait"))
    if not trait:
        return f"impl {of}"
    negative = "!" if any(child.type == "!" for child in node.children) else ""
    return f"impl {negative}{trait} for {of}"


def _bounds(node: Node, _outer: Node) -> str:
    """What tells two `impl W<T>` apart: the bounds of their parameters."""
    parts = [flat(node.child_by_field_name("type_parameters")).strip("<>")]
    parts += [flat(child) for child in node.named_children if child.type == "where_clause"]
    return " ".join(filter(None, parts))


def _macro(node: Node) -> str:
    return f"{flat(node.child_by_field_name('macro'))}!"


def _first_argument(node: Node, _outer: Node) -> str:
    """`a` of `my_test!(a, ...)`: macros that define something mostly name it first."""
    tokens = next((child.named_children for child in node.named_children if child.type == "token_tree"), [])
    return flat(tokens[0]) if tokens and tokens[0].type == "identifier" else ""


def _entries(node: Node) -> Iterator[str]:
    """A tree of uses as single ones: `use a::b`, `use a::c as d`, `use a::e::*`."""
    visibility = "".join(f"{flat(child)} " for child in node.named_children if child.type == "visibility_modifier")
    tree = node.child_by_field_name("argument")
    if tree is None:  # extern crate
        alias = flat(node.child_by_field_name("alias"))
        yield f"{visibility}extern crate {flat(node.child_by_field_name('name'))}" + (f" as {alias}" if alias else "")
        return
    for path in _paths(tree, "", 0):
        yield f"{visibility}use {path}"


def _paths(tree: Node, prefix: str, depth: int) -> Iterator[str]:
    """The paths of a use tree that stands behind `prefix`, in order."""
    inner = tree if tree.type == "use_list" else tree.child_by_field_name("list")
    if inner is not None and depth < _DEPTH:
        within = prefix if inner == tree else f"{prefix}{flat(tree.child_by_field_name('path'))}::"
        for child in inner.named_children:
            if child.type not in _COMMENTS:
                yield from _paths(child, within, depth + 1)
        return
    name, keyword, alias = flat(tree).partition(" as ")
    name = name.replace(" ", "")
    # `use a::{self}` is `use a`
    yield (prefix.removesuffix("::") if prefix and name == "self" else prefix + name) + keyword + alias


def _binds(entry: str) -> str | None:
    """The name that an entry binds: `c` of `use a::b as c`, `b` of `use a::b`; None for `*` and `_`."""
    name = entry.split()[-1].rpartition("::")[2]
    return None if name in ("*", "_") else name


_FUNCTION = Rule(Shape.FUNCTION, value="body")  # what stands before the body defines nothing
_VALUE = Rule(Shape.VALUE)
_IMPORT = Rule(Shape.IMPORT, entries=_entries)

RUST = Language(
    grammar="rust",
    by_import=True,
    silent_imports=True,
    suffixes=(".rs",),
    rules={
        **dict.fromkeys(("function_item", "function_signature_item", "macro_definition"), _FUNCTION),
        **dict.fromkeys(("struct_item", "enum_item", "union_item"), _FUNCTION),
        **dict.fromkeys(("const_item", "static_item", "type_item", "associated_type"), _VALUE),
        "trait_item": Rule(Shape.CLASS, value="body"),
        "impl_item": Rule(Shape.CLASS, name=_impl, apart=_bounds, value="body"),
        "mod_item": Rule(Shape.VALUE, value="body"),
        "macro_invocation": Rule(Shape.VALUE, name=_macro, apart=_first_argument),
        "expression_statement": WRAP,
        **dict.fromkeys(("foreign_mod_item", "declaration_list"), OPEN),
        **dict.fromkeys(("use_declaration", "extern_crate_declaration"), _IMPORT),
    },
    comments=_COMMENTS,
    attributes=frozenset({"attribute_item"}),
    inner=(b"//!", b"/*!"),
    nested=(b"fn ", b"struct ", b"enum ", b"union ", b"trait ", b"impl ", b"impl<", b"mod ", b"macro_rules!"),
    classes=frozenset({"declaration_list"}),
    binds=_binds,
    tests=only_for_tests,
)
