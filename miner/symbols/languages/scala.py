"""Scala, 2 and 3."""

from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import OPEN, WRAP, Language, Rule, flat
from miner.symbols.model import Shape

_COMMENTS = frozenset({"comment", "block_comment"})


def _defined(node: Node) -> str | None:
    """The name that a value is bound to, `a, b` of several; a pattern that takes something apart has none."""
    pattern = node.child_by_field_name("pattern")
    return flat(pattern) if pattern is not None and pattern.type in ("identifier", "identifiers") else None


def _declared(node: Node) -> str | None:
    return ", ".join(flat(name) for name in node.children_by_field_name("name")) or None


def _given(node: Node) -> str:
    """The name of a given, or what it gives: `given Ord[Int]`."""
    return flat(node.child_by_field_name("name")) or f"given {flat(node.child_by_field_name('return_type'))}"


def _object(_definition: Node, _outer: Node) -> str:
    return "object"  # tells a companion from its class


def _apart(definition: Node, outer: Node) -> str:
    """The types of the parameters by list, `Int)(String`; those of an extension's receiver in front."""
    extended = outer.children_by_field_name("parameters") if outer.type == "extension_definition" else []
    lists = [*extended, *definition.children_by_field_name("parameters")]
    return ")(".join(", ".join(_types(one)) for one in lists if one.type == "parameters")


def _types(parameters: Node) -> Iterator[str]:
    for parameter in parameters.named_children:
        if parameter.type == "parameter":
            yield flat(parameter.child_by_field_name("type"))


def _entries(node: Node) -> Iterator[str]:
    """The bindings of an import statement, each as the statement that would bind it alone."""
    path: list[str] = []
    for child in node.children[1:]:
        if child.type == "namespace_selectors":
            for selector in child.named_children:
                if selector.type not in _COMMENTS:
                    yield f"import {'.'.join([*path, flat(selector)])}"
            path = []
        elif child.type == "," and path:
            yield f"import {'.'.join(path)}"
            path = []
        elif child.is_named and child.type not in _COMMENTS:
            path.append(flat(child))
    if path:
        yield f"import {'.'.join(path)}"


def _binds(entry: str) -> str | None:
    """`C` of `import a.C`, `D` of `import a.C => D` and `import a.C as D`; None for wildcards and what is hidden."""
    last = entry.split()[-1].rpartition(".")[2]
    return None if last in ("_", "*", "given") else last


_CLASS = Rule(Shape.CLASS)
_FUNCTION = Rule(Shape.FUNCTION, apart=_apart)

SCALA = Language(
    grammar="scala",
    silent_imports=True,
    reached_by_dot=True,
    suffixes=(".scala", ".sc"),
    rules={
        **dict.fromkeys(("class_definition", "trait_definition", "enum_definition", "package_object"), _CLASS),
        "object_definition": Rule(Shape.CLASS, apart=_object),
        "function_definition": _FUNCTION,
        "function_declaration": _FUNCTION,
        **dict.fromkeys(("val_definition", "var_definition"), Rule(Shape.VALUE, name=_defined)),
        **dict.fromkeys(("val_declaration", "var_declaration"), Rule(Shape.VALUE, name=_declared)),
        "type_definition": Rule(Shape.VALUE),
        "given_definition": Rule(Shape.VALUE, name=_given, value="body"),
        "extension_definition": WRAP,
        "import_declaration": Rule(Shape.IMPORT, entries=_entries),
        **dict.fromkeys(("package_clause", "template_body", "with_template_body", "enum_body"), OPEN),
    },
    comments=_COMMENTS,
    nested=(b"def ", b"class ", b"object ", b"trait ", b"enum ", b"given "),
    classes=frozenset({"with_template_body"}),
    binds=_binds,
)
