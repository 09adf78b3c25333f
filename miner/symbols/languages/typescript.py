"""TypeScript, with and without JSX."""

from collections.abc import Iterator
from dataclasses import replace

from tree_sitter import Node

from miner.symbols.language import WRAP, Apart, Rule, flat
from miner.symbols.languages import javascript_imports as imports
from miner.symbols.languages.javascript import JAVASCRIPT, SHARED, functions, key, modifiers, quotes_alike
from miner.symbols.model import Shape


def _apart(definition: Node, _outer: Node) -> str:
    """The types of the parameters, after `static`; of a getter or setter just that."""
    found = modifiers(definition)
    if found.endswith("get") or found.endswith("set"):
        return found
    parameters = definition.child_by_field_name("parameters")
    return f"{found} {'' if parameters is None else ', '.join(_types(parameters))}".strip()


def _types(parameters: Node) -> Iterator[str]:
    for parameter in parameters.named_children:
        if parameter.type == "comment":
            continue
        pattern, annotation = parameter.child_by_field_name("pattern"), parameter.child_by_field_name("type")
        rest = "..." if pattern is not None and pattern.type == "rest_pattern" else ""
        optional = "?" if parameter.type == "optional_parameter" else ""
        yield f"{rest}{flat(annotation).removeprefix(':').strip() or 'any'}{optional}"


def _static(definition: Node, _outer: Node) -> str:
    return modifiers(definition)


def _space(node: Node) -> str:
    """The name of a namespace, or of a module, which keeps its quotes."""
    return quotes_alike(flat(node.child_by_field_name("name")))


def _as(what: str) -> Apart:
    """Told from its namesakes, which may be of other kinds, by what it is."""
    return lambda _definition, _outer: what


_FUNCTIONS = functions(_apart)
_SIGNATURE = Rule(Shape.VALUE, key("name"), _apart)  # in a class only: in types it is part of their text
_SPACE = Rule(Shape.CLASS, _space, _as("namespace"))

TYPESCRIPT = replace(
    JAVASCRIPT,
    grammar="typescript",
    suffixes=(".ts", ".mts", ".cts"),
    rules={
        **SHARED,
        **_FUNCTIONS,
        "function_signature": _FUNCTIONS["function_declaration"],
        **dict.fromkeys(("method_signature", "abstract_method_signature"), _SIGNATURE),
        "public_field_definition": Rule(Shape.VALUE, name=key("name"), apart=_static, value="value"),
        "abstract_class_declaration": Rule(Shape.CLASS),
        "interface_declaration": Rule(Shape.VALUE, apart=_as("interface")),
        "type_alias_declaration": Rule(Shape.VALUE, apart=_as("type")),
        "enum_declaration": Rule(Shape.VALUE, apart=_as("enum")),
        "ambient_declaration": WRAP,
        **dict.fromkeys(("internal_module", "module"), _SPACE),
        "import_alias": Rule(Shape.IMPORT, entries=imports.alias),
    },
    attributes=frozenset({"decorator"}),
    through={**JAVASCRIPT.through, "as_expression": 0, "satisfies_expression": 0, "non_null_expression": 0},
)
TSX = replace(TYPESCRIPT, grammar="tsx", suffixes=(".tsx",))
