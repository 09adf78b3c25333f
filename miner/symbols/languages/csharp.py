"""C#."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import OPEN, WRAP, Language, Rule, flat, text
from miner.symbols.model import Shape

# A local function has no keyword: a type, a blank, a name and a parenthesis, where calls have other words before them.
_LOCAL = re.compile(rb" (?<=[\w>\]?)*] )(?<!\breturn )(?<!\bawait )(?<!\bnew )(?<!\bthrow )\w+(?:<[\w<>,.?\[\] ]*>)?\(")
_PASSED = ("ref", "out", "in")


def _member(node: Node) -> str | None:
    """The name of a member, with the interface in front that it implements explicitly."""
    name = flat(node.child_by_field_name("name"))
    return _interface(node) + name if name else None


def _interface(node: Node) -> str:
    for child in node.named_children:
        if child.type == "explicit_interface_specifier":
            return "".join(text(child).split())
    return ""


def _indexer(node: Node) -> str:
    return f"{_interface(node)}this"


def _destructor(node: Node) -> str:
    return f"~{flat(node.child_by_field_name('name'))}"


def _operator(node: Node) -> str:
    """`operator +`, `implicit operator int`: the words between the modifiers and the parameters."""
    words = []
    for child in node.children:
        if child.type in ("parameter_list", "parameters"):
            break
        if child.type in ("implicit", "explicit", "checked", "operator") or "operator" in words:
            words.append(flat(child))
    return _interface(node) + " ".join(words)


def _declared(node: Node) -> str | None:
    """The names that a field, event or variable declaration declares: `a`, or `a, b`."""
    declarations = [child for child in node.named_children if child.type == "variable_declaration"]
    declarators = (child for one in declarations for child in one.named_children if child.type == "variable_declarator")
    return ", ".join(flat(declarator.child_by_field_name("name")) for declarator in declarators) or None


def _apart(definition: Node, _outer: Node) -> str:
    """The types of the parameters and how they are passed; `static` for a constructor of the class itself."""
    parameters = definition.child_by_field_name("parameters")
    types = "" if parameters is None else ", ".join(_types(parameters))
    if types or definition.type != "constructor_declaration":
        return types
    return "static" if any(flat(child) == "static" for child in definition.named_children) else ""


def _types(parameters: Node) -> Iterator[str]:
    for parameter in parameters.named_children:
        if parameter.type == "parameter":
            kind = parameter.child_by_field_name("type")
            plain = kind is not None and kind.start_byte == parameter.start_byte
            yield flat(kind) if plain else f"{_passed(parameter)}{flat(kind)}"
    rest = parameters.child_by_field_name("type")  # `params int[] rest` stands in the list itself
    if rest is not None:
        yield flat(rest)


def _passed(parameter: Node) -> str:
    words = (text(child) for child in parameter.named_children if child.type == "modifier")
    return "".join(f"{word} " for word in words if word in _PASSED)


def _type_parameters(definition: Node, _outer: Node) -> str:
    """What tells `A<T>` from `A`: `T`."""
    generic = (child for child in definition.named_children if child.type == "type_parameter_list")
    return flat(next(generic, None))[1:-1]


def _entries(node: Node) -> Iterator[str]:
    """The directive itself on one line, without semicolon and comments."""
    yield " ".join(
        "".join(text(child).split()) if child.type == "qualified_name" else flat(child)
        for child in node.children if child.type not in ("comment", ";")
    )  # fmt: skip


def _binds(entry: str) -> str | None:
    """`A` of `using A = b.C` and `extern alias A`; None for a namespace and for `using static`."""
    words = entry.split()
    return words[words.index("=") - 1] if "=" in words else words[2] if words[0] == "extern" else None


_TYPE = Rule(Shape.CLASS, apart=_type_parameters)
_METHOD = Rule(Shape.FUNCTION, name=_member, apart=_apart)
_OPERATOR = Rule(Shape.FUNCTION, name=_operator, apart=_apart)
_PROPERTY = Rule(Shape.VALUE, name=_member)
_FIELD = Rule(Shape.VALUE, name=_declared)
_IMPORT = Rule(Shape.IMPORT, entries=_entries)

CSHARP = Language(
    grammar="csharp",
    silent_imports=True,
    suffixes=(".cs",),
    rules={
        **dict.fromkeys(
            ("class_declaration", "struct_declaration", "interface_declaration", "record_declaration"), _TYPE
        ),
        "enum_declaration": Rule(Shape.CLASS),
        **dict.fromkeys(
            ("method_declaration", "constructor_declaration", "local_function_statement", "delegate_declaration"),
            _METHOD,
        ),
        "destructor_declaration": Rule(Shape.FUNCTION, name=_destructor),
        "indexer_declaration": Rule(Shape.FUNCTION, name=_indexer, apart=_apart),
        "operator_declaration": _OPERATOR,
        "conversion_operator_declaration": _OPERATOR,
        **dict.fromkeys(("property_declaration", "event_declaration"), _PROPERTY),
        **dict.fromkeys(("field_declaration", "event_field_declaration", "local_declaration_statement"), _FIELD),
        **dict.fromkeys(("using_directive", "extern_alias_directive"), _IMPORT),
        "global_statement": WRAP,
        **dict.fromkeys(
            ("namespace_declaration", "declaration_list", "preproc_if", "preproc_elif", "preproc_else"), OPEN
        ),
    },
    nested=(_LOCAL,),
    binds=_binds,
)  # fmt: skip
