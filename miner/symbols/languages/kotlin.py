"""Kotlin."""

from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import OPEN, Language, Rule, flat, text
from miner.symbols.model import Shape

_COMMENTS = frozenset({"line_comment", "multiline_comment"})
_NAMES = ("simple_identifier", "type_identifier")


def _first(node: Node, kinds: tuple[str, ...]) -> Node | None:
    return next((child for child in node.named_children if child.type in kinds), None)


def _named(node: Node) -> str | None:
    return flat(_first(node, _NAMES)) or None


def _received(node: Node, name: str | None) -> str | None:
    """A name with the type in front that it extends: `String.shout`."""
    receiver = node.child_by_field_name("receiver")
    return f"{flat(receiver)}.{name}" if name and receiver is not None else name


def _function(node: Node) -> str | None:
    return _received(node, _named(node))


def _property(node: Node) -> str | None:
    """The name that a property declares; `a, b` of several."""
    several = _first(node, ("multi_variable_declaration",))
    declared = (several if several is not None else node).named_children
    names = (flat(_first(child, _NAMES)) for child in declared if child.type == "variable_declaration")
    return _received(node, ", ".join(names) or None)


def _companion(node: Node) -> str:
    return _named(node) or "Companion"


def _constructor(_node: Node) -> str:
    return "constructor"


def _entry(node: Node) -> str | None:
    """An enum's entry is part of the enum's own text unless it has members."""
    return _named(node) if _first(node, ("class_body",)) is not None else None


def _apart(definition: Node, _outer: Node) -> str:
    """The types of the parameters."""
    parameters = _first(definition, ("function_value_parameters",))
    return "" if parameters is None else ", ".join(_types(parameters))


def _types(parameters: Node) -> Iterator[str]:
    prefix = ""
    for child in parameters.named_children:
        if child.type == "parameter_modifiers":
            prefix = "vararg " if "vararg" in text(child) else ""
        elif child.type == "parameter":
            types = [part for part in child.named_children if part.type not in _COMMENTS]
            yield prefix + flat(types[-1])
            prefix = ""


def _entries(node: Node) -> Iterator[str]:
    """The statement itself on one line, without comments."""
    path = "".join(text(_first(node, ("identifier",))).split())
    alias = flat(_first(node, ("import_alias",)))
    wildcard = ".*" if _first(node, ("wildcard_import",)) is not None else ""
    yield f"import {path}{wildcard} {alias}".rstrip()


def _binds(entry: str) -> str | None:
    """`C` of `import a.b.C`, `D` of `import a.b.C as D`; None for `*`."""
    last = entry.split()[-1].rpartition(".")[2]
    return None if last == "*" else last


_CLASS = Rule(Shape.CLASS, name=_named)

KOTLIN = Language(
    grammar="kotlin",
    reached_by_dot=True,
    suffixes=(".kt", ".kts"),
    rules={
        "class_declaration": _CLASS,
        "object_declaration": _CLASS,
        "companion_object": Rule(Shape.CLASS, name=_companion),
        "enum_entry": Rule(Shape.CLASS, name=_entry),
        "function_declaration": Rule(Shape.FUNCTION, name=_function, apart=_apart),
        "secondary_constructor": Rule(Shape.FUNCTION, name=_constructor, apart=_apart),
        "property_declaration": Rule(Shape.VALUE, name=_property),
        "type_alias": Rule(Shape.VALUE, name=_named),
        "import_header": Rule(Shape.IMPORT, entries=_entries),
        **dict.fromkeys(("import_list", "class_body", "enum_class_body"), OPEN),
    },
    comments=_COMMENTS,
    nested=(b"fun ", b"class ", b"object ", b"interface "),
    tails=frozenset({"getter", "setter"}),
    spills=frozenset({"package_header", "import_list", "import_header"}),
    binds=_binds,
)
