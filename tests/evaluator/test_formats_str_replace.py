"""str_replace to the letter, and by each of its tolerances."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.formats.model import STRICT, Applied, Leniency, NotApplied, Placement, Tree, Unreadable
from evaluator.formats.str_replace import Replace, StrReplace
from evaluator.taxonomy import Detail
from miner.symbols.files import Files

FORMAT = StrReplace()
STANDARD = frozenset(tolerance.name for tolerance in FORMAT.tolerances)
MakeTree = Callable[..., Tree]


def outcome(tree: Tree, reply: str, leniency: Leniency) -> Applied | NotApplied | Unreadable:
    parsed = FORMAT.parse(reply, leniency)
    return parsed if isinstance(parsed, Unreadable) else FORMAT.apply(parsed, tree, leniency)


def swap(old: str, new: str, path: str = "x") -> dict[str, object]:
    return {"path": path, "old": old, "new": new}


def put(line: int, text: str) -> dict[str, object]:
    return {"path": "x", "insert_line": line, "insert": text}


def make(text: str) -> dict[str, object]:
    return {"path": "x", "create": text}


GONE = {"path": "x", "delete": True}
GIVES: dict[str, tuple[bytes | None, list[dict[str, object]], bytes | None]] = {
    "a line": (b"a\nb\n", [swap("a\n", "c\n")], b"c\nb\n"),
    "part of a line": (b"one two\n", [swap("e t", "E-T")], b"onE-Two\n"),
    "across lines": (b"abc\ndef\n", [swap("c\nd", "X")], b"abXef\n"),
    "dropped": (b"a\nb\n", [swap("a\n", "")], b"b\n"),
    "all dropped": (b"a\n", [swap("a\n", "")], b""),
    "a no-op": (b"a\n", [swap("a", "a")], b"a\n"),
    "the newline at the end goes": (b"a\nb\n", [swap("b\n", "b")], b"a\nb"),
    "a newline at the end comes": (b"a\nb", [swap("b", "b\n")], b"a\nb\n"),
    "in order, on the result": (b"a\n", [swap("a", "b"), swap("b", "c")], b"c\n"),
    "out of order": (b"a\nb\n", [swap("b", "d"), swap("a", "c")], b"c\nd\n"),
    "overlapping": (b"abc\n", [swap("ab", "xy"), swap("yc", "z")], b"xz\n"),
    "carriage returns": (b"a\r\nb\r\n", [swap("a\r\n", "c\r\n")], b"c\r\nb\r\n"),
    "inserted at the top": (b"a\n", [put(0, "n\n")], b"n\na\n"),
    "inserted between": (b"a\nb\n", [put(1, "n\n")], b"a\nn\nb\n"),
    "inserted without its newline": (b"a\nb\n", [put(1, "n")], b"a\nn\nb\n"),
    "inserted with a blank line": (b"a\nb\n", [put(1, "n\n\n")], b"a\nn\n\nb\n"),
    "a blank line inserted": (b"a\nb\n", [put(1, "")], b"a\n\nb\n"),
    "inserted at the end": (b"a\n", [put(1, "n")], b"a\nn\n"),
    "inserted after a bare end": (b"a", [put(1, "n")], b"a\nn"),
    "inserted after a bare end, with a newline": (b"a", [put(1, "n\n")], b"a\nn\n"),
    "inserted into an empty file": (b"", [put(0, "n")], b"n"),
    "inserted into an empty file, with a newline": (b"", [put(0, "n\n")], b"n\n"),
    "inserted with carriage returns": (b"a\r\nb\r\n", [put(1, "n\r\n")], b"a\r\nn\r\nb\r\n"),
    "created": (None, [make("a\n")], b"a\n"),
    "created bare": (None, [make("a")], b"a"),
    "created empty": (None, [make("")], b""),
    "created and edited": (None, [make("a\n"), swap("a", "b")], b"b\n"),
    "deleted": (b"a\n", [GONE], None),
    "deleted and created": (b"a\n", [GONE, make("b\n")], b"b\n"),
    "bytes that are no text, elsewhere": (b"\xff\x00\na\n", [swap("a", "b")], b"\xff\x00\nb\n"),
    "odd white space, elsewhere": (b"\xef\xbb\xbf\x0c \t\r\na\r\n\x85 \n", [swap("a", "b")],
                                   b"\xef\xbb\xbf\x0c \t\r\nb\r\n\x85 \n"),
    "a brace where there is one": (b"{\n}\n", [swap("}", "};")], b"{\n};\n"),
    "a fence in the text": (b"```\n", [swap("```\n", "````\n")], b"````\n"),
}  # fmt: skip
WRITTEN: dict[str, Callable[[str], str]] = {
    "bare": str, "fenced": "```json\n{}\n```\n".format, "in prose": "I did it.\n\n```json\n{}\n```\nDone [it].".format,
    "with carriage returns": lambda text: f"```json\n{text}\n```\n".replace("\n", "\r\n"),
}  # fmt: skip


@pytest.mark.parametrize("write", WRITTEN.values(), ids=WRITTEN.keys())
@pytest.mark.parametrize("leniency", [STRICT, STANDARD], ids=["strict", "standard"])
@pytest.mark.parametrize(("before", "edits", "after"), GIVES.values(), ids=GIVES.keys())
def test_edits_replace_what_is_there_once(
    tree_of: MakeTree, before: bytes | None, edits: list[dict[str, object]], after: bytes | None, leniency: Leniency,
    write: Callable[[str], str],
) -> None:  # fmt: skip
    found = outcome(tree_of({"x": before}), write(json.dumps(edits, indent=1)), leniency)
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
DONE = {"x": b"B\nb\nc\n"}
TO_B = '{"path": "x", "old": "a\\n", "new": "B\\n"}'
TO_BAD = '{"path": "x", "old": "a"", "new": "B"}'  # a quote too many
BAD, MISSING, AMBIGUOUS = Detail.BAD_BLOCK, Detail.ANCHOR_MISSING, Detail.ANCHOR_AMBIGUOUS
NONE = Detail.NO_EDIT


def said(*edits: dict[str, object]) -> str:
    return json.dumps(edits)


LADDER: dict[str, Row] = {
    # finding the list
    "no list": Row(A, "I will edit x.", NONE, NONE),
    "empty": Row(A, "", NONE, NONE),
    "an empty list": Row(A, "[]", NONE, NONE),
    "some other JSON": Row(A, 'Set {"a": 1} and [{"b": 2}].', NONE, NONE),
    "bare in prose": Row(A, f"Here: [{TO_B}] Done.", NONE, DONE, ("fence_noise",)),
    "prose after it": Row(A, f"[{TO_B}]\n\nDone.", BAD, DONE, ("fence_noise",)),
    "a fence without a language": Row(A, f"```\n[{TO_B}]\n```", NONE, DONE, ("fence_noise",)),
    "two fences": Row(A, f"```json\n[{TO_B}]\n```\n```json\n" + said(swap("c", "C")) + "\n```", BAD,
                      {"x": b"B\nb\nC\n"}, ("fence_noise",)),
    "the fence not closed": Row(A, f"```json\n[{TO_B}]\n", BAD, DONE, ("missing_sentinel",)),
    "one edit": Row(A, f"```json\n{TO_B}\n```", BAD, DONE, ("single_edit",)),
    "wrapped": Row(A, '```json\n{"path": "x", "edits": [{"old": "a", "new": "B"}]}\n```', BAD, DONE, ("json_wrapped",)),
    "HTML": Row({"x": b"a<b\n"}, said(swap("a<b", "b<a")).replace('"', "&quot;").replace("<", "&lt;"), BAD,
                {"x": b"b<a\n"}, ("html_escaped",)),
    "smart quotes": Row(A, "[{“path”: “x”, “old”: “a”, “new”: “B”}]", BAD, DONE, ("smart_quotes",)),
    "a line break beyond the end": Row({"x": b"a\nb\n"}, said(swap("b\n\n", "c\n\n")), MISSING, {"x": b"a\nc\n"},
                                       ("blank_lines",)),
    "a line break above the start": Row({"x": b"a\nb\n"}, said(swap("\na\n", "\nc\n")), MISSING, {"x": b"c\nb\n"},
                                        ("blank_lines",)),
    "a diff": Row(A, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+B\n", NONE, NONE),
    "code that has paths in braces": Row(A, 'x\n```\nuse({ path: "/", a: 1 });\nlet { path } = b;\n```\n', NONE, NONE),
    "code that has a path in a brace, cut": Row(A, "x\n```\nuse({ path: a,\n", NONE, NONE),
    # cut off
    "cut in a string": Row(A, f"```json\n[{TO_B}"[:-8], BAD, BAD, unterminated=True),
    "cut after an edit": Row(A, f"```json\n[{TO_B},", BAD, BAD, unterminated=True),
    "cut at the start": Row(A, "```json\n[", BAD, BAD, unterminated=True),
    "cut, bare": Row(A, f"[{TO_B}", BAD, BAD, unterminated=True),
    "cut, in prose": Row(A, f"Here: [{TO_B}, ", NONE, BAD, unterminated=True),
    "cut in the second of two": Row(A, f"[{TO_B}]\n[{TO_B}", BAD, BAD, unterminated=True),
    "a bad quote in a closed fence": Row(A, f"```json\n[{TO_BAD}]\n```\n", BAD, BAD),
    "a bad quote in a closed fence, prose below": Row(A, f"```json\n[\n{TO_BAD}\n]\n```\nDone.\n", BAD, BAD),
    "a bad quote in a list, bare": Row(A, f"Here:\n[{TO_BAD}]\n\nDone.\n", NONE, BAD),
    "a bad quote in a list, all of the reply": Row(A, f"[\n{TO_BAD}\n]", BAD, BAD),
    "a bad quote in one edit": Row(A, f"```json\n{TO_BAD}\n```\n", BAD, BAD),
    "no bracket in a closed fence": Row(A, f"```json\n[\n{TO_B}\n```\n", BAD, BAD),
    "a bad quote, then cut": Row(A, f"```json\n[{TO_BAD},\n{TO_B[:-8]}", BAD, BAD, unterminated=True),
    "a bad quote, cut before the list's end": Row(A, f"```json\n[{TO_BAD}", BAD, BAD, unterminated=True),
    "cut in a string of code": Row(A, '[{"path": "x", "create": "[{\\"a\\": \\"b\\"}]', BAD, BAD, unterminated=True),
    # the JSON
    "trailing commas": Row(A, f"[{TO_B[:-1]},}},]", BAD, DONE, ("trailing_commas",)),
    "a comma before a bracket in a string": Row({"x": b"f(a,]\n"}, '[{"path": "x", "old": "a,]", "new": "b,]",},]', BAD,
                                                {"x": b"f(b,]\n"}, ("trailing_commas",)),
    "line breaks in strings": Row(A, TO_B.replace("\\n", "\n").join("[]"), BAD, DONE, ("raw_newlines",)),
    "line breaks, and a trailing comma": Row(A, f"[{TO_B},]".replace("\\n", "\n"), BAD, DONE,
                                             ("raw_newlines", "trailing_commas")),
    "a bad escape": Row({"x": rb"re.compile('\d')"}, r'[{"path": "x", "old": "\d", "new": "\w\n\\s"}]', BAD,
                        {"x": b"re.compile('\\w\n\\s')"}, ("bad_escapes",)),
    "no JSON at all": Row(A, "[{path: x}]", BAD, BAD),
    "a key twice": Row(A, '[{"path": "x", "old": "a", "old": "b", "new": "B"}]', BAD, BAD),
    # the objects
    "the tool's parameters": Row(A, said({"command": "str_replace", "path": "x", "old_str": "a", "new_str": "B"}), BAD,
                                 DONE, ("key_names",)),
    "the tool's insertion": Row(A, said({"command": "insert", "path": "x", "insert_line": 0, "new_str": "B"}), BAD,
                                {"x": b"B\na\nb\nc\n"}, ("key_names",)),
    "another tool's parameters": Row(
        A, said({"file_path": "x", "old_string": "a", "new_string": "B", "replace_all": False}), BAD, DONE,
        ("key_names",)),
    "all of them to be replaced": Row(
        A, said({"file_path": "x", "old_string": "a", "new_string": "B", "replace_all": True}), BAD, BAD),
    "no path": Row(A, said({"old": "a", "new": "B"}), BAD, BAD),
    "no new": Row(A, said({"path": "x", "old": "a"}), BAD, BAD),
    "more keys": Row(A, said({**swap("a", "B"), "delete": True}), BAD, BAD),
    "a line that is no number": Row(A, said({"path": "x", "insert_line": True, "insert": "n"}), BAD, BAD),
    "delete: false": Row(A, said({"path": "x", "delete": False}), BAD, BAD),
    # the path
    "a/": Row(A, said(swap("a", "B", "a/x")), Detail.UNKNOWN_PATH, DONE, ("path_decoration",)),
    "a bare file name": Row({"p/x.py": b"a\n"}, said(swap("a", "B", "x.py")), Detail.UNKNOWN_PATH,
                            {"p/x.py": b"B\n"}, ("path_recovery",)),
    "a bare file name of two": Row({"p/x.py": b"a\n", "q/x.py": b""}, said(swap("a", "B", "x.py")),
                                   Detail.UNKNOWN_PATH, Detail.UNKNOWN_PATH),
    "outside": Row(A, said(swap("a", "B", "../x")), Detail.FORBIDDEN_PATH, Detail.FORBIDDEN_PATH),
    "deleted twice": Row(A, said(GONE, GONE), Detail.UNKNOWN_PATH, Detail.UNKNOWN_PATH),
    "created over a file": Row(A, said(make("B\n")), Detail.HUNK_MISMATCH, Detail.HUNK_MISMATCH),
    "created over the same file": Row(A, said(make("a\nb\nc\n")), Detail.HUNK_MISMATCH, Detail.HUNK_MISMATCH),
    "created twice": Row({}, said(make("B\n"), make("B\n")), Detail.HUNK_MISMATCH, Detail.HUNK_MISMATCH),
    "created by an empty old": Row({}, said(swap("", "B\n")), Detail.UNKNOWN_PATH, {"x": b"B\n"}, ("empty_old",)),
    "an empty old over a file": Row(A, said(swap("", "B\n")), MISSING, MISSING),
    # the anchor
    "stale": Row(A, said(swap("z", "B")), MISSING, MISSING),
    "applied already": Row({"x": b"B\n"}, said(swap("a\n", "B\n")), MISSING, MISSING),
    "twice there": Row({"x": b"a a\n"}, said(swap("a", "B")), AMBIGUOUS, AMBIGUOUS),
    "twice there, overlapping": Row({"x": b"aaa\n"}, said(swap("aa", "B")), AMBIGUOUS, AMBIGUOUS),
    "a brace of many": Row({"x": b"{\n}\n{\n}\n"}, said(swap("}", "};")), AMBIGUOUS, AMBIGUOUS),
    "after the last line": Row(A, said(put(4, "n")), MISSING, MISSING),
    "before the first line": Row(A, said(put(-1, "n")), MISSING, MISSING),
    "plain against CRLF": Row({"x": b"a\r\nb\r\nc\r\n"}, said(swap("a\nb\n", "a\nB\n")), MISSING,
                              {"x": b"a\r\nB\r\nc\r\n"}, ("line_endings",)),
    "plain against CRLF, parts of lines": Row({"x": b"1\r\nabc\r\ndef\r\n"}, said(swap("c\nd", "C\nnew\nD")), MISSING,
                                              {"x": b"1\r\nabC\r\nnew\r\nDef\r\n"}, ("line_endings",)),
    "plain against mixed": Row({"x": b"a\r\nb\nc\r\n"}, said(swap("a\nb\nc\n", "a\nb\nn\nc\n")), MISSING,
                               {"x": b"a\r\nb\nn\r\nc\r\n"}, ("line_endings",)),
    "plain against CRLF, twice there": Row({"x": b"a\r\nb\r\na\r\nb\r\n"}, said(swap("a\nb", "c")), MISSING, AMBIGUOUS),
    "CRLF against plain": Row(A, said(swap("a\r\nb\r\n", "B\r\nb\r\n")), MISSING, DONE, ("line_endings",)),
    "trailing blanks left out": Row({"x": b"a  \nb\t\nc\n"}, said(swap("a\nb\n", "a\nB\n")), MISSING,
                                    {"x": b"a  \nB\nc\n"}, ("trailing_space",)),
    "trailing blanks left out, no newline": Row({"x": b"a  \nb\t\nc\n"}, said(swap("a\nb", "a\nB")), MISSING,
                                                {"x": b"a  \nB\nc\n"}, ("trailing_space",)),
    "whole lines go": Row({"x": b"a  \nb\t\nc\n"}, said(swap("a\nb\n", "")), MISSING, {"x": b"c\n"},
                          ("trailing_space",)),
    "what would join two lines": Row({"x": b"a  \nb\t\nc\n"}, said(swap("a\nb\n", "z")), MISSING, MISSING),
    "no-break spaces": Row({"x": b"a = 1\n"}, said(swap("a\u00a0=\u00a01", "a = 2")), MISSING, {"x": b"a = 2\n"},
                           ("lookalikes",)),
    "indentation left out": Row({"x": b"if a:\n    b\n    c\n"}, said(swap("b\nc\n", "b\nif c:\n    d\n")), MISSING,
                                {"x": b"if a:\n    b\n    if c:\n        d\n"}, ("indentation",)),
    "blanks against tabs": Row(
        {"x": b"\tif a:\n\t\tb\n"}, said(swap("    if a:\n        b\n", "    if a:\n        c\n")), MISSING,
        {"x": b"\tif a:\n\t\tc\n"}, ("indent_units",)),
    "a byte order mark": Row({"x": b"\xef\xbb\xbfa \nb\n"}, said(swap("a\nb\n", "B\nb\n")), MISSING,
                             {"x": b"\xef\xbb\xbfB\nb\n"}, ("trailing_space", "lookalikes")),
    "blank lines too many": Row({"x": b"a\nb\n"}, said(swap("\n\na\nb\n", "\n\nB\nb\n")), MISSING, {"x": b"B\nb\n"},
                                ("blank_lines",)),
    "line numbers": Row({"x": b"a\nb\nc\n"}, said(swap("     1\ta\n     2\tb\n", "     1\ta\n     2\tB\n")), MISSING,
                        {"x": b"a\nB\nc\n"}, ("line_numbers",)),
    "HTML in the text": Row({"x": b"if a < b:\n"}, said(swap("if a &lt; b:", "if a &gt; b:")), MISSING,
                            {"x": b"if a > b:\n"}, ("html_escaped",)),
    "all or nothing": Row(A, said(swap("a", "B"), swap("z", "y")), MISSING, MISSING),
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
        assert standard.steps[0] == row.steps


@pytest.mark.parametrize("row", [row for row in LADDER.values() if row.steps])
def test_each_step_is_needed_and_is_enough(tree_of: MakeTree, row: Row) -> None:
    enough = outcome(tree_of(row.files), row.reply, frozenset(row.steps))
    assert isinstance(enough, Applied)
    assert enough.files == row.standard
    for step in row.steps:
        without = STANDARD - {step, "indent_units"}  # which can shift too
        assert not isinstance(outcome(tree_of(row.files), row.reply, without), Applied)


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [(b"a\r\nb\r\n", put(1, "n\nm"), b"a\r\nn\r\nm\r\nb\r\n"), (b"a\r\nb\r\n", put(1, "n\n"), b"a\r\nn\r\nb\r\n"),
     (b"a\r\nb", put(2, "n"), b"a\r\nb\r\nn"), (b"a\r\nb\r\n", swap("a", "a\nn"), b"a\r\nn\r\nb\r\n")],
)  # fmt: skip
def test_plain_lines_that_come_into_a_crlf_file_end_as_its_own_by_tolerance_only(
    tree_of: MakeTree, before: bytes, edit: dict[str, object], after: bytes
) -> None:
    standard = outcome(tree_of({"x": before}), said(edit), STANDARD)
    assert isinstance(standard, Applied)
    assert (standard.files, standard.steps) == ({"x": after}, (("line_endings",),))
    strict = outcome(tree_of({"x": before}), said(edit), STRICT)
    assert isinstance(strict, Applied)
    assert strict.files["x"] != after


MESSAGES = {
    "how often": (b"a\nb\na\n", swap("a\n", "B"), "Edit 1 (x): `old` occurs 2 times (lines 1, 3)."),
    "applied already": (b"z\nB\n", swap("a\n", "B\n"), "already there (line 2)"),
    "nearest lines": (b"p\ndef f():\n    return 1\nq\n", swap("def f():\n    return 2\n", "x\n"),
                      "The nearest lines are:\n2| def f():\n3|     return 1"),
    "exists": (b"a\n", make("b\n"), "already exists"),
    "how many lines": (b"a\n", put(7, "b\n"), "insert_line is 7, but the file has 1 lines"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "edit", "message"), MESSAGES.values(), ids=MESSAGES.keys())
def test_a_refusal_says_which_edit_and_what_is_there(
    tree_of: MakeTree, before: bytes, edit: dict[str, object], message: str
) -> None:
    found = outcome(tree_of({"x": before}), said(edit), STANDARD)
    assert isinstance(found, NotApplied)
    assert message in found.message


def test_edits_that_fit_are_counted_whatever_comes_before_them(tree_of: MakeTree) -> None:
    found = outcome(tree_of(A), said(swap("z", "y"), swap("a", "B"), swap("b", "C")), STRICT)
    assert isinstance(found, NotApplied)
    assert found.fitted == 2


PLACED: dict[str, tuple[bytes, dict[str, object], tuple[int, int]]] = {
    "part of a line": (b"a\nbcd\n", swap("c", "C"), (1, 2)),
    "a line that is kept around": (b"a\nb\nc\n", swap("a\nb\nc\n", "a\nB\nc\n"), (1, 2)),
    "lines that come": (b"a\nb\n", swap("a\n", "a\nn\n"), (1, 1)),
    "inserted": (b"a\nb\n", put(1, "n"), (1, 1)),
    "inserted at the end": (b"a\nb\n", put(2, "n"), (2, 2)),
    "the newline at the end": (b"a\nb\n", swap("b\n", "b"), (1, 2)),
    "a newline at the end comes": (b"a\nb", swap("b", "b\n"), (2, 2)),
    "into an empty file": (b"", put(0, "n\n"), (0, 0)),
    "deleted": (b"a\nb\n", GONE, (0, 2)),
}  # fmt: skip


@pytest.mark.parametrize(("before", "edit", "chosen"), PLACED.values(), ids=PLACED.keys())
def test_a_placement_is_the_lines_before_that_change(
    tree_of: MakeTree, before: bytes, edit: dict[str, object], chosen: tuple[int, int]
) -> None:
    found = outcome(tree_of({"x": before}), said(edit), STRICT)
    assert isinstance(found, Applied)
    assert found.placements == (Placement("x", chosen),)


def test_placements_after_other_edits_are_lines_of_the_file_before(tree_of: MakeTree) -> None:
    reply = said(put(0, "n\nm\n"), swap("c", "C"), swap("m", "M"), swap("b\nC\n", "b\nD\n"))
    found = outcome(tree_of({"x": b"a\nb\nc\n"}), reply, STRICT)
    assert isinstance(found, Applied)
    assert [place.chosen for place in found.placements] == [(0, 0), (2, 3)]


def test_an_encoded_change_quotes_as_little_as_is_unique() -> None:
    before = "".join(f"line {n}\n" if n % 10 else "}\n" for n in range(100))
    after = before.replace("line 33\n", "line 33!\n").replace("}\nline 51", "};\nline 51")
    parsed = FORMAT.parse(str(FORMAT.encode({"x": before.encode()}, {"x": after.encode()})))
    assert not isinstance(parsed, Unreadable)
    assert [edit.old for edit in parsed if isinstance(edit, Replace)] == ["line 33\n", "line 49\n}\nline 51\n"]


NASTY = st.sampled_from(
    ["a", "b", "", " ", "  x", "\tx", '"', "\\", "\\n", '"}]', "[{", "```", "```json", "“", "&quot;", "a\r", "\f",
     "1| a", "\u2028", "é", "},", "\x01"]
)  # fmt: skip
TEXTS = st.tuples(st.lists(NASTY, max_size=10), st.sampled_from(["", "\n"])).map(lambda t: "\n".join(t[0]) + t[1])


@settings(max_examples=300, deadline=None)
@given(before=TEXTS, after=TEXTS)
def test_a_change_comes_out_byte_for_byte_strict_and_standard(before: str, after: str) -> None:
    if before == after:
        return
    reply = FORMAT.encode({"x.py": before.encode()}, {"x.py": after.encode()})
    assert isinstance(reply, str)
    tree = Tree({"x.py": "100644"}, lambda _: before.encode())
    for leniency in (STRICT, STANDARD - {"line_endings"}):
        found = outcome(tree, reply, leniency)
        assert isinstance(found, Applied), found
        assert found.files == {"x.py": after.encode()}
        assert not any(found.steps)


PIECES = NASTY | st.sampled_from(
    [said(swap("a", "b", "x.py")), '"path": "x.py"', '"old"', "{", "[", "]", "}", ":", ","]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(reply=st.lists(PIECES | st.text(max_size=8), max_size=25).map("\n".join), content=TEXTS)
def test_whatever_the_letter_applies_the_ladder_applies_alike(reply: str, content: str) -> None:
    tree = Tree({"x.py": "100644"}, lambda _: content.encode())
    strict, standard = outcome(tree, reply, STRICT), outcome(tree, reply, STANDARD - {"line_endings"})
    assert not isinstance(strict, Applied) or strict == standard


@settings(max_examples=300, deadline=None)
@given(content=TEXTS, start=st.integers(0, 30), size=st.integers(1, 9), new=TEXTS)
def test_a_replacement_is_that_of_the_string(content: str, start: int, size: int, new: str) -> None:
    old = content[start : start + size]
    if not old or content.count(old) != 1 or content.find(old, content.find(old) + 1) >= 0:
        return
    found = outcome(Tree({"x": "100644"}, lambda _: content.encode()), said(swap(old, new)), STRICT)
    assert isinstance(found, Applied)
    assert found.files == {"x": content.replace(old, new).encode()}


LONG = "".join(f"    value_{n} = {n}\n" if n % 3 else "    }\n" for n in range(50_000))
HOSTILE: dict[str, str] = {
    "many edits": said(*(swap(f"value_{n} =", f"v{n} =") for n in range(1, 3_000, 3))),
    "many tolerant edits": said(*(swap(f"  value_{n} = {n} \n", f"  v{n}\n") for n in range(1, 3_000, 3))),
    "many insertions": said(*(put(n, "n") for n in range(1_000))),
    "a long text that fails late": said(swap(LONG[: LONG.index("value_40000")] + "x", "")),
    "a character that is everywhere": said(swap("e", "")),
    "brackets": "[" * 1_000_000,
    "lists and objects": "[{" * 500_000,
    "quotes": '[{"' + '\\"' * 500_000,
    "commas": "[{" + ", " * 500_000,
    "fences": "```json\n" * 125_000,
    "unclosed strings": '[{"path": "' * 90_000,
    "escapes": '[{"path": "x", "old": "' + "\\d" * 500_000 + '", "new": ""}]',
}  # fmt: skip


@pytest.mark.parametrize("reply", HOSTILE.values(), ids=HOSTILE.keys())
def test_no_reply_of_a_megabyte_takes_long_on_a_long_file(tree_of: MakeTree, reply: str) -> None:
    tree = tree_of({"x": LONG.encode()})
    started = time.perf_counter()
    outcome(tree, reply, STANDARD)
    assert time.perf_counter() - started < 20, "quadratic time would be minutes"


TOLD: dict[str, tuple[str, str]] = {
    "True": ('{"path": "x", "delete": True}', "`True` is no JSON"),
    "None": ('{"path": "x", "old": None, "new": ""}', "`None` is no JSON"),
    "single quotes": ("{'path': 'x', 'delete': true}", "single quotes"),
    "single quotes around a text": ("{\"path\": 'x'}", "single quotes"),
    "a trailing comma": ('{"path": "x", "delete": true,}', "a comma before a closing bracket"),
    "a bad quote": (TO_BAD, 'a `"` inside a string'),
    "a line break": ('{"path": "x", "create": "a\nb"}', "a line break is written"),
}  # fmt: skip


@pytest.mark.parametrize("above", [0, 3])
@pytest.mark.parametrize(("edit", "hint"), TOLD.values(), ids=TOLD.keys())
def test_what_is_no_json_is_named_with_its_line_of_the_reply(edit: str, hint: str, above: int) -> None:
    found = StrReplace().parse("Prose.\n" * above + f"```json\n[\n{edit}\n]\n```\n", STRICT)
    assert isinstance(found, Unreadable)
    assert f"not valid JSON on line {above + 3} of the reply: " in found.message
    assert hint in found.message


def test_what_repairs_mend_is_not_what_is_told() -> None:
    found = StrReplace().parse('[\n{"path": "x", "create": "a\n"},\n{"path": "y", "delete": None},\n]', STANDARD)
    assert isinstance(found, Unreadable)
    assert "on line 4 of the reply" in found.message
    assert "`None`" in found.message


def test_many_bad_quotes_take_linear_time() -> None:
    for part in (f"{TO_BAD}\n", f"[{TO_BAD}]\n", f"```json\n[{TO_BAD}]\n```\n", '"} ', '[{"path": "', " }" * 50):
        for reply in (part * 10_000, "[" + part * 10_000):
            StrReplace().parse(reply, STANDARD)
