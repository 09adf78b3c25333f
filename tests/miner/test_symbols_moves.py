# ruff: noqa: E501
import pytest

from miner.symbols.differences import compare
from miner.symbols.languages.python import PYTHON
from miner.symbols.moves import Compared, Move, moves
from miner.symbols.outline import outline


def found(before: dict[str, str], after: dict[str, str]) -> tuple[Move, ...]:
    files = {}
    for path in sorted({*before, *after}):
        old, new = (outline(side.get(path, "").encode(), PYTHON) for side in (before, after))
        files[path] = Compared(old, new, compare(old, new))
    return moves(files)


def said(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return [
        f"{m.kind.value} {m.old_path}::{m.old_name} -> {m.new_path}::{m.new_name} {m.alike:.2f}"
        for m in found(before, after)
    ]


def function(name: str, *lines: str, indent: str = "") -> str:
    return "".join(f"{indent}{line}\n" for line in (f"def {name}(a, b):", *(f"    {line}" for line in lines))) + "\n\n"


ADD = ("c = a + b", "log(c)", "return c")
MUL = ("product = a * b", "assert product > a", "return product")
REST = "x = 1\n\n\n"


def klass(name: str, *members: str) -> str:
    inner = "".join(f"    {line}\n" if line else "\n" for member in members for line in member.rstrip().split("\n"))
    return f'class {name}:\n    """What it is for."""\n\n{inner}\n\n'


PAIR = klass("Old", function("add", *ADD), function("mul", *MUL))
RENAMED_PAIR = klass("New", function("add", *ADD), function("mul", *MUL))

ROWS = {
    "nothing": ({"a": function("f", *ADD)}, {"a": function("f", *ADD)}, []),
    "renamed": ({"a": function("f", *ADD)}, {"a": function("g", *ADD)}, ["renamed a::f -> a::g 1.00"]),
    "renamed, and calls itself": (
        {"a": function("f", "if a:", "    return f(b, a)", "return b")},
        {"a": function("g", "if a:", "    return g(b, a)", "return b")},
        ["renamed a::f -> a::g 1.00"],
    ),
    "renamed and changed": ({"a": function("f", *ADD)}, {"a": function("g", *ADD, "# done")}, ["renamed a::f -> a::g 0.89"]),
    "another function": ({"a": function("f", *ADD)}, {"a": function("g", *MUL)}, []),
    "too little to tell": ({"a": function("f", "return a", "pass", "pass")}, {"a": function("g", "return b", "a", "b")}, []),
    "a short one, the same": ({"a": "x = 1\ny = 2\n"}, {"a": "x = 1\nz = 2\n"}, ["renamed a::y -> a::z 1.00"]),
    "a short one, changed": ({"a": "x = 1\ny = 2\n"}, {"a": "x = 1\nz = 3\n"}, []),
    "several short ones": ({"a": "x = None\ny = None\n"}, {"a": "v = None\nw = None\n"}, []),
    "several long ones, in order": (
        {"a": function("f", *ADD) + function("g", *ADD)},
        {"a": function("h", *ADD) + function("i", *ADD)},
        ["renamed a::f -> a::h 1.00", "renamed a::g -> a::i 1.00"],
    ),
    "moved between files": (
        {"a": REST + function("f", *ADD), "b": REST},
        {"a": REST, "b": REST + function("f", *ADD)},
        ["moved a::f -> b::f 1.00"],
    ),
    "moved to a new file": ({"a": REST + function("f", *ADD)}, {"a": REST, "b": function("f", *ADD)}, ["moved a::f -> b::f 1.00"]),
    "moved and renamed": (
        {"a": REST + function("f", *ADD), "b": REST},
        {"a": REST, "b": REST + function("g", *ADD)},
        ["moved_and_renamed a::f -> b::g 1.00"],
    ),
    "out of its class": (
        {"a": klass("A", function("f", *ADD), function("g", *MUL))},
        {"a": klass("A", function("g", *MUL)) + function("f", *ADD)},
        ["moved a::A.f -> a::f 1.00"],
    ),
    "into another class": (
        {"a": klass("A", function("f", *ADD), "x = 1") + klass("B", "y = 1")},
        {"a": klass("A", "x = 1") + klass("B", "y = 1", function("f", *ADD))},
        ["moved a::A.f -> a::B.f 1.00"],
    ),
    "a method renamed": (
        {"a": klass("A", function("f", *ADD), function("g", *MUL))},
        {"a": klass("A", function("h", *ADD), function("g", *MUL))},
        ["renamed a::A.f -> a::A.h 1.00"],
    ),
    "rather in its class than in the file": (
        {"a": klass("A", function("f", *ADD), "x = 1")},
        {"a": function("g", *ADD) + klass("A", function("h", *ADD), "x = 1")},
        ["renamed a::A.f -> a::A.h 1.00"],
    ),
    "rather in its file than elsewhere": (
        {"b": REST + function("f", *ADD), "a": REST, "c": REST},
        {"b": REST + function("g", *ADD), "a": REST + function("h", *ADD), "c": REST + function("i", *ADD)},
        ["renamed b::f -> b::g 1.00"],
    ),
    "rather under its name": (
        {"b": REST + function("f", *ADD)},
        {"a": function("g", *ADD), "b": REST, "c": function("f", *ADD)},
        ["moved b::f -> c::f 1.00"],
    ),
    "the same before the alike": (
        {"a": function("f", *ADD, "a") + function("g", *ADD)},
        {"a": function("h", *ADD)},
        ["renamed a::g -> a::h 1.00"],
    ),
    "the most alike": (
        {"a": function("f", *ADD, "a", "b") + function("g", *ADD, "a")},
        {"a": function("h", *ADD, "c")},
        ["renamed a::g -> a::h 0.80"],
    ),
    "a class as one": ({"a": PAIR}, {"a": RENAMED_PAIR}, ["renamed a::Old -> a::New 1.00"]),
    "a class as one, moved": ({"a": REST + PAIR, "b": REST}, {"a": REST, "b": REST + RENAMED_PAIR}, ["moved_and_renamed a::Old -> b::New 1.00"]),
    "a class with a method less": (
        {"a": PAIR},
        {"a": klass("New", function("add", *ADD), "limit = 1")},
        ["renamed a::Old -> a::New 0.71"],
    ),
    "a class and its method renamed": (
        {"a": PAIR},
        {"a": klass("New", function("sum", *ADD), function("mul", *MUL))},
        ["renamed a::Old -> a::New 0.90", "renamed a::Old.add -> a::New.sum 1.00"],
    ),
    "a class taken apart": (
        {"a": REST + PAIR},
        {"a": REST + function("add", *ADD), "b": function("multiply", *MUL)},
        ["moved a::Old.add -> a::add 1.00", "moved_and_renamed a::Old.mul -> b::multiply 1.00"],
    ),
    "a class and what was in it": (
        {"a": PAIR},
        {"a": klass("New", function("mul", *MUL), "x = 1", "y = 2") + function("add", *ADD)},
        ["renamed a::Old -> a::New 0.67", "moved a::Old.add -> a::add 1.00"],
    ),
    "a function that became a class": ({"a": function("f", *ADD)}, {"a": "class f:\n    c = a + b\n    log(c)\n    d = c\n"}, []),
    "inner functions go along": (
        {"a": function("f", "def inner():", "    return a", "return inner")},
        {"a": function("g", "def inner():", "    return a", "return inner")},
        ["renamed a::f -> a::g 1.00"],
    ),
    "indentation and blank lines": (
        {"a": klass("A", function("f", *ADD), "x = 1")},
        {"a": klass("A", "x = 1") + function("f", "", *ADD)},
        ["moved a::A.f -> a::f 1.00"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "expected"), ROWS.values(), ids=ROWS)
def test_moves_are_named(before, after, expected):
    assert said(before, after) == expected


def test_a_class_accounts_for_the_changes_inside_it():
    (move,) = found({"a": PAIR}, {"a": RENAMED_PAIR})
    assert move.removed == ("Old.<body>", "Old.add", "Old.mul")
    assert move.added == ("New.<body>", "New.add", "New.mul")


def test_a_method_that_does_not_go_along_is_left_to_itself():
    (move,) = found({"a": PAIR}, {"a": klass("New", function("add", *ADD), "limit = 1")})
    assert (move.removed, move.added) == (("Old.<body>", "Old.add"), ("New.<body>", "New.add"))


def test_many_symbols_cost_little():
    def text(name: str) -> str:
        return "".join(function(f"{name}{n}", f"first = {n}", "c = a + b", "log(c)", "return c") for n in range(1000))

    assert len(found({"a": text("f")}, {"a": text("g")})) == 1000
    assert found({"a": "".join(f"f{n} = None\n" for n in range(3000))}, {"a": "".join(f"g{n} = None\n" for n in range(3000))}) == ()
