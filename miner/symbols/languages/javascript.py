"""JavaScript, and the rules that TypeScript shares with it."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import OPEN, WRAP, Apart, Language, Name, Rule, flat
from miner.symbols.languages import javascript_imports as imports
from miner.symbols.model import Shape

_LONGEST_NAME = 80  # what stands left of a `=` or in `[...]` can be any expression
_FUNCTIONS = frozenset({"function_expression", "generator_function", "arrow_function"})
_QUOTED_WORD = re.compile(r"""(["'])([\w$]+)\1""")
_DOUBLE_QUOTED = re.compile(r"""\"([^"'\\]*)\"""")


def quotes_alike(name: str) -> str:
    """A name with its strings in single quotes, if none of them has a quote inside."""
    return _DOUBLE_QUOTED.sub(r"'\1'", name)


def short(node: Node | None) -> str | None:
    """A name as it is written, with single quotes, and without any around a word; None if it is none to speak of."""
    name = flat(node)
    if (quoted := _QUOTED_WORD.fullmatch(name)) is not None:
        name = quoted[2]
    name = quotes_alike(name)
    return name if 0 < len(name) <= _LONGEST_NAME and "{" not in name else None


def key(field: str) -> Name:
    """The name of a member, in the field `field`."""
    return lambda node: short(node.child_by_field_name(field))


def modifiers(definition: Node) -> str:
    """`static`, and whether it is a getter or setter."""
    found = []
    for child in definition.children:
        kind = child.type
        if kind in ("static", "get", "set"):
            found.append(kind)
        elif child.is_named and kind != "decorator" and not kind.endswith("_modifier"):
            break
    return " ".join(found)


def functions(apart: Apart) -> dict[str, Rule]:
    """The rules of functions and methods, told from their namesakes by `apart`."""
    function, method = Rule(Shape.FUNCTION, apart=apart), Rule(Shape.FUNCTION, key("name"), apart)
    return {
        **dict.fromkeys(("function_declaration", "generator_function_declaration", *_FUNCTIONS), function),
        "method_definition": method,
    }


def _apart(definition: Node, _outer: Node) -> str:
    return modifiers(definition)


def _declared(node: Node) -> str | None:
    """The name that a `const`, `let` or `var` declares; a pattern has none."""
    name = node.child_by_field_name("name")
    return flat(name) if name is not None and name.type == "identifier" else None


def _assigned(node: Node) -> str | None:
    """The left side of an assignment; of a chain of them the first that is dotted, or the first."""
    names: list[Node] = []
    at: Node | None = node
    while at is not None and at.type == "assignment_expression":
        if (left := at.child_by_field_name("left")) is not None:
            names.append(left)
        at = at.child_by_field_name("right")
    dotted = [name for name in names if name.type == "member_expression"]
    first = next(iter(dotted or names), None)
    if first is None or first.type not in ("identifier", "member_expression", "subscript_expression"):
        return None
    return short(first)


def _default(_node: Node) -> str:
    return "default"


def _export(node: Node) -> Rule:
    if node.child_by_field_name("source") is not None:
        return _PASSED_ON
    return _EXPORTED_VALUE if node.child_by_field_name("value") is not None else WRAP


def _declaration(node: Node) -> Rule:
    return _REQUIRED if imports.all_require(node) else WRAP


def _declarator(node: Node) -> Rule:
    return _REQUIRED if imports.requires(node) else _VARIABLE


_PASSED_ON = Rule(Shape.IMPORT, entries=imports.exported)
_REQUIRED = Rule(Shape.IMPORT, entries=imports.required)
_EXPORTED_VALUE = Rule(Shape.VALUE, name=_default, value="value")
_VARIABLE = Rule(Shape.VALUE, name=_declared, value="value")

SHARED = {
    "import_statement": Rule(Shape.IMPORT, entries=imports.imported),
    "export_statement": Rule(Shape.WRAP, pick=_export),
    "expression_statement": WRAP,
    **dict.fromkeys(("lexical_declaration", "variable_declaration"), Rule(Shape.WRAP, pick=_declaration)),
    "variable_declarator": Rule(Shape.VALUE, name=_declared, value="value", pick=_declarator),
    "assignment_expression": Rule(Shape.VALUE, name=_assigned, value="right"),
    "pair": Rule(Shape.VALUE, name=key("key"), value="value"),
    **dict.fromkeys(("class_declaration", "class"), Rule(Shape.CLASS)),
    **dict.fromkeys(("class_body", "statement_block", "if_statement", "else_clause", "try_statement", "catch_clause",
                     "finally_clause"), OPEN),
}  # fmt: skip
_BLOCK = re.compile(rb"\)\s*(?::[^;{}()]{1,80})?\{")
_STATEMENT = re.compile(rb"[\s}]*(?:else\s+)?(?:if|for|while|switch|catch|with|function)\b")


def _methods(source: bytes) -> Iterator[int]:
    """Where parameters may end and a method's block begin: not in lines that begin like a statement with a block."""
    for block in _BLOCK.finditer(source):
        line = source.rfind(b"\n", max(0, block.start() - 400), block.start()) + 1
        if _STATEMENT.match(source, line, block.start()) is None and not _of_function(source, line, block.start()):
            yield block.end() - 1


def _of_function(source: bytes, line: int, end: int) -> bool:
    """Whether the parenthesis that closes at `end` holds the parameters of the `function` before it."""
    word = source.rfind(b"function", line, end)
    return word >= 0 and source.count(b"(", word, end) == source.count(b")", word, end) + 1


# Each matches up to a place that is in the definition, and if possible in nothing inside it.
_NESTED = (
    re.compile(rb"function(?=\s*\*?\s*[\w$\x80-\xff]+\s*[(<])"),
    re.compile(rb"class(?=\s+[^\s{])"),
    _methods,
    re.compile(rb"[=:](?=\s*(?:/\*[^*]*\*/\s*)?(?:async\b\s*)?(?:function|class|[(<]|[\w$\x80-\xff]+\s*=>))"),
)

JAVASCRIPT = Language(
    grammar="javascript",
    by_import=True,
    suffixes=(".js", ".jsx", ".mjs", ".cjs"),
    rules={
        **SHARED,
        **functions(_apart),
        "field_definition": Rule(Shape.VALUE, name=key("property"), apart=_apart, value="value"),
    },
    comments=frozenset({"comment", "html_comment"}),
    nested=_NESTED,
    functions=_FUNCTIONS,
    classes=frozenset({"class"}),
    literals=frozenset({"object"}),
    documents=(b"/**",),
    through={"parenthesized_expression": 0, "assignment_expression": 1},
    binds=imports.binds,
)
