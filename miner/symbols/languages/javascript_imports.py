"""The import statements of JavaScript and TypeScript, `require` included: which they are, what they bind."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import flat, text

_DECLARATORS = "variable_declarator"
_WORD = re.compile(r"[\w$]+")
_HEAD_ENDS = re.compile(r" from '|=")


def requires(declarator: Node) -> bool:
    """Whether a declared name is given a required module, or what such a one has under some name."""
    value = declarator.child_by_field_name("value")
    while value is not None and value.type == "member_expression":
        value = value.child_by_field_name("object")
    return value is not None and value.type == "call_expression" and _calls_require(value)


def all_require(declaration: Node) -> bool:
    """Whether a `const`, `let` or `var` declares nothing but required modules."""
    declared = [child for child in declaration.named_children if child.type == _DECLARATORS]
    return bool(declared) and all(requires(child) for child in declared)


def imported(statement: Node) -> Iterator[str]:
    """The bindings of an `import`, each as the statement that would bind it alone."""
    kinds = [child.type for child in statement.children if child.type in ("type", "typeof")]
    before = " ".join(["import", *kinds[:1], ""])
    after = "".join(f" {flat(child)}" for child in statement.named_children if child.type == "import_attribute")
    after = _source(statement) + after
    parts = [part for child in statement.named_children if child.type == "import_clause" for part in _parts(child)]
    for part in parts:
        yield f"{before}{part} from {after}"
    if not parts:
        called = next((child for child in statement.named_children if child.type == "import_require_clause"), None)
        yield before + (after if called is None else f"{flat(called.named_child(0))} = require({_source(called)})")


def alias(statement: Node) -> Iterator[str]:
    """The one binding of `import a = B.c`."""
    name, _, path = flat(statement).removesuffix(";").partition("=")
    yield f"{name.strip()} = {path.strip()}"


def exported(statement: Node) -> Iterator[str]:
    """The names that an `export ... from` passes on, each as the statement that would do so alone."""
    before = "export type " if any(text(child) == "type" for child in statement.children) else "export "
    after = f" from {_source(statement)}"
    parts = list(_parts(statement))
    for part in parts or ["*"]:
        yield before + part + after


def required(node: Node) -> Iterator[str]:
    """The bindings of a declaration with `require`, or of one declarator of it."""
    if node.type == _DECLARATORS:
        yield from _declared("var", node)
    for child in node.named_children:
        if child.type == _DECLARATORS:
            yield from _declared(text(node.child(0)), child)


def binds(entry: str) -> str | None:
    """The local name that an entry binds; None for what binds none, and for a pattern within a pattern."""
    head = _HEAD_ENDS.split(entry)[0]
    if entry.startswith(("export ", "import '")) or head.count("{") > 1 or "[" in head:
        return None
    words = _WORD.findall(head if "{" in head else head.partition(":")[0])
    return words[-1] if len(words) > 1 else None


def _calls_require(call: Node) -> bool:
    return text(call.child_by_field_name("function")) == "require"


def _parts(clause: Node) -> Iterator[str]:
    """What stands between `import` or `export` and `from`, one name at a time."""
    for child in clause.named_children:
        if child.type in ("identifier", "namespace_import", "namespace_export"):
            yield flat(child)
        elif child.type in ("named_imports", "export_clause"):
            names = [flat(name) for name in child.named_children if name.type.endswith("_specifier")]
            yield from (f"{{ {name} }}" for name in names) if names else ("{}",)


def _declared(keyword: str, declarator: Node) -> Iterator[str]:
    pattern, value = declarator.child_by_field_name("name"), flat(declarator.child_by_field_name("value"))
    if pattern is not None and pattern.type == "object_pattern":
        names = [flat(child) for child in pattern.named_children if child.type != "comment"]
        yield from (f"{keyword} {{ {name} }} = {_quoted(value)}" for name in names)
    else:
        typed = flat(declarator.child_by_field_name("type"))
        yield f"{keyword} {flat(pattern)}{typed} = {_quoted(value)}"


def _source(statement: Node) -> str:
    return _quoted(flat(statement.child_by_field_name("source")))


def _quoted(path: str) -> str:
    return path.replace('"', "'")
