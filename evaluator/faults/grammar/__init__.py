"""The grammars that faults know, one row a format."""

from evaluator.faults.grammar import apply_patch, search_replace, str_replace, udiff, unified_diff, whole_file
from evaluator.faults.grammar.model import Grammar

GRAMMARS: dict[str, Grammar] = {
    "whole_file": whole_file.GRAMMAR,
    "unified_diff": unified_diff.GRAMMAR,
    "search_replace": search_replace.GRAMMAR,
    "udiff": udiff.GRAMMAR,
    "apply_patch": apply_patch.GRAMMAR,
    "str_replace": str_replace.GRAMMAR,
}

__all__ = ["GRAMMARS", "Grammar"]
