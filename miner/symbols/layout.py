"""What a formatter may change without changing the meaning, per grammar: tables of node types.

A grammar without a row gets the careful one: white space, trailing commas, and the case of numbers.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

_NONE: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Layout:
    """One grammar's row.

    `groups`: nodes that are parentheses around one thing, which is the same without them. `bare`: nodes that
    stay what they are when their own parentheses are left out. `alike`: what a node is compared as.
    `hidden`: nodes that come and go with the optional parentheses around them; `parameters`: (parent, node)
    for parentheses around parameters. `leading`: nodes that hold a leading operator and one thing. `empty`:
    (parent, node) for `()` that may be left out. `single`: nodes where a comma after a single element means
    something. `semicolons`: they are optional, except in `clauses`; `separators`: nodes whose members stand
    for themselves, whatever is between. `quotes`: both kinds of quotes mean the same. `keys`: nodes whose
    name may be quoted. `fractions`: `1.0` is `1`. `columns`: nodes whose members stand below one another, or
    there is no meaning to them, although the grammar finds one.
    """

    groups: frozenset[str] = _NONE
    bare: frozenset[str] = _NONE
    alike: Mapping[str, str] = field(default_factory=dict)
    hidden: frozenset[str] = _NONE
    parameters: frozenset[tuple[str, str]] = frozenset()
    leading: frozenset[str] = _NONE
    empty: frozenset[tuple[str, str]] = frozenset()
    single: frozenset[str] = frozenset({"tuple_type", "tuple_pattern", "token_tree", "preproc_params", "argument_list"})
    semicolons: bool = False
    clauses: frozenset[str] = frozenset({"for_statement"})
    separators: frozenset[str] = _NONE
    quotes: bool = False
    keys: frozenset[str] = _NONE
    fractions: bool = False
    columns: frozenset[str] = _NONE


_GROUPS = frozenset({"parenthesized_expression", "parenthesized_type"})

_PYTHON = Layout(
    groups=_GROUPS,
    bare=frozenset({"import_from_statement", "with_clause", "tuple", "tuple_pattern"}),
    alike={
        **dict.fromkeys(("expression_list", "pattern_list", "tuple_pattern"), "tuple"),
        # An annotation in parentheses is an expression.
        "generic_type": "subscript", "union_type": "binary_operator", "member_type": "attribute",
    },
    hidden=frozenset({"type", "type_parameter"}),
    empty=frozenset({("class_definition", "argument_list")}),
    single=frozenset({"subscript", "type_parameter"}),
    semicolons=True,
    quotes=True,
    columns=frozenset({"module", "block"}),
)  # fmt: skip

_SCRIPT = Layout(
    groups=_GROUPS,
    # The grammar reads `await x as T` as `await (x as T)`, which a formatter corrects.
    hidden=frozenset({"required_parameter", "await_expression", "as_expression", "satisfies_expression"}),
    parameters=frozenset({("arrow_function", "formal_parameters")}),
    leading=frozenset({"union_type", "intersection_type"}),
    empty=frozenset({("new_expression", "arguments")}),
    single=_NONE,
    semicolons=True,
    separators=frozenset({"object_type", "interface_body"}),
    quotes=True,
    keys=frozenset({
        "pair", "pair_pattern", "method_definition", "field_definition", "public_field_definition",
        "property_signature", "method_signature", "abstract_method_signature", "enum_assignment", "enum_body",
    }),
    fractions=True,
)  # fmt: skip

_GO = Layout(
    groups=_GROUPS,
    single=_NONE,
    semicolons=True,
    clauses=frozenset({"for_clause", "if_statement", "expression_switch_statement", "type_switch_statement"}),
)

_JAVA = Layout(
    groups=_GROUPS,
    parameters=frozenset({("lambda_expression", "inferred_parameters")}),
    single=_NONE,
    semicolons=True,
)

_LAYOUTS = {
    "python": _PYTHON,
    "javascript": _SCRIPT, "typescript": _SCRIPT, "tsx": _SCRIPT,
    "go": _GO,
    "java": _JAVA,
}  # fmt: skip
_CAREFUL = Layout()

HOLLOW = frozenset({"empty_statement", "expression_statement", "enum_body_declarations"})  # nothing but a semicolon
CHAINED = frozenset({"member_expression", "call_expression", "subscript_expression", "non_null_expression"})


def layout_of(grammar: str) -> Layout:
    """The row of a grammar."""
    return _LAYOUTS.get(grammar, _CAREFUL)
