"""The V4A patch: to the letter, and with what its public appliers admit."""

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.formats.apply_patch import Action, ApplyPatch, Hunk, Section
from evaluator.formats.model import STRICT, Applied, CannotExpress, Leniency, NotApplied, Placement, Tree, Unreadable
from evaluator.taxonomy import Detail
from miner.symbols.files import Files

FORMAT = ApplyPatch()
STANDARD: Leniency = frozenset(tolerance.name for tolerance in FORMAT.tolerances)
NINE = b"".join(b"%d\n" % n for n in range(1, 10))


def patch(*sections: str) -> str:
    return "*** Begin Patch\n" + "".join(sections) + "*** End Patch\n"


def update(hunks: str, path: str = "x") -> str:
    return patch(f"*** Update File: {path}\n{hunks}")


def run(reply: str, files: Files, leniency: Leniency = STRICT, **modes: str) -> Applied | NotApplied | Unreadable:
    parsed = FORMAT.parse(reply, leniency)
    if isinstance(parsed, Unreadable):
        return parsed
    known = {path: "100644" for path, content in files.items() if content is not None} | modes
    return FORMAT.apply(parsed, Tree(known, lambda path: files[path] or b""), leniency)


CLASSES = b"class A:\n    def f(self):\n        return 1\n\nclass B:\n    def f(self):\n        return 1\n"
IN_B = CLASSES.replace(b"return 1\n", b"return 2\n").replace(b"return 2\n", b"return 1\n", 1)
IN_A = CLASSES.replace(b"return 1\n", b"return 2\n", 1)
CHANGE = "-        return 1\n+        return 2\n"

# What the specification says: hunks on `x`, the file before, the file after.
LETTER: dict[str, tuple[str, bytes, bytes]] = {
    "one line": ("@@\n-2\n+two\n", NINE, NINE.replace(b"2\n", b"two\n")),
    "the first hunk without @@": ("-2\n+two\n", NINE, NINE.replace(b"2\n", b"two\n")),
    "context around": ("@@\n 1\n-2\n+two\n 3\n", NINE, NINE.replace(b"2\n", b"two\n")),
    "lines change apart in one hunk": ("@@\n-1\n 2\n-3\n+three\n 4\n", NINE, NINE[2:].replace(b"3\n", b"three\n")),
    "two hunks": ("@@\n-2\n+two\n@@\n-4\n+four\n", NINE, NINE.replace(b"2", b"two").replace(b"4", b"four")),
    "inserted below context": ("@@\n 3\n+new\n", NINE, NINE.replace(b"3\n", b"3\nnew\n")),
    "without context: at the position": ("@@\n+new\n", NINE, b"new\n" + NINE),
    "without context, below a scope": ("@@ 3\n+new\n", NINE, NINE.replace(b"3\n", b"3\nnew\n")),
    "without context, at the end": ("@@\n+new\n*** End of File\n", NINE, NINE + b"new\n"),
    "the first place after the last hunk": ("@@\n a\n-b\n@@\n-b\n+c\n", b"a\nb\nb\nb\n", b"a\nc\nb\n"),
    "scope": ("@@ class B:\n" + CHANGE, CLASSES, IN_B),
    "scopes, each narrower": ("@@ class B:\n@@     def f(self):\n" + CHANGE, CLASSES, IN_B),
    "a scope that is passed already": (
        "@@ class A:\n     def f(self):\n@@ class A:\n" + CHANGE, CLASSES, IN_A),
    "an inner scope stands below the outer one": (
        "@@ class A:\n@@     def f(self):\n" + CHANGE + "@@ class B:\n@@     def f(self):\n" + CHANGE, CLASSES,
        CLASSES.replace(b"1", b"2")),
    "at the end of the file": ("@@\n-x\n+y\n*** End of File\n", b"x\nx\n", b"x\ny\n"),
    "at the end of a file without newline": ("@@\n-x\n+y\n*** End of File\n", b"x\nx", b"x\ny"),
    "the newline at the end goes": ("@@\n x\n-\n*** End of File\n", b"x\n", b"x"),
    "a newline comes at the end": ("@@\n x\n+\n*** End of File\n", b"x", b"x\n"),
    "all lines go": ("@@\n-x\n", b"x\n", b""),
    "an empty file is filled": ("@@\n+x\n", b"", b"x\n"),
    "no change": ("@@\n 1\n 2\n", NINE, NINE),
    "carriage returns kept": ("@@\n 1\r\n-2\r\n+two\r\n", b"1\r\n2\r\n3\r\n", b"1\r\ntwo\r\n3\r\n"),
    "mixed ends, form feed, BOM, no UTF-8, bare end": (
        "@@\n-m\n+n\n", b"\xef\xbb\xbfa\r\n\x0cb \t\n\xff\xfe\nm\nz", b"\xef\xbb\xbfa\r\n\x0cb \t\n\xff\xfe\nn\nz"),
    "lines like markers": ("@@\n-*** End Patch\n+@@\n", b"*** End Patch\n", b"@@\n"),
    "lines of a fence": ("@@\n ```\n-a\n+b\n", b"```\na\n```\n", b"```\nb\n```\n"),
    "characters that end lines elsewhere": ("@@\n-a\u2028b\x0c\n+c\n", "a\u2028b\x0c\n".encode(), b"c\n"),
}  # fmt: skip


@pytest.mark.parametrize(("hunks", "before", "after"), LETTER.values(), ids=LETTER.keys())
def test_a_hunk_does_what_the_specification_says(hunks: str, before: bytes, after: bytes) -> None:
    for leniency in (STRICT, STANDARD):
        found = run(update(hunks), {"x": before}, leniency)
        assert isinstance(found, Applied), found
        assert found.files == {"x": after}
        assert found.steps == ((),)


SECTIONS: dict[str, tuple[str, Files, Files]] = {
    "add": ("*** Add File: y\n+a\n+\n+b\n", {}, {"y": b"a\n\nb\n"}),
    "add an empty file": ("*** Add File: y\n", {}, {"y": b""}),
    "delete": ("*** Delete File: x\n", {"x": b"1\n"}, {"x": None}),
    "move": ("*** Update File: x\n*** Move to: p/y\n@@\n-1\n+2\n", {"x": b"1\n"}, {"x": None, "p/y": b"2\n"}),
    "move without a hunk": ("*** Update File: x\n*** Move to: y\n", {"x": b"1\n"}, {"x": None, "y": b"1\n"}),
    "move onto itself": ("*** Update File: x\n*** Move to: x\n@@\n-1\n+2\n", {"x": b"1\n"}, {"x": b"2\n"}),
    "several files": (
        "*** Add File: y\n+a\n*** Delete File: x\n*** Update File: z\n@@\n-1\n+2\n", {"x": b"", "z": b"1\n"},
        {"y": b"a\n", "x": None, "z": b"2\n"}),
    "one file twice, in order": (
        "*** Update File: x\n@@\n-1\n+2\n*** Update File: x\n@@\n-2\n+3\n", {"x": b"1\n"}, {"x": b"3\n"}),
    "back up in a second section": (
        "*** Update File: x\n@@\n-b\n+c\n*** Update File: x\n@@\n-a\n+d\n", {"x": b"a\nb\n"}, {"x": b"d\nc\n"}),
    "added, then updated": ("*** Add File: y\n+1\n*** Update File: y\n@@\n-1\n+2\n", {}, {"y": b"2\n"}),
    "deleted, then added": ("*** Delete File: x\n*** Add File: x\n+2\n", {"x": b"1\n"}, {"x": b"2\n"}),
    "moved, then updated": (
        "*** Update File: x\n*** Move to: y\n*** Update File: y\n@@\n-1\n+2\n", {"x": b"1\n"},
        {"x": None, "y": b"2\n"}),
    "a path with blanks, not ASCII": ("*** Add File: a b/é ü.py\n+1\n", {}, {"a b/é ü.py": b"1\n"}),
    "windows separators": ("*** Delete File: .\\a\\b\n", {"a/b": b""}, {"a/b": None}),
}  # fmt: skip


@pytest.mark.parametrize(("sections", "before", "after"), SECTIONS.values(), ids=SECTIONS.keys())
def test_sections_apply_in_order(sections: str, before: Files, after: Files) -> None:
    found = run(patch(sections), before)
    assert isinstance(found, Applied), found
    assert found.files == after


REFUSED: dict[str, tuple[str, Files, Detail, int, str]] = {
    "stale context": (update("@@\n 1\n-two\n+deux\n"), {"x": NINE}, Detail.HUNK_MISMATCH, 0,
                      "line 2 is '2', not 'two'"),
    "part of a line": (update("@@\n-de\n+x\n"), {"x": b"def\n"}, Detail.HUNK_MISMATCH, 0, "None of them does"),
    "out of order": (update("@@\n-4\n+four\n@@\n-2\n+two\n"), {"x": NINE}, Detail.HUNK_MISMATCH, 1,
                     "top to bottom"),
    "overlapping": (update("@@\n 1\n-2\n 3\n@@\n 3\n-4\n"), {"x": NINE}, Detail.HUNK_MISMATCH, 1, "stand on line 3"),
    "already applied": (update("@@\n 1\n-2\n+two\n 3\n"), {"x": NINE.replace(b"2", b"two")}, Detail.HUNK_MISMATCH, 0,
                        "already"),
    "unknown file": (update("@@\n-1\n", "y"), {"x": b"1\n"}, Detail.UNKNOWN_PATH, 0, "'y'"),
    "nothing to delete": (patch("*** Delete File: y\n"), {}, Detail.UNKNOWN_PATH, 0, "'y'"),
    "deleted before": (patch("*** Delete File: x\n*** Update File: x\n@@\n-1\n"), {"x": b"1\n"}, Detail.UNKNOWN_PATH,
                       1, "'x'"),
    "add over a file": (patch("*** Add File: x\n+2\n"), {"x": b"1\n"}, Detail.HUNK_MISMATCH, 0, "exists already"),
    "add over the same": (patch("*** Add File: x\n+1\n"), {"x": b"1\n"}, Detail.HUNK_MISMATCH, 0,
                          "with these contents"),
    "move onto a file": (patch("*** Update File: x\n*** Move to: y\n"), {"x": b"1\n", "y": b""}, Detail.HUNK_MISMATCH,
                         0, "that file exists"),
    "move out of the tree": (patch("*** Update File: x\n*** Move to: ../y\n"), {"x": b"1\n"}, Detail.FORBIDDEN_PATH,
                             0, "'../y'"),
    "an absolute path": (update("@@\n-1\n", "/x"), {"x": b"1\n"}, Detail.FORBIDDEN_PATH, 0, "'/x'"),
    "HTML": (update("@@\n-a &amp;&amp; b\n+c\n"), {"x": b"a && b\n"}, Detail.HUNK_MISMATCH, 0, "None"),
    "line numbers": (update("@@\n-1| a\n+1| b\n"), {"x": b"a\n"}, Detail.HUNK_MISMATCH, 0, "None"),
    "git's words for no newline": (
        update("@@\n-a\n\\ No newline at end of file\n+b\n"), {"x": b"a"}, Detail.HUNK_MISMATCH, 0, "Nearest"),
    "second hunk does not fit": (update("@@\n-1\n@@\n-x\n"), {"x": NINE}, Detail.HUNK_MISMATCH, 1, "hunk 2 (line 5"),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "files", "detail", "fitted", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_does_not_fit_is_refused_with_its_reason(
    reply: str, files: Files, detail: Detail, fitted: int, message: str
) -> None:
    found = run(reply, files, STANDARD)
    assert isinstance(found, NotApplied), found
    assert (found.detail, found.fitted) == (detail, fitted)
    assert message in found.message
    assert isinstance(run(reply, files), NotApplied | Unreadable)


ONE = {"x.py": b"def f():\n    a = 1\n    b = 2\n    return a\n"}
BODY = "*** Update File: x.py\n@@ def f():\n-    a = 1\n+    a = 2\n"
DONE = {"x.py": b"def f():\n    a = 2\n    b = 2\n    return a\n"}
EXTRA: dict[str, tuple[str, Files, Files, set[str]]] = {
    "prose and a fence": (f"Here:\n\n```diff\n{patch(BODY)}```\nDone.\n", ONE, DONE, {"fence_noise"}),
    "here-document": (f"apply_patch <<'EOF'\n{patch(BODY)}EOF\n", ONE, DONE, {"fence_noise"}),
    "two patches": (
        patch(BODY) + "and\n" + patch("*** Add File: y\n+1\n"), ONE, {**DONE, "y": b"1\n"}, {"fence_noise"}),
    "no begin": (f"{BODY}*** End Patch\n", ONE, DONE, {"missing_sentinel"}),
    "no end, fence closed": (
        f"```\n*** Begin Patch\n{BODY}```\n", ONE, DONE, {"missing_sentinel", "fence_noise"}),
    "no end, next patch": (
        f"*** Begin Patch\n{BODY}" + patch("*** Add File: y\n+1\n"), ONE, {**DONE, "y": b"1\n"},
        {"missing_sentinel"}),
    "doubled end": (patch(BODY) + "*** End Patch\n", ONE, DONE, {"marker_noise"}),
    "indented end": (f"*** Begin Patch\n{BODY} *** End Patch\n", ONE, DONE, {"marker_noise"}),
    "indented begin": (f" *** Begin Patch \n{BODY}*** End Patch\n", ONE, DONE, {"marker_noise"}),
    **{
        f"asterisks behind {what}": (f"{begin}\n{BODY}{end}\n", ONE, DONE, {"marker_noise"})
        for what, begin, end in (
            ("the begin", "*** Begin Patch ***", "*** End Patch"), ("the end", "*** Begin Patch", "*** End Patch ***"),
            ("both", "*** Begin Patch ***", "*** End Patch***"))
    },
    "asterisks behind the end of the file": (
        update("@@\n-b\n+c\n*** End of File ***\n"), {"x": b"a\nb"}, {"x": b"a\nc"}, {"marker_noise"}),
    "no blank after the colon": (patch(BODY.replace("File: ", "File:")), ONE, DONE, {"marker_noise"}),
    "no blank after @@": (patch(BODY.replace("@@ def", "@@def")), ONE, DONE, {"marker_noise"}),
    "JSON": ('{"command": ["apply_patch", "' + patch(BODY).replace("\n", "\\n") + '"]}', ONE, DONE, {"json_wrapped"}),
    "JSON in a fence": (
        '```json\n{"input": "' + patch(BODY).replace("\n", "\\n") + '"}\n```\n', ONE, DONE, {"json_wrapped"}),
    "empty line of context": (
        update("@@\n a\n\n-b\n+c\n"), {"x": b"a\n\nb\n"}, {"x": b"a\n\nc\n"}, {"blank_context"}),
    "empty lines between sections": (
        patch("*** Delete File: x.py\n\n", "*** Add File: y\n+1\n"), ONE, {"x.py": None, "y": b"1\n"},
        {"blank_context"}),
    "empty line before @@": (
        update("@@\n-1\n+one\n\n@@\n-4\n"), {"x": NINE}, {"x": NINE.replace(b"1\n", b"one\n").replace(b"4\n", b"")},
        {"blank_context", "blank_lines"}),
    "context without its blank": (
        update("@@\na\n-b\n+c\n"), {"x": b"a\nb\n"}, {"x": b"a\nc\n"}, {"bare_context"}),
    "path in backticks": (patch(BODY.replace("x.py", "`x.py`")), ONE, DONE, {"path_decoration"}),
    "path in bold": (patch(BODY.replace("x.py", "**x.py**")), ONE, DONE, {"path_decoration"}),
    "path in quotes": (patch(BODY.replace("x.py", '"x.py"')), ONE, DONE, {"path_decoration"}),
    "path with a/": (patch(BODY.replace("x.py", "a/x.py")), ONE, DONE, {"path_decoration"}),
    "bare name": (
        patch(BODY), {"p/x.py": ONE["x.py"]}, {"p/x.py": DONE["x.py"]}, {"path_recovery"}),
    "LF against CRLF": (
        update("@@\n a\n-b\n+c\n"), {"x": b"a\r\nb\r\nd\r\n"}, {"x": b"a\r\nc\r\nd\r\n"}, {"line_endings"}),
    "CRLF against LF": (
        update("@@\n a\n-b\n+c\n").replace("\n", "\r\n"), {"x": b"a\nb\n"}, {"x": b"a\nc\n"}, {"line_endings"}),
    "LF into CRLF, without context": (
        update("@@\n+c\n*** End of File\n"), {"x": b"a\r\n"}, {"x": b"a\r\nc\r\n"}, {"line_endings"}),
    "space at line ends": (
        update("@@\n a\n-b  \n+c\n"), {"x": b"a \nb\n"}, {"x": b"a \nc\n"}, {"line_endings", "trailing_space"}),
    "shifted as a whole": (
        update("@@\n if a:\n-    b\n+    c\n"), {"x": b"    if a:\n        b\n"},
        {"x": b"    if a:\n        c\n"}, {"line_endings", "trailing_space", "indentation"}),
    "blanks against tabs": (
        update("@@\n     if a:\n-        b\n+        c\n"), {"x": b"\tif a:\n\t\tb\n"},
        {"x": b"\tif a:\n        c\n"}, {"line_endings", "trailing_space", "surrounding_space"}),
    "look-alikes": (
        update("@@\n-a = 'b' - c\n+d\n"), {"x": "a = \u2018b\u2019\u00a0\u2013 c\n".encode()}, {"x": b"d\n"},
        {"line_endings", "trailing_space", "surrounding_space", "lookalikes"}),
    "empty context at the end": (
        update("@@\n-1\n+one\n \n"), {"x": NINE}, {"x": NINE.replace(b"1\n", b"one\n")}, {"blank_lines"}),
    "not at the end": (
        update("@@\n-1\n+one\n*** End of File\n"), {"x": NINE}, {"x": NINE.replace(b"1\n", b"one\n")},
        {"end_of_file"}),
    "scope without its indentation": (
        update("@@ class B:\n@@ def f(self):\n" + CHANGE), {"x": CLASSES}, {"x": IN_B},
        {"line_endings", "trailing_space", "surrounding_space"}),
    "numbers in a scope": (
        update("@@ -2,1 +2,1 @@\n-2\n+two\n"), {"x": NINE}, {"x": NINE.replace(b"2", b"two")}, {"scope_ignored"}),
    "scope is the first line of the hunk": (
        update("@@ 2\n 2\n-3\n+three\n"), {"x": NINE}, {"x": NINE.replace(b"3", b"three")}, {"scope_ignored"}),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "before", "after", "steps"), EXTRA.values(), ids=EXTRA.keys())
def test_a_tolerance_is_taken_only_where_it_is_admitted_and_then_recorded(
    reply: str, before: Files, after: Files, steps: set[str]
) -> None:
    found = run(reply, before, STANDARD)
    assert isinstance(found, Applied), found
    assert found.files == after
    assert {step for taken in found.steps for step in taken} == steps
    strict = run(reply, before)
    assert not isinstance(strict, Applied) or strict.files != after
    for step in steps - {"line_endings", "trailing_space", "surrounding_space"}:  # of those the others may do as well
        less = run(reply, before, STANDARD - {step})
        assert not isinstance(less, Applied) or less.files != after or step not in str(less.steps)


UNREADABLE: dict[str, tuple[str, Detail, bool]] = {
    "prose": ("I would change x.", Detail.NO_EDIT, False),
    "promise": ("Here is the patch you asked for:\n", Detail.NO_EDIT, False),
    "nothing in it": (patch(), Detail.NO_EDIT, False),
    "no end": ("*** Begin Patch\n*** Update File: x\n@@\n-1\n+2\n", Detail.BAD_BLOCK, True),
    "cut inside a line": ("*** Begin Patch\n*** Update File: x\n@@\n-1\n+2\n*** End Pat", Detail.BAD_BLOCK, True),
    "cut in a fence": ("```\n*** Begin Patch\n*** Add File: x\n+1\n", Detail.BAD_BLOCK, True),
    "cut, no begin": ("*** Update File: x\n@@\n-1\n+2\n", Detail.BAD_BLOCK, True),
    "cut after the header": ("*** Begin Patch\n*** Update File: x", Detail.BAD_BLOCK, True),
    "cut JSON": ('{"input": "*** Begin Patch\\n*** Update File: x\\n@@', Detail.BAD_BLOCK, True),
    "a second patch is cut": (patch("*** Delete File: x\n") + "*** Begin Patch\n", Detail.BAD_BLOCK, True),
    "a noisy begin alone": ("*** Begin Patch ***\n\nI would change x.\n", Detail.BAD_BLOCK, True),
    "a noisy patch of prose": ("*** Begin Patch ***\nI would change x.\n*** End Patch ***\n", Detail.BAD_BLOCK, False),
    "another word for begin": ("*** Start Patch\nI would change x.\n", Detail.NO_EDIT, False),
    "no hunk": (patch("*** Update File: x\n"), Detail.BAD_BLOCK, False),
    "hunk without lines": (update("@@ def f():\n"), Detail.BAD_BLOCK, False),
    "new lines without +": (patch("*** Add File: x\na\n"), Detail.BAD_BLOCK, False),
    "text after a deletion": (patch("*** Delete File: x\n-1\n"), Detail.BAD_BLOCK, False),
    "unknown header": (patch("*** Rename File: x\n"), Detail.BAD_BLOCK, False),
    "lines after the end of the file": (update("@@\n-1\n*** End of File\n-2\n"), Detail.BAD_BLOCK, False),
}  # fmt: skip


@pytest.mark.parametrize("leniency", [STRICT, STANDARD], ids=["strict", "standard"])
@pytest.mark.parametrize(("reply", "detail", "unterminated"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_cannot_be_read_says_so_and_a_cut_reply_is_told_apart(
    reply: str, detail: Detail, unterminated: bool, leniency: Leniency
) -> None:
    found = FORMAT.parse(reply, leniency)
    assert isinstance(found, Unreadable), found
    assert (found.detail, found.unterminated) == (detail, unterminated)
    assert found.message


def test_every_prefix_of_a_patch_is_unfinished_or_nothing() -> None:
    reply = patch("*** Add File: y\n+a\n", "*** Update File: x\n*** Move to: z\n@@ s\n 1\n-2\n", "*** Delete File: w\n")
    for leniency in (STRICT, STANDARD):
        for size in range(len("*** Begin Patch\n"), len(reply) - 1):
            found = FORMAT.parse(reply[:size], leniency)
            assert isinstance(found, Unreadable), reply[:size]
            assert found.unterminated


def test_a_section_is_read_with_its_hunks() -> None:
    reply = patch("*** Update File: x\n*** Move to: y\n@@ class A:\n@@ def f():\n a\n-b\n+c\n d\n*** End of File\n")
    hunk = Hunk(("class A:", "def f():"), (" a", "-b", "+c", " d"), at_end=True, line=4)
    assert FORMAT.parse(reply) == [Section("x", Action.UPDATE, hunks=(hunk,), move="y")]
    assert (hunk.old, hunk.new, hunk.outer) == (["a", "b", "d"], ["a", "c", "d"], (1, 1))


def test_placements_name_all_places_at_the_same_step() -> None:
    found = run(update("@@\n a\n-b\n+c\n"), {"x": b"a\nb\na\nb\n a\n b\na\nb\n"})
    assert isinstance(found, Applied)
    assert found.placements == (Placement("x", (1, 2), ((3, 4), (7, 8))),)
    loose = run(update("@@\n a\n-b \n+c\n"), {"x": b"a\nb\n a\n b\n"}, STANDARD)
    assert isinstance(loose, Applied)
    assert loose.placements == (Placement("x", (1, 2)),)


def test_placements_of_later_sections_are_lines_of_the_file_before() -> None:
    reply = patch("*** Update File: x\n@@\n-1\n+a\n+b\n", "*** Update File: x\n*** Move to: y\n@@\n-4\n+c\n",
                  "*** Update File: y\n@@\n-b\n+d\n")  # fmt: skip
    found = run(reply, {"x": NINE})
    assert isinstance(found, Applied)
    assert found.files == {"x": None, "y": b"a\nd\n2\n3\nc\n5\n6\n7\n8\n9\n"}
    assert found.placements == (Placement("x", (0, 1)), Placement("x", (3, 4))), "the last changes what is new"
    assert len(found.steps) == 3


ENCODED: dict[str, tuple[Files, Files, str]] = {
    "three lines of context": (
        {"x": NINE}, {"x": NINE.replace(b"5", b"five")}, update("@@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n")),
    "a scope where lines repeat": (
        {"x": CLASSES * 2 + b"class C:\n" + CLASSES},
        {"x": CLASSES * 2 + b"class C:\n" + IN_A}, ""),
    "moved": (
        {"x": NINE, "y": None}, {"x": None, "y": NINE}, patch("*** Update File: x\n*** Move to: y\n")),
    "added without a newline": (
        {"x": None}, {"x": b"a\nb"},
        patch("*** Add File: x\n+a\n+b\n*** Update File: x\n@@\n b\n-\n*** End of File\n")),
    "appended": ({"x": NINE}, {"x": NINE + b"10\n"}, update("@@\n 7\n 8\n 9\n+10\n")),
}  # fmt: skip


@pytest.mark.parametrize(("before", "after", "reply"), ENCODED.values(), ids=ENCODED.keys())
def test_a_change_is_written_as_a_skilful_author_would(before: Files, after: Files, reply: str) -> None:
    written = FORMAT.encode(before, after)
    assert isinstance(written, str)
    assert not reply or written == reply
    found = run(written, before)
    assert isinstance(found, Applied)
    assert found.files == after


def test_a_method_is_named_by_its_class_where_its_lines_repeat() -> None:
    cases = b"".join(b"class %s:\n    def f(self):\n        a\n        b\n        c\n        d\n        e\n" % name
                     for name in (b"A", b"B", b"C"))  # fmt: skip
    head, tail = cases.split(b"class C:")
    written = FORMAT.encode({"x": cases}, {"x": head + b"class C:" + tail.replace(b"        d\n", b"        D\n")})
    assert isinstance(written, str)
    assert "@@ class C:\n" in written
    assert len(written.splitlines()) < 14


LINES = st.sampled_from(["a", "b", "", " ", "  a", "\ta", "c\r", "\r", "@@", "*** End Patch", "*** End of File", "+a",
                         "*** Add File: x", "-", "\\ No newline at end of file", "\f", "é\u2028", "```"])  # fmt: skip


@st.composite
def contents(draw: st.DrawFn) -> bytes:
    return ("\n".join(draw(st.lists(LINES, max_size=14))) + draw(st.sampled_from(["\n", "", "\n\n"]))).encode()


@st.composite
def edited(draw: st.DrawFn) -> tuple[bytes, bytes]:
    before = draw(contents())
    lines = []
    for line in before.split(b"\n"):
        kind = draw(st.sampled_from(["keep"] * 5 + ["drop", "double", "replace"]))
        lines += {"keep": [line], "drop": [], "double": [line, line]}.get(kind, [draw(LINES).encode()])
    return before, b"\n".join(lines)


@settings(max_examples=400, deadline=None)
@given(pair=edited())
def test_any_change_survives_writing_reading_and_applying(pair: tuple[bytes, bytes]) -> None:
    before, after = pair
    if before == after:
        return
    reply = FORMAT.encode({"x": before}, {"x": after})
    assert isinstance(reply, str)
    for leniency in (STRICT, STANDARD):
        found = run(reply, {"x": before}, leniency)
        assert isinstance(found, Applied), found
        assert found.files == {"x": after}
        assert found.steps[0] == ()


@settings(max_examples=200, deadline=None)
@given(pair=edited(), cut=st.integers(0, 300), junk=st.sampled_from(["", "\n", "+", " ", "@@\n", "*** ", "\r"]))
def test_a_damaged_patch_is_applied_or_refused_and_what_it_keeps_is_the_files_own(
    pair: tuple[bytes, bytes], cut: int, junk: str
) -> None:
    before, after = pair
    reply = FORMAT.encode({"x": before}, {"x": after})
    assert isinstance(reply, str)
    reply = reply[:cut] + junk + reply[cut:]
    found = run(reply, {"x": before}, STANDARD)
    if isinstance(found, Applied):
        said = (before + reply.encode()).replace(b"\r", b"")
        for content in found.files.values():
            assert all(line in said for line in (content or b"").replace(b"\r", b"").split(b"\n"))
    else:
        assert found.message


def test_long_replies_and_files_take_linear_time() -> None:
    lines = [b"line %d" % (n % 25_000) for n in range(50_000)]
    before = b"\n".join(lines) + b"\n"
    places = range(10, 50_000, 20)
    hunks = "".join(f"@@\n {lines[n].decode()}\n-{lines[n + 1].decode()}\n+{'x' * 300}\n" for n in places)
    found = run(update(hunks), {"x": before}, STANDARD)
    assert isinstance(found, Applied)
    same = b"a\n" * 50_000
    assert isinstance(run(update(("@@\n" + " a\n" * 3 + "-a \n+b\n") * 5000), {"x": same}, STANDARD), Applied)


def test_what_it_cannot_spell_it_says() -> None:
    for path in ("x\ny", " x", "x ", "a\\b", "./x"):
        assert isinstance(FORMAT.encode({path: None}, {path: b"1\n"}), CannotExpress), path
        assert isinstance(FORMAT.encode({"x": b"1\n", path: None}, {"x": None, path: b"1\n"}), CannotExpress), path


def test_the_example_of_the_instructions_is_a_patch(tree_of: Callable[..., Tree]) -> None:
    text = FORMAT.instructions()
    example = text[text.index("*** Begin") : text.index("*** End Patch")] + "*** End Patch\n"
    parsed = FORMAT.parse(example)
    assert not isinstance(parsed, Unreadable), parsed
    body = b"        name = self.name\n        print(name)\n        return name\n"
    greeter = b"class Greeter:\n    def greet(self):\n" + body
    found = FORMAT.apply(parsed, tree_of({"path/to/file.py": greeter, "path/to/old.py": b""}))
    assert isinstance(found, Applied), found
    assert b"Hello" in (found.files["path/to/file.py"] or b"")


def test_tolerances_are_named_once_and_mildest_first() -> None:
    names = [tolerance.name for tolerance in FORMAT.tolerances]
    assert len({*names}) == len(names)
    order = ["line_endings", "trailing_space", "surrounding_space", "lookalikes"]
    assert all(names.index(a) < names.index(b) for a, b in pairwise(order))
