"""What stands side by side in a syntax tree, where a grammar draws comments into the node above them.

Kotlin's does so: the comments between the last import and the first class are part of the import.
"""

from tree_sitter import Node

from miner.symbols.language import Language
from miner.symbols.model import Shape


def siblings(parent: Node, language: Language) -> list[Node]:
    """The named children of a node; comments that were drawn into one stand behind it."""
    if not language.spills:
        return parent.named_children
    found: list[Node] = []
    for child in parent.named_children:
        rule = language.rules.get(child.type) if child.type in language.spills else None
        if rule is not None and rule.shape is Shape.OPEN:
            found += siblings(child, language)
        else:
            found += [child, *_drawn_in(child, language)]
    return found


def solid(node: Node, language: Language) -> Node:
    """Where a node really ends: itself, or the last part of it that is no comment drawn in."""
    drawn = len(_drawn_in(node, language))
    return node.named_children[-drawn - 1] if drawn else node


def _drawn_in(node: Node, language: Language) -> list[Node]:
    if node.type not in language.spills:
        return []
    children = node.named_children
    first = len(children)
    while first > 1 and children[first - 1].type in language.comments:
        first -= 1
    return children[first:]
