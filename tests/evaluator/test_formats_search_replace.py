"""search_replace to the letter, and by each of its tolerances."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.formats.model import NO_NEWLINE, STRICT, Applied, Leniency, NotApplied, Placement, Tree, Unreadable
from evaluator.formats.search_replace import Block, Lines, SearchReplace
from evaluator.taxonomy import Detail
from miner.symbols.files import Files

FORMAT = SearchReplace()
STANDARD = frozenset(tolerance.name for tolerance in FORMAT.tolerances)
BLOCK = "x\n<<<<<<< SEARCH\n{}=======\n{}>>>>>>> REPLACE\n"
BARE = BLOCK.removeprefix("x\n")
MakeTree = Callable[..., Tree]


def outcome(tree: Tree, reply: str, leniency: Leniency) -> Applied | NotApplied | Unreadable:
    parsed = FORMAT.parse(reply, leniency)
    return parsed if isinstance(parsed, Unreadable) else FORMAT.apply(parsed, tree, leniency)


GIVES: dict[str, tuple[bytes | None, str, bytes | None]] = {
    "one line": (b"a\nb\n", BLOCK.format("a\n", "c\n"), b"c\nb\n"),
    "dropped": (b"a\nb\n", BLOCK.format("a\n", ""), b"b\n"),
    "all dropped": (b"a\n", BLOCK.format("a\n", ""), b""),
    "grown": (b"a\nb\n", BLOCK.format("a\n", "a\nnew\n"), b"a\nnew\nb\n"),
    "created": (None, BLOCK.format("", "a\n"), b"a\n"),
    "created empty": (None, BLOCK.format("", ""), b""),
    "created bare": (None, BLOCK.format("", f"a\n{NO_NEWLINE}\n"), b"a"),
    "created with CRLF": (None, BLOCK.format("", "a\r\n"), b"a\r\n"),
    "an empty file filled": (b"", BLOCK.format("", "a\n"), b"a\n"),
    "deleted": (b"a\n", "DELETE FILE: x\n", None),
    "deleted and created": (b"a\n", "DELETE FILE: x\n" + BLOCK.format("", "b\n"), b"b\n"),
    "created and edited": (None, BLOCK.format("", "a\n") + BLOCK.format("a\n", "b\n"), b"b\n"),
    "blank line quoted": (b"a\n\nb\n", BLOCK.format("\n", "c\n"), b"a\nc\nb\n"),
    "made unique by what follows": (b"a\nb\na\nc\n", BLOCK.format("a\nc\n", "d\n"), b"a\nb\nd\n"),
    "blocks see those before": (b"a\n", BLOCK.format("a\n", "b\n") + BLOCK.format("b\n", "c\n"), b"c\n"),
    "out of order": (b"a\nb\n", BLOCK.format("b\n", "d\n") + BLOCK.format("a\n", "c\n"), b"c\nd\n"),
    "overlapping: the second quotes what the first made": (
        b"a\nb\nc\n", BLOCK.format("a\nb\n", "x\ny\n") + BLOCK.format("y\nc\n", "z\n"), b"x\nz\n"),
    "a no-op": (b"a\nb\n", BLOCK.format("a\n", "a\n"), b"a\nb\n"),
    "bare end stays bare": (b"a\nb", BLOCK.format("b\n", "c\n"), b"a\nc"),
    "bare end gets a newline": (b"a\nb", BLOCK.format(f"b\n{NO_NEWLINE}\n", "b\n"), b"a\nb\n"),
    "newline at the end goes": (b"a\nb\n", BLOCK.format("b\n", f"b\n{NO_NEWLINE}\n"), b"a\nb"),
    "only the last line is bare": (b"b\nb", BLOCK.format(f"b\n{NO_NEWLINE}\n", "c\n"), b"b\nc\n"),
    "fenced": (b"a\n", "x\n```python\n" + BARE.format("a\n", "b\n") + "```\n", b"b\n"),
    "path in the fence": (b"a\n", "```python\n" + BLOCK.format("a\n", "b\n") + "```\n", b"b\n"),
    "path in backticks": (b"a\n", "`x`\n" + BARE.format("a\n", "b\n"), b"b\n"),
    "path with a leading ./": (b"a\n", "./x\n" + BARE.format("a\n", "b\n"), b"b\n"),
    "a file named as a language": (b"a\n", BLOCK.format("a\n", "b\n"), b"b\n"),
    "Markdown with fences": (b"```\na\n```\n", "x\n````\n" + BARE.format("```\na\n", "```\nb\n") + "````\n",
                             b"```\nb\n```\n"),
    "longer markers": (
        b"=======\n", "x\n<<<<<<<<< SEARCH\n=======\n=========\n>>>>>>> REPLACE\n>>>>>>>>> REPLACE\n",
        b">>>>>>> REPLACE\n"),
    "carriage returns kept": (b"a\r\nb\r\n", BLOCK.format("a\r\n", "c\r\n"), b"c\r\nb\r\n"),
    "a reply of carriage returns": (b"a\r\nb\r\n", BLOCK.format("a\n", "c\n").replace("\n", "\r\n"), b"c\r\nb\r\n"),
    "bytes that are no text, elsewhere": (b"\xff\xfe\na\n", BLOCK.format("a\n", "b\n"), b"\xff\xfe\nb\n"),
    "form feeds, tabs, blanks at ends, elsewhere": (
        b"\xef\xbb\xbf\x0c \t\r\na\n\x85 \n", BLOCK.format("a\n", "b\n"), b"\xef\xbb\xbf\x0c \t\r\nb\n\x85 \n"),
    "a brace where there is one": (b"{\n}\n", BLOCK.format("}\n", "};\n"), b"{\n};\n"),
    "a brace at the margin": (b"{\n  }\n}\n", BLOCK.format("}\n", "};\n"), b"{\n  }\n};\n"),
}  # fmt: skip


@pytest.mark.parametrize("leniency", [STRICT, STANDARD], ids=["strict", "standard"])
@pytest.mark.parametrize(("before", "reply", "after"), GIVES.values(), ids=GIVES.keys())
def test_blocks_replace_whole_lines(
    tree_of: MakeTree, before: bytes | None, reply: str, after: bytes | None, leniency: Leniency
) -> None:
    found = outcome(tree_of({"x": before}), reply, leniency)
    assert isinstance(found, Applied), found
    assert found.files == {"x": after}
    assert not any(found.steps), "to the letter, whatever is admitted"


@dataclass(frozen=True)
class Row:
    """A reply that the letter refuses with a detail, and what the declared ladder makes of it by which steps."""

    files: Files
    reply: str
    strict: Detail
    standard: Files | Detail
    steps: tuple[str, ...] = ()
    unterminated: bool = False


A = {"x": b"a\nb\nc\n"}
BAD, MISSING, AMBIGUOUS = Detail.BAD_BLOCK, Detail.ANCHOR_MISSING, Detail.ANCHOR_AMBIGUOUS
TO_B = BARE.format("a\n", "B\n")
DONE = {"x": b"B\nb\nc\n"}
LADDER: dict[str, Row] = {
    # the path
    "no path, and no block before": Row(A, TO_B, BAD, BAD),
    "no path: the file before": Row(A, BLOCK.format("c\n", "C\n") + TO_B, BAD, {"x": b"B\nb\nC\n"}, ("path_carried",)),
    "bold": Row(A, "**x**\n" + TO_B, BAD, DONE, ("path_decoration",)),
    "bold backticks and a colon": Row(A, "**`x`**:\n" + TO_B, BAD, DONE, ("path_decoration",)),
    "a heading": Row(A, "### x\n" + TO_B, BAD, DONE, ("path_decoration",)),
    "File:": Row(A, "File: `x`\n" + TO_B, BAD, DONE, ("path_decoration",)),
    "quoted": Row(A, '"x"\n' + TO_B, BAD, DONE, ("path_decoration",)),
    "indented": Row(A, "  x\n" + TO_B, BAD, DONE, ("path_decoration",)),
    "a/": Row(A, "a/x\n" + TO_B, Detail.UNKNOWN_PATH, DONE, ("path_decoration",)),
    "in the fence's line": Row({"x.py": b"a\n"}, "```python x.py\n" + TO_B + "```\n", BAD, {"x.py": b"B\n"},
                               ("path_decoration",)),
    "with blanks, bare": Row({"p q/a b.py": b"a\n"}, "p/q r/a b.py\n" + TO_B, BAD, Detail.UNKNOWN_PATH),
    "with blanks in quotes": Row({"a b.py": b"a\n"}, "'a b.py'\n" + TO_B, BAD, {"a b.py": b"B\n"},
                                 ("path_decoration",)),
    "with blanks, like a path": Row({"p/a b.py": b"a\n"}, "p/a b.py\n" + TO_B, BAD, {"p/a b.py": b"B\n"},
                                    ("path_decoration",)),
    "not ASCII, bold": Row({"é/ü.py": b"a\n"}, "**é/ü.py**\n" + TO_B, BAD, {"é/ü.py": b"B\n"}, ("path_decoration",)),
    "a bare file name": Row({"p/x.py": b"a\n", "q/y.py": b""}, "x.py\n" + TO_B, Detail.UNKNOWN_PATH,
                            {"p/x.py": b"B\n"}, ("path_recovery",)),
    "a bare file name of two": Row({"p/x.py": b"a\n", "q/x.py": b""}, "x.py\n" + TO_B, Detail.UNKNOWN_PATH,
                                   Detail.UNKNOWN_PATH),
    "a bare name of a new file": Row({"p/x.py": b"a\n"}, "y.py\n" + TO_B, Detail.UNKNOWN_PATH, Detail.UNKNOWN_PATH),
    "prose above": Row(A, BLOCK.format("c\n", "C\n") + "And then the first one.\n" + TO_B, BAD, {"x": b"B\nb\nC\n"},
                       ("path_carried",)),
    "a word above": Row(A, BLOCK.format("c\n", "C\n") + "Then:\n" + TO_B, BAD, {"x": b"B\nb\nC\n"}, ("path_carried",)),
    "prose above a new file": Row(A, "I wrote it to new/some file.py\n" + BARE.format("", "1\n"), BAD, BAD),
    "a language above": Row(A, BLOCK.format("c\n", "C\n") + "python\n" + TO_B, BAD, {"x": b"B\nb\nC\n"},
                            ("path_carried",)),
    "a language above a new file": Row(A, "python\n" + BARE.format("", "1\n"), BAD, BAD),
    "a blank line below the path": Row(A, "x\n\n" + TO_B, BAD, DONE, ("fence_noise",)),
    "the path in a fence of its own": Row(A, "```\nx\n```\n```python\n" + TO_B + "```\n", BAD, DONE, ("fence_noise",)),
    # the markers
    "closing marker missing at the end": Row(A, "x\n<<<<<<< SEARCH\na\n=======\nB\n", BAD, BAD, unterminated=True),
    "divider missing at the end": Row(A, "x\n<<<<<<< SEARCH\na\n", BAD, BAD, unterminated=True),
    "cut in the closing marker": Row(A, BLOCK.format("a\n", "B\n")[:-9], BAD, BAD, unterminated=True),
    "cut in a second block": Row(A, BLOCK.format("a\n", "B\n") + "x\n<<<<<<< SEARCH\nb", BAD, BAD, unterminated=True),
    "cut in a fenced block": Row(A, "x\n```\n<<<<<<< SEARCH\na\n=======\nB\n```\n", BAD, BAD, unterminated=True),
    "closing marker missing, another block": Row(
        A, "x\n<<<<<<< SEARCH\na\n=======\nB\n\nx\n<<<<<<< SEARCH\nc\n=======\nC\n>>>>>>> REPLACE\n", BAD, BAD),
    "closing marker missing in a fence, another block": Row(
        A, "x\n```\n<<<<<<< SEARCH\na\n=======\nB\n```\n\nx\n```\n" + BARE.format("c\n", "C\n") + "```\n", BAD,
        {"x": b"B\nb\nC\n"}, ("missing_sentinel",)),
    "a divider for the closing marker, another block": Row(
        A, "x\n<<<<<<< SEARCH\na\n=======\nB\n=======\n\nx\n" + BARE.format("c\n", "C\n"), BAD, {"x": b"B\nb\nC\n"},
        ("missing_sentinel",)),
    "no divider": Row(A, "x\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n", BAD, BAD),
    "closed twice": Row(A, BLOCK.format("a\n", "B\n") + ">>>>>>> REPLACE\n", BAD, DONE, ("marker_noise",)),
    "a closing marker alone": Row(A, ">>>>>>> REPLACE\n", BAD, BAD),
    "closing marker indented": Row(A, BLOCK.format("a\n", "B\n").replace(">>>", "  >>>", 1), BAD, DONE,
                                   ("marker_noise",)),
    "opening marker indented": Row(A, "x\n  " + TO_B, BAD, DONE, ("marker_noise",)),
    "text after the closing marker": Row(A, BLOCK.format("a\n", "B\n")[:-1] + " (done)\n", BAD, DONE,
                                         ("marker_noise",)),
    "blanks after the markers": Row(A, BLOCK.format("a\n", "B\n").replace("=\n", "= \n").replace("H\n", "H  \n"), BAD,
                                    DONE, ("marker_noise",)),
    "unequal markers": Row(A, "x\n<<<<<<<< SEARCH\na\n=======\nB\n>>>>>>> REPLACE\n", BAD, DONE, ("marker_noise",)),
    "short markers": Row(A, "x\n<<<<<< SEARCH\na\n======\nB\n>>>>>> REPLACE\n", BAD, DONE, ("marker_noise",)),
    "older words": Row(A, "x\n<<<<<<< ORIGINAL\na\n=======\nB\n>>>>>>> UPDATED\n", BAD, DONE, ("marker_noise",)),
    "a divider in the text": Row(A, BLOCK.format("a\n=======\n", "B\n"), BAD, BAD),
    "a divider in the new text": Row(A, BLOCK.format("a\n", "B\n=======\n"), BAD, BAD),
    "no block at all": Row(A, "I will now edit x.\n", Detail.NO_EDIT, Detail.NO_EDIT),
    "empty": Row(A, "", Detail.NO_EDIT, Detail.NO_EDIT),
    # the whole reply
    "HTML": Row({"x": b"a & b\n"}, BLOCK.format("a &amp; b\n", "b &lt; a\n").replace("<<<<<<<", "&lt;" * 7).replace(
        ">>>>>>>", "&gt;" * 7), Detail.NO_EDIT, {"x": b"b < a\n"}, ("html_escaped",)),
    "HTML cut off": Row({"x": b"a\n"}, "x\n" + "&lt;" * 7 + " SEARCH\na\n", Detail.NO_EDIT, BAD, unterminated=True),
    "HTML in the text": Row({"x": b"if a < b && c:\n"}, BLOCK.format("if a &lt; b &amp;&amp; c:\n", "if a &gt; b:\n"),
                            MISSING, {"x": b"if a > b:\n"}, ("html_escaped",)),
    "HTML that is the file's": Row({"x": b"&lt;b\n"}, BLOCK.format("&lt;b \n", "&lt;c\n"), MISSING, {"x": b"&lt;c\n"},
                                   ("trailing_space",)),
    "JSON": Row(A, '{"path": "x", "diff": "<<<<<<< SEARCH\\na\\n=======\\nB\\n>>>>>>> REPLACE"}', Detail.NO_EDIT, DONE,
                ("json_wrapped",)),
    # the anchor
    "stale": Row(A, BLOCK.format("a\nz\n", "B\n"), MISSING, MISSING),
    "applied already": Row({"x": b"B\nb\n"}, BLOCK.format("a\n", "B\n"), MISSING, MISSING),
    "ends in the middle of a line": Row({"x": b"one = 1\ntwo = 22\n"}, BLOCK.format("one = 1\ntwo = 2\n", "o\n"),
                                        MISSING, MISSING),
    "a brace of many": Row({"x": b"{\n}\n{\n}\n"}, BLOCK.format("}\n", "};\n"), AMBIGUOUS, AMBIGUOUS),
    "an indented brace of many": Row({"x": b"  }\n    }\n"}, BLOCK.format("}\n", "};\n"), MISSING, AMBIGUOUS),
    "empty SEARCH over a file": Row(A, BLOCK.format("", "B\n"), Detail.HUNK_MISMATCH, Detail.HUNK_MISMATCH),
    "empty SEARCH over the same file": Row(A, BLOCK.format("", "a\nb\nc\n"), Detail.HUNK_MISMATCH,
                                           Detail.HUNK_MISMATCH),
    "blank SEARCH for a new file": Row({}, BLOCK.format("\n", "B\n"), Detail.UNKNOWN_PATH, {"x": b"B\n"},
                                       ("blank_lines",)),
    "blank SEARCH over a file": Row(A, BLOCK.format("\n", "B\n"), MISSING, MISSING),
    "deleted twice": Row(A, "DELETE FILE: x\nDELETE FILE: x\n", Detail.UNKNOWN_PATH, Detail.UNKNOWN_PATH),
    "edited after it was deleted": Row(A, "DELETE FILE: x\n" + BLOCK.format("a\n", "B\n"), Detail.UNKNOWN_PATH,
                                       Detail.UNKNOWN_PATH),
    "outside": Row(A, "../x\n" + TO_B, Detail.FORBIDDEN_PATH, Detail.FORBIDDEN_PATH),
    "a file without a newline, which is there": Row(A, BLOCK.format(f"c\n{NO_NEWLINE}\n", "C\n"), MISSING, MISSING),
    "plain against CRLF": Row({"x": b"a\r\nb\r\nc\r\n"}, BLOCK.format("a\nb\n", "a\nB\n"), MISSING,
                              {"x": b"a\r\nB\r\nc\r\n"}, ("line_endings",)),
    "CRLF against plain": Row(A, BLOCK.format("a\n", "B\n").replace("\n", "\r\n"), MISSING, DONE, ("line_endings",)),
    "plain against mixed": Row({"x": b"a\r\nb\nc\r\n"}, BLOCK.format("a\nb\nc\n", "a\nb\nn\nc\n"), MISSING,
                               {"x": b"a\r\nb\nn\r\nc\r\n"}, ("line_endings",)),
    "trailing blanks left out": Row({"x": b"a  \nb\t\nc\n"}, BLOCK.format("a\nb\n", "a\nB\n"), MISSING,
                                    {"x": b"a  \nB\nc\n"}, ("trailing_space",)),
    "no-break spaces": Row({"x": b"a = 1\n"}, BLOCK.format("a\u00a0=\u00a01\n", "a = 2\n"), MISSING, {"x": b"a = 2\n"},
                           ("lookalikes",)),
    "a byte order mark": Row({"x": b"\xef\xbb\xbfa\nb\n"}, BLOCK.format("a\n", "B\n"), MISSING,
                             {"x": b"\xef\xbb\xbfB\nb\n"}, ("lookalikes",)),
    "blank line too many": Row(A, BLOCK.format("\na\n", "\nB\n"), MISSING, DONE, ("blank_lines",)),
    "four blanks too many": Row(A, BLOCK.format("    a\n    b\n", "    B\n"), MISSING, {"x": b"B\nc\n"},
                                ("indentation",)),
    "indentation left out": Row({"x": b"if a:\n    b\n    c\n"}, BLOCK.format("b\nc\n", "b\nif c:\n    d\n"), MISSING,
                                {"x": b"if a:\n    b\n    if c:\n        d\n"}, ("indentation",)),
    "blanks against tabs": Row(
        {"x": b"\tif a:\n\t\tb\n"}, BLOCK.format("    if a:\n        b\n", "    if a:\n        c\n"), MISSING,
        {"x": b"\tif a:\n\t\tc\n"}, ("indent_units",)),
    "line numbers": Row({"x": b"a\nb\nc\n"}, BLOCK.format("1| a\n2| b\n", "1| a\n2| B\n"), MISSING,
                        {"x": b"a\nB\nc\n"}, ("line_numbers",)),
    "line numbers and indentation": Row({"x": b"a\n  b\n"}, BLOCK.format(" 2 | b\n", "c\n"), MISSING,
                                        {"x": b"a\n  c\n"}, ("line_numbers", "indentation")),
    "numbers that are the file's": Row({"x": b"1: a\n2: b\na\n"}, BLOCK.format("1: a \n", "1: c\n"), MISSING,
                                       {"x": b"1: c\n2: b\na\n"}, ("trailing_space",)),
    "lines left out with dots": Row(
        {"x": b"def f():\n    a\n    b\n    return 1\n"}, BLOCK.format(
            "def f():\n    ...\n    return 1\n", "def g():\n    ...\n    return 2\n"), MISSING,
        {"x": b"def g():\n    a\n    b\n    return 2\n"}, ("dots",)),
    "dots on one side": Row({"x": b"a\nb\nc\n"}, BLOCK.format("a\n...\nc\n", "x\n"), MISSING, MISSING),
    "dots, a piece twice there": Row({"x": b"a\nb\nc\nc\n"}, BLOCK.format("a\n...\nc\n", "x\n...\ny\n"), MISSING,
                                     MISSING),
    "dots, pieces in another order": Row({"x": b"c\nb\na\n"}, BLOCK.format("a\n...\nc\n", "x\n...\ny\n"), MISSING,
                                         MISSING),
    "dots that only add": Row({"x": b"a\nb\n"}, BLOCK.format("z\n...\n", "z\n...\ny\n"), MISSING, MISSING),
    "all or nothing": Row(A, BLOCK.format("a\n", "B\n") + BLOCK.format("z\n", "y\n"), MISSING, MISSING),
}  # fmt: skip


@pytest.mark.parametrize("row", LADDER.values(), ids=LADDER.keys())
def test_the_letter_refuses_and_the_ladder_does_what_is_declared(tree_of: MakeTree, row: Row) -> None:
    strict = outcome(tree_of(row.files), row.reply, STRICT)
    assert not isinstance(strict, Applied)
    assert strict.detail is row.strict
    standard = outcome(tree_of(row.files), row.reply, STANDARD)
    if isinstance(row.standard, Detail):
        assert not isinstance(standard, Applied), standard.steps
        assert standard.detail is row.standard
        assert standard.message
        assert getattr(standard, "unterminated", False) is row.unterminated
    else:
        assert isinstance(standard, Applied), standard
        assert standard.files == row.standard
        assert standard.steps[-1] == row.steps or row.steps in standard.steps


@pytest.mark.parametrize("row", [row for row in LADDER.values() if row.steps])
def test_each_step_is_needed_and_is_enough(tree_of: MakeTree, row: Row) -> None:
    enough = outcome(tree_of(row.files), row.reply, frozenset(row.steps))
    assert isinstance(enough, Applied)
    assert enough.files == row.standard
    for step in row.steps:
        without = STANDARD - {step, "indent_units"}  # which can shift too
        assert not isinstance(outcome(tree_of(row.files), row.reply, without), Applied)


MESSAGES = {
    "how often": (b"a\nb\na\n", BLOCK.format("a\n", "B\n"), "Block 1 (x): its SEARCH lines occur 2 times (lines 1, 3)"),
    "applied already": (b"z\nB\n", BLOCK.format("a\n", "B\n"), "already there (line 2)"),
    "nearest lines": (b"p\ndef f():\n    return 1\nq\n", BLOCK.format("def f():\n    return 2\n", "x\n"),
                      "The nearest lines are:\n2| def f():\n3|     return 1"),
    "nearest line": (b"p\nvalue = compute(1)\n", BLOCK.format("value = compute(2)\n", "x\n"),
                     "\n2| value = compute(1)"),
    "middle of a line": (b"a\nname = 10\n", BLOCK.format("name = 1\n", "x\n"), "only the beginning of line 2"),
    "not the end": (b"a\n", BLOCK.format(f"a\n{NO_NEWLINE}\n", "b\n"), "without a newline"),
    "exists": (b"a\n", BLOCK.format("", "b\n"), "already exists"),
    "every block that fails": (b"a\n", BLOCK.format("y\n", "b\n") + BLOCK.format("z\n", "b\n"), "Block 2 (x)"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "reply", "message"), MESSAGES.values(), ids=MESSAGES.keys())
def test_a_refusal_says_which_block_and_what_is_there(
    tree_of: MakeTree, before: bytes, reply: str, message: str
) -> None:
    found = outcome(tree_of({"x": before}), reply, STANDARD)
    assert isinstance(found, NotApplied)
    assert message in found.message


def test_an_unknown_file_is_named_with_those_of_its_name(tree_of: MakeTree) -> None:
    found = outcome(tree_of({"p/x.py": b"", "q/x.py": b""}), "r/x.py\n" + TO_B, STANDARD)
    assert isinstance(found, NotApplied)
    assert found.message == "Block 1: There is no file 'r/x.py'. There is 'p/x.py', 'q/x.py'."


def test_edits_that_fit_are_counted_whatever_comes_before_them(tree_of: MakeTree) -> None:
    reply = BLOCK.format("z\n", "y\n") + BLOCK.format("a\n", "B\n") + BLOCK.format("b\n", "C\n")
    found = outcome(tree_of(A), reply, STRICT)
    assert isinstance(found, NotApplied)
    assert found.fitted == 2


def test_placements_are_the_lines_before_that_change(tree_of: MakeTree) -> None:
    reply = (
        BLOCK.format("a\nb\n", "a\nnew\nb\n") + BLOCK.format("d\n", "D\n") + BLOCK.format("D\ne\n", "D\nE\n")
        + BLOCK.format("new\n", "newer\n") + "DELETE FILE: y\n"
    )  # fmt: skip
    found = outcome(tree_of({"x": b"a\nb\nc\nd\ne\n", "y": b"1\n2\n"}), reply, STRICT)
    assert isinstance(found, Applied)
    assert found.placements == (
        Placement("x", (1, 1)), Placement("x", (3, 4)), Placement("x", (4, 5)), Placement("y", (0, 2)),
    )  # fmt: skip
    assert len(found.steps) == 5


def test_several_files_are_edited_in_one_reply(tree_of: MakeTree) -> None:
    reply = BLOCK.format("a\n", "b\n") + "\ny\n" + TO_B + "\nz/new.py\n" + BARE.format("", "n\n")
    found = outcome(tree_of({"x": b"a\n", "y": b"a\n"}), reply, STRICT)
    assert isinstance(found, Applied)
    assert found.files == {"x": b"b\n", "y": b"B\n", "z/new.py": b"n\n"}


@pytest.mark.parametrize("text", ["", "a", "a\n", "\n", "\n\n", "a\n\nb", "a\r\n"])
def test_lines_are_the_text(text: str) -> None:
    assert Lines.of(text).text() == text


def test_an_encoded_change_quotes_as_little_as_is_unique() -> None:
    before = "".join(f"line {n}\n" if n % 10 else "}\n" for n in range(100))
    after = before.replace("line 33\n", "line 33!\n").replace("}\nline 51", "};\nline 51")
    parsed = FORMAT.parse(str(FORMAT.encode({"x": before.encode()}, {"x": after.encode()})))
    assert not isinstance(parsed, Unreadable)
    assert [edit.search for edit in parsed if isinstance(edit, Block)] == [
        Lines(("line 33",)), Lines(("line 49", "}", "line 51"))]  # fmt: skip


NASTY = st.sampled_from(
    ["a", "b", "", " ", "  x", "\tx", "=======", "<<<<<<< SEARCH", "  >>>>>>> REPLACE", ">>>>>>>>> REPLACE", "```",
     "x.py", NO_NEWLINE, "DELETE FILE: x", "a\r", "\f", "‘a’", "&lt;", "1| a", "..."]
)  # fmt: skip
TEXTS = st.tuples(st.lists(NASTY, max_size=10), st.sampled_from(["", "\n"])).map(lambda t: "\n".join(t[0]) + t[1])


@settings(max_examples=300, deadline=None)
@given(before=TEXTS, after=TEXTS)
def test_a_change_comes_out_byte_for_byte_strict_and_standard(before: str, after: str) -> None:
    reply = FORMAT.encode({"x.py": before.encode()}, {"x.py": after.encode()})
    if before == after or not isinstance(reply, str):
        return
    tree = Tree({"x.py": "100644"}, lambda _: before.encode())
    for leniency in (STRICT, STANDARD):
        found = outcome(tree, reply, leniency)
        assert isinstance(found, Applied), found
        assert found.files == {"x.py": after.encode()}
        assert not any(found.steps)


@settings(max_examples=300, deadline=None)
@given(reply=st.lists(NASTY | st.text(max_size=8), max_size=25).map("\n".join), content=TEXTS)
def test_whatever_the_letter_applies_the_ladder_applies_alike(reply: str, content: str) -> None:
    tree = Tree({"x.py": "100644"}, lambda _: content.encode())
    strict, standard = outcome(tree, reply, STRICT), outcome(tree, reply, STANDARD)
    assert not isinstance(strict, Applied) or strict == standard


LONG = "".join(f"    value_{n} = {n}\n" if n % 3 else "    }\n" for n in range(50_000))
HOSTILE: dict[str, str] = {
    "many blocks": "".join(BLOCK.format(f"    value_{n} = {n}\n", f"    v{n}\n") for n in range(1, 45_000, 3)),
    "many tolerant blocks": "".join(BLOCK.format(f"  value_{n} = {n}\n", f"  v{n}\n") for n in range(1, 45_000, 3)),
    "many blocks that fail": BLOCK.format("nothing\n", "") * 20_000,
    "many new files": "".join(f"d{n}/x.py\n" + BARE.format("", "") for n in range(18_000)),
    "one endless block": "x\n<<<<<<< SEARCH\n" + "a\n" * 500_000,
    "openings": "x\n<<<<<<< SEARCH\n" * 60_000,
    "dividers": "x\n<<<<<<< SEARCH\n" + "=======\n" * 120_000 + ">>>>>>> REPLACE\n",
    "one long line": "x\n" + "<" * 1_000_000,
    "blanks": " " * 1_000_000 + "<<<<<<< SEARCH",
    "a long anchor that fails late": BLOCK.format(LONG[: LONG.index("value_40000")] + "x\n", ""),
    "braces": BLOCK.format("    }\n" * 100_000, ""),
    "blank lines": BLOCK.format("\n" * 500_000, "\n" * 400_000),
}  # fmt: skip


@pytest.mark.parametrize("reply", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_reply_of_a_megabyte_takes_long_on_a_long_file(tree_of: MakeTree, reply: str) -> None:
    tree = tree_of({"x": LONG.encode()})
    started = time.perf_counter()
    outcome(tree, reply, STANDARD)
    assert time.perf_counter() - started < 20, "quadratic time would be minutes"
