"""The oracles of the symbol comparison find what is wrong, and nothing where only the alignment is free."""

from dataclasses import replace

import pytest

from benchmarks.symbol_alignment import Side, blocks, kept, slides
from benchmarks.symbols_ast import misplaced_lines
from benchmarks.symbols_oracle import git_diffs, violations
from benchmarks.symbols_reported import Reported
from miner.git import create_bare
from miner.symbols.differences import compare
from miner.symbols.files import outline_of

TWO = b"def f():\n    return 1\n\n\ndef g():\n    return 2\n"


def reported(before: bytes, after: bytes) -> Reported:
    old, new = outline_of("a.py", before), outline_of("a.py", after)
    return Reported(old, new, compare(old, new))


def diff(*headers: str) -> bytes:
    return "".join(f"@@ {header} @@\n" for header in headers).encode()


def test_hunks_are_read_as_half_open_lines() -> None:
    assert blocks(diff("-3 +3,2", "-7,2 +8,0", "-9,0 +9")) == ([(2, 3), (6, 8)], [(2, 4), (8, 9)])


@pytest.mark.parametrize(
    ("lines", "found", "index", "expected"),
    [
        (b"abxabxc", [(2, 5)], 0, [(2, 5), (1, 4), (0, 3), (3, 6)]),  # to either side
        (b"aaaa", [(0, 1), (2, 3)], 0, [(0, 1), (1, 2)]),  # not into the next block
        (b"aaaa", [(0, 1), (3, 4)], 1, [(3, 4), (2, 3), (1, 2)]),  # nor into the one before
        (b"abc", [(1, 2)], 0, [(1, 2)]),
    ],
)
def test_a_block_slides_as_far_as_the_rest_reads_the_same(lines, found, index, expected) -> None:
    assert slides([bytes([c]) for c in lines], found, index) == expected
    assert len({lines[:start] + lines[end:] for start, end in expected}) == 1


def test_kept_lines_are_those_outside_of_blocks() -> None:
    assert kept(6, [(1, 2), (4, 6)]) == [0, 2, 3]


def test_a_line_belongs_to_all_symbols_on_it_and_a_blank_one_to_none() -> None:
    side = Side(outline_of("a.py", b"x = 1; y = 2\n\nz = 3"))
    assert [{s.name for s in owners} for owners in side.owners] == [{"x", "y"}, set(), {"z"}]
    assert side.lines[-1] == b"z = 3\n"


CLEAN = {
    "a body": (TWO, TWO.replace(b"return 2", b"return 3")),
    "a definition at the end of a file": (TWO, TWO + b"\n\ndef h():\n    return 3\n"),
    "one behind a line without an end": (TWO[:-1], TWO + b"\n\ndef h():\n    return 3\n"),
    "a line end at the end": (TWO[:-1], TWO),
    "two changed places": (TWO, b"def g():\n    return 2\n\n\ndef f():\n    return 1\n"),
    "another name": (TWO, TWO.replace(b"def g", b"def renamed")),
    "a class of another name": (b"class A:\n    x = 1\n", b"class B:\n    x = 1\n"),
    "a comment left behind": (b"# c\nimport a\n\nx = 1\n", b"# c\n\nx = 1\n"),
    "a separation filled": (b"x = 1\n\n\n# c\n\ndef f(): pass\n", b"x = 1\ny = 2\n\n# c\n\ndef f(): pass\n"),
    "white space at the top": (b"\n" + TWO, TWO),
    "white space between": (TWO, TWO.replace(b"\n\n\n", b"\n\n")),
}


@pytest.mark.parametrize("name", CLEAN)
def test_git_and_the_comparison_agree(name, tmp_path) -> None:
    before, after = CLEAN[name]
    diffs = list(git_diffs(create_bare(tmp_path / "git"), before, after))
    assert violations(outline_of("a.py", before), outline_of("a.py", after), diffs)[0] == []


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("-6 +6", []),
        ("-2 +2", ["hunk -2,2 f", "hunk +2,2 f", "symbol =modified g"]),
        ("-3 +3", []),  # a separation counts as the changed one's
        ("-0,0 +0,0", ["symbol =modified g"]),
    ],
)
def test_a_diff_of_other_lines_is_a_violation(header, expected) -> None:
    before, after = outline_of("a.py", TWO), outline_of("a.py", TWO.replace(b"return 2", b"return 3"))
    assert [str(one) for one in violations(before, after, [diff(header)])[0]] == expected


def test_kept_lines_must_not_change_hands_unreported() -> None:
    # The old g, kept as the new f.
    found, _ = reported(TWO, TWO + b"def h(): pass\n").outside(diff("-1,4 +0,0", "-7,0 +3,5"))
    assert [str(one) for one in found if one.check == "owner"] == ["owner -5,5 +1,1 f, g", "owner -6,6 +2,2 f, g"]


def test_a_line_end_at_the_end_must_be_reported_where_the_last_symbol_stays() -> None:
    assert [s.name for s in reported(b"x = 1\n", b"x = 1").last_line()[1]] == ["x", "x"]


def test_one_alignment_without_violation_is_enough() -> None:
    before, after = outline_of("a.py", TWO), outline_of("a.py", TWO.replace(b"return 2", b"return 3"))
    assert violations(before, after, [diff("-2 +2"), diff("-6 +6"), diff("-1 +1")]) == ([], "another algorithm")


OTHER = {
    "a body": TWO.replace(b"2", b"3"),
    "a definition between": TWO.replace(b"\n\n\n", b"\n\ndef h(): pass\n\n"),
    "blank lines between": TWO.replace(b"\n\n\n", b"\n\n"),
    "changed places": b"def g():\n    return 2\n\n\ndef f():\n    return 1\n",
    "a name": TWO.replace(b"f()", b"h()"),
}


@pytest.mark.parametrize("name", OTHER)
def test_without_reported_symbols_the_rest_is_the_same(name) -> None:
    assert reported(TWO, OTHER[name]).rest_agrees()
    silent = replace(compare(outline_of("a.py", TWO), outline_of("a.py", OTHER[name])), changes=())
    assert not Reported(outline_of("a.py", TWO), outline_of("a.py", OTHER[name]), silent).rest_agrees()


NESTED = b'''import a

@wrapped
class A(
    Base
):
    """Doc."""
    x = 1
    # about m
    @property
    def m(self):
        # why
        def inner(): return 1
        return inner

    if x:
        def m(self): pass
y = lambda: 1
'''


def test_ast_and_the_partition_agree_on_nested_definitions() -> None:
    assert list(misplaced_lines(NESTED)) == []
    assert list(misplaced_lines(b"def f(:\n")) == []  # not Python: nothing to compare with


def test_a_line_in_another_definition_than_ast_says_is_found() -> None:
    # Deeper than names are told apart, which is the one place where the two are known to disagree.
    deep = b"".join(b" " * n + b"def f%d():\n" % n for n in range(66)) + b" " * 66 + b"pass\n"
    assert [line for line, _ in misplaced_lines(deep)] == [65, 66, 67]
