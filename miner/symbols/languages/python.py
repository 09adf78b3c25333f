"""Python."""

from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import OPEN, WRAP, Language, Rule, flat, text
from miner.symbols.model import Shape

_ACCESSORS = {"setter", "deleter", "getter"}


def _assigned(node: Node) -> str | None:
    """The name that a constant or field statement binds."""
    left = node.child_by_field_name("left")
    return flat(left) if left is not None and left.type in ("identifier", "type") else None


def _apart(_definition: Node, outer: Node) -> str:
    """What the decorators say: a property's accessor, or an overload."""
    for child in outer.named_children:
        if child.type == "decorator":
            last = text(child).lstrip("@").strip().rpartition(".")[2]
            if last in _ACCESSORS or last == "overload":
                return last
    return ""


def _entries(node: Node) -> Iterator[str]:
    """The bindings of an import statement, each as the statement that would bind it alone."""
    module = node.child_by_field_name("module_name")
    if node.type == "import_statement":
        prefix = "import "
    elif node.type == "future_import_statement":
        prefix = "from __future__ import "
    else:
        prefix = f"from {text(module)} import "
    for child in node.children:
        if child != module and child.type in ("dotted_name", "aliased_import", "wildcard_import"):
            yield prefix + flat(child)


def _binds(entry: str) -> str | None:
    """The name that an entry binds: `c` of `from a import b as c`, `a` of `import a.b`; None for `*`."""
    words = entry.split()
    if words[-1] == "*":
        return None
    return words[-1] if "as" in words[:-1] or words[0] == "from" else words[-1].partition(".")[0]


_ASSIGNED = Rule(Shape.VALUE, name=_assigned)
_IMPORT = Rule(Shape.IMPORT, entries=_entries)

PYTHON = Language(
    grammar="python",
    suffixes=(".py", ".pyi"),
    rules={
        "function_definition": Rule(Shape.FUNCTION, apart=_apart),
        "class_definition": Rule(Shape.CLASS),
        "decorated_definition": WRAP,
        **dict.fromkeys(("assignment", "augmented_assignment", "type_alias_statement"), _ASSIGNED),
        "import_statement": _IMPORT,
        "import_from_statement": _IMPORT,
        "future_import_statement": _IMPORT,
        **dict.fromkeys(
            ("block", "if_statement", "elif_clause", "else_clause", "try_statement", "except_clause",
             "except_group_clause", "finally_clause", "with_statement", "for_statement", "while_statement",
             "match_statement", "case_clause"),
            OPEN,
        ),
    },
    nested=(b"def ", b"class "),
    indented=True,
    line_comment="#",
    by_import=True,
    binds=_binds,
)  # fmt: skip
