"""Whole files with what chat clients and editors admit: where the path stands, fences in fences, line endings."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluator.formats.model import STRICT, Applied, CannotExpress, Leniency, NotApplied, Tree, Unreadable
from evaluator.formats.whole_file import WholeFile
from evaluator.taxonomy import Detail
from miner.symbols.files import Files

FORMAT = WholeFile()
STANDARD: Leniency = frozenset(tolerance.name for tolerance in FORMAT.tolerances)


def run(reply: str, files: Files, leniency: Leniency = STRICT) -> Applied | NotApplied | Unreadable:
    parsed = FORMAT.parse(reply, leniency)
    if isinstance(parsed, Unreadable):
        return parsed
    known = {path: "100644" for path, content in files.items() if content is not None}
    return FORMAT.apply(parsed, Tree(known, lambda path: files[path] or b""), leniency)


A = {"x.py": b"a\n"}
README = "# T\n```bash\npip\n```\nmore\n"
EXTRA: dict[str, tuple[str, Files, Files, set[str]]] = {
    **{
        f"path written {written}": (f"{written}\n```\na\n```\n", {}, A, {"path_decoration"})
        for written in ("**x.py**", "x.py:", "`x.py`:", "**`x.py`**", "**`x.py`**:", "### x.py", "### `x.py`", "- x.py",
                        "1. `x.py`", "File: x.py", "**File: `x.py`**", "Filename: x.py", "'x.py'", '"x.py":',
                        "`x.py` (updated)", "x.py (new file):", "**x.py:**")
    },
    "path with blanks in bold": ("**`p/a b.py`**\n```\na\n```\n", {}, {"p/a b.py": b"a\n"}, {"path_decoration"}),
    "a bare name in bold": ("**`./hook`**\n```\na\n```\n", {}, {"hook": b"a\n"}, {"path_decoration"}),
    "path not ASCII": ("**é/ü.py**\n```\na\n```\n", {}, {"é/ü.py": b"a\n"}, {"path_decoration"}),
    "path with a/": ("a/x.py\n```\na\n```\n", {"x.py": b""}, A, {"path_decoration"}),
    "path behind the language": ("```python x.py\na\n```\n", {}, A, {"path_in_fence"}),
    "path for a language": ("```src/x.py\na\n```\n", {}, {"src/x.py": b"a\n"}, {"path_in_fence"}),
    "path and language, a colon": ("```python:x.py\na\n```\n", {}, A, {"path_in_fence"}),
    "title": ('```python title="x.py"\na\n```\n', {}, A, {"path_in_fence"}),
    "prose above, path in the fence": ("Here it is:\n```python x.py\na\n```\n", {}, A, {"path_in_fence"}),
    "path in a comment": ("```python\n# filepath: x.py\na\n```\n", {}, A, {"path_in_comment"}),
    "path in a comment of markup": (
        "```html\n<!-- filepath: x.html -->\na\n```\n", {}, {"x.html": b"a\n"}, {"path_in_comment"}),
    "one of two paths is dressed": (
        "x.py\n```\na\n```\n**y.py**\n```\nb\n```\n", {}, {**A, "y.py": b"b\n"}, {"path_decoration"}),
    "a bare name": ("x.py\n```\na\n```\n", {"p/x.py": b""}, {"p/x.py": b"a\n"}, {"path_recovery"}),
    "deletion in bold": ("**DELETE FILE: x.py**\n", A, {"x.py": None}, {"path_decoration"}),
    "a fence inside": (
        f"R.md\n```markdown\n{README}```\n", {}, {"R.md": README.encode()}, {"nested_fences"}),
    "fences inside, another file below": (
        f"R.md\n```markdown\n{README}{README}```\n\nx.py\n```python\na\n```\n", {},
        {"R.md": README.encode() * 2, **A}, {"nested_fences"}),
    "a fence around all": ("```markdown\nx.py\n```python\na\n```\n```\n", {}, A, {"fence_noise"}),
    "line numbers": ("x.py\n```\n 1 | a\n 2 |\n 3 |   b\n```\n", {}, {"x.py": b"a\n\n  b\n"}, {"line_numbers"}),
    "LF over CRLF": ("x.py\n```\na\nc\n```\n", {"x.py": b"a\r\nb\r\n"}, {"x.py": b"a\r\nc\r\n"}, {"line_endings"}),
    "CRLF over LF": ("x.py\r\n```\r\na\r\nc\r\n```\r\n", {"x.py": b"a\nb\n"}, {"x.py": b"a\nc\n"}, {"line_endings"}),
    "LF over both": (
        "x.py\n```\na\nb\nnew\nd\ne\n```\n", {"x.py": b"a\r\nb\nc\r\nd\r\ne\n"}, {"x.py": b"a\r\nb\nnew\r\nd\r\ne\n"},
        {"line_endings"}),
    "byte order mark": ("x.py\n```\nb\n```\n", {"x.py": b"\xef\xbb\xbfa\n"}, {"x.py": b"\xef\xbb\xbfb\n"},
                        {"byte_order_mark"}),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "before", "after", "steps"), EXTRA.values(), ids=EXTRA.keys())
def test_a_tolerance_is_taken_only_where_it_is_admitted_and_then_recorded(
    reply: str, before: Files, after: Files, steps: set[str]
) -> None:
    found = run(reply, before, STANDARD)
    assert isinstance(found, Applied), found
    assert found.files == after
    assert {step for taken in found.steps for step in taken} == steps
    for leniency in (STRICT, *(STANDARD - {step} for step in steps)):
        less = run(reply, before, leniency)
        assert not isinstance(less, Applied) or less.files != after


ALIKE: dict[str, tuple[str, Files, Files]] = {
    "a rewrite over a file": ("x.py\n```\nb\n```\n", A, {"x.py": b"b\n"}),
    "two fences for one file: the last": ("x.py\n```\nb\n```\nx.py\n```\nc\n```\n", A, {"x.py": b"c\n"}),
    "written, then deleted": ("x.py\n```\nb\n```\nDELETE FILE: x.py\n", A, {"x.py": None}),
    "the same contents": ("x.py\n```\na\n```\n", A, A),
    "an empty file": ("x.py\n```\n```\n", A, {"x.py": b""}),
    "a file that was not shown": ("y.py\n```\nb\n```\n", {**A, "y.py": b""}, {"y.py": b"b\n"}),
    "windows separators": (".\\p\\x.py\n```\nb\n```\n", {}, {"p/x.py": b"b\n"}),
    "a longer fence around fences": ("R.md\n````\n```py\na\n```\n````\n", {}, {"R.md": b"```py\na\n```\n"}),
    "an open fence in a longer one": ("R.md\n````\n```py\na\n````\n", {}, {"R.md": b"```py\na\n"}),
    "the path of an example above": (
        "R.md\n```\nsee\n```\n\nx.py\n```python\na\n```\n", {}, {"R.md": b"see\n", **A}),
    "path above and in the fence": ("x.py\n```python y.py\na\n```\n", {}, A),
    "prose is skipped": ("Run it.\n```bash\npip\n```\n\nx.py\n```python\na\n```\n", {}, A),
    "a language above is no path": ("Node.js\n```\nb\n```\nx.py\n```\na\n```\n", {}, A),
    **{
        f"prose above: {line}": (f"{line}\n```\nb\n```\nx.py\n```\na\n```\n", {}, A)
        for line in ("`add_up()`", "`pip install foo`", "`Node.js`", "`1.2.0`", "1.2.0", "**`add_up()`**", "`src/`:",
                     "### `python x.py`", "`./run.sh x.py`", "`python -m pytest tests/test_x.py`")
    },
    "a sentence with a path is prose": ("Now `y.py`:\n```\nb\n```\nx.py\n```\na\n```\n", {"y.py": b""}, A),
    "HTML is what the file holds": ("x.py\n```\na &amp; b\n```\n", A, {"x.py": b"a &amp; b\n"}),
    "a table of numbers": ("x.md\n```\n1 | a\n3 | b\n```\n", {}, {"x.md": b"1 | a\n3 | b\n"}),
    "a patch file holds a patch": (
        "x.diff\n```\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n", {"x.diff": b"a\n"},
        {"x.diff": b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"}),
    "both line endings mean what they say": ("x.py\n```\na\r\nb\n```\n", A, {"x.py": b"a\r\nb\n"}),
    "a new file in CRLF": ("x.py\r\n```\r\na\r\n```\r\n", {}, {"x.py": b"a\r\n"}),
}  # fmt: skip


@pytest.mark.parametrize("leniency", [STRICT, STANDARD], ids=["strict", "standard"])
@pytest.mark.parametrize(("reply", "before", "after"), ALIKE.values(), ids=ALIKE.keys())
def test_what_the_grammar_says_needs_no_tolerance(
    reply: str, before: Files, after: Files, leniency: Leniency
) -> None:
    found = run(reply, before, leniency)
    assert isinstance(found, Applied), found
    assert found.files == after
    assert not any(found.steps)


FOREIGN = {
    "search and replace": "<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
    "search and replace below the path, as its grammar asks": (
        "x.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\n"
        "x.py\n<<<<<<< SEARCH\nb2\n=======\nc\n>>>>>>> REPLACE\n"),
    "search and replace below the path in backticks": "`x.py`\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
    "two blocks, one stale": (
        "<<<<<<< SEARCH\nz\n=======\nb\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\na\n=======\n>>>>>>> REPLACE\n"),
    "diff": "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n",
    "git's diff": "diff --git a/x.py b/x.py\nindex 1..2 100644\n--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n",
    "patch": "*** Begin Patch\n*** Update File: x.py\n@@\n-a\n+b\n*** End Patch\n",
    "hunk": "@@ -1,2 +1,2 @@\n-a\n b2\n+c\n",
}  # fmt: skip


@pytest.mark.parametrize("leniency", [STRICT, STANDARD], ids=["strict", "standard"])
@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN.keys())
def test_an_edit_written_out_for_a_file_is_another_format(content: str, leniency: Leniency) -> None:
    found = run(f"x.py\n```diff\n{content}```\n", {"x.py": b"a\nb2\n"}, leniency)
    assert isinstance(found, NotApplied), found
    assert (found.detail, found.fitted) == (Detail.OTHER_FORMAT, 0)
    assert isinstance(FORMAT.encode({"x.py": b"a\nb2\n"}, {"x.py": content.encode()}), CannotExpress)


@pytest.mark.parametrize("content", FOREIGN.values(), ids=FOREIGN.keys())
@pytest.mark.parametrize(
    ("path", "before"), [("x.txt", b"a\nb2\n"), ("docs/x.md", b"a\nb2\n"), ("y.cfg", None), ("y.cfg", b"other\n")]
)
def test_a_file_may_hold_such_text(path: str, before: bytes | None, content: str) -> None:
    found = run(f"{path}\n```\n{content}```\n", {path: before}, STANDARD)
    assert isinstance(found, Applied)
    assert found.files == {path: content.encode()}


PROSE = ("`add_up()`", "`pip install foo`", "`Node.js`", "Node.js", "`1.2.0`", "1.2.0", "v1.2.0", "`os.path`",
         "`tests/`", "`console.log`", "`self.json`", "`https://example.com/x.py`", "`cat src/x.py`", "`x/y.py z.py`",
         "`*.py`", "`x.py:10`", "`.filter`", "`1/2`", "`add`", "Money", "`int | None`", "`f(x).py`", "`p/a b`",
         "`make test`", "`...`", "`./`", "`x = a/b`", "**`Node.js`**", "## `add_up()`", "`1.2.0`:")  # fmt: skip

UNREADABLE: dict[str, tuple[str, Detail, bool]] = {
    "promise": ("Here is the file:\n", Detail.NO_EDIT, False),
    "no path anywhere": ("```python\na\n```\n", Detail.NO_EDIT, False),
    "a language in the fence is no path": ("```Makefile\na:\n```\n", Detail.NO_EDIT, False),
    **{
        f"no file is called {name}": (f"{name}\n```\na\n```\n", Detail.NO_EDIT, False) for name in PROSE
    },
    "a title is no path": ('```python title="Example"\na\n```\n', Detail.NO_EDIT, False),
    "a framework in the fence is no path": ("```Node.js\na\n```\n", Detail.NO_EDIT, False),
    "a diff without a path": ("```diff\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n```\n", Detail.NO_EDIT, False),
    "an open fence of code beside prose": ("Use this:\n```python\nx = 1\n", Detail.NO_EDIT, False),
    "an open fence, a file inside": ("````\nUse this:\n\nx.py\n```\na\n```\n", Detail.BAD_BLOCK, True),
    "an open fence, a deletion inside": ("```\nDELETE FILE: x.py\n", Detail.BAD_BLOCK, True),
    "an open fence below a file": ("x.py\n```\na\n```\nUse it:\n```sh\npytest\n", Detail.BAD_BLOCK, True),
    "cut": ("x.py\n```\na\n", Detail.BAD_BLOCK, True),
    "cut after a nested fence": ("R.md\n```\n```py\na\n```\nmore\n```\n```py\n", Detail.BAD_BLOCK, True),
    "cut inside a fence around all": ("```markdown\nx.py\n```python\na\n", Detail.BAD_BLOCK, True),
    "cut in the closing fence": ("x.py\n```\na\n``", Detail.BAD_BLOCK, True),
}  # fmt: skip


@pytest.mark.parametrize("leniency", [STRICT, STANDARD], ids=["strict", "standard"])
@pytest.mark.parametrize(("reply", "detail", "unterminated"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_what_names_no_file_or_has_no_end_is_unreadable(
    reply: str, detail: Detail, unterminated: bool, leniency: Leniency
) -> None:
    found = FORMAT.parse(reply, leniency)
    assert isinstance(found, Unreadable), found
    assert (found.detail, found.unterminated) == (detail, unterminated)


LINES = st.sampled_from(["a", "b", "", "  a", "c\r", "```", "````", "```py", "~~~", "x.py", "1 | a", "2 | b", "\f",
                         "# filepath: y.py", "DELETE FILE: x", "<<<<<<< SEARCH", "=======", "é\u2028"])  # fmt: skip
CONTENTS = st.lists(LINES, max_size=10).flatmap(
    lambda lines: st.sampled_from(["", "\n"]).map(lambda end: ("\n".join(lines) + end).encode())
)


@settings(max_examples=300, deadline=None)
@given(before=st.none() | CONTENTS, after=CONTENTS)
def test_any_contents_survive_writing_reading_and_applying(before: bytes | None, after: bytes) -> None:
    if before == after:
        return
    reply = FORMAT.encode({"p/x.py": before}, {"p/x.py": after})
    assert isinstance(reply, str)
    found = run(reply, {"p/x.py": before})
    assert isinstance(found, Applied)
    assert found.files == {"p/x.py": after}


@settings(max_examples=300, deadline=None)
@given(before=CONTENTS, reply=st.lists(LINES, max_size=20).map("\n".join))
def test_any_reply_is_applied_or_refused(before: bytes, reply: str) -> None:
    for leniency in (STRICT, STANDARD):
        found = run(reply, {"x.py": before}, leniency)
        assert isinstance(found, Applied) or found.message


def test_long_replies_take_linear_time() -> None:
    for reply in ("x.py\n```python\na\n```\n" * 5_000, "```\n" * 30_000, "x.md\n```\n```a\n```b\n```\n" * 5_000,
                  "x.md\n```\n```a\n```\n" * 5_000, "x.py\n```python\n" * 30_000,
                  *(f"{part * 30_000})\n```\na\n```\n`{part * 30_000})`\n```\na\n```\n"
                    for part in ("a", "/", "a/", ".a"))):  # fmt: skip
        for leniency in (STRICT, STANDARD):
            run(reply, {"x.py": b"b\n" * 1000}, leniency)


NAMES: dict[str, str] = {
    "x.py": "x.py", "p/x.py": "p/x.py", "p/q": "p/q", "Makefile": "Makefile", "VERSION": "VERSION",
    ".gitignore": ".gitignore",
    "p/.x": "p/.x", "app/[id]/page.tsx": "app/[id]/page.tsx", "t/f().json": "t/f().json", "hook": "./hook",
    "1.2.0": "./1.2.0", "Node.js": "./Node.js", "add_up()": "./add_up()", "x.odd": "./x.odd",
    "console.log": "./console.log", "*.py": "./*.py", "p/x:": "`./p/x:`", "p/a b.py": "`p/a b.py`",
    "a b.py": "`./a b.py`", "p q/Makefile": "`./p q/Makefile`",
}  # fmt: skip


@pytest.mark.parametrize(("path", "line"), NAMES.items(), ids=NAMES.keys())
def test_a_path_is_written_as_prose_is_not(path: str, line: str) -> None:
    reply = FORMAT.encode({path: b"a\n"}, {path: b"b\n"})
    assert isinstance(reply, str)
    assert reply.startswith(f"{line}\n```")
    found = run(reply, {path: b"a\n"})
    assert isinstance(found, Applied)
    assert found.files == {path: b"b\n"}


@pytest.mark.parametrize("path", ["pip install foo", "a b", "p/x.py y.py", "p/a -b.py", "p/a b.py ", "`x.py`"])
def test_a_path_that_only_prose_could_spell_cannot_be_expressed(path: str) -> None:
    assert isinstance(FORMAT.encode({path: None}, {path: b"b\n"}), CannotExpress)


WORDS = st.text(st.sampled_from("ab1 ./\\-_`*:()[]{}#'\"é\u2028"), min_size=1, max_size=8)


@settings(max_examples=500, deadline=None)
@given(stem=WORDS, ending=st.sampled_from(["", ".py", ".odd", "/x.py", "/Makefile"]))
def test_any_path_is_written_so_that_it_is_read_again_or_not_at_all(stem: str, ending: str) -> None:
    path = f"{stem}{ending}"
    reply = FORMAT.encode({path: None}, {path: b"b\n"})
    if isinstance(reply, str):
        for leniency in (STRICT, STANDARD):
            edits = FORMAT.parse(reply, leniency)
            assert not isinstance(edits, Unreadable)
            assert [edit.path for edit in edits] == [path]
