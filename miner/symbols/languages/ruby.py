"""Ruby."""

from collections.abc import Iterator

from tree_sitter import Node

from miner.symbols.language import OPEN, WRAP, Language, Rule, flat, picked, text
from miner.symbols.model import Shape

_LOADS = ("require", "require_relative", "load", "autoload")
_METHODS = ("method", "singleton_method")
_ASSIGNED = ("constant", "scope_resolution", "identifier", "global_variable", "class_variable", "instance_variable")


def _dotted(name: Node | None) -> str:
    """A constant as symbols are written: `A::B` is `A.B`."""
    return flat(name).removeprefix("::").replace("::", ".")


def _named(node: Node) -> str | None:
    return _dotted(node.child_by_field_name("name")) or None


def _singleton(node: Node) -> str:
    """`self.m` of `def self.m`."""
    return f"{_dotted(node.child_by_field_name('object'))}.{flat(node.child_by_field_name('name'))}"


def _opened(node: Node) -> str | None:
    """`self` of `class << self`."""
    return _dotted(node.child_by_field_name("value")) or None


def _assigned(node: Node) -> str | None:
    """The names that an assignment binds, `A` or `A, B`; None where it sets anything else."""
    left = node.child_by_field_name("left")
    if left is None:
        return None
    targets = left.named_children if left.type == "left_assignment_list" else [left]
    return ", ".join(map(_dotted, targets)) if all(t.type in _ASSIGNED for t in targets) else None


def _pick_call(node: Node) -> Rule | None:
    """`require "a"` is an import, and `private def m` is the method."""
    arguments = node.child_by_field_name("arguments")
    if arguments is None or node.child_by_field_name("receiver") is not None:
        return None
    if text(node.child_by_field_name("method")) in _LOADS:
        return _IMPORT
    first = next(iter(arguments.named_children), None)
    return WRAP if first is not None and first.type in _METHODS else None


def _entries(node: Node) -> Iterator[str]:
    arguments = node.child_by_field_name("arguments")
    values = [] if arguments is None else [flat(child) for child in arguments.named_children]
    yield f"{text(node.child_by_field_name('method'))} {', '.join(values)}"


def _binds(entry: str) -> str | None:
    """`A` of `autoload :A, "a"`; what a file that is required defines is not known."""
    words = entry.split()
    return words[1].strip(":,\"'") if words[0] == "autoload" and len(words) > 1 else None


_IMPORT = Rule(Shape.IMPORT, entries=_entries)
_VALUE = Rule(Shape.VALUE, name=_assigned)
_CLASS = Rule(Shape.CLASS, name=_named)

RUBY = Language(
    grammar="ruby",
    line_comment="#",
    suffixes=(".rb",),
    rules={
        "method": Rule(Shape.FUNCTION),
        "singleton_method": Rule(Shape.FUNCTION, name=_singleton),
        "class": _CLASS,
        "module": _CLASS,
        "singleton_class": Rule(Shape.CLASS, name=_opened),
        "assignment": _VALUE,
        "operator_assignment": _VALUE,
        "call": picked(_pick_call),
        # `X = 1 unless defined?(X)` is wholly X's.
        **dict.fromkeys(("argument_list", "if_modifier", "unless_modifier", "rescue_modifier"), WRAP),
        **dict.fromkeys(
            ("body_statement", "if", "unless", "then", "elsif", "else", "begin", "rescue", "ensure", "case", "when"),
            OPEN,
        ),
    },
    nested=(b"def ", b"class ", b"module "),
    tails=frozenset({"heredoc_body"}),
    binds=_binds,
)
