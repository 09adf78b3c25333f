import pytest

from evaluator.put_back import put_back
from miner.symbols.compare import unintended_changes
from miner.symbols.files import allowed_by, syntax_errors

BEFORE = '''import a
import b


def f():
    return 1


def g():
    return 2


if X:
    h = 3
'''
ALLOWED = ["f", "import c"]
WANTED = BEFORE.replace("return 1", "return 10")
CASES = {
    "nothing unintended": (WANTED, WANTED),
    "a function dropped": (WANTED.replace("def g():\n    return 2\n\n\n", ""), WANTED),
    "a function modified": (WANTED.replace("return 2", "return 20"), WANTED),
    "a function added": (WANTED.replace("def g", "def new():\n    pass\n\n\ndef g"), WANTED),
    "imports swapped": (WANTED.replace("import a\nimport b", "import b\nimport a"), WANTED),
    "an import dropped, an allowed one added": (
        WANTED.replace("import b\n", "import c\n"),
        WANTED.replace("import b\n", "import b\nimport c\n"),
    ),
    "a compound statement dropped": (WANTED.replace("\n\nif X:\n    h = 3\n", ""), WANTED),
}


@pytest.mark.parametrize(("after", "expected"), CASES.values(), ids=CASES.keys())
def test_only_what_is_allowed_stays_changed(after: str, expected: str) -> None:
    restored = put_back({"x.py": BEFORE.encode()}, {"x.py": after.encode()}, {"x.py": ALLOWED})["x.py"]
    assert restored is not None
    assert unintended_changes(BEFORE, restored.decode(), ALLOWED) == []
    assert syntax_errors("x.py", restored) == 0
    assert "".join(restored.decode().split()) == "".join(expected.split())


TRY = "try:\n    import re2\nexcept ImportError:\n    re2 = None\n"
IN_LANGUAGES = {
    "the first import of a Go file": (
        "a.go", "package a\n\nfunc f() {}\n", "package a\n\nimport \"os\"\n\nfunc f() { os.Exit(1) }\n",
        "package a\n\nimport \"os\"\nimport \"io\"\n\nfunc f() { os.Exit(1) }\n"),
    "an import above one in a try": (
        "a.py", f"import os\n\n{TRY}\n\ndef f():\n    return os\n",
        f"import os\nimport sys\n\n{TRY}\n\ndef f():\n    return sys\n",
        f"import sys\n\n{TRY}\n\ndef f():\n    return sys\n"),
    "a member after the last of an object": (
        "a.js", "const o = {\n  a() { return 1; }\n};\n", "const o = {\n  a() { return 2; }\n};\n",
        "const o = {\n  a() { return 2; },\n  b() { return 3; },\n};\n"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "before", "truth", "reply"), IN_LANGUAGES.values(), ids=IN_LANGUAGES.keys())
def test_the_allowed_change_stays_in_every_language(path: str, before: str, truth: str, reply: str) -> None:
    old, new, given = ({path: text.encode()} for text in (before, truth, reply))
    restored = put_back(old, given, allowed_by(old, new))[path]
    assert restored is not None
    assert restored.decode().replace("},", "}").split() == truth.split()  # a comma more is no matter
    assert syntax_errors(path, restored) == 0


def test_files_that_may_not_change_are_as_before_and_new_ones_gone() -> None:
    before = {"x.py": b"1\n", "y.txt": b"a\nb\nc\n", "n.py": None}
    after = {"x.py": b"2\n", "y.txt": b"A\nb\nC\n", "n.py": b"3\n"}
    assert put_back(before, after, {"y.txt": ["<lines 1-1>"]}) == {"x.py": b"1\n", "y.txt": b"A\nb\nc\n", "n.py": None}


def test_a_deleted_file_comes_back() -> None:
    assert put_back({"x.py": b"1\n"}, {"x.py": None}, {"x.py": ["f"]}) == {"x.py": b"1\n"}


def test_a_neighbour_that_moved_to_the_end_and_changed_goes_back_and_new_imports_stay() -> None:
    before = "from os import sep\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n\n\ndef h():\n    return 3\n"
    solved = before.replace("import sep", "import curdir, sep").replace("return 1", "return curdir")
    swapped = solved.replace("def g():\n    return 2\n\n\n", "") + "\n\ndef g():\n    # here\n    return 2\n"
    allowed = {"x.py": ["f", "from os import curdir"]}
    restored = put_back({"x.py": before.encode()}, {"x.py": swapped.encode()}, allowed)
    assert restored == {"x.py": solved.encode()}


@pytest.mark.parametrize("between", ["\n\n\n", "\n"])
def test_a_dropped_neighbour_comes_back_where_it_was_beside_what_the_truth_adds(between: str) -> None:
    """Blank lines that are not as before tell that the truth's addition stood there, and the neighbour below it."""
    before = "A = {}\n\n\ndef f():\n    return 1\n\n\ndef g():\n    return 2\n"
    solved = before.replace("A = {}\n\n\n", f"A = {{}}{between}B = {{}}\n\n\n")
    if between == "\n\n\n":
        solved = before.replace("def g", "B = {}\n\n\ndef g")
    reply = solved.replace("def f():\n    return 1\n\n\n", "")
    restored = put_back({"a.py": before.encode()}, {"a.py": reply.encode()}, {"a.py": ["B"]})
    assert restored["a.py"] == solved.encode()
